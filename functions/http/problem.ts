import type { Mistake } from '@cairn/shared/input/input-value';
/** The kinds of problem a caller can meet: a stable `type`, its status and title. Explained in docs/problems.md. */
export const PROBLEMS = {
  'invalid-parameter': { status: 400, title: 'A parameter is not valid' },
  'missing-parameter': { status: 400, title: 'A parameter is missing' },
  'invalid-body': { status: 400, title: 'The request body is not valid' },
  'invalid-documents': { status: 400, title: 'The documents of the cluster are not valid' },
  unauthorized: { status: 401, title: 'A token is needed' },
  'forbidden-host': { status: 403, title: 'The host name is not served' },
  'forbidden-origin': { status: 403, title: 'The page is not allowed to call this' },
  'not-found': { status: 404, title: 'There is nothing here' },
  'unknown-channel': { status: 404, title: 'The channel is not followed' },
  'unknown-version': { status: 404, title: 'There is no such version here' },
  'unknown-cluster': { status: 404, title: 'There is no such cluster here' },
  'unknown-pruner': { status: 404, title: 'There is no such pruner here' },
  'unknown-run': { status: 404, title: 'There is no such run here' },
  'no-webhook': { status: 404, title: 'No webhook is set' },
  'unknown-upload': { status: 404, title: 'There is no such upload' },
  'method-not-allowed': { status: 405, title: 'The method is not supported here' },
  'not-acceptable': { status: 406, title: 'There is no form of it that the client accepts' },
  'run-in-progress': { status: 409, title: 'A run is already under way' },
  'cluster-mismatch': { status: 409, title: 'The documents are of another cluster' },
  'target-taken': { status: 409, title: 'Another pruner deletes there already' },
  'target-withdrawn': { status: 409, title: 'The bucket is not in the settings any more' },
  'source-mismatch': { status: 409, title: 'Somebody else reports this already' },
  'outdated-report': { status: 409, title: 'A newer report is known already' },
  'concurrent-change': { status: 409, title: 'It is being changed by others' },
  'precondition-failed': { status: 412, title: 'It is not as the request expects' },
  'cluster-too-large': { status: 413, title: 'The cluster is larger than what is kept' },
  'body-too-large': { status: 413, title: 'The request body is too large' },
  'unsupported-media-type': { status: 415, title: 'The content type is not supported' },
  'no-path': { status: 422, title: 'There is no path to make this of' },
  'too-complex': { status: 422, title: 'The question takes too long to answer' },
  stopped: { status: 503, title: 'It was stopped by hand' },
  overloaded: { status: 503, title: 'Too many requests came at once' },
  'not-synced-yet': { status: 503, title: 'The first sync has not finished yet' },
  unavailable: { status: 503, title: 'The storage does not answer' },
  internal: { status: 500, title: 'Something went wrong on our side' },
} as const;

type ProblemCode = keyof typeof PROBLEMS;

/** The wire form of a mistake in a request: without a pointer it is in a parameter. */
export interface ProblemDetail extends Partial<
  Pick<Mistake, 'parameter' | 'document' | 'pointer' | 'nearest'>
> {
  readonly value?: string | undefined;
  readonly detail: string;
}

export function problemDetail({ document, pointer, detail }: Mistake): ProblemDetail {
  return { ...(document !== undefined && { document }), pointer, detail };
}

/** An error meant for the caller. Everything else that is thrown becomes a bare 500. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly errors: readonly ProblemDetail[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    more: {
      readonly errors?: readonly ProblemDetail[];
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(detail);
    this.code = code;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

/** RFC 9457. */
export function problemBody(problem: Problem, requestId: string | undefined): Record<string, unknown> {
  const { status, title } = PROBLEMS[problem.code];
  return {
    type: `urn:cairn:problem:${problem.code}`,
    title,
    status,
    detail: problem.message,
    ...(requestId !== undefined && { instance: `urn:cairn:request:${requestId}` }),
    ...(problem.errors.length > 0 && { errors: problem.errors }),
  };
}

/** The shape that clients of assisted-service know. */
export function assistedBody(problem: Problem): Record<string, unknown> {
  const { status } = PROBLEMS[problem.code];
  return { kind: 'Error', id: status, href: '', code: String(status), reason: problem.message };
}

/** The names that the update protocol has for these; the rest keep ours, in its spelling. */
const CINCINNATI_KINDS: Partial<Record<ProblemCode, string>> = {
  'invalid-parameter': 'invalid_params',
  'missing-parameter': 'missing_params',
  'not-acceptable': 'invalid_content_type',
  'not-found': 'does_not_exist',
  'not-synced-yet': 'failed_upstream_fetch',
};

/** The shape that clients of an update service know. */
export function cincinnatiBody(problem: Problem): Record<string, unknown> {
  return {
    kind: CINCINNATI_KINDS[problem.code] ?? problem.code.replaceAll('-', '_'),
    value: problem.message,
  };
}

/** `what` is being changed by others, again and again. */
export function contended(what: string): Problem {
  return new Problem('concurrent-change', `others keep changing ${what}, nothing was stored; send it again`, {
    headers: { 'retry-after': '1' },
  });
}
