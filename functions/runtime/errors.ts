import type { Mistake } from '@cairn/shared/input/input-value';

/** Clients and operators rely on these codes: a code never changes. Explained in docs/problems.md. */
export type ErrorCode =
  | 'invalid-parameter'
  | 'missing-parameter'
  | 'invalid-body'
  | 'invalid-documents'
  | 'unauthorized'
  | 'forbidden-host'
  | 'forbidden-origin'
  | 'not-found'
  | 'unknown-channel'
  | 'unknown-version'
  | 'unknown-cluster'
  | 'unknown-risk'
  | 'unknown-pruner'
  | 'unknown-run'
  | 'unknown-acceptance'
  | 'no-webhook'
  | 'unknown-upload'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'run-in-progress'
  | 'cluster-mismatch'
  | 'target-taken'
  | 'target-withdrawn'
  | 'source-mismatch'
  | 'outdated-report'
  | 'incomplete-report'
  | 'too-many-acceptances'
  | 'concurrent-change'
  | 'precondition-failed'
  | 'cluster-too-large'
  | 'body-too-large'
  | 'unsupported-media-type'
  | 'excluded'
  | 'no-path'
  | 'no-channel'
  | 'not-an-openshift-cluster'
  | 'too-complex'
  | 'stopped'
  | 'overloaded'
  | 'not-synced-yet'
  | 'unavailable'
  | 'internal';

/** Mistake in a response; without a pointer it refers to a parameter. */
export interface ErrorDetail extends Partial<
  Pick<Mistake, 'parameter' | 'document' | 'pointer' | 'nearest'>
> {
  readonly value?: string | undefined;
  readonly detail: string;
}

export function errorDetail({ document, pointer, detail }: Mistake): ErrorDetail {
  return { ...(document !== undefined && { document }), pointer, detail };
}

export interface ErrorOptions {
  readonly retryAfterSeconds?: number;
  readonly errors?: readonly ErrorDetail[];
}

/** Error with a text for the caller. Any other error is a bug or an outage. */
export class ExpectedError extends Error {
  override readonly name: string = 'ExpectedError';
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly errors: readonly ErrorDetail[];

  constructor(code: ErrorCode, detail: string, { retryAfterSeconds, errors = [] }: ErrorOptions = {}) {
    super(detail);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.errors = errors;
  }
}

/** A dependency is busy; a retry may succeed. */
export class TransientError extends Error {
  override readonly name = 'TransientError';
}

/** Rejects a change that would drop fields of a newer Cairn version. */
export class StoredByNewerRelease extends Error {
  override readonly name = 'StoredByNewerRelease';
}

const BUSY: ReadonlySet<string> = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'SlowDown',
]);
const CUT_OFF: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** True if a retry may succeed: an AWS service was busy, failed, was unreachable or sent a broken response. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof TransientError || BUSY.has(error.name)) return true;
  const { $metadata, $fault, code } = error as Error & {
    readonly $metadata?: object;
    /** Set if a service rejected the request: `client` blames the caller. */
    readonly $fault?: 'client' | 'server';
    readonly code?: string;
  };
  return ($metadata !== undefined && $fault !== 'client') || (code !== undefined && CUT_OFF.has(code));
}
