import { textAnswer, type Whole } from './endpoint.ts';
import { Problem } from './problem.ts';

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

/** Forms of answers, as they are named in a header. */
export const JSON_TYPE = 'application/json';
export const HTML_TYPE = 'text/html; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
export const YAML_TYPE = 'application/yaml';
export const CSV_TYPE = 'text/csv; charset=utf-8';
