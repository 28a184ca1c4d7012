import { type Duration, durationInMilliseconds, durationText } from '../../text/duration.ts';
import { quoteValue } from '../../text/quote.ts';
import { describeResource, type Resource, compareForKeeping } from './resource.ts';
import { type AnyStrategy, selectBy, type Strategy, type StrategyContext } from './selector.ts';

export type { AnyStrategy, Selection, Strategy, StrategyContext } from './selector.ts';

/** Keeps the n newest. Of equally old objects the name that sorts last stays: `run-2`, not `run-1`. */
export function keepNewest(n: number): AnyStrategy {
  checkCount('keepNewest', n);
  return function keepNewest<T>(objects: readonly T[], context: StrategyContext<T>) {
    return withReason(newestFirst(objects, context).slice(n), notAmong(n));
  };
}

/**
 * Selects objects older than the duration, relative to `context.now`. An exact match stays: at noon, `olderThan('1h')`
 * keeps what was created at eleven.
 */
export function olderThan(duration: Duration): AnyStrategy {
  const limit = durationInMilliseconds(duration);
  if (limit === null) {
    throw new RangeError(
      `olderThan is ${quoteValue(duration)}; it must be a duration such as "90s", "1h30m", "7d", "2w" or "P7D", or milliseconds from 0 on`,
    );
  }
  return function olderThan<T>(objects: readonly T[], context: StrategyContext<T>) {
    const selected = new Map<T, string>();
    for (const object of objects) {
      const { createdAt } = describedBy(context)(object);
      const age = createdAt === null ? 0 : context.now.getTime() - createdAt.getTime();
      if (age > limit) selected.set(object, `${ageText(age, limit)} old, older than ${durationText(limit)}`);
    }
    return selected;
  };
}

/**
 * Keeps the n newest of each key, ties as in `keepNewest`: `keepNewestPer((pod: Pod) => pod.metadata.namespace, 3)`.
 * Objects without a key stay.
 */
export function keepNewestPer<T>(
  keyOf: (object: T) => string | number | null | undefined,
  n: number,
): Strategy<T> {
  checkCount('keepNewestPer', n);
  checkFunction('keepNewestPer', 'the key', keyOf);
  return function keepNewestPer(objects, context) {
    const seen = new Map<string | number, number>();
    const selected = new Map<T, string>();
    for (const object of newestFirst(objects, context)) {
      const key = keyOf(object) ?? null;
      if (key === null) continue;
      const before = seen.get(key) ?? 0;
      seen.set(key, before + 1);
      if (before >= n) selected.set(object, `${notAmong(n)} of ${key}`);
    }
    return selected;
  };
}

/**
 * Keeps the newest while their total size is within the limit; the first that does not fit and all older ones are
 * selected. With sizes 4, 3, 5, 1 from the newest on and limit 10, the last two are selected.
 */
export function maxTotal<T>(sizeOf: (object: T) => number, limit: number): Strategy<T> {
  if (!Number.isFinite(limit) || limit < 0) {
    throw new RangeError(`the limit of maxTotal is ${quoteValue(limit)}; it must be a number from 0 on`);
  }
  checkFunction('maxTotal', 'the size', sizeOf);
  return function maxTotal(objects, context) {
    const selected = new Map<T, string>();
    let total = 0;
    for (const object of newestFirst(objects, context)) {
      total += checkedSize(sizeOf(object), describedBy(context)(object));
      if (total > limit) selected.set(object, `with all newer ones ${total}, more than ${limit}`);
    }
    return selected;
  };
}

/** Selects objects that any strategy selects, with all reasons. Each strategy sees all objects. */
export function any(...strategies: readonly AnyStrategy[]): AnyStrategy;
export function any<T>(...strategies: readonly Strategy<T>[]): Strategy<T>;
export function any<T>(...strategies: readonly Strategy<T>[]): Strategy<T> {
  checkStrategies('any', strategies);
  return async function any(objects, context) {
    return joined(await selectByEach(strategies, objects, context), () => true);
  };
}

