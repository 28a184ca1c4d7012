import { ApiError, type FieldFault } from './responses.ts';
import { noteRefused, readToken } from './status.ts';

const TIMEOUT_MS = 20_000;

interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: BodyInit;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Throws an {@link ApiError} for any failed response. Renews an expired sign-in once if the issuer allows it. */
export async function send(path: string, request: ApiRequest = {}, mayRenew = true): Promise<Response> {
  const { method = 'GET', body, type, headers, signal } = request;
  const token = readToken();
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      ...(body !== undefined && { body }),
      // Keep private responses out of the browser cache: others can use the browser later.
      ...(token && { cache: 'no-store' }),
      headers: {
        accept: 'application/json',
        ...(type !== undefined && { 'content-type': type }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(
      timeout.aborted ? `nothing came within ${TIMEOUT_MS / 1000} seconds` : 'the connection failed',
      {
        status: 0,
        code: 'unreachable',
        title: timeout.aborted ? 'The service does not answer' : 'The service cannot be reached',
      },
    );
  }
  // 304: the caller sent an entity tag.
  if (response.ok || response.status === 304) return response;
  if (response.status === 401 && token && mayRenew && (await isRenewed(token))) {
    return send(path, request, false);
  }
  const error = await errorOf(response);
  if (error.needsToken) noteRefused(error);
  throw error;
}

const isRenewed = (token: string): Promise<boolean> =>
  import('../sign-in/session.ts').then(
    ({ renew }) => renew(token),
    () => false,
  );

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return readJson<T>(await send(path, signal ? { signal } : {}));
}

/** Omits empty values: `/v1/clusters?name=prod`. */
export function withQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const sent = Object.entries(parameters).filter(([, value]) => value !== '');
  return sent.length === 0 ? path : `${path}?${new URLSearchParams(sent).toString()}`;
}

/** A proxy between page and service can truncate a response or replace it by its own page. */
export async function readJson<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch {
    throw new ApiError('what came is cut off or is not from this service', {
      status: 0,
      code: 'unreadable',
      title: 'The answer cannot be read',
    });
  }
}

/** Accepts problems of RFC 9457, the update protocol, assisted-service and the gateway. */
async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  const text = (name: string): string | null => (typeof body[name] === 'string' ? body[name] : null);
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  const detail = text('detail') ?? text('value') ?? text('reason') ?? text('message') ?? response.statusText;
  return new ApiError(detail, {
    status: response.status,
    code: text('type')?.split(':').at(-1) ?? text('kind') ?? String(response.status),
    title: text('title') ?? `The service answered ${response.status}`,
    faults: Array.isArray(body['errors']) ? (body['errors'] as FieldFault[]) : [],
    requestId: text('instance')?.split(':').at(-1) ?? null,
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  });
}
