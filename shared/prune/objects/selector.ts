import { showValue } from '../../text/quote.ts';
import { describeResource, kindText, type Resource } from './prune-resource.ts';

export interface StrategyContext<T> {
  readonly now: Date;
  readonly signal?: AbortSignal | undefined;
  /** Reads an object, whatever its form; a pruner always gives it. */
  readonly describe?: ((object: T) => Resource) | undefined;
}

/** Which of the objects go: a list, or each with the reason. */
export type Selection<T> = readonly T[] | ReadonlyMap<T, string>;

/**
 * Looks at all prunable objects and says which of them go. It must give back objects that it was given, the same ones, and
 * must not change them or the list.
 */
export type Strategy<T> = (
  objects: readonly T[],
  context: StrategyContext<T>,
) => Selection<T> | Promise<Selection<T>>;

/** A strategy for objects of any type. */
export type AnyStrategy = <T>(
  objects: readonly T[],
  context: StrategyContext<T>,
) => Selection<T> | Promise<Selection<T>>;

/** What a strategy selects of the objects, each with a reason. Throws when that is no selection of them. */
export async function selectBy<T>(
  strategy: Strategy<T>,
  objects: readonly T[],
  context: StrategyContext<T>,
): Promise<Map<T, string>> {
  // A list of its own: one that sorts in place must not change the caller's.
  const selection: unknown = await strategy([...objects], context);
  if (!Array.isArray(selection) && !(selection instanceof Map)) {
    throw new TypeError(
      `${callerName(strategy)} returned ${showValue(selection)}; it must return a list of objects, or a Map of objects and reasons`,
    );
  }
  const given = new Set(objects);
  const reasons = new Map<T, string>();
  const entries: Iterable<readonly [T, unknown]> =
    selection instanceof Map ? selection : selection.map((object: T) => [object, undefined] as const);
  for (const [object, reason] of entries) {
    if (!given.has(object)) {
      throw new TypeError(
        `${callerName(strategy)} returned ${shortName(object)}, which is not one of the objects it was given; it must return the same objects, not copies`,
      );
    }
    reasons.set(
      object,
      typeof reason === 'string' && reason !== '' ? reason : `selected by ${callerName(strategy)}`,
    );
  }
  return reasons;
}

/** A function that was written in place is named after the option it was given to. */
function callerName(strategy: { readonly name: string }): string {
  return strategy.name === '' || strategy.name === 'strategy' ? 'the strategy' : strategy.name;
}

function shortName(object: unknown): string {
  const { kind, namespace, name } = describeResource(object);
  if (name === '') return showValue(object);
  return [kindText(kind), namespace, name].filter((part) => part).join('/');
}
