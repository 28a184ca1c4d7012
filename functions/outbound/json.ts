import { scanJson } from '@cairn/shared/json/scan';
import { Refusal } from './refusal.ts';

/** Parses bytes of a stranger: what `JSON.parse` would accept to our harm is refused before it sees it. */
export function parseHostileJson(bytes: Buffer): unknown {
  const scan = scanJson(bytes);
  if (!scan.ok) throw new Refusal(scan.code, scan.detail);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // The parser's own message quotes the body.
    throw new Refusal('NotJson', `the body of ${bytes.length} bytes is not JSON`);
  }
}
