import { CLOCK_SKEW_MS } from '@cairn/shared/time/future';
import { LONGEST_LEASE_MS } from '../../../../functions/store/leases.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { Random } from '../../../helpers/random.ts';
import type { FaultSource } from '../../../helpers/s3/bucket-proxy.ts';
import type { TrialOptions, TrialOutcome } from '../scenario.ts';
import { Disturbances, type Witness } from './disturbances.ts';
import { FaultList } from './fault-list.ts';
import { Journal } from './journal.ts';
import { NO_FAULTS } from './rates.ts';
import type { FaultStage } from './stage.ts';
import type { TableFaultSource } from './table-proxy.ts';
import { Turns } from './turns.ts';

export type SceneOptions = Omit<TrialOptions, 'kind'>;

/** Runs of a job at a table of their own, which take turns and meet faults, all by the dice. */
export abstract class Scene {
  readonly stage: FaultStage;
  readonly table: Table;
  readonly seed: number;
  readonly random: Random;
  readonly faults: FaultList;
  readonly journal = new Journal();
  readonly turns: Turns;
  readonly disturbances: Disturbances;
  abstract readonly witness: Witness;
  abstract readonly leaseMs: number;
  abstract readonly slotMs: number;
  abstract readonly violations: readonly string[];

  constructor(stage: FaultStage, table: Table, { seed, without }: SceneOptions) {
    this.stage = stage;
    this.table = table;
    this.seed = seed;
    this.random = new Random(seed);
    this.faults = new FaultList(seed, without);
    this.turns = new Turns(this.random);
    this.disturbances = new Disturbances(this);
  }

  get counts(): Journal['counts'] {
    return this.journal.counts;
  }

  /** Lets all who are at work go on until they are over or stand still. */
  abstract play(): Promise<void>;

  /** Goes on to the start of a slot so many on, and tells it. */
  nextSlot(slots = 1): number {
    this.stage.clock.advance(slots * this.slotMs - (Date.now() % this.slotMs));
    return Date.now();
  }

  /** From now on nothing goes wrong. Lets those go on that stood still, until no lease can be held. */
  async settle(): Promise<void> {
    const { stage, turns, disturbances } = this;
    disturbances.rates = NO_FAULTS;
    disturbances.outage = null;
    while (turns.present.length > 0) {
      const wake = turns.nextWake!;
      if (wake > Date.now()) stage.clock.advance(wake - Date.now());
      await this.play();
    }
    stage.clock.advance(LONGEST_LEASE_MS + CLOCK_SKEW_MS);
  }

  outcome(counts: TrialOutcome['counts'] = {}): TrialOutcome {
    const { seed, violations, journal, faults } = this;
    return {
      seed,
      violations,
      steps: journal.steps,
      faults: faults.told,
      counts: { ...journal.counts, ...counts },
    };
  }
}

interface Opened {
  readonly disturbances: { readonly ofTable: TableFaultSource; readonly ofBucket: FaultSource };
}

/** Opens a scene at a new table, plays it, and clears up. */
export async function inScene<Played extends Opened, Result>(
  stage: FaultStage,
  open: (table: Table) => Played | Promise<Played>,
  act: (scene: Played) => Promise<Result>,
): Promise<Result> {
  stage.clock.restart();
  const table = await stage.newTable();
  try {
    const scene = await open(table);
    stage.tableProxy.use(scene.disturbances.ofTable);
    stage.bucketProxy.use(scene.disturbances.ofBucket);
    return await act(scene);
  } finally {
    stage.tableProxy.use(null);
    stage.bucketProxy.use(null);
    await stage.dropTable(table);
  }
}
