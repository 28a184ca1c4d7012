import { type ErrorCode, type ErrorOptions, ExpectedError } from '../runtime/errors.ts';

interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** Name in the update protocol; other problems use their code in its spelling. */
  readonly kind?: string;
}

export const PROBLEMS: Readonly<Record<ErrorCode, ProblemKind>> = {
  'invalid-parameter': { status: 400, title: 'A parameter is not valid', kind: 'invalid_params' },
  'missing-parameter': { status: 400, title: 'A parameter is missing', kind: 'missing_params' },
  'invalid-body': { status: 400, title: 'The request body is not valid' },
  'invalid-documents': { status: 400, title: 'The documents of the cluster are not valid' },
  unauthorized: { status: 401, title: 'A token is needed' },
  'forbidden-host': { status: 403, title: 'The host name is not served' },
  'forbidden-origin': { status: 403, title: 'The page is not allowed to call this' },
  'not-found': { status: 404, title: 'There is nothing here', kind: 'does_not_exist' },
  'unknown-channel': { status: 404, title: 'The channel is not followed' },
  'unknown-version': { status: 404, title: 'There is no such version here' },
  'unknown-cluster': { status: 404, title: 'There is no such cluster here' },
  'unknown-risk': { status: 404, title: 'There is no such risk here' },
  'unknown-pruner': { status: 404, title: 'There is no such pruner here' },
  'unknown-run': { status: 404, title: 'There is no such run here' },
  'unknown-acceptance': { status: 404, title: 'There is no such acceptance here' },
  'no-webhook': { status: 404, title: 'No webhook is set' },
  'unknown-upload': { status: 404, title: 'There is no such upload' },
  'method-not-allowed': { status: 405, title: 'The method is not supported here' },
  'not-acceptable': {
    status: 406,
    title: 'There is no form of it that the client accepts',
    kind: 'invalid_content_type',
  },
  'run-in-progress': { status: 409, title: 'A run is already under way' },
  'cluster-mismatch': { status: 409, title: 'The documents are of another cluster' },
  'target-taken': { status: 409, title: 'Another pruner deletes there already' },
  'target-withdrawn': { status: 409, title: 'The bucket is not in the settings any more' },
  'source-mismatch': { status: 409, title: 'Somebody else reports this already' },
  'outdated-report': { status: 409, title: 'A newer report is known already' },
  'incomplete-report': { status: 409, title: 'Incomplete cluster report' },
  'too-many-acceptances': { status: 409, title: 'Too many acceptances of risks' },
  'concurrent-change': { status: 409, title: 'It is being changed by others' },
  'precondition-failed': { status: 412, title: 'It is not as the request expects' },
  'cluster-too-large': { status: 413, title: 'The cluster is larger than what is kept' },
  'body-too-large': { status: 413, title: 'The request body is too large' },
  'unsupported-media-type': { status: 415, title: 'The content type is not supported' },
  excluded: { status: 422, title: 'The configuration excludes the version' },
  'no-path': { status: 422, title: 'No path found' },
  'no-channel': { status: 422, title: 'Release without a channel' },
  'not-an-openshift-cluster': { status: 422, title: 'The documents are not of an OpenShift cluster' },
  'too-complex': { status: 422, title: 'The question takes too long to answer' },
  stopped: { status: 503, title: 'It was stopped by hand' },
  overloaded: { status: 503, title: 'Too many requests came at once' },
  'not-synced-yet': {
    status: 503,
    title: 'The first sync has not finished yet',
    kind: 'failed_upstream_fetch',
  },
  unavailable: { status: 503, title: 'The storage does not answer' },
  internal: { status: 500, title: 'Something went wrong on our side' },
};

type Headers = Readonly<Record<string, string>>;

export class Problem extends ExpectedError {
  override readonly name = 'Problem';
  readonly headers: Headers;

  constructor(code: ErrorCode, detail: string, more: ErrorOptions & { readonly headers?: Headers } = {}) {
    super(code, detail, more);
    this.headers = more.headers ?? {};
  }
}

export function problemStatus({ code }: ExpectedError): number {
  return PROBLEMS[code].status;
}

export function problemHeaders(error: ExpectedError): Headers {
  return {
    ...(error instanceof Problem && error.headers),
    ...(error.retryAfterSeconds !== undefined && { 'retry-after': String(error.retryAfterSeconds) }),
  };
}

/** RFC 9457. */
export function problemBody(problem: ExpectedError, requestId: string | undefined): Record<string, unknown> {
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

/** Error format of assisted-service. */
export function assistedBody(problem: ExpectedError): Record<string, unknown> {
  const { status } = PROBLEMS[problem.code];
  return { kind: 'Error', id: status, href: '', code: String(status), reason: problem.message };
}

/** Error format of update services. */
export function cincinnatiBody(problem: ExpectedError): Record<string, unknown> {
  return { kind: PROBLEMS[problem.code].kind ?? problem.code.replaceAll('-', '_'), value: problem.message };
}

/** Concurrent changes of `what` prevented the write. */
export function contended(what: string): ExpectedError {
  const detail = `others keep changing ${what}, nothing was stored; send it again`;
  return new ExpectedError('concurrent-change', detail, { retryAfterSeconds: 1 });
}
