import { configPairs, parseReleaseConfig, type ReleaseConfig } from '@cairn/shared/releases/sources';
import { runSync, type SyncRequest, type SyncResult } from '../../../functions/jobs/sync/run.ts';
import { SYNC_LIMITS } from '../../../functions/jobs/sync/context.ts';
import { breakSyncLease, readSyncState } from '../../../functions/store/sync-state.ts';
import type { Table } from '../../../functions/store/table.ts';
import type { FaultSource, ProxiedCall } from '../rig/bucket-proxy.ts';
import { type Break, ClientBoundary } from '../rig/client-boundary.ts';
import { FaultList } from '../rig/fault-list.ts';
import { Random } from '../rig/random.ts';
import { type FaultStage, OWN_BUCKET } from '../rig/stage.ts';
import { type TableCall, type TableFault, tableFaultsFor } from '../rig/table-proxy.ts';
import { Turns } from '../rig/turns.ts';
import type { TrialOutcome } from '../world.ts';
import { ChildRun, type Kill } from './child-run.ts';
import { checkFinalState } from './final-check.ts';
import { SyncHistory } from './history.ts';
import { type SyncBug, SYNC_BUGS } from './planted-bugs.ts';
import { Reader } from './readers.ts';
import { UpstreamModel } from './upstream-model.ts';

export const MINUTE = 60_000;
export const SLOT_MS = 10 * MINUTE;
/** Most of them are answered without asking the table, which is the way of a warm function. */
const READS_AT_ONCE = 3;
const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** How often what goes wrong, per call. */
export interface FaultRates {
  readonly refused: number;
  /** Of writes. */
  readonly lost: number;
  /** Batches cut in two, short and empty pages. */
  readonly torn: number;
  /** Of reads that need not be consistent. */
  readonly stale: number;
  /** A run stands still for longer than its lease. */
  readonly pause: number;
  /** Of deliveries of events. */
  readonly events: number;
}

export const NO_FAULTS: FaultRates = { refused: 0, lost: 0, torn: 0, stale: 0, pause: 0, events: 0 };

export interface RunOptions {
  readonly slot: number;
  readonly trigger?: SyncRequest['trigger'];
  readonly accept?: readonly string[];
  readonly breakAt?: Break;
  /** By how much its clock is wrong, from the start and from some call on. */
  readonly clock?: { readonly offset: number; readonly jumpAt: number; readonly jumpTo: number };
}

export interface SceneOptions {
  readonly seed: number;
  readonly minors: readonly string[];
  readonly readers?: number;
  readonly bug?: string | undefined;
  readonly without?: ReadonlySet<number> | undefined;
}

/** Upstream, table, bucket, readers and any number of runs of the sync, all by the dice. */
export class SyncScene {
  readonly random: Random;
  readonly faults: FaultList;
  readonly model: UpstreamModel;
  readonly history: SyncHistory;
  readonly turns: Turns;
  readonly results: { readonly slot: number; readonly result: SyncResult | null }[] = [];
  readonly stage: FaultStage;
  readonly table: Table;
  rates = NO_FAULTS;
  config: ReleaseConfig;
  /** What is out of order altogether. */
  outage: 'table' | 'bucket' | null = null;
  /** Asked before each call of a run. */
  onCall: (call: { readonly actor: string; readonly number: number }) => void = () => {};
  readonly counts = {
    runs: 0,
    calls: 0,
    faults: 0,
    kills: 0,
    pauses: 0,
    clockJumps: 0,
    duplicates: 0,
    reads: 0,
    flips: 0,
    brokenLeases: 0,
  };
  readonly #minors: readonly string[];
  readonly #removed = new Map<string, number>();
  readonly #steps: string[] = [];
  readonly #readers: Reader[] = [];
  readonly #boundaries = new Map<string, ClientBoundary>();
  readonly #clocks = new Map<string, { offset: number; jumpAt: number; jumpTo: number; calls: number }>();
  readonly #children = new Map<string, ChildRun>();
  readonly #seed: number;
  readonly #bug: SyncBug | undefined;
  readonly #memory = new Map<string, unknown>();
  #actors = 0;
  /** The run before ended as it should, so that the lease cannot be held by a dead one. */
  #isLeaseFree = true;

