import type { PruneRequest } from '../../../functions/jobs/prune-images/context.ts';
import { type PruneResult, runPruner } from '../../../functions/jobs/prune-images/run.ts';
import { RUN_FILE, type RunFiles } from '../../../functions/store/run-files.ts';
import { anyFault } from '../rig/any-bucket-fault.ts';
import type { Fault, FaultSource, ProxiedCall } from '../rig/bucket-proxy.ts';
import { type Break, ClientBoundary } from '../rig/client-boundary.ts';
import { FaultList } from '../rig/fault-list.ts';
import { Random } from '../rig/random.ts';
import { type FaultStage, OWN_BUCKET } from '../rig/stage.ts';
import type { TrialOptions, TrialOutcome } from '../world.ts';
import { bystandersGone, putBystanders } from './bystanders.ts';
import { type BugName, PLANTED_BUGS } from './planted-bugs.ts';
import { preparePruner } from './prepare-pruner.ts';
import { followCall } from './present-keys.ts';
import { RegistryClients } from './registry-clients.ts';
import { finish, RegistryWorld } from './registry-world.ts';
import { readReport, runFilesOf } from './run-report.ts';
import { RunWatch } from './run-watch.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const silent = { info: () => {}, warn: () => {}, error: () => {} };
/** With more than this broken the rest goes undisturbed, so that a run comes to its end. */
const MOST_BROKEN_INVOCATIONS = 8;
const MOST_INVOCATIONS = 30;
/** Longer than a lease of one that was killed. */
const LEASE_OVER_MS = 17 * MINUTE;

/** Runs one world through some runs of a pruner, all by the seed. */
export function pruneTrial(stage: FaultStage, options: TrialOptions): Promise<TrialOutcome> {
  return new PruneTrial(stage, options).run();
}

class PruneTrial implements FaultSource {
  readonly #stage: FaultStage;
  readonly #seed: number;
  readonly #bug: BugName | undefined;
  readonly #random: Random;
  readonly #faults: FaultList;
  readonly #pruner: string;
  readonly #bucket: string;
  readonly #files: RunFiles;
  readonly #world: RegistryWorld;
  readonly #clients: RegistryClients;
  readonly #steps: string[] = [];
  readonly #violations: string[] = [];
  readonly #memory = new Map<string, unknown>();
  readonly #policy: { keepTagRevisions: number; keepYoungerThan: string; grace: string };
  readonly #cutoffMs: number;
  readonly #prefix: string;
  #watch: RunWatch | null = null;
  #boundary = new ClientBoundary(null);
  #faultRate = 0;
  #slot = '';
  readonly #counts = { runs: 0, invocations: 0, faults: 0, kills: 0, deletedKeys: 0, revived: 0 };

