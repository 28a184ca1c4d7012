import { showValue } from '../../text/quote.ts';
import { at } from './resource.ts';
import { type FAILED_RULES, type IsPrunable, notPrunable, PRUNABLE, type Verdict } from './verdict.ts';

export interface FinishedOptions {
  /** Whether what has failed may go as well; it stays unless said, so that somebody can look why. */
  readonly failed?: (typeof FAILED_RULES)[number] | undefined;
}

/** A Pod that has succeeded; with `failed: 'prune'` also one that has failed. */
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

/** A Job that is complete; with `failed: 'prune'` also one that has failed. */
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
  throw new TypeError(`failed is ${showValue(failed)}; it must be "keep" or "prune"`);
}

/** Items of typed lists do not tell their kind, and are what they were registered as. */
function otherKind(object: unknown, expected: string): Verdict | null {
  if (typeof object !== 'object' || object === null) {
    return notPrunable(`expected a ${expected}, found ${showValue(object)}`);
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
  return typeof value === 'string' && /^\w{1,63}$/.test(value) ? value : showValue(value);
}
