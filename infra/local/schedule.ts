import type { RunLauncher } from '../../functions/runtime/run-launcher.ts';
import type { SyncRequest } from '../../functions/jobs/sync/run.ts';

/** The schedules of the local run, on a clock in this process. */
export class LocalSchedule implements RunLauncher {
  readonly #sync: (request: SyncRequest) => Promise<unknown>;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  readonly #running = new Set<Promise<void>>();
  #isStopped = false;

  constructor(sync: (request: SyncRequest) => Promise<unknown>, onError: (error: unknown) => void) {
    this.#sync = sync;
    this.#onError = onError;
  }

  /** Fires at whole multiples of the interval, as a rate schedule on AWS keeps its distance from the deployment. */
  every(intervalMs: number): void {
    if (this.#isStopped) return;
    const next = Math.ceil((Date.now() + 1) / intervalMs) * intervalMs;
    this.#timer = setTimeout(() => {
      this.#fire({ scheduledTime: new Date(next).toISOString(), trigger: 'schedule' });
      this.every(intervalMs);
    }, next - Date.now());
  }

  async launchSync({
    accept,
    now,
  }: {
    readonly accept: readonly string[];
    readonly now: number;
  }): Promise<string> {
    const slot = new Date(now).toISOString();
    this.#fire({ scheduledTime: slot, trigger: 'manual', accept });
    return slot;
  }

  /** Fires no more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await Promise.all(this.#running);
  }

  #fire(request: SyncRequest): void {
    const run = this.#run(request).finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  async #run(request: SyncRequest): Promise<void> {
    try {
      await this.#sync(request);
    } catch (error) {
      this.#onError(error);
    }
  }
}
