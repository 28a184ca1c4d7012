import { type JsonScanCode, scanJson } from '@cairn/shared/graph/json-scan';
import { type FetchFailure, Refusal } from './failures.ts';

const SCAN_FAILURES: Readonly<Record<JsonScanCode, FetchFailure>> = {
  duplicate_key: 'DuplicateKey',
  not_utf8: 'NotUtf8',
  string_too_long: 'StringTooLong',
  too_deep: 'TooDeep',
  too_many_keys: 'TooManyKeys',
};

/** Parses bytes of a stranger: what `JSON.parse` would accept to our harm is refused before it sees it. */
export function parseHostileJson(bytes: Buffer): unknown {
  const scan = scanJson(bytes);
  if (!scan.ok) throw new Refusal(SCAN_FAILURES[scan.code], scan.detail);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // The parser's own message quotes the body.
    throw new Refusal('NotJson', `the body of ${bytes.length} bytes is not JSON`);
  }
}
