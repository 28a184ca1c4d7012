import { configPairs } from '@cairn/shared/releases/sources';
import type { Table } from '../../../../functions/store/table.ts';
import { SYNC_LIMITS } from '../../../../functions/sync/run.ts';
import { Random } from '../../../helpers/random.ts';
import { Disturbances } from '../harness/disturbances.ts';
import { FaultList } from '../harness/fault-list.ts';
import { Journal } from '../harness/journal.ts';
import type { FaultStage } from '../harness/stage.ts';
import { Turns } from '../harness/turns.ts';
import type { TrialOutcome } from '../scenario.ts';
import { Configuration } from './configuration.ts';
import { SyncHistory } from './history.ts';
import { SYNC_BUGS } from './planted-bugs.ts';
import { Reader } from './readers.ts';
import { Runs } from './runs.ts';
import { UpstreamModel } from './upstream-model.ts';

/** Most of them are answered without asking the table, which is the way of a warm function. */
const READS_AT_ONCE = 3;

export interface SceneOptions {
  readonly seed: number;
  readonly minors: readonly string[];
  readonly readers?: number;
  readonly bug?: string | undefined;
  readonly without?: ReadonlySet<number> | undefined;
}

/** Upstream, table, bucket, readers and any number of runs of the sync, all by the dice. */
export class SyncScene {
  readonly stage: FaultStage;
  readonly table: Table;
  readonly random: Random;
  readonly faults: FaultList;
  readonly journal = new Journal();
  readonly configuration: Configuration;
  readonly model: UpstreamModel;
  readonly history: SyncHistory;
  readonly turns: Turns;
  readonly disturbances: Disturbances;
  readonly runs: Runs;
  readonly #seed: number;
  readonly #readers: readonly Reader[];

  static async open(stage: FaultStage, options: SceneOptions): Promise<SyncScene> {
    stage.clock.restart();
    const scene = new SyncScene(stage, await stage.newTable(), options);
    stage.tableProxy.use(scene.disturbances.ofTable);
    stage.bucketProxy.use(scene.disturbances.ofBucket);
    return scene;
  }

  private constructor(stage: FaultStage, table: Table, options: SceneOptions) {
    const { seed, minors, readers = 0, bug, without } = options;
    this.stage = stage;
    this.table = table;
    this.#seed = seed;
    this.random = new Random(seed);
    this.faults = new FaultList(seed, without);
    this.configuration = new Configuration(minors);
    this.model = new UpstreamModel(new Random(seed + 7), configPairs(this.configuration.config));
    this.history = new SyncHistory({
      table,
      model: this.model,
      configuration: this.configuration,
      graceMs: SYNC_LIMITS.retirementGraceMs,
    });
    this.turns = new Turns(this.random);
    this.disturbances = new Disturbances({
      clock: stage.clock,
      random: this.random,
      faults: this.faults,
      turns: this.turns,
      history: this.history,
      journal: this.journal,
      leaseMs: SYNC_LIMITS.leaseMs,
    });
    this.runs = new Runs(this, bug === undefined ? undefined : SYNC_BUGS[bug]!);
    this.#readers = Array.from({ length: readers }, (_, number) => this.#newReader(number));
  }

  async close(): Promise<void> {
    this.stage.tableProxy.use(null);
    this.stage.bucketProxy.use(null);
    await this.stage.dropTable(this.table);
  }

  /** Puts a configuration with these minors in place. */
  configure(minors: readonly string[], confirmed: readonly string[] = []): void {
    this.configuration.put(minors, confirmed);
    const mayGo = confirmed.length > 0 ? `, ${confirmed.join(' ')} may go` : '';
    this.journal.note(`configured ${minors.join(' ')}${mayGo}`);
  }

  /** Lets all runs go on until they are over or stand still. */
  async play(): Promise<void> {
    await this.turns.play(async () => {
      for (const reader of this.#readers) {
        if (this.history.violations.length > 0) return;
        if (this.random.chance(0.25))
          for (let read = 0; read < READS_AT_ONCE; read++) await this.read(reader);
      }
    });
  }

  async read(reader: Reader = this.#readers[0]!): Promise<void> {
    this.journal.counts.reads++;
    await reader.read(this.configuration.pairs);
  }

  outcome(): TrialOutcome {
    const { steps, counts } = this.journal;
    return {
      seed: this.#seed,
      violations: this.history.violations,
      steps,
      faults: this.faults.told,
      counts: { ...counts, flips: this.history.flips.length },
    };
  }

  #newReader(number: number): Reader {
    const { table: client } = this.stage.newClients(`reader-${number}`);
    const dice = new Random(this.#seed + number);
    const reader = new Reader({ client, name: this.table.name }, this.history, dice);
    reader.isTableDown = () => this.disturbances.outage === 'table';
    return reader;
  }
}
