import { isDeepStrictEqual } from 'node:util';
import { archiveOf, summarizeCluster } from '@cairn/shared/cluster/record';
import { historyView } from '../../../../functions/clusters/history.ts';
import { clusterView } from '../../../../functions/clusters/view.ts';
import type { Chain } from './chain.ts';
import type { Asked, HeadWrite, Ledger } from './ledger.ts';

type Found = (asked: Asked, what: string) => void;

/** Holds every answer against what became of the clusters; gives what does not fit. */
export function answerFaults(ledger: Ledger, chains: ReadonlyMap<string, Chain>): readonly string[] {
  const faults: string[] = [];
  const found: Found = (asked, what) => {
    const status = asked.answer === null ? 'no answer' : asked.answer.status;
    faults.push(`${asked.what} ${asked.number} of ${asked.id || 'all'}, ${status}: ${what}`);
  };
  const writes = Map.groupBy(ledger.heads.values(), ({ by }) => by);
  for (const asked of ledger.asked) {
    checkPassing(asked, found);
    const chain = chains.get(asked.id);
    if (asked.what === 'put' || asked.what === 'delete') {
      checkChange(asked, chain!, writes.get(asked) ?? [], found);
    }
  }
  for (const chain of chains.values()) {
    checkOrder(ledger, chain, found);
    for (const asked of ledger.asked) {
      if (asked.answer === null || asked.answer.status >= 500) continue;
      const window = windowOf(ledger, chain, asked);
      if (asked.id === chain.id && asked.what === 'get') checkGet(asked, chain, window, found);
      if (asked.id === chain.id && asked.what === 'history') checkHistory(asked, chain, window, found);
      if (asked.what === 'list') checkList(asked, chain, window, found);
    }
  }
  return faults;
}

/** What a client should send again says when. */
function checkPassing(asked: Asked, found: Found): void {
  const { answer } = asked;
  if (answer === null || asked.what === 'watch') return;
  if (answer.status >= 500 && answer.headers['retry-after'] === undefined) {
    found(asked, `${JSON.stringify(answer.body)} does not say when to try again`);
  }
  if (answer.status >= 500 && asked.refusals === 0) found(asked, 'failed for no reason');
}

function checkChange(asked: Asked, chain: Chain, writes: readonly HeadWrite[], found: Found): void {
  const { answer } = asked;
  const done = writes.filter(({ revision }) => chain.placeOf(revision) !== null);
  if (answer === null || answer.status >= 500) return;
  if (answer.status >= 300) {
    // It went through unseen and others went on from there twice, so that it could not be told any more.
    const isExcused = done.every(({ revision }) => wasPassed(chain, revision, asked));
    if (!isExcused) found(asked, 'was refused, but it is there');
    return;
  }
  if (asked.what === 'delete') {
    if (!done.some(({ chunks }) => chunks === 0)) found(asked, 'was acknowledged and is lost');
    return;
  }
  const revision = revisionIn(asked);
  const place = revision === null ? null : chain.placeOf(revision);
  if (place === null) return found(asked, 'was acknowledged and is lost');
  if (!done.some((write) => write.revision === revision))
    found(asked, 'was answered with the tag of another');
  const state = chain.stateAt(place);
  const isNew = chain.stateAt(place - 1) === null;
  if ((answer.status === 201) !== isNew) found(asked, isNew ? 'is new' : 'is not new');
  if (state !== null && !isDeepStrictEqual(answer.body, viewOf(chain, place)))
    found(asked, 'tells something else');
}

function wasPassed(chain: Chain, revision: string, { answeredAt }: Asked): boolean {
  const later = chain.links.slice(chain.placeOf(revision)! + 1);
  return later.filter(({ write }) => write.tries[0]! <= answeredAt).length >= 2;
}

