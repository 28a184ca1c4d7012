import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EngineName } from '../harness/stage.ts';
import type { Unit } from './units.ts';
import type { UnitResult } from './worker.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));

/** A process and whoever waits for its next word. */
class Worker {
  readonly #process: ChildProcess;
  #hear: { readonly told: (word: unknown) => void; readonly ended: (error: Error) => void } | null = null;

  constructor(engine: EngineName) {
    this.#process = fork(WORKER, [engine]);
    this.#process.on('message', (word) => this.#hear?.told(word));
    this.#process.on('exit', (code, signal) => {
      this.#hear?.ended(new Error(`a worker ended with ${code ?? signal}, see above`));
    });
  }

  next(): Promise<unknown> {
    return new Promise((told, ended) => (this.#hear = { told, ended }));
  }

  async ask(unit: Unit): Promise<UnitResult> {
    const answer = this.next();
    this.#process.send(unit);
    return (await answer) as UnitResult;
  }

  close(): void {
    this.#hear = null;
    this.#process.disconnect();
  }
}

/** The engines of a process keep in memory what its trials have left. */
const UNITS_PER_PROCESS = 100;

/** Processes that each try one unit at a time: clocks and dice are those of a process. */
export class Pool {
  readonly #engine: EngineName;
  readonly #workers: Worker[];

  private constructor(engine: EngineName, workers: Worker[]) {
    this.#engine = engine;
    this.#workers = workers;
  }

  static async open(engine: EngineName, size: number): Promise<Pool> {
    const workers = Array.from({ length: size }, () => new Worker(engine));
    await Promise.all(workers.map((worker) => worker.next()));
    return new Pool(engine, workers);
  }

  /** Does all of them, in this order as far as workers are free, and tells of each. */
  async run(units: readonly Unit[], onResult: (unit: Unit, result: UnitResult) => void): Promise<void> {
    const waiting = [...units];
    await Promise.all(
      Array.from(this.#workers.keys(), async (place) => {
        for (let done = 1, unit = waiting.shift(); unit !== undefined; done++, unit = waiting.shift()) {
          onResult(unit, await this.#workers[place]!.ask(unit));
          if (done % UNITS_PER_PROCESS === 0) await this.#replace(place);
        }
      }),
    );
  }

  async #replace(place: number): Promise<void> {
    this.#workers[place]!.close();
    const worker = new Worker(this.#engine);
    await worker.next();
    this.#workers[place] = worker;
  }

  async one(unit: Unit): Promise<UnitResult> {
    return this.#workers[0]!.ask(unit);
  }

  close(): void {
    for (const worker of this.#workers) worker.close();
  }
}
