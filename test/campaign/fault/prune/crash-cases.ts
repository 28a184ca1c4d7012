import type { PruneResult } from '../../../../functions/prune-runs/job.ts';
import type { RunFiles } from '../../../../functions/pruners/files.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { Random } from '../../../helpers/random.ts';
import type { FaultSource, ProxiedCall } from '../../../helpers/s3/bucket-proxy.ts';
import { watchCommands } from '../../../helpers/wrap-command.ts';
import { type Break, ClientBoundary } from '../harness/client-boundary.ts';
import type { FaultStage } from '../harness/stage.ts';
import type { CrashCase, TrialOutcome } from '../scenario.ts';
import { smallPages } from './disturbances.ts';
import { invokePruner } from './invocations.ts';
import { preparePruner } from './prepare-pruner.ts';
import { followCall } from './present-keys.ts';
import { finish, RegistryModel } from './registry/registry-model.ts';
import { isPlan, readReport, runFilesOf } from './run-report.ts';
import { RunWatch } from './run-watch.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Longer than a lease of one that was killed. */
const LEASE_OVER_MS = 17 * MINUTE;
/** After the one that is cut. */
const FURTHER_INVOCATIONS = 2;
/** With these dice enough is pushed, moved and pushed again while a run is at work. */
const SEED = 3;
const DEEDS = 12;
const DEEDS_MEANWHILE = 6;
const KEPT_REVISIONS = 1;

interface Plot {
  readonly grace: '0s' | '24h';
  /** Runs before the one that is cut. */
  readonly runsBefore: number;
  /** Whether clients push while it is at work. */
  readonly isBusy: boolean;
}

const PLOTS: Readonly<Record<string, Plot>> = {
  'condemn run': { grace: '24h', runsBefore: 0, isBusy: false },
  'sweep run': { grace: '24h', runsBefore: 1, isBusy: false },
  'last sweep run': { grace: '24h', runsBefore: 2, isBusy: false },
  revive: { grace: '0s', runsBefore: 0, isBusy: true },
};

export const pruneCrashCases: readonly CrashCase[] = Object.entries(PLOTS).map(([name, plot]) => ({
  name,
  async calls(stage) {
    const scene = await PruneScene.open(stage, plot);
    await scene.run(null);
    return scene.calls;
  },
  async crashAt(stage, call, side) {
    const scene = await PruneScene.open(stage, plot);
    scene.note(`killed ${side} call ${call}`);
    await scene.run({ call, isAfter: side === 'after', isKill: true });
    return scene.outcome();
  },
}));

/** A registry and one pruner of it, of which one run is looked at. */
class PruneScene implements FaultSource {
  readonly pageSize = smallPages(false);
  readonly #stage: FaultStage;
  readonly #table: Table;
  readonly #plot: Plot;
  readonly #pruner: string;
  readonly #bucket: string;
  readonly #files: RunFiles;
  readonly #model: RegistryModel;
  readonly #steps: string[] = [];
  readonly #violations: string[] = [];
  readonly #counts = { runs: 0, invocations: 0, kills: 0, deletedKeys: 0, revived: 0 };
  #watch: RunWatch | null = null;
  #slot = '';
  #isPushedTo = false;
  /** Of the last invocation. */
  calls = 0;

  static async open(stage: FaultStage, plot: Plot): Promise<PruneScene> {
    stage.clock.restart();
    const scene = new PruneScene(stage, await stage.newTable(), plot);
    stage.tableProxy.use(null);
    stage.bucketProxy.use(scene);
    await scene.#prepare();
    return scene;
  }

