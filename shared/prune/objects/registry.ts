import { showValue } from '../../text/quote.ts';
import { type FinishedOptions, isFinishedJob, isFinishedPod } from './prunable-kinds.ts';
import { type KindName, kindText, parseKind } from './prune-resource.ts';
import type { IsPrunable } from './verdict.ts';

export type { IsPrunable, Verdict } from './verdict.ts';

/**
 * Which function says of each kind whether an object may go. A kind that is not in it is kept, unless the pruner is told
 * to allow it.
 */
export class Registry {
  readonly #functions = new Map<string, IsPrunable<unknown>>();

  /** Pods and Jobs go when they are finished; failed ones by choice. */
  static withDefaults(options: FinishedOptions = {}): Registry {
    return new Registry()
      .register('v1/Pod', isFinishedPod(options))
      .register('batch/v1/Job', isFinishedJob(options));
  }

  /** In place of what was registered for the kind before. */
  register<T>(kind: KindName, isPrunable: IsPrunable<T>): this {
    if (typeof isPrunable !== 'function') {
      throw new TypeError(
        `the is-prunable of ${kindText(parseKind(kind))} is ${showValue(isPrunable)}; it must be a function`,
      );
    }
    this.#functions.set(kindText(parseKind(kind)), isPrunable as IsPrunable<unknown>);
    return this;
  }

  get(kind: KindName): IsPrunable<unknown> | undefined {
    return this.#functions.get(kindText(parseKind(kind)));
  }

  /** As texts, sorted. */
  kinds(): readonly string[] {
    return [...this.#functions.keys()].toSorted();
  }

  /** One that can be changed without changing this one. */
  copy(): Registry {
    const copy = new Registry();
    for (const [kind, isPrunable] of this.#functions) copy.register(kind, isPrunable);
    return copy;
  }
}
