import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { Problem } from './problem.ts';

export type HttpResult = APIGatewayProxyStructuredResultV2;

/** What an endpoint answers: data, which is sent as JSON, or an answer that is whole already. */
export type Reply<Data> =
  | {
      readonly data: Data;
      readonly headers?: Readonly<Record<string, string>>;
      /** @default that of the route */
      readonly status?: number;
    }
  | Whole<Data>;

/** An answer that is whole already. */
export interface Whole<Data = never> {
  readonly answer: HttpResult;
  /** Never there: the type of what was written as JSON into the answer. */
  readonly written?: Data;
}

/** Forms of answers, as they are named in a header. */
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
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body: JSON.stringify(data),
  };
}

/** An answer that is no JSON. */
export function textAnswer(type: string, body: string): HttpResult {
  return {
    statusCode: 200,
    headers: { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    body,
  };
}

/** A Lambda gives 6 MB, in which the body is the text of a JSON string. */
const MOST_BYTES = 5_500_000;

/** A character takes at most so many there, an escaped one two. */
const BYTES_PER_CHARACTER = 3;

/** An answer that repeats what was sent may become longer than one can be: whoever asks is told to send less. */
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

/** The same of data, which is written once. */
export function boundedJson<Data>(data: Data): Whole<Data> {
  return boundedAnswer(JSON_TYPE, JSON.stringify(data));
}