  private constructor(stage: FaultStage, table: Table, plot: Plot) {
    this.#stage = stage;
    this.#table = table;
    this.#plot = plot;
    this.#pruner = `crash-${stage.newName()}`;
    this.#bucket = `registry-${this.#pruner}`;
    this.#files = runFilesOf(this.#pruner, stage.direct);
    const where = { bucket: this.#bucket, prefix: '' };
    this.#model = new RegistryModel(stage.direct, where, new Random(SEED), {
      note: (step) => this.note(step),
      tick: () => stage.clock.advance(1000),
    });
  }

  note(step: string): void {
    this.#steps.push(`${new Date(Date.now()).toISOString()} ${step}`);
  }

  outcome(): TrialOutcome {
    return {
      seed: SEED,
      violations: this.#violations,
      steps: this.#steps,
      faults: [],
      counts: this.#counts,
    };
  }

  /** A run to its end: one invocation that may be cut, and at most so many more. */
  async run(breakAt: Break | null): Promise<void> {
    const startedAt = Date.now();
    const slot = Math.floor(startedAt / MINUTE) * MINUTE;
    this.#slot = new Date(slot).toISOString();
    this.#isPushedTo = false;
    this.#counts.runs++;
    const graceMs = this.#plot.grace === '24h' ? 24 * HOUR : 0;
    const promised = this.#model.promised(KEPT_REVISIONS);
    this.#watch = new RunWatch(this.#model, {
      startedAt,
      cutoff: slot - graceMs,
      bucket: this.#bucket,
      promised,
    });
    let result = await this.#invoke('schedule', breakAt);
    const further = breakAt === null ? 0 : FURTHER_INVOCATIONS;
    for (let invocation = 0; invocation < further && result?.status !== 'Done'; invocation++) {
      this.#stage.clock.advance(LEASE_OVER_MS);
      // The same event comes again, as it does when its function dies; then the watch asks.
      result = await this.#invoke(invocation === 0 ? 'schedule' : 'resume', null);
    }
    const isOver =
      result?.status === 'Done' || (result?.status === 'Skipped' && result.reason === 'Duplicate');
    if (!isOver) this.#violations.push(`the run did not come to its end: ${JSON.stringify(result)}`);
    const keys = await this.#watch.check(KEPT_REVISIONS);
    this.#violations.push(...this.#watch.violations);
    this.#watch = null;
    this.#model.forget(keys, KEPT_REVISIONS);
    await this.#count();
  }

  async #prepare(): Promise<void> {
    const { direct, clock } = this.#stage;
    const target = { bucket: this.#bucket, prefix: '' };
    await preparePruner({ direct, table: this.#table }, this.#pruner, target, {
      keepTagRevisions: KEPT_REVISIONS,
      keepYoungerThan: '0s',
      grace: this.#plot.grace,
      startingDeadlineSeconds: 86_400,
    });
    await this.#model.ballast(8);
    await this.#push(DEEDS);
    clock.advance(26 * HOUR);
    for (let run = 0; run < this.#plot.runsBefore; run++) {
      await this.run(null);
      clock.advance(26 * HOUR);
    }
  }

  async #push(deeds: number): Promise<void> {
    for (let deed = 0; deed < deeds; deed++) await finish(this.#model.anyDeed());
  }

  async #invoke(trigger: 'schedule' | 'resume', breakAt: Break | null): Promise<PruneResult | null> {
    const boundary = new ClientBoundary(breakAt);
    const { s3, table } = this.#stage.newClients();
    this.calls = 0;
    for (const client of [s3, table]) {
      boundary.guard(client);
      watchCommands(client, () => this.calls++);
    }
    this.#counts.invocations++;
    let result: PruneResult | null = null;
    try {
      const own = { client: table, name: this.#table.name };
      const request = { pruner: this.#pruner, scheduledTime: this.#slot, trigger };
      result = await invokePruner(s3, own, request);
    } catch (error) {
      this.note(`${trigger}: ${(error as Error).message}`);
    }
    await boundary.settled();
    if (boundary.isDead) {
      this.#counts.kills++;
      result = null;
    }
    this.note(`${trigger}: ${JSON.stringify(result)}`);
    s3.destroy();
    table.destroy();
    return result;
  }

  async #count(): Promise<void> {
    const report = await readReport(this.#files, this.#slot);
    if (report === null) return void this.#violations.push(`the run ${this.#slot} has no report`);
    if (report.outcome !== 'Succeeded')
      this.#violations.push(`the run ${this.#slot} is told as ${report.outcome}`);
    this.#counts.revived += report.revived;
    for (const { count } of Object.values(report.deleted)) this.#counts.deletedKeys += count;
  }

  /** Clients push when all is listed and nothing is gone yet. */
  async next(call: ProxiedCall): Promise<null> {
    this.#stage.clock.advance(50);
    if (this.#watch === null) return null;
    if (this.#plot.isBusy && !this.#isPushedTo && isPlan(call.key) && call.method === 'PUT') {
      this.#isPushedTo = true;
      await this.#push(DEEDS_MEANWHILE);
    }
    this.#watch.asked(call);
    if (call.deletes.length > 0 && call.bucket === this.#bucket) {
      await this.#watch.checkPlanned(call.deletes, this.#files);
    }
    return null;
  }

  carriedOut(call: ProxiedCall, gone: readonly string[]): void {
    if (call.bucket === this.#bucket) followCall(this.#model.present, call, gone);
    else this.#watch?.wrote(call);
  }

  told(call: ProxiedCall, gone: readonly string[]): void {
    if (call.bucket === this.#bucket) this.#watch?.told(call.deletes, gone);
  }
}