/** Selects objects that every strategy selects. Each strategy sees all objects. */
export function all(...strategies: readonly AnyStrategy[]): AnyStrategy;
export function all<T>(...strategies: readonly Strategy<T>[]): Strategy<T>;
export function all<T>(...strategies: readonly Strategy<T>[]): Strategy<T> {
  checkStrategies('all', strategies);
  return async function all(objects, context) {
    const isOfAll = (reasons: readonly string[]) => reasons.length === strategies.length;
    return joined(await selectByEach(strategies, objects, context), isOfAll);
  };
}

/**
 * Never selects matching objects. The strategy sees only the others: `keepIf(isPinned, keepNewest(3))` keeps all pinned
 * objects and three more.
 */
export function keepIf<T>(
  predicate: (object: T, context: StrategyContext<T>) => boolean | Promise<boolean>,
  strategy: Strategy<T>,
): Strategy<T> {
  checkFunction('keepIf', 'the predicate', predicate);
  checkStrategies('keepIf', [strategy]);
  return async function keepIf(objects, context) {
    const others: T[] = [];
    for (const object of objects) {
      const keeps: unknown = await predicate(object, context);
      if (typeof keeps !== 'boolean') {
        throw new TypeError(
          `the predicate of keepIf returned ${quoteValue(keeps)}; it must return true or false`,
        );
      }
      if (!keeps) others.push(object);
    }
    return selectBy(strategy, others, context);
  };
}

function describedBy<T>(context: StrategyContext<T>): (object: T) => Resource {
  return context.describe ?? ((object) => describeResource(object));
}

function newestFirst<T>(objects: readonly T[], context: StrategyContext<T>): T[] {
  const describe = describedBy(context);
  return objects
    .map((object) => ({ object, resource: describe(object) }))
    .toSorted((a, b) => compareForKeeping(a.resource, b.resource))
    .map(({ object }) => object);
}

function withReason<T>(objects: readonly T[], reason: string): Map<T, string> {
  return new Map(objects.map((object) => [object, reason]));
}

function notAmong(n: number): string {
  if (n === 0) return 'none is kept';
  return n === 1 ? 'not the newest' : `not among the ${n} newest`;
}

/** Shortest text that still shows an age above the limit: `41d`, but `30d5m` next to a limit of 30 days. */
function ageText(age: number, limit: number): string {
  for (let units = 1; units < 5; units++) {
    const text = durationText(age, units);
    if (durationInMilliseconds(text)! > limit) return text;
  }
  return durationText(age);
}

function checkedSize(size: unknown, { name }: Resource): number {
  if (typeof size === 'number' && Number.isFinite(size) && size >= 0) return size;
  throw new RangeError(
    `the size of ${quoteValue(name)} is ${quoteValue(size)}; maxTotal needs a number from 0 on`,
  );
}

async function selectByEach<T>(
  strategies: readonly Strategy<T>[],
  objects: readonly T[],
  context: StrategyContext<T>,
): Promise<Map<T, string[]>> {
  const reasons = new Map<T, string[]>();
  for (const strategy of strategies) {
    for (const [object, reason] of await selectBy(strategy, objects, context)) {
      const others = reasons.get(object);
      if (others === undefined) reasons.set(object, [reason]);
      else others.push(reason);
    }
  }
  return reasons;
}

function joined<T>(
  reasons: ReadonlyMap<T, readonly string[]>,
  isSelected: (reasons: readonly string[]) => boolean,
): Map<T, string> {
  const selected = new Map<T, string>();
  for (const [object, texts] of reasons) {
    if (isSelected(texts)) selected.set(object, texts.join('; '));
  }
  return selected;
}

function checkCount(strategy: string, n: unknown): void {
  if (Number.isSafeInteger(n) && (n as number) >= 0) return;
  throw new RangeError(`n of ${strategy} is ${quoteValue(n)}; it must be a whole number from 0 on`);
}

function checkFunction(strategy: string, what: string, value: unknown): void {
  if (typeof value === 'function') return;
  throw new TypeError(`${what} of ${strategy} is ${quoteValue(value)}; it must be a function`);
}

/** Without strategies, `all` would select everything. */
function checkStrategies(name: string, strategies: readonly unknown[]): void {
  if (strategies.length === 0) throw new TypeError(`${name} needs at least one strategy`);
  for (const strategy of strategies) checkFunction(name, 'a strategy', strategy);
}
