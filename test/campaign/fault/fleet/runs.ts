import { type FleetResult, reassessFleet } from '../../../../functions/fleet/job.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { type Break, ClientBoundary } from '../harness/client-boundary.ts';
import type { Disturbances } from '../harness/disturbances.ts';
import type { Journal } from '../harness/journal.ts';
import { type ClockFault, programClock } from '../harness/program-clock.ts';
import type { FaultStage } from '../harness/stage.ts';
import type { Turns } from '../harness/turns.ts';
import type { Chronicle, FollowRun } from './chronicle.ts';
import type { FleetBug } from './planted-bugs.ts';
import type { Sinks } from './sinks.ts';
import type { Truth } from './truth.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

export interface RunOptions {
  readonly slot: number;
  readonly breakAt?: Break;
  readonly clock?: ClockFault;
  /** It is of a scheduler whose clock is wrong. */
  readonly isSlotWrong?: boolean;
  readonly trigger?: 'schedule' | 'manual';
}

interface Surroundings {
  readonly stage: FaultStage;
  readonly table: Table;
  readonly turns: Turns;
  readonly disturbances: Disturbances;
  readonly journal: Journal;
  readonly truth: Truth;
  readonly chronicle: Chronicle;
  readonly sinks: Sinks;
}

/** Launches runs of the job, which go on as the turns have it, and hears what they come to. */
export class Runs {
  readonly #around: Surroundings;
  readonly #bug: FleetBug | undefined;
  #launched = 0;

  constructor(around: Surroundings, bug: FleetBug | undefined) {
    this.#around = around;
    this.#bug = bug;
  }

  launch({
    slot: time,
    breakAt,
    clock: fault,
    isSlotWrong = false,
    trigger = 'schedule',
  }: RunOptions): FollowRun {
    const { stage, turns, disturbances, journal, truth, chronicle, table } = this.#around;
    const actor = `run-${++this.#launched}`;
    const slot = new Date(time).toISOString();
    const isExpected = this.#isExpected(slot);
    const run: FollowRun = {
      actor,
      slot,
      begunAt: truth.next(),
      hasWrongClock: fault !== undefined || isSlotWrong,
      result: null,
      endedAt: Infinity,
      stoodStill: false,
      lostAnswer: false,
    };
    if (isSlotWrong) chronicle.hasWrongSlots = true;
    chronicle.runs.push(run);
    journal.counts.runs++;
    journal.note(`${actor} begins ${slot}`);
    const boundary = new ClientBoundary(breakAt ?? null);
    const clock = programClock(fault);
    const { s3, table: client } = stage.newClients(actor);
    boundary.guard(client);
    this.#bug?.plant(client);
    disturbances.follow(actor, { clock, boundary });
    turns.begin(actor, async () => {
      const result = await this.#follow(run, trigger, { client, name: table.name }, boundary, clock);
      await boundary.settled();
      if (boundary.isDead) journal.counts.kills++;
      run.result = boundary.isDead ? null : result;
      run.endedAt = truth.next();
      this.#verify(run, isExpected);
      s3.destroy();
      client.destroy();
    });
    return run;
  }

  async #follow(
    run: FollowRun,
    trigger: 'schedule' | 'manual',
    table: Table,
    boundary: ClientBoundary,
    clock: { readonly offset: number },
  ): Promise<FleetResult | null> {
    const { sinks, journal } = this.#around;
    const stillAlive = () => {
      if (boundary.isDead) throw new Error('the process is gone');
    };
    try {
      return await reassessFleet(
        {
          table,
          events: {
            publish: async (events) => {
              stillAlive();
              return sinks.publish(run, events);
            },
          },
          openWebhook: async () => async (_target, message) => {
            stillAlive();
            return sinks.post(run, message);
          },
          log: silent,
          count: () => {},
          clock: () => Date.now() + clock.offset,
          limits: { clustersAtOnce: 1 },
        },
        { scheduledTime: run.slot, trigger },
      );
    } catch (error) {
      journal.note(`${run.actor} fails: ${(error as Error).message}`);
      return null;
    }
  }

  /** The lease is free and the slot is new, so that there is nothing to give up for. */
  #isExpected(slot: string): boolean {
    const { runs } = this.#around.chronicle;
    return runs.every(
      ({ result, slot: earlier, hasWrongClock, stoodStill }) =>
        result !== null && earlier < slot && !hasWrongClock && !stoodStill,
    );
  }

  #verify(run: FollowRun, isExpected: boolean): void {
    const { chronicle, journal } = this.#around;
    const { actor, slot, result } = run;
    if (result === null) return;
    journal.note(`${actor} ${JSON.stringify(result)}`);
    if (result.status === 'Skipped') {
      const isAlone = isExpected && !run.stoodStill && chronicle.wasAlone(run);
      if (isAlone) chronicle.violate(`${actor} gives up as ${result.reason} though nobody else is there`);
      return;
    }
    const isSecond = chronicle.runs.some(
      (other) => other !== run && other.slot === slot && other.result?.status === 'Done',
    );
    if (isSecond) chronicle.violate(`the slot ${slot} is done twice`);
  }
}
