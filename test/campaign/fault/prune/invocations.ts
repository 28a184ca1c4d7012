import type { S3Client } from '@aws-sdk/client-s3';
import { type PruneRequest, type PruneResult, runPruner } from '../../../../functions/prune-runs/job.ts';
import type { Table } from '../../../../functions/store/table.ts';
import type { Random } from '../../../helpers/random.ts';
import { ClientBoundary, drawBreak } from '../harness/client-boundary.ts';
import type { FaultList } from '../harness/fault-list.ts';
import { type ClockFault, drawClock, programClock } from '../harness/program-clock.ts';
import { type FaultStage, OWN_BUCKET } from '../harness/stage.ts';
import type { Turns } from '../harness/turns.ts';
import type { PruneDisturbances } from './disturbances.ts';
import { type BugName, PLANTED_BUGS } from './planted-bugs.ts';
import type { PruneProfile } from './profiles.ts';

const INVOCATION_MS = 15 * 60_000;
/** About as many as a run asks for. */
const PAGES = 40;
const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** One invocation with these clients. */
export function invokePruner(
  s3: S3Client,
  table: Table,
  request: PruneRequest,
  time: Partial<Pick<Parameters<typeof runPruner>[0], 'clock' | 'remainingMs'>> = {},
): Promise<PruneResult> {
  return runPruner(
    {
      table,
      bucket: { client: s3, name: OWN_BUCKET },
      registry: s3,
      log: silent,
      count: () => {},
      clock: Date.now,
      remainingMs: () => INVOCATION_MS,
      ...time,
    },
    request,
  );
}

interface Surroundings {
  readonly stage: FaultStage;
  readonly random: Random;
  readonly faults: FaultList;
  readonly turns: Turns;
  readonly disturbances: PruneDisturbances;
  readonly bug: BugName | undefined;
  readonly counts: { invocations: number; kills: number; clockJumps: number };
  readonly note: (step: string) => void;
}

/** Launches invocations of the pruner, which go on as the turns have it, and hears what they come to. */
export class Invocations {
  readonly #around: Surroundings;
  /** That of a planted bug. */
  readonly #memory = new Map<string, unknown>();
  #launched = 0;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** `over` hears null when the invocation failed or was killed. */
  launch(
    request: PruneRequest,
    profile: PruneProfile,
    over: (result: PruneResult | null) => void,
    wrongClock?: ClockFault,
  ): void {
    const { stage, random, faults, turns, disturbances, bug, counts, note } = this.#around;
    const actor = `invocation-${++this.#launched}`;
    const boundary = new ClientBoundary(
      faults.random.chance(profile.broken) ? drawBreak(faults, [20, 60, 120], 0.7) : null,
    );
    const fault = wrongClock ?? drawClock(faults, profile.wrongClocks);
    if (fault) counts.clockJumps++;
    const clock = programClock(fault);
    const pagesLeft = faults.random.chance(profile.torn) ? faults.random.below(PAGES) : null;
    const bucketRate = random.pick(profile.bucket);
    disturbances.follow(actor, { boundary, clock, profile, bucketRate, pagesLeft });
    const { s3, table } = stage.newClients(actor);
    boundary.guard(s3);
    boundary.guard(table);
    if (bug !== undefined) PLANTED_BUGS[bug]({ s3, table }, this.#memory);
    let looks = random.chance(profile.cut) ? random.below(6) : Infinity;
    counts.invocations++;
    turns.begin(actor, async () => {
      let result: PruneResult | null = null;
      try {
        result = await invokePruner(s3, { client: table, name: stage.table.name }, request, {
          clock: () => Date.now() + clock.offset,
          remainingMs: () => (looks-- > 0 ? INVOCATION_MS : 0),
        });
        note(`${actor} ${request.trigger}: ${JSON.stringify(result)}`);
      } catch (error) {
        note(`${actor} ${request.trigger}: ${(error as Error).message}`);
      }
      await boundary.settled();
      if (boundary.isDead) counts.kills++;
      s3.destroy();
      table.destroy();
      over(boundary.isDead ? null : result);
    });
  }
}
