import { runWatch, type WatchResult } from '../../../functions/jobs/watch/run.ts';
import type { Table } from '../../../functions/store/table.ts';
import type { FaultSource } from '../rig/bucket-proxy.ts';
import { type Break, ClientBoundary } from '../rig/client-boundary.ts';
import { FaultList } from '../rig/fault-list.ts';
import { Random } from '../rig/random.ts';
import type { FaultStage } from '../rig/stage.ts';
import {
  type TableCall,
  type TableFault,
  tableFaultsFor,
  type TableFaultSource,
} from '../rig/table-proxy.ts';
import type { TrialOutcome } from '../world.ts';
import { AttemptTurns } from './attempt-turns.ts';
import { ask, type Instance, type Message, upload } from './instance.ts';
import { type Answer, type Asked, Ledger } from './ledger.ts';
import { type BugName, CLUSTER_BUGS } from './planted-bugs.ts';
import { CLOCK_JUMPS, type Rates } from './rates.ts';
import { ClusterStory } from './reports.ts';

export const DAY = 86_400_000;
const silent = { info: () => {}, warn: () => {}, error: () => {} };

export interface SceneOptions {
  readonly seed: number;
  readonly rates: Rates;
  readonly bug?: string;
  readonly without?: ReadonlySet<number>;
}

/** A request as it is drawn, before it is known who answers it. */
export type Wish = Pick<Asked, 'what' | 'id' | 'report' | 'ifMatch' | 'isFirst'>;

/** One run of the watch that was not killed. */
export interface WatchRun {
  readonly slot: string;
  readonly asked: Asked;
  readonly result: WatchResult;
}

/** Clusters in a table of their own, those who ask and change, and what goes wrong for them. */
export class ClustersScene implements TableFaultSource {
  readonly stage: FaultStage;
  readonly table: Table;
  readonly rates: Rates;
  readonly turns: AttemptTurns;
  readonly ledger = new Ledger();
  readonly stories = new Map<string, ClusterStory>();
  readonly watchRuns: WatchRun[] = [];
  readonly counts = {
    requests: 0,
    reads: 0,
    changes: 0,
    watches: 0,
    calls: 0,
    faults: 0,
    kills: 0,
    failed: 0,
  };
  readonly violations: string[] = [];
  readonly #seed: number;
  readonly #bug: string | undefined;
  readonly #faults: FaultList;
  readonly #steps: string[] = [];
  /** By the name that the proxies are told. */
  readonly #instances = new Map<string, Instance>();
  #killsLeft: number;
  #reports = 0;
  /** How many entries histories have, as deployed at the time. */
  historyLimit = 0;
  /** Nothing goes wrong any more. */
  isQuiet = false;

