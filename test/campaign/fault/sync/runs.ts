import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { S3Client } from '@aws-sdk/client-s3';
import { isInFuture } from '@cairn/shared/time/future';
import type { Table } from '../../../../functions/store/table.ts';
import { runSync, type SyncRequest, type SyncResult } from '../../../../functions/sync/job.ts';
import { type Break, ClientBoundary } from '../harness/client-boundary.ts';
import type { Disturbances } from '../harness/disturbances.ts';
import type { Journal } from '../harness/journal.ts';
import { type ClockFault, programClock, type ProgramClock } from '../harness/program-clock.ts';
import { type FaultStage, OWN_BUCKET } from '../harness/stage.ts';
import type { Turns } from '../harness/turns.ts';
import { ChildRun, type Kill } from './child-run.ts';
import type { Configuration } from './configuration.ts';
import type { SyncHistory } from './history.ts';
import type { SyncBug } from './planted-bugs.ts';
import type { UpstreamModel } from './upstream-model.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

export interface RunOptions {
  readonly slot: number;
  readonly trigger?: SyncRequest['trigger'];
  readonly accept?: readonly string[];
  readonly breakAt?: Break;
  readonly clock?: ClockFault;
  /** It is of a scheduler whose clock is wrong. */
  readonly isSlotWrong?: boolean;
}

interface Surroundings {
  readonly stage: FaultStage;
  readonly table: Table;
  readonly configuration: Configuration;
  readonly model: UpstreamModel;
  readonly turns: Turns;
  readonly disturbances: Disturbances;
  readonly history: SyncHistory;
  readonly journal: Journal;
}

/** What a run in this process has of its own. */
interface Equipment {
  readonly actor: string;
  readonly s3: S3Client;
  readonly table: DynamoDBClient;
  readonly boundary: ClientBoundary;
  readonly clock: ProgramClock;
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
  readonly #around: Surroundings;
  readonly #bug: SyncBug | undefined;
  /** That of a planted bug. */
  readonly #memory = new Map<string, unknown>();
  #launched = 0;
  /** The run before ended as it should, so that the lease cannot be held by a dead one. */
  #isLeaseFree = true;

  constructor(around: Surroundings, bug: SyncBug | undefined) {
    this.#around = around;
    this.#bug = bug;
  }

  /** Begins a run, which goes on when the scene is played, and tells its name. */
  launch({
    slot: time,
    trigger = 'schedule',
    accept,
    breakAt,
    clock,
    isSlotWrong = false,
  }: RunOptions): string {
    const { history, journal, turns } = this.#around;
    const slot = new Date(time).toISOString();
    if (isSlotWrong) history.hasWrongSlots = true;
    const launch = this.#begin(slot, '', isSlotWrong || clock !== undefined);
    const equipment = this.#equip(launch.actor, breakAt ?? null, programClock(clock));
    for (const pair of accept ?? []) history.accepted.add(pair);
    const request = { scheduledTime: slot, trigger, ...(accept && { accept }) };
    turns.begin(launch.actor, async () => {
      const { boundary, s3, table } = equipment;
      const result = await this.#run(equipment, request);
      await boundary.settled();
      if (boundary.isDead) journal.counts.kills++;
      this.lastResult = boundary.isDead ? null : result;
      if (this.lastResult) await this.#verify(launch, this.lastResult);
      s3.destroy();
      table.destroy();
    });
    return launch.actor;
  }

  /** Begins a run in a process of its own, which is killed at some call. */
  async launchProcess(time: number, kill: Kill): Promise<void> {
    const { stage, table, configuration, model, turns, disturbances, history, journal } = this.#around;
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
    const { turns, history, journal } = this.#around;
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

  #equip(actor: string, breakAt: Break | null, clock: ProgramClock): Equipment {
    const { stage, table: direct, disturbances } = this.#around;
    const boundary = new ClientBoundary(breakAt);
    const { s3, table } = stage.newClients(actor);
    boundary.guard(s3);
    boundary.guard(table);
    this.#bug?.plant?.({ client: table, direct, memory: this.#memory });
    disturbances.follow(actor, { clock, boundary });
    return { actor, s3, table, boundary, clock };
  }

  /** Null when it failed. */
  async #run(
    { actor, s3, table, boundary, clock }: Equipment,
    request: SyncRequest,
  ): Promise<SyncResult | null> {
    const { configuration, model, disturbances, journal } = this.#around;
    const stillAlive = () => {
      if (boundary.isDead) throw new Error('the process is gone');
    };
    const upstream = {
      fetchGraph: async (channel: string, arch: string) => {
        stillAlive();
        const result = model.ask(channel, arch, actor);
        return this.#bug?.answer?.(result) ?? result;
      },
      close: async () => {},
    };
    try {
      return await runSync(
        {
          table: { client: table, name: this.#around.table.name },
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
          clock: () => Date.now() + clock.offset,
          limits: { pairsAtOnce: 1, rowWritesAtOnce: 1 },
        },
        this.#bug?.request?.(request, actor) ?? request,
      );
    } catch (error) {
      journal.note(`${actor} fails: ${(error as Error).message}`);
      return null;
    }
  }

  /** What it says of itself must be true, and it may not give up without a reason. */
  async #verify({ actor, slot, wasLeaseFree, isAlone, isNew }: Launch, result: SyncResult): Promise<void> {
    const { history, journal, turns } = this.#around;
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
