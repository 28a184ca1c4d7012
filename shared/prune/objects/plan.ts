import { groupBy } from '../../collection/group-by.ts';
import { mapConcurrent } from '../../collection/map-concurrent.ts';
import { quoteValue, messageOf } from '../../text/quote.ts';
import { type Candidate, listCandidates, type Listing } from './listing.ts';
import { type Failed, type Judged, type ListProblem, isVerdict } from './report.ts';
import { kindText, type Resource } from './resource.ts';
import { selectBy, type StrategyContext } from './selector.ts';
import type { Settings } from './validate-options.ts';

export interface Plan<T> {
  readonly resources: ReadonlyMap<T, Resource>;
  readonly filtered: number;
  readonly skipped: readonly Judged<T>[];
  readonly kept: readonly Judged<T>[];
  readonly selected: readonly Judged<T>[];
  readonly failed: readonly Failed<T>[];
  readonly problems: readonly ListProblem[];
  /** Set if the strategy broke its contract. */
  readonly strategyFault: StrategyFault | null;
}

export interface StrategyFault {
  readonly message: string;
  readonly cause: unknown;
}

const ABORTED = 'the run was aborted before it was judged';

export async function makePlan<T>(
  settings: Settings<T>,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<Plan<T>> {
  const listing = await listCandidates(settings, signal);
  const resources = new Map(listing.candidates.map(({ object, resource }) => [object, resource]));
  const judgements = await judge(settings, listing, now, signal);
  const context: StrategyContext<T> = {
    now,
    ...(signal !== undefined && { signal }),
    describe: (object) => resources.get(object) ?? settings.describe(object, null),
  };
  const counted = listing.candidates.filter((candidate) => judgements.get(candidate)!.isCounted);
  const { reasons, fault } = await selectOfEach(settings, counted, context);

  const skipped: Judged<T>[] = [];
  const kept: Judged<T>[] = [];
  const selected: Judged<T>[] = [];
  const failed: Failed<T>[] = [];
  const unselected = fault?.message ?? (signal?.aborted ? ABORTED : 'the strategy leaves it');
  for (const candidate of listing.candidates) {
    const { object } = candidate;
    const { reason, thrown } = judgements.get(candidate)!;
    if (reason !== null) skipped.push({ object, reason });
    else if (reasons.has(object)) selected.push({ object, reason: reasons.get(object)! });
    else kept.push({ object, reason: unselected });
    if (thrown !== undefined) {
      const { error } = thrown;
      failed.push({ object, reason: messageOf(error), stage: 'is-prunable', error });
    }
  }
  const { filtered, problems } = listing;
  return { resources, filtered, skipped, kept, selected, failed, problems, strategyFault: fault };
}

interface Judgement {
  readonly reason: string | null;
  readonly isCounted: boolean;
  readonly thrown?: { readonly error: unknown };
}

async function judge<T>(
  settings: Settings<T>,
  { candidates, incomplete }: Listing<T>,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<Map<Candidate<T>, Judgement>> {
  const judgements = new Map<Candidate<T>, Judgement>();
  await mapConcurrent(candidates, settings.concurrency, async (candidate) => {
    const untouchable = whyUntouchable(candidate, incomplete);
    if (untouchable !== null || signal?.aborted) {
      const reason = untouchable ?? ABORTED;
      judgements.set(candidate, { reason, isCounted: false });
      return;
    }
    try {
      const reason = await whyUnprunable(settings, candidate, now);
      judgements.set(candidate, { reason, isCounted: reason === null || settings.countUnprunable });
    } catch (error) {
      const reason = `whether it may go is not known: ${messageOf(error)}`;
      judgements.set(candidate, { reason, isCounted: false, thrown: { error } });
    }
  });
  return judgements;
}

/** Reason to hide an object from the strategy: it can never be deleted. */
function whyUntouchable<T>(
  { resource, unreadable }: Candidate<T>,
  incomplete: ReadonlySet<string>,
): string | null {
  if (unreadable !== null) return unreadable;
  if (resource.name === '') return 'it has no name';
  if (resource.createdAt === null) return 'it has no creation time that can be read';
  if (resource.deletionRequested) return 'it is being deleted already';
  const kind = kindText(resource.kind);
  return incomplete.has(kind) ? `the list of ${kind} is not complete` : null;
}

async function whyUnprunable<T>(
  { registry, isAllowedUnregistered }: Settings<T>,
  { object, resource }: Candidate<T>,
  now: Date,
): Promise<string | null> {
  const isPrunable = registry.get(resource.kind);
  const kind = kindText(resource.kind);
  if (isPrunable === undefined) {
    return isAllowedUnregistered(kind)
      ? null
      : `no is-prunable is registered for ${kind}; registry.register(${quoteValue(kind)}, …) or allowUnregistered: [${quoteValue(kind)}] lets it go`;
  }
  const verdict: unknown = await isPrunable(object, { now: new Date(now) });
  if (!isVerdict(verdict)) {
    throw new TypeError(
      `the is-prunable of ${kind} returned ${quoteValue(verdict)}; it must return {ok: true} or {ok: false, reason}`,
    );
  }
  return verdict.ok ? null : verdict.reason;
}

async function selectOfEach<T>(
  { strategy, judgesAllKinds }: Settings<T>,
  candidates: readonly Candidate<T>[],
  context: StrategyContext<T>,
): Promise<{ reasons: ReadonlyMap<T, string>; fault: StrategyFault | null }> {
  const reasons = new Map<T, string>();
  const groups = groupBy(candidates, ({ resource }) => (judgesAllKinds ? '' : kindText(resource.kind)));
  for (const [kind, group] of groups) {
    if (context.signal?.aborted) break;
    try {
      const objects = group.map(({ object }) => object);
      const selection = await selectBy(strategy, objects, context);
      for (const [object, reason] of selection) reasons.set(object, reason);
    } catch (error) {
      // A strategy that honors the signal throws; that is not a fault.
      if (context.signal?.aborted) break;
      return { reasons, fault: faultOf(kind, error) };
    }
  }
  return { reasons, fault: null };
}

function faultOf(kind: string, cause: unknown): StrategyFault {
  const of = kind === '' ? '' : ` for ${kind}`;
  return { message: `the strategy failed${of}, so nothing is deleted: ${messageOf(cause)}`, cause };
}
