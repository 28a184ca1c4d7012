import { type FleetResult, reassessFleet } from '../../../../functions/fleet/job.ts';
import type { Delivery } from '../harness/deliveries.ts';
import { type Equipment, launchProgram } from '../harness/program.ts';
import type { Scene } from '../harness/scene.ts';
import type { Chronicle, FollowRun } from './chronicle.ts';
import type { FleetBug } from './planted-bugs.ts';
import type { Sinks } from './sinks.ts';
import type { Truth } from './truth.ts';

type Surroundings = Scene & { readonly truth: Truth; readonly chronicle: Chronicle; readonly sinks: Sinks };

const silent = { info: () => {}, warn: () => {}, error: () => {} };

interface RunOptions extends Delivery {
  readonly trigger?: 'schedule' | 'manual';
}

/** Launches runs of the job, which go on as the turns have it, and hears what they come to. */
export class Runs {
  readonly #scene: Surroundings;
  readonly #bug: FleetBug | undefined;
  #launched = 0;

  constructor(scene: Surroundings, bug: FleetBug | undefined) {
    this.#scene = scene;
    this.#bug = bug;
  }

  launch(options: RunOptions): FollowRun {
    const { slot: time, breakAt, clock, isSlotWrong = false, trigger = 'schedule' } = options;
    const { journal, truth, chronicle } = this.#scene;
    const actor = `run-${++this.#launched}`;
    const slot = new Date(time).toISOString();
    const isExpected = this.#isExpected(slot);
    const run: FollowRun = {
      actor,
      slot,
      begunAt: truth.next(),
      hasWrongClock: Boolean(clock) || isSlotWrong,
      result: null,
      endedAt: Infinity,
      stoodStill: false,
      lostAnswer: false,
    };
    if (isSlotWrong) chronicle.hasWrongSlots = true;
    chronicle.runs.push(run);
    journal.counts.runs++;
    journal.note(`${actor} begins ${slot}`);
    launchProgram(this.#scene, {
      actor,
      breakAt,
      clock,
      plant: ({ client }) => this.#bug?.plant(client),
      run: (equipment) => this.#follow(equipment, run, trigger),
      over: (result) => {
        run.result = result;
        run.endedAt = truth.next();
        this.#verify(run, isExpected);
      },
    });
    return run;
  }

  #follow(
    { table, clock, stillAlive }: Equipment,
    run: FollowRun,
    trigger: 'schedule' | 'manual',
  ): Promise<FleetResult> {
    const { sinks } = this.#scene;
    return reassessFleet(
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
        clock,
        limits: { clustersAtOnce: 1 },
      },
      { scheduledTime: run.slot, trigger },
    );
  }

  /** The lease is free and the slot is new, so that there is nothing to give up for. */
  #isExpected(slot: string): boolean {
    const { runs } = this.#scene.chronicle;
    return runs.every(
      ({ result, slot: earlier, hasWrongClock, stoodStill }) =>
        result !== null && earlier < slot && !hasWrongClock && !stoodStill,
    );
  }

  #verify(run: FollowRun, isExpected: boolean): void {
    const { chronicle, journal } = this.#scene;
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
