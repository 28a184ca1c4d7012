import { FLEET_LIMITS } from '../../../../functions/fleet/run.ts';
import { putWebhook } from '../../../../functions/notifications/store.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { Random } from '../../../helpers/random.ts';
import { Disturbances } from '../harness/disturbances.ts';
import { FaultList } from '../harness/fault-list.ts';
import { Journal } from '../harness/journal.ts';
import type { FaultStage } from '../harness/stage.ts';
import type { TableCall } from '../harness/table-proxy.ts';
import { Turns } from '../harness/turns.ts';
import type { TrialOutcome } from '../scenario.ts';
import { Chronicle, type FollowRun } from './chronicle.ts';
import { Marks } from './marks.ts';
import { FLEET_BUGS } from './planted-bugs.ts';
import { Reporters } from './reporters.ts';
import { Runs } from './runs.ts';
import { Sinks } from './sinks.ts';
import { Truth } from './truth.ts';
import { type OfferChange, Upstream } from './upstream.ts';

export const CLUSTERS = ['c1', 'c2', 'c3'];

interface SceneOptions {
  readonly seed: number;
  readonly bug?: string | undefined;
  readonly without?: ReadonlySet<number> | undefined;
}

/** Upstream, clusters, those who are told, and any number of runs of the job, all by the dice. */
export class FleetScene {
  readonly stage: FaultStage;
  readonly table: Table;
  readonly random: Random;
  readonly faults: FaultList;
  readonly journal = new Journal();
  readonly truth = new Truth();
  readonly chronicle = new Chronicle();
  readonly turns: Turns;
  readonly disturbances: Disturbances;
  readonly upstream: Upstream;
  readonly reporters: Reporters;
  readonly runs: Runs;
  /** Changes of upstream that come between the calls of those who are at work. */
  readonly coming: OfferChange[] = [];
  readonly #seed: number;

  static async open(stage: FaultStage, options: SceneOptions): Promise<FleetScene> {
    stage.clock.restart();
    const scene = new FleetScene(stage, await stage.newTable(), options);
    stage.tableProxy.use(scene.disturbances.ofTable);
    await scene.upstream.begin();
    const since = new Date(Date.now()).toISOString();
    await putWebhook(scene.table, { url: 'https://chat.example.com/x', format: 'json', since, by: 'trial' });
    return scene;
  }

  private constructor(stage: FaultStage, table: Table, { seed, bug, without }: SceneOptions) {
    this.stage = stage;
    this.table = table;
    this.#seed = seed;
    this.random = new Random(seed);
    this.faults = new FaultList(seed, without);
    this.turns = new Turns(this.random);
    const marks = new Marks(this.chronicle);
    this.disturbances = new Disturbances({
      clock: stage.clock,
      random: this.random,
      faults: this.faults,
      turns: this.turns,
      journal: this.journal,
      leaseMs: FLEET_LIMITS.leaseMs,
      history: {
        wrote: (call) => {
          this.reporters.wrote(call);
          marks.wrote(call);
          this.#noteOutlook(call);
        },
        stoodStill: (actor) => {
          const run = this.#runOf(actor);
          if (run) run.stoodStill = true;
        },
      },
    });
    this.upstream = new Upstream(this);
    this.reporters = new Reporters(this);
    const sinks = new Sinks(this);
    const { truth, chronicle, turns, disturbances, journal } = this;
    this.runs = new Runs(
      { stage, table, turns, disturbances, journal, truth, chronicle, sinks },
      bug === undefined ? undefined : FLEET_BUGS[bug]!,
    );
  }

  async close(): Promise<void> {
    this.stage.tableProxy.use(null);
    await this.stage.dropTable(this.table);
  }

  /** Lets all who are at work go on until they are over or stand still. */
  async play(): Promise<void> {
    await this.turns.play(async () => {
      if (this.coming.length > 0 && this.random.chance(0.04)) await this.changeUpstream(this.coming.shift()!);
    });
    for (const change of this.coming.splice(0)) await this.changeUpstream(change);
  }

  async changeUpstream(what: OfferChange): Promise<void> {
    this.journal.note(`upstream: ${what}`);
    await this.upstream.change(what);
  }

  #noteOutlook({ operation, keys, actor }: TableCall): void {
    const [pk = '', sk] = keys[0]?.split('|') ?? [];
    const run = this.#runOf(actor);
    if (operation !== 'PutItem' || sk !== 'AHEAD' || !run) return;
    this.chronicle.outlooks.push({ id: pk.slice('FLEET#'.length), order: this.truth.next(), run });
  }

  #runOf(actor: string): FollowRun | undefined {
    return this.chronicle.runs.find((run) => run.actor === actor);
  }

  outcome(): TrialOutcome {
    const { steps, counts } = this.journal;
    return {
      seed: this.#seed,
      violations: this.chronicle.violations,
      steps: steps.map(withoutChance),
      faults: this.faults.told.map(withoutChance),
      counts: { ...counts, news: this.chronicle.news.length },
    };
  }
}

/** Revisions of clusters have a part that is another each time. */
function withoutChance(told: string): string {
  return told.replaceAll(/(BODY#\d+)-[0-9a-f]+/g, '$1');
}
