import { CLOCK_SKEW_MS } from '@cairn/shared/time/future';
import type { PruneRequest, PruneResult } from '../../../../functions/prune-runs/job.ts';
import { unfinishedRun } from '../../../../functions/prune-runs/progress.ts';
import type { RunFiles } from '../../../../functions/pruners/files.ts';
import { LONGEST_LEASE_MS } from '../../../../functions/store/leases.ts';
import { Random } from '../../../helpers/random.ts';
import type { Fault, FaultSource, ProxiedCall } from '../../../helpers/s3/bucket-proxy.ts';
import { FaultList } from '../harness/fault-list.ts';
import { type ClockFault, drawWrongSlot, type WrongSlot } from '../harness/program-clock.ts';
import type { FaultStage } from '../harness/stage.ts';
import { Turns } from '../harness/turns.ts';
import type { TrialOptions, TrialOutcome } from '../scenario.ts';
import { bystandersGone, putBystanders } from './bystanders.ts';
import { LEASE_OVER_MS, PruneDisturbances, smallPages } from './disturbances.ts';
import { Invocations } from './invocations.ts';
import type { BugName } from './planted-bugs.ts';
import { preparePruner } from './prepare-pruner.ts';
import { followCall } from './present-keys.ts';
import { type PruneProfile, profileOf, UNDISTURBED } from './profiles.ts';
import { RegistryClients } from './registry/registry-clients.ts';
import { finish, RegistryModel } from './registry/registry-model.ts';
import { readReport, runFilesOf } from './run-report.ts';
import { RunWatch } from './run-watch.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** With more than this broken the rest goes undisturbed, so that a run comes to its end. */
const MOST_BROKEN_ROUNDS = 8;
const MOST_ROUNDS = 30;

type EndedRun = Extract<PruneResult, { status: 'Done' }>;

/** Runs one scenario through some runs of a pruner, all by the seed. */
export function pruneTrial(stage: FaultStage, options: TrialOptions): Promise<TrialOutcome> {
  return new PruneTrial(stage, options).run();
}

