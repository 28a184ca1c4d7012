import { type JsonScanCode, scanJson } from '@cairn/shared/json/scan';

/** Stable codes: they are stored, counted and used in alarms. */
export type FetchFailure =
  | JsonScanCode
  | 'Aborted'
  | 'BadContentType'
  | 'BadEncoding'
  | 'BadHttp'
  | 'BadStatus'
  | 'ConnectFailed'
  | 'ConnectionLost'
  | 'EgressDenied'
  | 'NotJson'
  | 'TimedOut'
  | 'TlsRefused'
  | 'TooLarge'
  | 'Truncated'
  | 'UpstreamDown';

export interface Failure {
  readonly code: FetchFailure;
  readonly detail: string;
}

/** Carries a failure through streams, which support only exceptions. */
export class Refusal extends Error {
  readonly code: FetchFailure;

  constructor(code: FetchFailure, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** Rejects untrusted bytes that `JSON.parse` would accept with harm. */
export function parseHostileJson(bytes: Buffer): unknown {
  const scan = scanJson(bytes);
  if (!scan.ok) throw new Refusal(scan.code, scan.detail);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // The parser's message would quote the body.
    throw new Refusal('NotJson', `the body of ${bytes.length} bytes is not JSON`);
  }
}
