import { configPairs } from '@cairn/shared/releases/sources';
import type { Table } from '../../../../functions/store/table.ts';
import { SYNC_LIMITS } from '../../../../functions/sync/run.ts';
import { Random } from '../../../helpers/random.ts';
import { inScene, Scene, type SceneOptions } from '../harness/scene.ts';
import type { FaultStage } from '../harness/stage.ts';
import type { TrialOutcome } from '../scenario.ts';
import { Configuration } from './configuration.ts';
import { SyncHistory } from './history.ts';
import { SYNC_BUGS } from './planted-bugs.ts';
import { Reader } from './readers.ts';
import { Runs } from './runs.ts';
import { UpstreamModel } from './upstream-model.ts';

export const MINUTE = 60_000;
/** Most of them are answered without asking the table, which is the way of a warm function. */
const READS_AT_ONCE = 3;

interface SyncSceneOptions extends SceneOptions {
  readonly minors: readonly string[];
  readonly readers?: number;
}

/** Upstream, table, bucket, readers and any number of runs of the sync, all by the dice. */
export class SyncScene extends Scene {
  readonly slotMs = 10 * MINUTE;
  readonly leaseMs = SYNC_LIMITS.leaseMs;
  readonly configuration: Configuration;
  readonly model: UpstreamModel;
  readonly history: SyncHistory;
  readonly witness: SyncHistory;
  readonly violations: readonly string[];
  readonly runs: Runs;
  readonly #readers: readonly Reader[];

  constructor(stage: FaultStage, table: Table, options: SyncSceneOptions) {
    super(stage, table, options);
    const { seed, minors, readers = 0, bug } = options;
    this.configuration = new Configuration(minors);
    this.model = new UpstreamModel(new Random(seed + 7), configPairs(this.configuration.config));
    this.history = new SyncHistory(table, this.model, this.configuration);
    this.witness = this.history;
    this.violations = this.history.violations;
    this.runs = new Runs(this, bug === undefined ? undefined : SYNC_BUGS[bug]!);
    this.#readers = Array.from({ length: readers }, (_, number) => this.#newReader(number));
  }

  /** Puts a configuration with these minors in place. */
  configure(minors: readonly string[], confirmed: readonly string[] = []): void {
    this.configuration.put(minors, confirmed);
    const mayGo = confirmed.length > 0 ? `, ${confirmed.join(' ')} may go` : '';
    this.journal.note(`configured ${minors.join(' ')}${mayGo}`);
  }

  async play(): Promise<void> {
    await this.turns.play(async () => {
      for (const reader of this.#readers) {
        if (this.violations.length > 0) return;
        if (this.random.chance(0.25))
          for (let read = 0; read < READS_AT_ONCE; read++) await this.read(reader);
      }
    });
  }

  /** A run of the next slot, from its start to its end. */
  async nextRun(): Promise<void> {
    this.runs.launch({ slot: this.nextSlot() });
    await this.play();
  }

  async read(reader: Reader = this.#readers[0]!): Promise<void> {
    this.journal.counts.reads++;
    await reader.read(this.configuration.pairs);
  }

  override outcome(): TrialOutcome {
    return super.outcome({ flips: this.history.flips.length });
  }

  #newReader(number: number): Reader {
    const { table: client } = this.stage.newClients(`reader-${number}`);
    const dice = new Random(this.seed + number);
    const reader = new Reader({ client, name: this.table.name }, this.history, dice);
    reader.isTableDown = () => this.disturbances.outage === 'table';
    return reader;
  }
}

export function inSyncScene<Result>(
  stage: FaultStage,
  options: SyncSceneOptions,
  act: (scene: SyncScene) => Promise<Result>,
): Promise<Result> {
  return inScene(stage, (table) => new SyncScene(stage, table, options), act);
}
