import { quoteValue, messageOf } from '../../text/quote.ts';
import { countInWords } from '../../text/words.ts';
import type { RunLog } from './options.ts';
import { type Failed, type FailedStage, type Judged, isVerdict } from './report.ts';
import type { Settings } from './validate-options.ts';

export interface Deletion<T> {
  readonly deleted: readonly Judged<T>[];
  readonly absent: readonly Judged<T>[];
  readonly notTried: readonly Judged<T>[];
  readonly failed: readonly Failed<T>[];
  /** Objects are left for another run. */
  readonly isCutShort: boolean;
}

export function deleteNone<T>(
  { maxDeletes }: Settings<T>,
  selected: readonly Judged<T>[],
  log: RunLog<T>,
): Deletion<T> {
  for (const { object, reason } of selected.slice(0, maxDeletes)) {
    log.object('info', 'would be deleted', object, reason);
  }
  const notTried = selected.map(({ object }, index) => ({
    object,
    reason: index < maxDeletes ? 'dry run' : overCap(maxDeletes),
  }));
  return { deleted: [], absent: [], notTried, failed: [], isCutShort: selected.length > maxDeletes };
}

export function refuseAll<T>(selected: readonly Judged<T>[], reason: string): Deletion<T> {
  const notTried = selected.map(({ object }) => ({ object, reason }));
  return { deleted: [], absent: [], notTried, failed: [], isCutShort: true };
}

/** In the given order, at most `concurrency` at a time. */
export async function deleteAll<T>(
  settings: Settings<T>,
  selected: readonly Judged<T>[],
  log: RunLog<T>,
  signal: AbortSignal | undefined,
): Promise<Deletion<T>> {
  const round = new Round(settings, log, signal);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < selected.length && round.mayStart()) await round.remove(selected[next++]!);
  };
  await Promise.all(Array.from({ length: Math.min(settings.concurrency, selected.length) }, worker));
  return round.end(selected.slice(next));
}

function overCap(maxDeletes: number): string {
  return `over the cap of ${countInWords(maxDeletes, 'deletion')} in one run`;
}

class Round<T> {
  readonly #settings: Settings<T>;
  readonly #log: RunLog<T>;
  readonly #signal: AbortSignal | undefined;
  readonly #deleted: Judged<T>[] = [];
  readonly #absent: Judged<T>[] = [];
  readonly #notTried: Judged<T>[] = [];
  readonly #failed: Failed<T>[] = [];
  #isCutShort = false;
  /** Attempted deletions; a failed one can still have taken effect. */
  #taken = 0;

  constructor(settings: Settings<T>, log: RunLog<T>, signal: AbortSignal | undefined) {
    this.#settings = settings;
    this.#log = log;
    this.#signal = signal;
  }

  mayStart(): boolean {
    return this.#whyStopped() === null && this.#taken < this.#settings.maxDeletes;
  }

  async remove(judged: Judged<T>): Promise<void> {
    this.#taken++;
    if (!(await this.#mayGo(judged))) {
      this.#taken--;
      return;
    }
    const { object, reason } = judged;
    let result: unknown;
    try {
      result = await this.#settings.store.remove(object, this.#signal);
      if (result !== 'deleted' && result !== 'absent') {
        throw new TypeError(`remove returned ${quoteValue(result)}; it must return "deleted" or "absent"`);
      }
    } catch (error) {
      this.#fail(judged, 'delete', error);
      return;
    }
    (result === 'deleted' ? this.#deleted : this.#absent).push(judged);
    this.#log.object('info', result === 'deleted' ? 'deleted' : 'gone already', object, reason);
    await this.#tellAfter(judged, result);
  }

  end(left: readonly Judged<T>[]): Deletion<T> {
    const reason = this.#whyStopped() ?? overCap(this.#settings.maxDeletes);
    return {
      deleted: this.#deleted,
      absent: this.#absent,
      notTried: [...this.#notTried, ...left.map(({ object }) => ({ object, reason }))],
      failed: this.#failed,
      isCutShort: this.#isCutShort || left.length > 0,
    };
  }

  #whyStopped(): string | null {
    if (this.#signal?.aborted) return 'the run was aborted';
    return this.#settings.stopsOnError && this.#failed.length > 0 ? 'a failure stopped the run' : null;
  }

  async #mayGo(judged: Judged<T>): Promise<boolean> {
    const { object, reason } = judged;
    try {
      const verdict: unknown = await this.#settings.hooks.beforeDelete?.(object, this.#context(reason));
      if (verdict !== undefined && !isVerdict(verdict)) {
        throw new TypeError(
          `beforeDelete returned ${quoteValue(verdict)}; it must return nothing, {ok: true} or {ok: false, reason}`,
        );
      }
      if (verdict?.ok === false) {
        this.#leave(object, verdict.reason);
        return false;
      }
    } catch (error) {
      this.#fail(judged, 'before-delete', error);
      return false;
    }
    // Check again: the hook can take long.
    const stopped = this.#whyStopped();
    if (stopped === null) return true;
    this.#isCutShort = true;
    this.#leave(object, stopped);
    return false;
  }

  async #tellAfter(judged: Judged<T>, result: 'deleted' | 'absent'): Promise<void> {
    try {
      await this.#settings.hooks.afterDelete?.(judged.object, { ...this.#context(judged.reason), result });
    } catch (error) {
      this.#fail(judged, 'after-delete', error);
    }
  }

  #context(reason: string): { readonly reason: string; readonly signal?: AbortSignal } {
    return { reason, ...(this.#signal !== undefined && { signal: this.#signal }) };
  }

  #leave(object: T, reason: string): void {
    this.#notTried.push({ object, reason });
    this.#log.object('debug', 'left after all', object, reason);
  }

  #fail({ object }: Judged<T>, stage: FailedStage, error: unknown): void {
    this.#failed.push({ object, reason: messageOf(error), stage, error });
    this.#log.object('warn', `${stage} failed`, object, messageOf(error));
  }
}
