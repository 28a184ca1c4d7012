import { scanJson } from '@cairn/shared/json/scan';

/** Why a graph could not be fetched. The words are stable: they are stored, counted and alarmed on. */
export type FetchFailure =
  | 'Aborted'
  | 'BadContentType'
  | 'BadEncoding'
  | 'BadHttp'
  | 'BadStatus'
  | 'ConnectFailed'
  | 'ConnectionLost'
  | 'DuplicateKey'
  | 'EgressDenied'
  | 'NotJson'
  | 'NotUtf8'
  | 'StringTooLong'
  | 'TimedOut'
  | 'TlsRefused'
  | 'TooDeep'
  | 'TooLarge'
  | 'TooManyKeys'
  | 'TooManyValues'
  | 'Truncated'
  | 'UpstreamDown';

export interface Failure {
  readonly code: FetchFailure;
  readonly detail: string;
}

/** A failure on its way through streams, which know exceptions only. */
export class Refusal extends Error {
  readonly code: FetchFailure;

  constructor(code: FetchFailure, detail: string) {
    super(detail);
    this.code = code;
  }
}

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
