import type { S3Client } from '@aws-sdk/client-s3';
import type { Table } from '../../../../functions/store/table.ts';
import { ClientBoundary } from './client-boundary.ts';
import type { Delivery } from './deliveries.ts';
import { programClock } from './program-clock.ts';
import type { Scene } from './scene.ts';

/** What a program in this process has of its own. */
export interface Equipment {
  readonly s3: S3Client;
  readonly table: Table;
  readonly clock: () => number;
  /** Throws once the program was killed: for what it does past its clients. */
  readonly stillAlive: () => void;
}

interface Launched<Result> extends Pick<Delivery, 'breakAt' | 'clock'> {
  readonly actor: string;
  readonly plant?: (table: Table) => void;
  readonly run: (equipment: Equipment) => Promise<Result>;
  /** Hears null when it failed or was killed. */
  readonly over?: (result: Result | null) => Promise<void> | void;
}

/** Begins a program, which goes on when the scene is played. */
export function launchProgram<Result>(
  { stage, table: { name }, turns, disturbances, journal }: Scene,
  { actor, breakAt, clock: fault, plant, run, over }: Launched<Result>,
): void {
  const boundary = new ClientBoundary(breakAt ?? null);
  const clock = programClock(fault);
  const { s3, table: client } = stage.newClients(actor);
  boundary.guard(s3);
  boundary.guard(client);
  plant?.({ client, name });
  disturbances.follow(actor, { clock, boundary });
  const equipment: Equipment = {
    s3,
    table: { client, name },
    clock: () => Date.now() + clock.offset,
    stillAlive: () => {
      if (boundary.isDead) throw new Error('the process is gone');
    },
  };
  turns.begin(actor, async () => {
    const result = await run(equipment).catch((error: Error) => {
      journal.note(`${actor} fails: ${error.message}`);
      return null;
    });
    await boundary.settled();
    if (boundary.isDead) journal.counts.kills++;
    await over?.(boundary.isDead ? null : result);
    s3.destroy();
    client.destroy();
  });
}
