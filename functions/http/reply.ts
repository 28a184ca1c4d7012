import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { Problem } from './problem.ts';

export type HttpResult = APIGatewayProxyStructuredResultV2;

/** Endpoint result: data to send as JSON, or a complete response. */
export type Reply<Data> =
  | {
      readonly data: Data;
      readonly headers?: Readonly<Record<string, string>>;
      /** @default that of the route */
      readonly status?: number;
    }
  | Whole<Data>;

export interface Whole<Data = never> {
  readonly answer: HttpResult;
  /** Type only, never set: the data behind a JSON response. */
  readonly written?: Data;
}

export const JSON_TYPE = 'application/json';
export const HTML_TYPE = 'text/html; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
export const YAML_TYPE = 'application/yaml';
export const CSV_TYPE = 'text/csv; charset=utf-8';

export function json(
  status: number,
  data: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResult {
  const answer = textAnswer(JSON_TYPE, JSON.stringify(data));
  return { ...answer, statusCode: status, headers: { ...answer.headers, ...headers } };
}

export function textAnswer(type: string, body: string): HttpResult {
  return {
    statusCode: 200,
    headers: { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    body,
  };
}

/** Lambda responses are limited to 6 MB, with the body as a JSON string. */
const MOST_BYTES = 5_500_000;

/** Upper limit per character in that string; an escaped character takes two. */
const BYTES_PER_CHARACTER = 3;

/** Rejects a response over the limit, which a response that repeats its input can reach. */
export function boundedAnswer(type: string, body: string): Whole {
  if (body.length * BYTES_PER_CHARACTER > MOST_BYTES) {
    const bytes = Buffer.byteLength(JSON.stringify(body));
    if (bytes > MOST_BYTES) {
      throw new Problem(
        'body-too-large',
        `the answer would take ${bytes} bytes, at most ${MOST_BYTES} can be sent; send less at once`,
      );
    }
  }
  return { answer: textAnswer(type, body) };
}

export function boundedJson<Data>(data: Data): Whole<Data> {
  return boundedAnswer(JSON_TYPE, JSON.stringify(data));
}
