import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Random } from '../../../helpers/random.ts';

interface Waiting {
  readonly actor: number;
  /** Others go first until then. */
  readonly until: number;
  readonly go: () => void;
}

/**
 * Lets several programs run at once, and yet the same way each time: each waits for its turn before every attempt at a
 * call, only one has it at a time, and the dice say which is next. An actor makes one call after the other.
 */
export class AttemptTurns {
  readonly #random: Random;
  readonly #waiting: Waiting[] = [];
  #actors = 0;
  #running = 0;
  #now = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Counts turns: what ended at an earlier number than another thing began was over before it. */
  get now(): number {
    return this.#now;
  }

  /** Runs an actor to its end; it begins with its first turn. */
  async act(work: (actor: number) => Promise<void>): Promise<void> {
    const actor = ++this.#actors;
    this.#running++;
    try {
      await this.#turn(actor, 0);
      await work(actor);
    } finally {
      this.#running--;
      this.#next();
    }
  }

  /** An actor that waits for others that it has started is not at work meanwhile. */
  async aside<T>(actor: number, others: Promise<T>): Promise<T> {
    this.#running--;
    this.#next();
    const result = await others.finally(() => this.#running++);
    await this.#turn(actor, 0);
    return result;
  }

  /** Makes each attempt of this client wait for the turn of its actor; `pause` gives how many others come first. */
  guard(client: DynamoDBClient | S3Client, actor: number, pause: () => number): void {
    (client as S3Client).middlewareStack.add(
      (next) => async (call) => {
        await this.#turn(actor, pause());
        return next(call);
      },
      { step: 'finalizeRequest', name: 'turn', priority: 'low' },
    );
  }

  #turn(actor: number, pause: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ actor, until: this.#now + pause, go: resolve });
      this.#running--;
      this.#next();
    });
  }

  #next(): void {
    if (this.#running > 0 || this.#waiting.length === 0) return;
    // Whoever came first differs from time to time where several begin at once.
    this.#waiting.sort((one, other) => one.actor - other.actor);
    const ready = this.#waiting.filter(({ until }) => until <= this.#now);
    const soonest = Math.min(...this.#waiting.map(({ until }) => until));
    const next = this.#random.pick(
      ready.length > 0 ? ready : this.#waiting.filter(({ until }) => until === soonest),
    );
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#now = Math.max(this.#now, next.until) + 1;
    this.#running++;
    next.go();
  }
}