  static async open(stage: FaultStage, options: SceneOptions): Promise<ClustersScene> {
    stage.clock.restart();
    const scene = new ClustersScene(stage, options, await stage.newTable());
    stage.tableProxy.use(scene);
    stage.bucketProxy.use(scene.#bucketFaults);
    return scene;
  }

  private constructor(stage: FaultStage, { seed, rates, bug, without }: SceneOptions, table: Table) {
    this.stage = stage;
    this.table = table;
    this.rates = rates;
    this.turns = new AttemptTurns(new Random(seed ^ 0x2545f491));
    this.#seed = seed;
    this.#bug = bug;
    this.#faults = new FaultList(seed, without);
    this.#killsLeft = rates.kills;
    for (let number = 1; number <= rates.clusters; number++) {
      const id = `cluster-${number}`;
      this.stories.set(id, new ClusterStory(new Random(seed * 31 + number), id));
    }
  }

  async close(): Promise<void> {
    this.stage.tableProxy.use(null);
    this.stage.bucketProxy.use(null);
    await this.stage.dropTable(this.table);
  }

  outcome(): TrialOutcome {
    return {
      seed: this.#seed,
      violations: this.violations,
      steps: this.#steps,
      faults: this.#faults.told,
      counts: { ...this.counts, turns: this.turns.now },
    };
  }

  nextReport(): number {
    return ++this.#reports;
  }

  /** The program that an actor had before, unless that is gone. */
  instance(actor: number, former: Instance | null, breakAt?: Break): Instance {
    if (former !== null && !former.boundary.isDead) return former;
    const boundary = new ClientBoundary(breakAt ?? this.#drawKill(actor));
    const { table: client, s3 } = this.stage.newClients(`actor-${actor}`);
    for (const each of [client, s3]) {
      boundary.guard(each);
      this.turns.guard(each, actor, () => this.#pause(actor));
    }
    if (this.#bug !== undefined) CLUSTER_BUGS[this.#bug as BugName].plant(client);
    const instance: Instance = { table: { client, name: this.table.name }, s3, boundary, asked: null };
    this.ledger.follow(
      client,
      () => instance.asked!,
      () => this.turns.now,
    );
    this.#instances.set(`actor-${actor}`, instance);
    return instance;
  }

  async ask(instance: Instance, wish: Wish, isUploaded = false): Promise<Asked> {
    const asked = this.#begin(wish, this.#clockOf(CLOCK_JUMPS));
    this.ledger.asked.push(asked);
    const message = await this.#messageOf(asked, isUploaded);
    asked.answer = await ask(instance, message, asked);
    if (asked.what === 'list') asked.answer = await this.#withOtherPages(instance, asked);
    this.#end(asked, instance);
    return asked;
  }

  async watch(instance: Instance, slot: string): Promise<WatchResult | null> {
    const offset = this.#clockOf(CLOCK_JUMPS.filter((jump) => Math.abs(jump) <= DAY));
    const asked: Asked = { ...this.#begin(wishOf({ what: 'watch' }), 0), now: slot };
    instance.asked = asked;
    this.counts.watches++;
    let result: WatchResult | null = null;
    let failure = 'died';
    try {
      result = await runWatch(
        {
          table: instance.table,
          historyLimit: this.historyLimit,
          log: silent,
          count: () => {},
          clock: () => Date.now() + offset,
          // One call after the other, as turns go by.
          limits: { clustersAtOnce: 1, clustersPerPage: 1 },
        },
        { scheduledTime: slot, trigger: 'schedule' },
      );
    } catch (error) {
      failure = (error as Error).message;
    }
    await instance.boundary.settled();
    if (instance.boundary.isDead) result = null;
    if (result !== null) this.watchRuns.push({ slot, asked, result });
    this.#end(asked, instance);
    this.note(`watch ${slot}: ${result === null ? failure : JSON.stringify(result)}`);
    return result;
  }

  note(step: string): void {
    this.#steps.push(`${this.turns.now} ${step}`);
  }

  async next(call: TableCall): Promise<TableFault | null> {
    this.stage.clock.advance(50);
    this.counts.calls++;
    if (this.isQuiet) return null;
    const { random } = this.#faults;
    const { refused, lost, own } = tableFaultsFor(call);
    const { rates } = this;
    if (random.chance(rates.refused) && this.turns.now <= rates.refusedTurns) {
      // The first two are those of a table that is asked too much.
      return this.#fault(random.pick(rates.isThrottled ? refused.slice(0, 2) : refused), call);
    }
    if (call.isWrite && random.chance(rates.lost)) return this.#fault(random.pick(lost), call);
    if (own.length > 0 && random.chance(rates.partly)) return this.#fault(random.pick(own), call);
    return null;
  }

  readonly #bucketFaults: FaultSource = {
    next: async ({ actor, method, key }) => {
      const { random } = this.#faults;
      if (this.isQuiet || !random.chance(this.rates.refused)) return null;
      this.counts.faults++;
      const fault = random.pick(['throttled', 'failed', 'reset', 'lost-answer'] as const);
      return this.#blame(actor, this.#faults.take(fault, `${fault} at ${method} ${key} of ${actor}`));
    },
    carriedOut: () => {},
    told: () => {},
  };

  #fault(fault: TableFault, { actor, operation, keys }: TableCall): TableFault | null {
    this.counts.faults++;
    const what = typeof fault === 'string' ? fault : JSON.stringify(fault);
    // Without what is different each time.
    const told = `${what} at ${operation} ${keys[0]?.replace(/-[0-9a-f]{12}/, '')} of ${actor}`;
    this.note(`  ${told}`);
    return this.#blame(actor, this.#faults.take(fault, told));
  }

  /** Whoever was hurt may fail. */
  #blame<Drawn>(actor: string, fault: Drawn | null): Drawn | null {
    const asked = this.#instances.get(actor)?.asked;
    if (asked && fault !== null) asked.refusals++;
    return fault;
  }

  #drawKill(actor: number): Break | null {
    const { random } = this.#faults;
    if (this.isQuiet || this.#killsLeft === 0 || !random.chance(0.2)) return null;
    this.#killsLeft--;
    const at: Break = { call: 1 + random.below(10), isAfter: random.chance(0.5), isKill: true };
    const told = `actor ${actor} is killed ${at.isAfter ? 'after' : 'before'} call ${at.call}`;
    return this.#faults.take(at, told);
  }

  #pause(actor: number): number {
    const { random } = this.#faults;
    if (this.isQuiet || !random.chance(this.rates.paused)) return 0;
    const turns = 5 + random.below(40);
    return this.#faults.take(turns, `actor ${actor} stalls for ${turns} turns`) ?? 0;
  }

  #clockOf(jumps: readonly number[]): number {
    const { random } = this.#faults;
    if (this.isQuiet || !random.chance(this.rates.clock)) return 0;
    const jump = random.pick(jumps);
    return this.#faults.take(jump, `a clock is wrong by ${jump / 1000} s`) ?? 0;
  }

