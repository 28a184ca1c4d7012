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
