import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import { messageOf, singleLine } from '@cairn/shared/text/quote';
import type { AssistedErrorBody, ProblemBody } from '../../openapi/responses.ts';
import { EXIT, Failure, notKnown } from '../../runtime/exit.ts';
import type { Output } from '../../runtime/lazy.ts';

/** `fetch failed` has no information; its cause does. */
export function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  return cause === undefined ? messageOf(error) : messageOf(cause);
}

const REQUESTS_AT_ONCE = 4;

/** Sends a few requests concurrently; stops sending after a failure. */
export function requestEach<Item, Result>(
  items: readonly Item[],
  request: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  let failure: { readonly error: unknown } | null = null;
  return mapConcurrent(items, REQUESTS_AT_ONCE, async (item) => {
    if (failure) throw failure.error;
    try {
      return await request(item);
    } catch (error) {
      failure ??= { error };
      throw error;
    }
  });
}

/** Error in any format of Cairn, or of a gateway in front of it, which has a `message`. */
type ErrorBody = Partial<Output<typeof ProblemBody>> &
  Partial<Pick<Output<typeof AssistedErrorBody>, 'reason'>> & { readonly message?: string };

/** Ends the command with the service's error unless the status is below 300. */
export function accepted(answer: ServiceAnswer): ServiceAnswer {
  if (answer.status < 300) return answer;
  throw new Failure(linesOf(answer), exitCodeOf(answer));
}

export function jsonOf({ body }: ServiceAnswer): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw notKnown('whoever answers there is no Cairn: the answer is not JSON');
  }
}

/** The question is right, and the answer is no. */
const NO_WAY: ReadonlySet<string> = new Set([
  'urn:cairn:problem:no-path',
  'urn:cairn:problem:no-channel',
  'urn:cairn:problem:excluded',
]);

function exitCodeOf({ status, body }: ServiceAnswer): number {
  if (NO_WAY.has(problemIn(body)?.type ?? '')) return EXIT.blocked;
  return status >= 500 || status === 429 ? EXIT.unknown : EXIT.badInput;
}

function linesOf({ status, body }: ServiceAnswer): string[] {
  const problem = problemIn(body);
  const errors = problem?.errors ?? [];
  const places = errors.map(({ parameter, document, pointer, value, detail }) => {
    const place =
      parameter === undefined
        ? [document === undefined ? '' : `document ${document}`, pointer ?? ''].filter(Boolean).join(' ')
        : flagOf(parameter);
    const shown = typeof value === 'string' ? ` "${value}"` : '';
    return place === '' ? detail : `${place}${shown}: ${detail}`;
  });
  const whole = problem?.detail ?? problem?.reason ?? problem?.message ?? problem?.title;
  const lines = places.length > 0 ? places : [whole ?? `the service answers with status ${status}`];
  const hint =
    status === 401 || status === 403
      ? ['give a token with --token, or AWS credentials that may call this service']
      : [];
  return [...lines, ...hint].map(singleLine);
}

/** Parameters have the names of their flags. */
function flagOf(parameter: string): string {
  if (['from', 'to', 'version'].includes(parameter)) return parameter.toUpperCase();
  if (parameter === 'windows') return '--window';
  // Names of clusters and pruners in route paths.
  if (parameter === 'id' || parameter === 'source') return '--cluster';
  return parameter === 'name' ? '--in-use' : `--${parameter.replaceAll('_', '-')}`;
}

function problemIn(body: Uint8Array): ErrorBody | null {
  try {
    const parsed = JSON.parse(Buffer.from(body).toString('utf8')) as unknown;
    return typeof parsed === 'object' ? parsed : null;
  } catch {
    return null;
  }
}

export interface Question {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly query?: URLSearchParams;
  readonly body?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ServiceAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** A remote Cairn, or this program with graphs in memory. */
export interface Service {
  ask(question: Question): Promise<ServiceAnswer>;
  /** For documents that are too large for a request; returns their ID. */
  upload(bytes: Uint8Array): Promise<string>;
}