  #begin(wish: Wish, offset: number): Asked {
    return {
      ...wish,
      number: ++this.counts.requests,
      now: new Date(Date.now() + offset).toISOString(),
      historyLimit: this.historyLimit,
      askedAt: this.turns.now,
      refusals: 0,
      answeredAt: Infinity,
      answer: null,
    };
  }

  #end(asked: Asked, { boundary }: Instance): void {
    asked.answeredAt = this.turns.now;
    if (boundary.isDead) this.counts.kills++;
    if (asked.what === 'watch') return;
    const { answer, report } = asked;
    if (['get', 'history', 'list'].includes(asked.what)) this.counts.reads++;
    else if (answer !== null && answer.status < 300) this.counts.changes++;
    if (answer === null || answer.status >= 500) this.counts.failed++;
    const what = `${asked.what} ${asked.number} of ${asked.id || 'all'}`;
    const said = report === null ? '' : `, report ${report.number} of ${[...report.kinds].join()}`;
    const when = `turns ${asked.askedAt} to ${asked.answeredAt}`;
    this.note(`${what}${said}, ${when}: ${answer === null ? 'no answer' : answer.status}`);
  }

  async #messageOf(asked: Asked, isUploaded: boolean): Promise<Message> {
    const { what, id, report, ifMatch, isFirst, number } = asked;
    const headers = {
      ...(ifMatch !== null && { 'if-match': ifMatch }),
      ...(isFirst && { 'if-none-match': '*' }),
    };
    const target = `/v1/clusters/${id}`;
    if (what === 'list') return { method: 'GET', target: '/v1/clusters' };
    if (what === 'history') return { method: 'GET', target: `${target}/history` };
    if (what === 'get') return { method: 'GET', target };
    if (what === 'delete') return { method: 'DELETE', target, headers };
    const { documents, collectedAt, replace } = report!;
    const uploadId = `${this.table.name}-${number}-`.padEnd(22, '0');
    if (isUploaded) await upload(this.stage.direct, uploadId, JSON.stringify(documents));
    const body = {
      ...(isUploaded ? { upload: uploadId } : { documents }),
      ...(collectedAt !== null && { collected_at: collectedAt }),
      ...(replace && { replace }),
    };
    return { method: 'PUT', target, headers, body: JSON.stringify(body) };
  }

  async #withOtherPages(instance: Instance, asked: Asked): Promise<Answer | null> {
    const clusters: unknown[] = [];
    for (let { answer } = asked; ;) {
      if (answer === null || answer.status !== 200) return answer;
      const page = answer.body as {
        readonly clusters: readonly object[];
        readonly nextCursor: string | null;
      };
      clusters.push(...page.clusters);
      if (page.nextCursor === null) return { ...answer, body: { clusters } };
      answer = await ask(
        instance,
        { method: 'GET', target: `/v1/clusters?cursor=${page.nextCursor}` },
        asked,
      );
    }
  }
}

export function wishOf(wish: Partial<Wish> & Pick<Wish, 'what'>): Wish {
  return { id: '', report: null, ifMatch: null, isFirst: false, ...wish };
}