  constructor(stage: FaultStage, { seed, bug, without }: TrialOptions) {
    stage.clock.restart();
    this.#stage = stage;
    this.#seed = seed;
    this.#bug = bug as BugName | undefined;
    this.#random = new Random(seed);
    this.#faults = new FaultList(seed, without);
    this.#pruner = `trial-${stage.newName()}`;
    this.#bucket = `registry-${this.#pruner}`;
    this.#files = runFilesOf(this.#pruner, stage.direct);
    this.#prefix = this.#random.pick(['', 'mirror']);
    const [youngHours, graceHours] = this.#random.pick([
      [0, 0],
      [0, 0],
      [1, 0],
      [0, 24],
      [1, 24],
    ] as const);
    this.#policy = {
      keepTagRevisions: this.#random.below(3),
      keepYoungerThan: `${youngHours}h`,
      grace: `${graceHours}h`,
    };
    this.#cutoffMs = Math.max(youngHours, graceHours) * HOUR;
    this.#world = new RegistryWorld(
      stage.direct,
      { bucket: this.#bucket, prefix: this.#prefix },
      this.#random,
      { note: (step) => this.#note(step), tick: () => stage.clock.advance(1000) },
    );
    this.#clients = new RegistryClients(this.#world, stage.clock);
  }

  async run(): Promise<TrialOutcome> {
    await this.#prepare();
    this.#stage.bucketProxy.use(this);
    this.#stage.tableProxy.use(null);
    const rounds = 2 + this.#random.below(3);
    for (let round = 0; round < rounds && this.#violations.length === 0; round++) {
      for (let deeds = 2 + this.#random.below(4); deeds > 0; deeds--) {
        await this.#clients.finish();
        await finish(this.#world.anyDeed());
        this.#stage.clock.advance(this.#random.below(20) * 1000);
      }
      const wait = this.#random.pick([MINUTE, 20 * MINUTE, 2 * HOUR, 25 * HOUR, 25 * HOUR, 50 * HOUR]);
      const isBusy = this.#random.chance(0.5);
      this.#stage.clock.advance(wait);
      if (isBusy) await this.#clients.step(1 + this.#random.below(8));
      this.#stage.clock.advance(MINUTE);
      const result = await this.#watchRun({ trigger: 'schedule' });
      if (result?.status === 'Done' && result.reason === 'TooMuch' && this.#violations.length === 0) {
        this.#stage.clock.advance(MINUTE);
        const report = await readReport(this.#files, result.run);
        await this.#watchRun({ trigger: 'manual', agree: report!.plan!.planHash });
      }
    }
    await this.#checkEnd();
    return {
      seed: this.#seed,
      violations: this.#violations,
      steps: this.#steps,
      faults: this.#faults.told,
      counts: this.#counts,
    };
  }

  async #prepare(): Promise<void> {
    const { direct } = this.#stage;
    const target = { bucket: this.#bucket, prefix: this.#prefix };
    await preparePruner(this.#stage, this.#pruner, target, this.#policy);
    await this.#world.ballast(8);
    await putBystanders(direct, this.#bucket, this.#world.registry.root);
    this.#stage.clock.advance(10 * MINUTE);
    this.#note(`policy ${JSON.stringify({ ...this.#policy, prefix: this.#prefix })}`);
  }

  /** All of it once more as a client of the registry sees it. */
  async #checkEnd(): Promise<void> {
    await this.#clients.finish();
    const keys = new Set(await this.#stage.keysOf(this.#bucket));
    const gone = bystandersGone(keys, this.#world.registry.root);
    this.#violations.push(...gone.map((key) => `${key} is gone`));
    for (const name of this.#world.promised(0).tags.keys()) {
      const [repository, tag] = name.split(':');
      const fault = await this.#world.registry.faultOfPull(repository!, tag!);
      if (fault !== null) this.#violations.push(`${name} cannot be pulled at the end: ${fault}`);
    }
  }

  /** A run from its start to its end, in as many invocations as it takes; then all must be well. */
  async #watchRun(request: Pick<PruneRequest, 'trigger' | 'agree'>): Promise<PruneResult | null> {
    const startedAt = Date.now();
    const slot = request.trigger === 'schedule' ? Math.floor(startedAt / MINUTE) * MINUTE : startedAt;
    const { keepTagRevisions } = this.#policy;
    this.#watch = new RunWatch(this.#world, {
      startedAt,
      cutoff: slot - this.#cutoffMs,
      bucket: this.#bucket,
      promised: this.#world.promised(keepTagRevisions),
    });
    this.#counts.runs++;
    const scheduledTime = new Date(slot).toISOString();
    this.#slot = scheduledTime;
    this.#note(`run ${scheduledTime}`);
    let result: PruneResult | null = null;
    for (let invocation = 0; ; invocation++) {
      if (invocation === MOST_INVOCATIONS) throw new Error(`seed ${this.#seed}: the run does not end`);
      const isFirst = invocation === 0;
      result = await this.#invoke(
        { pruner: this.#pruner, scheduledTime, ...request, ...(!isFirst && { trigger: 'resume' }) },
        invocation < MOST_BROKEN_INVOCATIONS,
      );
      if (result?.status === 'Done') break;
      if (result?.status === 'Skipped' && result.reason === 'Duplicate' && this.#isOver()) break;
      this.#stage.clock.advance(result?.status === 'Paused' ? 1000 : LEASE_OVER_MS);
    }
    const keys = await this.#watch.check(keepTagRevisions);
    this.#violations.push(...this.#watch.violations);
    this.#watch = null;
    this.#world.forget(keys, keepTagRevisions);
    if (result.status === 'Done') await this.#countRun(result);
    return result;
  }

  /** One that died before it had noted anything is not known to be unfinished; the lease of one that died is held for a while. */
  #isOver(): boolean {
    return !this.#boundary.isDead;
  }

  async #countRun({ run, outcome, reason }: Extract<PruneResult, { status: 'Done' }>): Promise<void> {
    const report = (await readReport(this.#files, run))!;
    this.#counts.revived += report.revived;
    for (const { count } of Object.values(report.deleted)) this.#counts.deletedKeys += count;
    this.#note(
      `run ended: ${outcome}, ${reason}, ${JSON.stringify(report.deleted)}, revived ${report.revived}`,
    );
  }

  /** Null when the invocation failed. */
  async #invoke(request: PruneRequest, mayBreak: boolean): Promise<PruneResult | null> {
    const random = this.#random;
    this.#boundary = new ClientBoundary(mayBreak ? this.#drawBreak() : null);
    this.#faultRate = mayBreak ? random.pick([0, 0.03, 0.15]) : 0;
    const { s3, table } = this.#stage.newClients();
    this.#boundary.guard(s3);
    this.#boundary.guard(table);
    if (this.#bug !== undefined) PLANTED_BUGS[this.#bug]({ s3, table }, this.#memory);
    let looks = mayBreak && random.chance(0.2) ? random.below(6) : Infinity;
    this.#counts.invocations++;
    let result: PruneResult | null = null;
    try {
      result = await runPruner(
        {
          table: { client: table, name: this.#stage.table.name },
          bucket: { client: s3, name: OWN_BUCKET },
          registry: s3,
          log: silent,
          count: () => {},
          clock: Date.now,
          remainingMs: () => (looks-- > 0 ? 15 * MINUTE : 0),
        },
        request,
      );
      this.#note(`${request.trigger}: ${JSON.stringify(result)}`);
    } catch (error) {
      this.#counts.kills++;
      this.#note(`${request.trigger}: ${(error as Error).message}`);
    }
    await this.#boundary.settled();
    s3.destroy();
    table.destroy();
    return result;
  }

  #drawBreak(): Break | null {
    const { random } = this.#faults;
    if (!random.chance(0.6)) return null;
    const at: Break = {
      call: 1 + random.below(random.pick([20, 60, 120])),
      isAfter: random.chance(0.5),
      isKill: random.chance(0.7),
    };
    return this.#faults.take(
      at,
      `${at.isKill ? 'killed' : 'broken'} ${at.isAfter ? 'after' : 'before'} call ${at.call}`,
    );
  }

  async next(call: ProxiedCall): Promise<Fault | null> {
    const random = this.#random;
    this.#stage.clock.advance(50);
    const watch = this.#watch;
    if (watch === null || this.#boundary.isDead) return null;
    const isLook = call.query.get('prefix')?.endsWith('repositories/') && call.query.has('list-type');
    if (isLook && watch.hasDeleted && this.#world.isNoting) {
      // A registry that found all there before it went answers within the time the pruner takes to look again.
      await this.#clients.finish();
    } else if (random.chance(0.08)) {
      await this.#clients.step(1 + random.below(8));
    }
    const isFault = this.#faults.random.chance(this.#faultRate);
    const drawn = isFault ? anyFault(this.#faults.random, call) : null;
    const told = `${typeof drawn === 'string' ? drawn : 'partial'} at ${call.method} ${call.key}`;
    const fault = drawn === null ? null : this.#faults.take(drawn, told);
    if (fault !== null) {
      this.#counts.faults++;
      this.#note(`  ${told}`);
    }
    const isCarriedOut = fault === null || fault === 'lost-answer' || typeof fault === 'object';
    if (isCarriedOut) {
      watch.asked(call);
      if (call.deletes.length > 0 && call.bucket === this.#bucket) {
        watch.checkPlanned(call.deletes, await this.#files.read(RUN_FILE.plan(this.#slot)));
        this.#note(
          `  delete ${call.deletes.map((key) => key.slice(this.#world.registry.root.length)).join(' ')}`,
        );
      }
    }
    return fault;
  }

  carriedOut(call: ProxiedCall, gone: readonly string[]): void {
    if (call.bucket === this.#bucket) followCall(this.#world.present, call, gone);
  }

  told(call: ProxiedCall, gone: readonly string[]): void {
    if (call.bucket === this.#bucket) this.#watch?.told(call.deletes, gone);
  }

  #note(step: string): void {
    this.#steps.push(`${new Date(Date.now()).toISOString()} ${step}`);
  }
}
