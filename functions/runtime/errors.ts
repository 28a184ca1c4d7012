import type { Mistake } from '@cairn/shared/input/input-value';

/** Codes of expected errors. Clients and operators rely on them: a code never changes. Explained in docs/problems.md. */
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
  | 'unknown-pruner'
  | 'unknown-run'
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
  | 'concurrent-change'
  | 'precondition-failed'
  | 'cluster-too-large'
  | 'body-too-large'
  | 'unsupported-media-type'
  | 'no-path'
  | 'too-complex'
  | 'stopped'
  | 'overloaded'
  | 'not-synced-yet'
  | 'unavailable'
  | 'internal';

/** The wire form of a mistake in a request: without a pointer it is in a parameter. */
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

/** An error whose text is for the caller. Requests and jobs treat any other one as a bug or an outage. */
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

/** A dependency is busy; the same call may succeed later. */
export class TransientError extends Error {
  override readonly name = 'TransientError';
}

/** A change was refused, because it would drop what a newer release has stored. */
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

/** Whether a retry may succeed: an AWS service was busy, failed, could not be reached or sent a broken response. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof TransientError || BUSY.has(error.name)) return true;
  const { $metadata, $fault, code } = error as Error & {
    readonly $metadata?: object;
    /** Set when a service refused: `client` blames the request. */
    readonly $fault?: 'client' | 'server';
    readonly code?: string;
  };
  return ($metadata !== undefined && $fault !== 'client') || (code !== undefined && CUT_OFF.has(code));
}