class PruneTrial implements FaultSource {
  readonly #stage: FaultStage;
  readonly #seed: number;
  readonly #random: Random;
  readonly #faults: FaultList;
  readonly #pruner: string;
  readonly #bucket: string;
  readonly #files: RunFiles;
  readonly #model: RegistryModel;
  readonly #clients: RegistryClients;
  readonly #turns: Turns;
  readonly #disturbances: PruneDisturbances;
  readonly #invocations: Invocations;
  readonly #profile: PruneProfile;
  readonly #steps: string[] = [];
  readonly #violations: string[] = [];
  readonly #policy: { keepTagRevisions: number; keepYoungerThan: string; grace: string };
  readonly #cutoffMs: number;
  readonly #prefix: string;
  readonly pageSize: (call: ProxiedCall) => number;
  #watch: RunWatch | null = null;
  #slot = '';
  readonly #counts = {
    runs: 0,
    invocations: 0,
    faults: 0,
    kills: 0,
    pauses: 0,
    duplicates: 0,
    clockJumps: 0,
    deletedKeys: 0,
    revived: 0,
  };

  constructor(stage: FaultStage, { seed, kind, bug, without }: TrialOptions) {
    stage.clock.restart();
    this.#stage = stage;
    this.#seed = seed;
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
    this.pageSize = smallPages(this.#random.chance(0.1));
    this.#cutoffMs = Math.max(youngHours, graceHours) * HOUR;
    this.#model = new RegistryModel(
      stage.direct,
      { bucket: this.#bucket, prefix: this.#prefix },
      this.#random,
      { note: (step) => this.#note(step), tick: () => stage.clock.advance(1000) },
    );
    this.#clients = new RegistryClients(this.#model, stage.clock);
    this.#profile = profileOf(kind);
    this.#turns = new Turns(this.#random);
    const around = {
      stage,
      clock: stage.clock,
      random: this.#random,
      faults: this.#faults,
      turns: this.#turns,
      counts: this.#counts,
      note: (step: string) => this.#note(step),
    };
    this.#disturbances = new PruneDisturbances(around);
    const disturbances = this.#disturbances;
    this.#invocations = new Invocations({ ...around, disturbances, bug: bug as BugName | undefined });
  }

  async run(): Promise<TrialOutcome> {
    await this.#prepare();
    this.#stage.bucketProxy.use(this);
    this.#stage.tableProxy.use(this.#disturbances.ofTable);
    const rounds = 2 + this.#random.below(3);
    for (let round = 0; round < rounds && this.#violations.length === 0; round++) {
      for (let deeds = 2 + this.#random.below(4); deeds > 0; deeds--) {
        await this.#clients.finish();
        await finish(this.#model.anyDeed());
        this.#stage.clock.advance(this.#random.below(20) * 1000);
      }
      const wait = this.#random.pick([MINUTE, 20 * MINUTE, 2 * HOUR, 25 * HOUR, 25 * HOUR, 50 * HOUR]);
      const isBusy = this.#random.chance(0.5);
      this.#stage.clock.advance(wait);
      if (isBusy) await this.#clients.step(1 + this.#random.below(8));
      this.#stage.clock.advance(MINUTE);
      const wrong = drawWrongSlot(this.#faults, this.#profile.wrongSlots);
      if (wrong !== null) await this.#runWrong(wrong);
      const trigger = this.#random.chance(0.7) ? 'schedule' : 'manual';
      const result = await this.#watchRun({ trigger });
      if (result?.reason === 'TooMuch' && this.#violations.length === 0) {
        this.#stage.clock.advance(MINUTE);
        const report = await readReport(this.#files, result.run);
        await this.#watchRun({ trigger: 'manual', agree: report!.plan!.planHash });
      }
    }
    for (const trigger of ['schedule', 'manual'] as const) await this.#runUndisturbed(trigger);
    await this.#checkEnd();
    this.#stage.bucketProxy.use(null);
    this.#stage.tableProxy.use(null);
    return {
      seed: this.#seed,
      violations: this.#violations,
      steps: this.#steps,
      faults: this.#faults.told,
      counts: this.#counts,
    };
  }

  /** A dry run, as the time of a slot decides what is old: what it leaves stored must be in nobody's way. */
  async #runWrong({ offset, clock }: WrongSlot): Promise<void> {
    const scheduledTime = new Date(Math.floor((Date.now() + offset) / MINUTE) * MINUTE).toISOString();
    this.#note(`dry run of a wrong clock, ${scheduledTime}`);
    this.#counts.clockJumps++;
    const event = { pruner: this.#pruner, scheduledTime, trigger: 'schedule', dryRun: true } as const;
    await this.#invoke([event], this.#profile, [], clock);
    await this.#wakeAll();
    this.#stage.clock.advance(LONGEST_LEASE_MS + CLOCK_SKEW_MS);
  }

  /** Whatever was stored by wrong clocks, a run that nothing comes in the way of runs. */
  async #runUndisturbed(trigger: 'schedule' | 'manual'): Promise<void> {
    if (this.#violations.length > 0) return;
    this.#stage.clock.advance(LONGEST_LEASE_MS + CLOCK_SKEW_MS);
    // Nothing has to go for that.
    const result = await this.#watchRun({ trigger, dryRun: true }, UNDISTURBED);
    if (result?.run !== this.#slot) {
      this.#violations.push(`an undisturbed run by ${trigger} does not run: ${JSON.stringify(result)}`);
    }
  }

  async #prepare(): Promise<void> {
    const { direct } = this.#stage;
    const target = { bucket: this.#bucket, prefix: this.#prefix };
    await preparePruner(this.#stage, this.#pruner, target, this.#policy);
    await this.#model.ballast(8);
    await putBystanders(direct, this.#bucket, this.#model.registry.root);
    this.#stage.clock.advance(10 * MINUTE);
    this.#note(`policy ${JSON.stringify({ ...this.#policy, prefix: this.#prefix })}`);
  }

  /** All of it once more as a client of the registry sees it. */
  async #checkEnd(): Promise<void> {
    await this.#clients.finish();
    const keys = new Set(await this.#stage.keysOf(this.#bucket));
    const gone = bystandersGone(keys, this.#model.registry.root);
    this.#violations.push(...gone.map((key) => `${key} is gone`));
    for (const name of this.#model.promised(0).tags.keys()) {
      const [repository, tag] = name.split(':');
      const fault = await this.#model.registry.faultOfPull(repository!, tag!);
      if (fault !== null) this.#violations.push(`${name} cannot be pulled at the end: ${fault}`);
    }
  }

  /** A run from its start to its end, in as many invocations as it takes; then all must be well. */
  async #watchRun(
    request: Pick<PruneRequest, 'trigger' | 'agree' | 'dryRun'>,
    profile = this.#profile,
  ): Promise<EndedRun | null> {
    const startedAt = Date.now();
    const slot = request.trigger === 'schedule' ? Math.floor(startedAt / MINUTE) * MINUTE : startedAt;
    const { keepTagRevisions } = this.#policy;
    this.#watch = new RunWatch(this.#model, {
      startedAt,
      cutoff: slot - this.#cutoffMs,
      bucket: this.#bucket,
      promised: this.#model.promised(keepTagRevisions),
    });
    this.#counts.runs++;
    this.#slot = new Date(slot).toISOString();
    this.#note(`run ${this.#slot}`);
    const event = { pruner: this.#pruner, scheduledTime: this.#slot, ...request };
    const ended = await this.#deliver(event, this.#watch, profile);
    const keys = await this.#watch.check(keepTagRevisions);
    this.#violations.push(...this.#watch.violations);
    this.#watch = null;
    this.#model.forget(keys, keepTagRevisions);
    if (ended) await this.#countRun(ended);
    return ended;
  }

  /** The event as often as it comes, then the watch, until nobody is at the run and it is not unfinished. */
  async #deliver(event: PruneRequest, watch: RunWatch, usual: PruneProfile): Promise<EndedRun | null> {
    let deliveries = this.#random.pick(usual.deliveries);
    const ends: EndedRun[] = [];
    for (let round = 0; ; round++) {
      if (round === MOST_ROUNDS) throw new Error(`seed ${this.#seed}: the run does not end`);
      const profile = round < MOST_BROKEN_ROUNDS ? usual : UNDISTURBED;
      const events = Array.from({ length: this.#random.pick(profile.atOnce) }, () =>
        deliveries-- > 0 ? event : { ...event, trigger: 'resume' as const },
      );
      const results = await this.#invoke(events, profile, ends);
      if (ends.length === 0) this.#verify(results, round === 0);
      else {
        await this.#deliverAgain(event, deliveries, watch);
        deliveries = 0;
        await this.#wakeAll();
      }
      const isOver = this.#turns.present.length === 0 && results.every((result) => result !== null);
      if (isOver && (await unfinishedRun(this.#stage.table, this.#pruner, Date.now())) === null) break;
      const isPaused = results.some((result) => result?.status === 'Paused');
      this.#stage.clock.advance(isPaused ? 1000 : LEASE_OVER_MS);
    }
    if (ends.length > 1) this.#violations.push(`the run ${event.scheduledTime} ends ${ends.length} times`);
    return ends[0] ?? null;
  }

  /** Side by side, until all are over or stand still; null for those that failed. */
  async #invoke(
    events: readonly PruneRequest[],
    profile: PruneProfile,
    ends: EndedRun[] = [],
    clock?: ClockFault,
  ): Promise<readonly (PruneResult | null)[]> {
    const results: (PruneResult | null)[] = [];
    for (const event of events) {
      const over = (result: PruneResult | null): void => {
        results.push(result);
        if (result?.status === 'Done') ends.push(result);
      };
      this.#invocations.launch(event, profile, over, clock);
    }
    this.#counts.duplicates += events.length - 1;
    await this.#turns.play(async () => {});
    return results;
  }

  /** What comes of an event whose run is over: nothing. */
  async #deliverAgain(event: PruneRequest, deliveries: number, watch: RunWatch): Promise<void> {
    for (let delivery = 0; delivery < deliveries; delivery++) {
      const before = watch.deletions;
      this.#counts.duplicates++;
      const [result] = await this.#invoke([event], UNDISTURBED);
      const isDuplicate = result?.status === 'Skipped' && result.reason === 'Duplicate';
      if (!isDuplicate)
        this.#violations.push(`a run that is over goes on as ${JSON.stringify(result ?? null)}`);
      if (this.#turns.present.length === 0 && watch.deletions > before)
        this.#violations.push('something goes once more');
    }
  }

  /** Who is alone has nobody to leave a run to; only a clock that is wrong may let it look so. */
  #verify(results: readonly (PruneResult | null)[], isFirst: boolean): void {
    const { pauses, clockJumps } = this.#counts;
    const [result] = results;
    if (results.length !== 1 || pauses + clockJumps > 0 || result?.status !== 'Skipped') return;
    if (isFirst || result.reason !== 'Duplicate')
      this.#violations.push(`gives up as ${result.reason} though nobody else is there`);
  }

  /** Those that stood still go on, and others push meanwhile. */
  async #wakeAll(): Promise<void> {
    for (;;) {
      const wake = this.#turns.nextWake;
      if (wake === null) return;
      if (wake > Date.now()) this.#stage.clock.advance(wake - Date.now());
      await this.#clients.step(this.#random.below(30));
      await this.#turns.play(async () => {});
    }
  }

  async #countRun({ run, outcome, reason }: EndedRun): Promise<void> {
    const report = (await readReport(this.#files, run))!;
    this.#counts.revived += report.revived;
    // The bucket keeps versions, so whatever the run deleted can come back.
    this.#violations.push(...report.lostKeys.map((key) => `${key} is reported as lost`));
    for (const { count } of Object.values(report.deleted)) this.#counts.deletedKeys += count;
    this.#note(
      `run ended: ${outcome}, ${reason}, ${JSON.stringify(report.deleted)}, revived ${report.revived}`,
    );
  }

  async next(call: ProxiedCall): Promise<Fault | null> {
    const random = this.#random;
    const program = await this.#disturbances.arrive(call.actor);
    const watch = this.#watch;
    if (watch === null || program === null) return null;
    const isLook = call.query.get('prefix')?.endsWith('repositories/') && call.query.has('list-type');
    if (isLook && watch.hasDeleted && this.#model.isNoting) {
      // A registry that found all there before it went answers within the time the pruner takes to look again.
      await this.#clients.finish();
    } else if (random.chance(0.08)) {
      await this.#clients.step(1 + random.below(8));
    }
    const fault = this.#disturbances.bucketFault(program, call);
    const isCarriedOut = fault === null || fault === 'lost-answer' || typeof fault === 'object';
    if (isCarriedOut) {
      watch.asked(call);
      if (call.deletes.length > 0 && call.bucket === this.#bucket) {
        await watch.checkPlanned(call.deletes, this.#files);
        this.#note(
          `  delete ${call.deletes.map((key) => key.slice(this.#model.registry.root.length)).join(' ')}`,
        );
      }
    }
    return fault;
  }

  carriedOut(call: ProxiedCall, gone: readonly string[]): void {
    if (call.bucket === this.#bucket) followCall(this.#model.present, call, gone);
    else this.#watch?.wrote(call);
  }

  told(call: ProxiedCall, gone: readonly string[]): void {
    if (call.bucket === this.#bucket) this.#watch?.told(call.deletes, gone);
  }

  #note(step: string): void {
    this.#steps.push(`${new Date(Date.now()).toISOString()} ${step}`);
  }
}
