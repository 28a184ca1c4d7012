import type { LogFields, PruneLogger } from './options.ts';
import { kindText, type Resource } from './prune-resource.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';

/** Tells a logger what a run does. A logger that fails must not stop a run half way. */
export class RunLog<T> {
  readonly #logger: PruneLogger | null;
  readonly #resources: ReadonlyMap<T, Resource>;

  constructor(logger: PruneLogger | null, resources: ReadonlyMap<T, Resource>) {
    this.#logger = logger;
    this.#resources = resources;
  }

  object(level: Level, message: string, object: T, reason: string): void {
    const { kind, namespace, name } = this.#resources.get(object)!;
    this.run(level, message, { kind: kindText(kind), namespace, name, reason });
  }

  run(level: Level, message: string, fields: LogFields): void {
    try {
      this.#logger?.[level]?.(message, fields);
    } catch {
      // There is nobody left to tell.
    }
  }
}
