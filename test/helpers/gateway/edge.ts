import { createContext, Script } from 'node:vm';
import { graphRequestCode } from '../../../infra/aws/cdn.ts';

/** Request shape of CloudFront Functions: values as in the URL. */
export interface EdgeRequest {
  readonly method: string;
  readonly uri: string;
  readonly querystring: Readonly<Record<string, EdgeValue>>;
  readonly headers: Readonly<Record<string, EdgeValue>>;
}

export interface EdgeValue {
  readonly value: string;
  readonly multiValue?: readonly { readonly value: string }[];
}

/** The request to forward, with its query as text, or a response. */
export type EdgeResult =
  | { readonly querystring: string; readonly headers: Readonly<Record<string, EdgeValue>> }
  | {
      readonly statusCode: number;
      readonly headers: Readonly<Record<string, EdgeValue>>;
      readonly body: string;
    };

/** Loads the viewer-request function in a context with plain JavaScript only. */
export function loadEdgeFunction(): (request: EdgeRequest) => EdgeResult {
  const context = createContext(Object.create(null) as object, {
    codeGeneration: { strings: false, wasm: false },
  });
  new Script(graphRequestCode()).runInContext(context);
  const call = new Script('(event) => handler(event)').runInContext(context) as (event: object) => EdgeResult;
  return (request) => call({ version: '1.0', request });
}

export function edgeRequest(
  target: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Readonly<Record<string, string>> } = {},
): EdgeRequest {
  const [uri = '', query = ''] = target.split('?');
  const values = new Map<string, string[]>();
  for (const part of query.split('&').filter((text) => text !== '')) {
    const [name = '', ...rest] = part.split('=');
    values.set(name, [...(values.get(name) ?? []), rest.join('=')]);
  }
  const entries = Array.from(values, ([name, all]): [string, EdgeValue] => [
    name,
    { value: all[0]!, ...(all.length > 1 && { multiValue: all.map((value) => ({ value })) }) },
  ]);
  return {
    method,
    uri,
    querystring: Object.fromEntries(entries),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }])),
  };
}
