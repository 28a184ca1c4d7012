import type { Duration } from '../../text/duration.ts';
import { quoteValue } from '../../text/quote.ts';
import { type IsPrunable, notPrunable, PRUNABLE, type Verdict } from './report.ts';
import { at, type KindName, kindText, parseKind } from './resource.ts';
import type { AnyStrategy } from './selector.ts';
import { all, keepNewest, olderThan } from './strategies.ts';
import type { FAILED_RULES } from './values.ts';

export type { IsPrunable, Verdict } from './report.ts';

export interface FinishedOptions {
  /** Prune failed objects too; by default they stay for inspection. */
  readonly failed?: (typeof FAILED_RULES)[number] | undefined;
}

/** Accepts succeeded Pods; with `failed: 'prune'` also failed ones. */
export function isFinishedPod(options: FinishedOptions = {}): IsPrunable<unknown> {
  const pruneFailed = readFailed(options);
  return function isFinishedPod(object) {
    const another = otherKind(object, 'Pod');
    if (another !== null) return another;
    const phase = at(object, 'status', 'phase');
    if (phase === undefined || phase === '') return notPrunable('the pod has no phase');
    if (phase === 'Succeeded') return PRUNABLE;
    if (phase !== 'Failed') return notPrunable(`the pod is ${wordOf(phase)}`);
    return pruneFailed ? PRUNABLE : notPrunable('the pod is Failed, and failed pods are kept');
  };
}

/** Accepts complete Jobs; with `failed: 'prune'` also failed ones. */
export function isFinishedJob(options: FinishedOptions = {}): IsPrunable<unknown> {
  const pruneFailed = readFailed(options);
  return function isFinishedJob(object) {
    const another = otherKind(object, 'Job');
    if (another !== null) return another;
    if (hasCondition(object, 'Suspended')) return notPrunable('the job is suspended');
    if (hasCondition(object, 'Failed')) {
      return pruneFailed ? PRUNABLE : notPrunable('the job is failed, and failed jobs are kept');
    }
    const completed = at(object, 'status', 'completionTime');
    const isComplete = completed !== undefined && completed !== '';
    if (isComplete || hasCondition(object, 'Complete')) return PRUNABLE;
    if (at(object, 'spec', 'suspend') === true) return notPrunable('the job is suspended');
    const active = at(object, 'status', 'active');
    return notPrunable(
      typeof active === 'number' && active > 0 ? 'the job is running' : 'the job is not finished',
    );
  };
}

function readFailed({ failed = 'keep' }: FinishedOptions): boolean {
  if (failed === 'keep' || failed === 'prune') return failed === 'prune';
  throw new TypeError(`failed is ${quoteValue(failed)}; it must be "keep" or "prune"`);
}

/** Items of typed lists have no kind; they are of the registered kind. */
function otherKind(object: unknown, expected: string): Verdict | null {
  if (typeof object !== 'object' || object === null) {
    return notPrunable(`expected a ${expected}, found ${quoteValue(object)}`);
  }
  const kind = at(object, 'kind') ?? expected;
  return kind === expected ? null : notPrunable(`expected a ${expected}, found a ${wordOf(kind)}`);
}

function hasCondition(object: unknown, type: string): boolean {
  const conditions = at(object, 'status', 'conditions');
  if (!Array.isArray(conditions)) return false;
  return conditions.some((item: unknown) => at(item, 'type') === type && at(item, 'status') === 'True');
}

function wordOf(value: unknown): string {
  return typeof value === 'string' && /^\w{1,63}$/.test(value) ? value : quoteValue(value);
}

export interface FinishedPreset extends FinishedOptions {
  /** Minimum age. */
  readonly olderThan?: Duration | undefined;
  /** Objects of each kind to keep, however old. */
  readonly keepNewest?: number | undefined;
}

/** Spread into the options of `createPruner`. */
export interface Preset {
  readonly kinds: readonly string[];
  readonly strategy: AnyStrategy;
  readonly registry: PrunableKinds;
}

/**
 * Prunes finished Pods by age, by count, or by both:
 * `createPruner({ ...finishedPods({ olderThan: '7d' }), store, now })`. Failed ones stay unless `failed` is `prune`.
 */
export function finishedPods(options: FinishedPreset): Preset {
  return makePreset(['v1/Pod'], options);
}

/** Prunes finished Jobs, like `finishedPods`. */
export function finishedJobs(options: FinishedPreset): Preset {
  return makePreset(['batch/v1/Job'], options);
}

/** Counts each kind separately. A Job is older than its Pods, so it is deleted first. */
export function finishedPodsAndJobs(options: FinishedPreset): Preset {
  return makePreset(['batch/v1/Job', 'v1/Pod'], options);
}

function makePreset(kinds: readonly string[], options: FinishedPreset): Preset {
  const limits: AnyStrategy[] = [];
  if (options.olderThan !== undefined) limits.push(olderThan(options.olderThan));
  if (options.keepNewest !== undefined) limits.push(keepNewest(options.keepNewest));
  if (limits.length === 0)
    throw new TypeError('neither olderThan nor keepNewest is given; one of them is needed');
  return { kinds, strategy: all(...limits), registry: PrunableKinds.withDefaults(options) };
}

/** Prunable kinds with their functions. Other kinds are kept unless `allowUnregistered` names them. */
export class PrunableKinds {
  readonly #functions = new Map<string, IsPrunable<unknown>>();

  static withDefaults(options: FinishedOptions = {}): PrunableKinds {
    return new PrunableKinds()
      .register('v1/Pod', isFinishedPod(options))
      .register('batch/v1/Job', isFinishedJob(options));
  }

  /** Replaces an earlier registration of the kind. */
  register<T>(kind: KindName, isPrunable: IsPrunable<T>): this {
    if (typeof isPrunable !== 'function') {
      throw new TypeError(
        `the is-prunable of ${kindText(parseKind(kind))} is ${quoteValue(isPrunable)}; it must be a function`,
      );
    }
    this.#functions.set(kindText(parseKind(kind)), isPrunable as IsPrunable<unknown>);
    return this;
  }

  get(kind: KindName): IsPrunable<unknown> | undefined {
    return this.#functions.get(kindText(parseKind(kind)));
  }

  /** Sorted. */
  kinds(): readonly string[] {
    return [...this.#functions.keys()].toSorted();
  }

  copy(): PrunableKinds {
    const copy = new PrunableKinds();
    for (const [kind, isPrunable] of this.#functions) copy.register(kind, isPrunable);
    return copy;
  }
}