/** What was acknowledged before another was asked for comes before it. */
function checkOrder(ledger: Ledger, chain: Chain, found: Found): void {
  const placed = ledger.asked.flatMap((asked) => {
    const isAcknowledged =
      asked.what === 'put' && asked.id === chain.id && (asked.answer?.status ?? 500) < 300;
    const place = isAcknowledged ? chain.placeOf(revisionIn(asked) ?? '') : null;
    return place === null ? [] : [{ asked, place }];
  });
  for (const { asked, place } of placed) {
    const earlier = placed.find((other) => other.asked.answeredAt < asked.askedAt && other.place > place);
    if (earlier !== undefined) found(asked, `came before ${earlier.asked.number}, which was over`);
  }
}

interface Window {
  readonly from: number;
  readonly to: number;
}

/** The states that an answer may show: none older than what anybody was told before it was asked for. */
function windowOf(ledger: Ledger, chain: Chain, asked: Asked): Window {
  let from = -1;
  for (const other of ledger.asked) {
    if (other.id !== chain.id || other.answer === null || other.answeredAt >= asked.askedAt) continue;
    const revision = other.answer.status < 300 ? revisionIn(other) : null;
    from = Math.max(from, revision === null ? -1 : (chain.placeOf(revision) ?? -1));
  }
  const to = chain.links.findLastIndex(({ write }) => write.tries[0]! <= asked.answeredAt);
  return { from, to };
}

function checkGet(asked: Asked, chain: Chain, window: Window, found: Found): void {
  const { status, body } = asked.answer!;
  if (status === 404) {
    if (!someState(chain, window, (state) => state === null)) found(asked, 'it was there all the time');
    return;
  }
  const place = chain.placeOf(revisionIn(asked) ?? '');
  if (place === null) return found(asked, 'shows something that never was');
  if (place < window.from)
    found(asked, `shows change ${place}, older than change ${window.from}, which was told`);
  if (place > window.to) found(asked, 'shows something that was not yet');
  if (!isDeepStrictEqual(body, viewOf(chain, place))) found(asked, 'shows a mixture');
}

function checkHistory(asked: Asked, chain: Chain, window: Window, found: Found): void {
  const { status, body } = asked.answer!;
  const isFitting = someState(chain, window, (state) =>
    state === null
      ? status === 404
      : isDeepStrictEqual(
          body,
          historyView(chain.id, archiveOf(state), { limit: asked.historyLimit, explain: false }),
        ),
  );
  if (!isFitting) found(asked, 'shows a history that never was');
}

/** What is listed is as it was, and what was there all the time is listed. */
function checkList(asked: Asked, chain: Chain, window: Window, found: Found): void {
  const { clusters } = asked.answer!.body as { clusters: readonly { id: string }[] };
  for (const listed of clusters.filter(({ id }) => id === chain.id)) {
    const isFitting = someState(chain, window, (state) => {
      const told = state && { id: chain.id, ...summarizeCluster(state) };
      return told !== null && isDeepStrictEqual(fieldsOf(listed, told), told);
    });
    if (!isFitting) found(asked, `shows a ${chain.id} that never was`);
  }
  const isListed = clusters.some(({ id }) => id === chain.id);
  if (!isListed && !someState(chain, window, (state) => state === null)) found(asked, `lacks ${chain.id}`);
}

/** The same fields of another object; the list tells more of a cluster than what it reported. */
function fieldsOf(from: object, like: object): unknown {
  return Object.fromEntries(Object.keys(like).map((field) => [field, from[field as keyof typeof from]]));
}

function someState(
  chain: Chain,
  { from, to }: Window,
  fits: (state: ReturnType<Chain['stateAt']>) => boolean,
): boolean {
  for (let place = from; place <= to; place++) if (fits(chain.stateAt(place))) return true;
  return false;
}

function viewOf(chain: Chain, place: number): unknown {
  const state = chain.stateAt(place);
  return state && JSON.parse(JSON.stringify(clusterView(chain.id, state, { usernames: false })));
}

function revisionIn({ answer }: Asked): string | null {
  const etag = answer?.headers['etag'];
  return typeof etag === 'string' ? etag.slice(1, -1) : null;
}
