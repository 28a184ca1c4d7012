import type { Readable } from 'node:stream';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { S3Client } from '@aws-sdk/client-s3';
import type { FaultList } from './fault-list.ts';

/** Where an invocation breaks: at a call of its clients, before it is made or after it was answered. */
export interface Break {
  readonly call: number;
  readonly isAfter: boolean;
  /** The process is gone; otherwise the call fails and the program may still tell of it. */
  readonly isKill: boolean;
}

/** Where a program breaks: within some of its first calls, one of these numbers, and so often killed rather than failing. */
export function drawBreak(faults: FaultList, within: readonly number[], kills: number): Break | null {
  const { random } = faults;
  const at: Break = {
    call: 1 + random.below(random.pick(within)),
    isAfter: random.chance(0.5),
    isKill: random.chance(kills),
  };
  return faults.take(
    at,
    `${at.isKill ? 'killed' : 'broken'} ${at.isAfter ? 'after' : 'before'} call ${at.call}`,
  );
}

/** All calls of one invocation pass here. */
export class ClientBoundary {
  readonly #break: Break | null;
  #calls = 0;
  #open = 0;
  #isDead = false;
  #idle: (() => void) | null = null;

  constructor(at: Break | null) {
    this.#break = at;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  guard(client: S3Client | DynamoDBClient): void {
    // Both have the same middleware but for the types of their commands.
    (client as S3Client).middlewareStack.add(
      (next) => async (call) => {
        if (this.#isDead) throw new Error('the process is gone');
        const at = this.#break?.call === ++this.#calls ? this.#break : null;
        if (at !== null && !at.isAfter) throw this.#broken(at);
        this.#open++;
        try {
          const result = await next(call);
          if (at === null && !this.#isDead) return result;
          // Nobody will read it, and it would keep the one connection.
          (result.output as { Body?: Readable }).Body?.destroy();
          throw at === null ? new Error('the process is gone') : this.#broken(at);
        } finally {
          if (--this.#open === 0) this.#idle?.();
        }
      },
      { step: 'initialize', name: 'boundary', priority: 'high' },
    );
  }

  /** Once no call is under way. */
  async settled(): Promise<void> {
    if (this.#open > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  #broken({ isKill, call, isAfter }: Break): Error {
    this.#isDead = isKill;
    return new Error(`${isKill ? 'killed' : 'failed'} ${isAfter ? 'after' : 'before'} call ${call}`);
  }
}
