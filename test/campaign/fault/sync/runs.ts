import { isInFuture } from '@cairn/shared/time/future';
import { runSync, type SyncRequest, type SyncResult } from '../../../../functions/sync/job.ts';
import type { Delivery } from '../harness/deliveries.ts';
import { programClock } from '../harness/program-clock.ts';
import { type Equipment, launchProgram } from '../harness/program.ts';
import type { Scene } from '../harness/scene.ts';
import { OWN_BUCKET } from '../harness/stage.ts';
import { ChildRun, type Kill } from './child-run.ts';
import type { Configuration } from './configuration.ts';
import type { SyncHistory } from './history.ts';
import type { SyncBug } from './planted-bugs.ts';
import type { UpstreamModel } from './upstream-model.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

export interface RunOptions extends Delivery {
  readonly trigger?: SyncRequest['trigger'];
  readonly accept?: readonly string[];
}

interface Surroundings extends Scene {
  readonly configuration: Configuration;
  readonly model: UpstreamModel;
  readonly history: SyncHistory;
}

/** What there was when a run was launched: the check uses it when the run gives up. */
interface Launch {
  readonly actor: string;
  readonly slot: string;
  readonly wasLeaseFree: boolean;
  readonly isAlone: boolean;
  /** No later slot was done before, but for those of the future: these stop nobody whose own time is right. */
  readonly isNew: boolean;
}

/** Launches runs of the sync, which go on as the turns have it, and hears what they come to. */
export class Runs {
  /** Of the run that was over last; null when it failed or was killed. */
  lastResult: SyncResult | null = null;
  readonly #scene: Surroundings;
  readonly #bug: SyncBug | undefined;
  /** That of a planted bug. */
  readonly #memory = new Map<string, unknown>();
  #launched = 0;
  /** The run before ended as it should, so that the lease cannot be held by a dead one. */
  #isLeaseFree = true;

  constructor(scene: Surroundings, bug: SyncBug | undefined) {
    this.#scene = scene;
    this.#bug = bug;
  }

  /** Begins a run, which goes on when the scene is played, and tells its name. */
  launch(options: RunOptions): string {
    const { slot: time, trigger = 'schedule', accept, breakAt, clock, isSlotWrong = false } = options;
    const { history, table: direct } = this.#scene;
    const slot = new Date(time).toISOString();
    if (isSlotWrong) history.hasWrongSlots = true;
    const launch = this.#begin(slot, '', isSlotWrong || Boolean(clock));
    const { actor } = launch;
    for (const pair of accept ?? []) history.accepted.add(pair);
    const request = { scheduledTime: slot, trigger, ...(accept && { accept }) };
    launchProgram(this.#scene, {
      actor,
      breakAt,
      clock,
      plant: ({ client }) => this.#bug?.plant?.({ client, direct, memory: this.#memory }),
      run: (equipment) => this.#run(equipment, actor, this.#bug?.request?.(request, actor) ?? request),
      over: async (result) => {
        this.lastResult = result;
        if (result) await this.#verify(launch, result);
      },
    });
    return actor;
  }

  /** Begins a run in a process of its own, which is killed at some call. */
  async launchProcess(time: number, kill: Kill): Promise<void> {
    const { stage, table, configuration, model, turns, disturbances, history, journal } = this.#scene;
    const slot = new Date(time).toISOString();
    const { actor } = this.#begin(slot, ' in a process of its own');
    const child = await ChildRun.start(
      {
        actor,
        tableUrl: stage.tableProxy.url,
        bucketUrl: stage.bucketProxy.url,
        table: table.name,
        bucket: OWN_BUCKET,
        config: configuration.input,
        slot,
        now: Date.now(),
      },
      { model, tell: (events) => history.tellEvents(events) },
      kill,
    );
    disturbances.follow(actor, { clock: programClock(), child });
    turns.begin(actor, async () => {
      const wasKilled = await child.over();
      if (wasKilled) journal.counts.kills++;
      journal.note(`${actor} ${wasKilled ? 'was killed' : 'came to its end'}`);
      if (!wasKilled) await history.ended(actor, slot, JSON.parse(child.said) as SyncResult);
    });
  }

  #begin(slot: string, where: string, isTimeWrong = false): Launch {
    const { turns, history, journal } = this.#scene;
    const actor = `run-${++this.#launched}`;
    const wasLeaseFree = this.#isLeaseFree;
    this.#isLeaseFree = false;
    journal.counts.runs++;
    journal.note(`${actor} begins ${slot}${where}`);
    history.launched(actor);
    return {
      actor,
      slot,
      wasLeaseFree,
      isAlone: turns.present.length === 0 && wasLeaseFree,
      isNew:
        !(isTimeWrong && history.hasWrongSlots) &&
        [...history.doneSlots.keys()].every((done) => done < slot || isInFuture(done, Date.now())),
    };
  }

  #run(
    { s3, table, clock, stillAlive }: Equipment,
    actor: string,
    request: SyncRequest,
  ): Promise<SyncResult> {
    const { configuration, model, disturbances } = this.#scene;
    const upstream = {
      fetchGraph: async (channel: string, arch: string) => {
        stillAlive();
        const result = model.ask(channel, arch, actor);
        return this.#bug?.answer?.(result) ?? result;
      },
      close: async () => {},
    };
    return runSync(
      {
        table,
        bucket: { client: s3, name: OWN_BUCKET },
        config: configuration.config,
        upstream: { kind: 'live', url: 'http://upstream', open: () => upstream },
        events: {
          publish: async (events) => {
            stillAlive();
            return disturbances.deliver(events);
          },
        },
        log: silent,
        clock,
        limits: { pairsAtOnce: 1, rowWritesAtOnce: 1 },
      },
      request,
    );
  }

  /** What it says of itself must be true, and it may not give up without a reason. */
  async #verify({ actor, slot, wasLeaseFree, isAlone, isNew }: Launch, result: SyncResult): Promise<void> {
    const { history, journal, turns } = this.#scene;
    const { status } = result;
    journal.note(`${actor} ${status} ${status === 'Done' ? result.record.outcome : result.reason}`);
    await history.ended(actor, slot, result);
    const isLast = turns.present.length === 1;
    this.#isLeaseFree = isLast && (status === 'Done' || (result.reason === 'Missed' && wasLeaseFree));
    const givenUp = status === 'Skipped' && result.reason !== 'Missed' ? result.reason : null;
    if (isAlone && isNew && givenUp !== null && actor === `run-${this.#launched}`) {
      history.violate(`${actor} gives up as ${givenUp} though nobody else is there`);
    }
  }
}