  private constructor(stage: FaultStage, table: Table, options: SceneOptions) {
    this.stage = stage;
    this.table = table;
    this.#seed = options.seed;
    this.#minors = options.minors;
    this.#bug = options.bug === undefined ? undefined : SYNC_BUGS[options.bug]!;
    this.random = new Random(options.seed);
    this.faults = new FaultList(options.seed, options.without);
    this.config = configFor(options.minors);
    const everyPair = configPairs(this.config);
    this.model = new UpstreamModel(new Random(options.seed + 7), everyPair);
    this.history = new SyncHistory({
      table,
      model: this.model,
      removed: () => this.#removed,
      graceMs: SYNC_LIMITS.retirementGraceMs,
    });
    this.turns = new Turns(this.random);
    for (let reader = 0; reader < (options.readers ?? 0); reader++) {
      const { table: client } = stage.newClients(`reader-${reader}`);
      this.#readers.push(
        new Reader({ client, name: table.name }, this.history, new Random(options.seed + reader)),
      );
      this.#readers.at(-1)!.isTableDown = () => this.outage === 'table';
    }
  }

  static async open(stage: FaultStage, options: SceneOptions): Promise<SyncScene> {
    stage.clock.restart();
    const scene = new SyncScene(stage, await stage.newTable(), options);
    stage.tableProxy.use({
      next: (call) => scene.#atTable(call),
      carriedOut: (call, status) => scene.#carriedOut(call, status),
    });
    stage.bucketProxy.use(scene.#bucketSource());
    return scene;
  }

  async close(): Promise<void> {
    this.stage.tableProxy.use(null);
    this.stage.bucketProxy.use(null);
    await this.stage.dropTable(this.table);
  }

  get pairs(): readonly string[] {
    return configPairs(this.config).map(({ channel, arch }) => `${channel}/${arch}`);
  }

  note(step: string): void {
    this.#steps.push(`${new Date(Date.now()).toISOString()} ${step}`);
  }

  /** Puts a configuration with these minors in place. */
  configure(minors: readonly string[], confirmed: readonly string[] = []): void {
    for (const minor of this.#minors) {
      if (minors.includes(minor)) this.#removed.delete(minor);
      else if (!this.#removed.has(minor)) this.#removed.set(minor, Date.now());
    }
    this.config = configFor(minors, confirmed);
    this.note(
      `configured ${minors.join(' ')}${confirmed.length > 0 ? `, ${confirmed.join(' ')} may go` : ''}`,
    );
  }

  /** Begins a run; it goes on when the scene is played. */
  launch(options: RunOptions): string {
    const actor = `run-${++this.#actors}`;
    const { config } = this;
    const boundary = new ClientBoundary(options.breakAt ?? null);
    this.#boundaries.set(actor, boundary);
    this.#clocks.set(actor, { offset: 0, jumpAt: Infinity, jumpTo: 0, ...options.clock, calls: 0 });
    const { s3, table } = this.stage.newClients(actor);
    boundary.guard(s3);
    boundary.guard(table);
    this.counts.runs++;
    const slot = new Date(options.slot).toISOString();
    const { trigger = 'schedule', accept } = options;
    for (const pair of accept ?? []) this.history.accepted.add(pair);
    this.#bug?.plant?.({ client: table, direct: this.table, memory: this.#memory });
    const isAlone = this.turns.present.length === 0 && this.#isLeaseFree;
    const wasFree = this.#isLeaseFree;
    const isNew = [...this.history.doneSlots.keys()].every((done) => done < slot);
    this.#isLeaseFree = false;
    this.history.launched.set(actor, this.history.flips.length);
    const request = { scheduledTime: slot, trigger, ...(accept && { accept }) };
    this.note(`${actor} begins ${slot}`);
    this.turns.begin(actor, async () => {
      let result: SyncResult | null = null;
      try {
        result = await runSync(
          {
            table: { client: table, name: this.table.name },
            bucket: { client: s3, name: OWN_BUCKET },
            config,
            upstream: { kind: 'live', url: 'http://upstream', open: () => this.#upstream(actor) },
            events: { publish: (events) => this.#deliver(actor, events) },
            log: silent,
            clock: () => Date.now() + this.#clocks.get(actor)!.offset,
            limits: { pairsAtOnce: 1, rowWritesAtOnce: 1 },
          },
          this.#bug?.request?.(request, actor) ?? request,
        );
      } catch (error) {
        this.note(`${actor} fails: ${(error as Error).message}`);
      }
      await boundary.settled();
      if (boundary.isDead) {
        result = null;
        this.counts.kills++;
      }
      this.results.push({ slot: options.slot, result });
      if (result) {
        this.note(
          `${actor} ${result.status} ${result.status === 'Done' ? result.record.outcome : result.reason}`,
        );
        await this.history.ended(actor, slot, result);
        const isLast = this.turns.present.length === 1;
        this.#isLeaseFree = isLast && (result.status === 'Done' || (result.reason === 'Missed' && wasFree));
        const givenUp = result.status === 'Skipped' && result.reason !== 'Missed' ? result.reason : null;
        if (isAlone && isNew && givenUp !== null && this.#actors === Number(actor.split('-')[1])) {
          this.history.violate(`${actor} gives up as ${givenUp} though nobody else is there`);
        }
      }
      s3.destroy();
      table.destroy();
    });
    return actor;
  }

  /** Begins a run in a process of its own, which is killed at some call. */
  async launchProcess(slot: number, kill: Kill): Promise<void> {
    const actor = `run-${++this.#actors}`;
    this.#clocks.set(actor, { offset: 0, jumpAt: Infinity, jumpTo: 0, calls: 0 });
    this.counts.runs++;
    this.#isLeaseFree = false;
    this.history.launched.set(actor, this.history.flips.length);
    this.note(`${actor} begins ${new Date(slot).toISOString()} in a process of its own`);
    const child = await ChildRun.start(
      {
        actor,
        tableUrl: this.stage.tableProxy.url,
        bucketUrl: this.stage.bucketProxy.url,
        table: this.table.name,
        bucket: OWN_BUCKET,
        config: configInput(this.#minors),
        slot: new Date(slot).toISOString(),
        now: Date.now(),
      },
      { model: this.model, tell: (events) => this.history.tellEvents(events) },
      kill,
    );
    this.#children.set(actor, child);
    this.turns.begin(actor, async () => {
      const wasKilled = await child.over();
      if (wasKilled) this.counts.kills++;
      this.note(`${actor} ${wasKilled ? 'was killed' : 'came to its end'}`);
      if (wasKilled) return;
      const result = JSON.parse(child.said) as SyncResult;
      await this.history.ended(actor, new Date(slot).toISOString(), result);
    });
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
    this.counts.reads++;
    await reader.read(this.pairs);
  }

  /** Lets those go on that stood still, then two undisturbed runs; then all must be well. */
  async settle(): Promise<void> {
    this.rates = NO_FAULTS;
    this.outage = null;
    while (this.turns.present.length > 0) {
      const wake = this.turns.nextWake!;
      if (wake > Date.now()) this.stage.clock.advance(wake - Date.now());
      await this.play();
    }
    this.model.recover();
    for (const isLast of [false, true]) {
      this.stage.clock.advance(SLOT_MS + MINUTE);
      const state = await readSyncState(this.table);
      // A clock that was wrong by years may have held it for as long: that is for people to end.
      if (state && state.leaseUntil > Date.now() + SYNC_LIMITS.leaseMs) {
        this.counts.brokenLeases++;
        await breakSyncLease(this.table);
      }
      const held = Object.entries(state?.book.pairs ?? {}).filter(([, pair]) => pair.held !== null);
      const accept = isLast ? held.map(([name]) => name) : [];
      // The last one finds something new everywhere, so that it tidies up after all the others.
      if (isLast) this.model.addEverywhere();
      this.launch({ slot: Date.now(), trigger: 'manual', ...(accept.length > 0 && { accept }) });
      await this.play();
      const { result } = this.results.at(-1)!;
      if (result?.status !== 'Done') {
        this.history.violate(`an undisturbed run ends as ${result ? result.reason : 'a failure'}`);
      }
    }
    await checkFinalState(this.table, this.history, this.model, this.config);
  }

  outcome(): TrialOutcome {
    this.counts.flips = this.history.flips.length;
    return {
      seed: this.#seed,
      violations: this.history.violations,
      steps: this.#steps,
      faults: this.faults.told,
      counts: this.counts,
    };
  }

  #upstream(actor: string) {
    return {
      fetchGraph: async (channel: string, arch: string) => {
        if (this.#boundaries.get(actor)!.isDead) throw new Error('the process is gone');
        const result = this.model.ask(channel, arch, actor);
        return this.#bug?.answer?.(result) ?? result;
      },
      resetBreaker: () => {},
      close: async () => {},
    };
  }

  async #deliver(actor: string, events: Parameters<SyncHistory['tellEvents']>[0]) {
    if (this.#boundaries.get(actor)!.isDead) throw new Error('the process is gone');
    const fault = this.#draw(this.rates.events, ['refused', 'failed', 'lost'] as const, () => 'events');
    if (fault !== 'refused' && fault !== 'failed') this.history.tellEvents(events);
    if (fault === 'failed' || fault === 'lost') throw new Error('planted');
    return fault === 'refused' ? events : [];
  }

  async #atTable(call: TableCall): Promise<TableFault | null> {
    if (call.actor.startsWith('reader')) return this.#readerFault(call);
    await this.turns.wait(call.actor);
    this.#tick(call.actor, `${call.operation} ${call.keys.join(' ').slice(0, 120)}`);
    if (this.#boundaries.get(call.actor)?.isDead) return null;
    if (await this.#children.get(call.actor)?.at('before')) return 'reset';
    await this.#mayPause(call.actor, 'before');
    if (this.outage === 'table') return 'unavailable';
    const { refused, lost, own } = tableFaultsFor(call);
    const torn = own.filter((fault) => typeof fault === 'string' || 'unprocessed' in fault);
    const where = () => `${call.actor} ${call.operation} ${call.keys[0]}`;
    return (
      this.#draw(this.rates.refused, refused, where) ??
      (call.isWrite ? this.#draw(this.rates.lost, lost, where) : null) ??
      (torn.length > 0 ? this.#draw(this.rates.torn, torn, where) : null)
    );
  }

  async #carriedOut(call: TableCall, status: number): Promise<void> {
    if (call.isWrite && status === 200) await this.history.wrote(call);
    await this.#children.get(call.actor)?.at('after');
    if (call.isWrite && !call.actor.startsWith('reader')) await this.#mayPause(call.actor, 'after');
  }

  #readerFault(call: TableCall): TableFault | null {
    if (this.outage === 'table') return 'unavailable';
    const stale = tableFaultsFor(call).own.filter((fault) => typeof fault === 'object' && 'stale' in fault);
    return stale.length > 0 ? this.#draw(this.rates.stale, stale, () => 'reader') : null;
  }

  #bucketSource(): FaultSource {
    return {
      next: async (call: ProxiedCall) => {
        await this.turns.wait(call.actor);
        this.#tick(call.actor, `${call.method} ${call.key}`);
        if (this.#boundaries.get(call.actor)?.isDead) return null;
        if (await this.#children.get(call.actor)?.at('before')) return 'reset';
        await this.#mayPause(call.actor, 'before');
        if (this.outage === 'bucket') return 'throttled';
        const where = () => `${call.actor} ${call.method} ${call.key}`;
        return (
          this.#draw(this.rates.refused, ['throttled', 'failed', 'reset'] as const, where) ??
          this.#draw(this.rates.lost, ['lost-answer'] as const, where)
        );
      },
      carriedOut: ({ method, key }) => {
        if (method === 'PUT') this.history.archived.add(key);
      },
      told: () => {},
    };
  }

  /** Every call takes a moment, and the clock of whoever makes it may jump. */
  #tick(actor: string, what: string): void {
    this.counts.calls++;
    this.stage.clock.advance(50 + this.random.below(1500));
    const clock = this.#clocks.get(actor)!;
    clock.calls++;
    this.note(`  ${actor} ${what}`);
    this.onCall({ actor, number: clock.calls });
    if (clock.calls === clock.jumpAt) clock.offset = clock.jumpTo;
  }

  async #mayPause(actor: string, side: 'before' | 'after'): Promise<void> {
    const pause = this.#draw(this.rates.pause, [1.2, 2, 4], () => `${actor} stands still ${side} a call for`);
    if (pause === null) return;
    this.counts.pauses++;
    this.turns.pause(actor, Date.now() + pause * SYNC_LIMITS.leaseMs);
    await this.turns.wait(actor);
  }

  #draw<Drawn>(rate: number, choices: readonly Drawn[], where: () => string): Drawn | null {
    if (rate === 0 || !this.faults.random.chance(rate)) return null;
    const drawn = this.faults.random.pick(choices);
    const told = typeof drawn === 'object' ? JSON.stringify(drawn) : String(drawn);
    const taken = this.faults.take(drawn, `${where()}: ${told}`);
    if (taken !== null) {
      this.counts.faults++;
      this.note(`  fault ${told}`);
    }
    return taken;
  }
}

function configFor(minors: readonly string[], confirmed: readonly string[] = []): ReleaseConfig {
  const reading = parseReleaseConfig(configInput(minors, confirmed));
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.config;
}

/** Stable and fast of the first minor, stable of the others. */
function configInput(minors: readonly string[], confirmed: readonly string[] = []): object {
  return {
    release_sources: minors.map((minor) => ({
      openshift_version: minor,
      upgrade_channels: [
        { cpu_architecture: 'x86_64', channels: minor === '4.12' ? ['stable', 'fast'] : ['stable'] },
      ],
    })),
    ...(confirmed.length > 0 && { confirm_removal: confirmed }),
  };
}
