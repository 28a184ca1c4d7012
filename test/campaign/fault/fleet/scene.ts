import { FLEET_LIMITS } from '../../../../functions/fleet/run.ts';
import { putWebhook } from '../../../../functions/notifications/store.ts';
import type { Table } from '../../../../functions/store/table.ts';
import type { Witness } from '../harness/disturbances.ts';
import { inScene, Scene, type SceneOptions } from '../harness/scene.ts';
import type { FaultStage } from '../harness/stage.ts';
import type { TableCall } from '../harness/table-proxy.ts';
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
export const MINUTE = 60_000;

/** Upstream, clusters, those who are told, and any number of runs of the job, all by the dice. */
export class FleetScene extends Scene {
  readonly slotMs = 5 * MINUTE;
  readonly leaseMs = FLEET_LIMITS.leaseMs;
  readonly truth = new Truth();
  readonly chronicle = new Chronicle();
  readonly violations = this.chronicle.violations;
  readonly sinks = new Sinks(this);
  readonly upstream = new Upstream(this);
  readonly reporters = new Reporters(this);
  readonly runs: Runs;
  /** Changes of upstream that come between the calls of those who are at work. */
  readonly coming: OfferChange[] = [];
  readonly #marks = new Marks(this.chronicle);

  readonly witness: Witness = {
    wrote: (call) => {
      this.reporters.wrote(call);
      this.#marks.wrote(call);
      this.#noteOutlook(call);
    },
    stoodStill: (actor) => {
      const run = this.#runOf(actor);
      if (run) run.stoodStill = true;
    },
  };

  constructor(stage: FaultStage, table: Table, options: SceneOptions) {
    super(stage, table, options);
    this.runs = new Runs(this, options.bug === undefined ? undefined : FLEET_BUGS[options.bug]!);
  }

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

  override outcome(): TrialOutcome {
    const { steps, faults, ...outcome } = super.outcome({ news: this.chronicle.news.length });
    return { ...outcome, steps: steps.map(withoutChance), faults: faults.map(withoutChance) };
  }
}

/** Revisions of clusters have a part that is another each time. */
function withoutChance(told: string): string {
  return told.replaceAll(/(BODY#\d+)-[0-9a-f]+/g, '$1');
}

/** A fleet with a webhook, whose channels are synced once. */
export function inFleetScene<Result>(
  stage: FaultStage,
  options: SceneOptions,
  act: (scene: FleetScene) => Promise<Result>,
): Promise<Result> {
  const open = (table: Table) => new FleetScene(stage, table, options);
  return inScene(stage, open, async (scene) => {
    await scene.upstream.begin();
    const since = new Date(Date.now()).toISOString();
    await putWebhook(scene.table, { url: 'https://chat.example.com/x', format: 'json', since, by: 'trial' });
    return act(scene);
  });
}
