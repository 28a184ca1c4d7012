import { runHousekeeping, type HousekeepingResult } from '../../../../functions/housekeeping/job.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { Random } from '../../../helpers/random.ts';
import { type Break, ClientBoundary } from '../harness/client-boundary.ts';
import { FaultList } from '../harness/fault-list.ts';
import { inScene, type SceneOptions } from '../harness/scene.ts';
import type { FaultStage } from '../harness/stage.ts';
import type { TrialOutcome } from '../scenario.ts';
import { AttemptTurns } from './attempt-turns.ts';
import { Disturbances } from './disturbances.ts';
import { ask, type Instance, upload } from './instance.ts';
import { type Asked, Ledger } from './ledger.ts';
import { type BugName, CLUSTER_BUGS } from './planted-bugs.ts';
import { CLOCK_JUMPS, type Rates } from './rates.ts';
import { ClusterStory, type Report } from './reports.ts';
import { messageOf, type Wish, wishOf, withOtherPages } from './requests.ts';

export const DAY = 86_400_000;
const silent = { info: () => {}, warn: () => {}, error: () => {} };

interface ClustersSceneOptions extends SceneOptions {
  readonly rates: Rates;
}

/** One run of the watch that was not killed. */
export interface HousekeepingRun {
  readonly slot: string;
  readonly asked: Asked;
  readonly result: HousekeepingResult;
}

/** Clusters in a table of their own, those who ask and change, and what goes wrong for them. */
export class ClustersScene {
  readonly stage: FaultStage;
  readonly table: Table;
  readonly rates: Rates;
  readonly turns: AttemptTurns;
  readonly disturbances: Disturbances;
  readonly ledger = new Ledger();
  readonly stories = new Map<string, ClusterStory>();
  readonly watchRuns: HousekeepingRun[] = [];
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
  readonly faults: FaultList;
  readonly #steps: string[] = [];
  #reports = 0;
  /** How many entries histories have, as deployed at the time. */
  historyLimit = 0;

  constructor(stage: FaultStage, table: Table, { seed, rates, bug, without }: ClustersSceneOptions) {
    this.stage = stage;
    this.table = table;
    this.rates = rates;
    this.turns = new AttemptTurns(new Random(seed ^ 0x2545f491));
    this.#seed = seed;
    this.#bug = bug;
    this.faults = new FaultList(seed, without);
    this.disturbances = new Disturbances(this);
    for (let number = 1; number <= rates.clusters; number++) {
      const id = `cluster-${number}`;
      this.stories.set(id, new ClusterStory(new Random(seed * 31 + number), id));
    }
  }

  outcome(): TrialOutcome {
    return {
      seed: this.#seed,
      violations: this.violations,
      steps: this.#steps,
      faults: this.faults.told,
      counts: { ...this.counts, turns: this.turns.now },
    };
  }

  nextReport(): number {
    return ++this.#reports;
  }

  /** The program that an actor had before, unless that is gone. */
  instance(actor: number, former: Instance | null, breakAt?: Break): Instance {
    if (former !== null && !former.boundary.isDead) return former;
    const boundary = new ClientBoundary(breakAt ?? this.disturbances.drawKill(actor));
    const { table: client, s3 } = this.stage.newClients(`actor-${actor}`);
    for (const each of [client, s3]) {
      boundary.guard(each);
      this.turns.guard(each, actor, () => this.disturbances.drawPause(actor));
    }
    if (this.#bug !== undefined) CLUSTER_BUGS[this.#bug as BugName].plant(client);
    const instance: Instance = { table: { client, name: this.table.name }, s3, boundary, asked: null };
    this.ledger.follow(
      client,
      () => instance.asked!,
      () => this.turns.now,
    );
    this.disturbances.follow(`actor-${actor}`, instance);
    return instance;
  }

  async ask(instance: Instance, wish: Wish, isUploaded = false): Promise<Asked> {
    const asked = this.#begin(wish, this.disturbances.drawClockJump(CLOCK_JUMPS));
    this.ledger.asked.push(asked);
    const uploaded =
      isUploaded && wish.report !== null ? await this.#upload(asked.number, wish.report) : null;
    const answer = await ask(instance, messageOf(wish, uploaded), asked);
    asked.answer = asked.what === 'list' ? await withOtherPages(instance, asked, answer) : answer;
    this.#end(asked, instance);
    return asked;
  }

  async watch(
    instance: Instance,
    slot: string,
    {
      offset = this.disturbances.drawClockJump(CLOCK_JUMPS),
      trigger = 'schedule',
    }: { readonly offset?: number; readonly trigger?: 'schedule' | 'manual' } = {},
  ): Promise<HousekeepingResult | null> {
    const asked: Asked = { ...this.#begin(wishOf({ what: 'watch' }), 0), now: slot };
    instance.asked = asked;
    this.counts.watches++;
    let result: HousekeepingResult | null = null;
    let failure = 'died';
    try {
      result = await runHousekeeping(
        {
          table: instance.table,
          historyLimit: this.historyLimit,
          log: silent,
          count: () => {},
          clock: () => Date.now() + offset,
          // One call after the other, as turns go by.
          limits: { clustersAtOnce: 1, clustersPerPage: 1 },
        },
        { scheduledTime: slot, trigger },
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

  async #upload(number: number, { documents }: Report): Promise<string> {
    const id = `${this.table.name}-${number}-`.padEnd(22, '0');
    await upload(this.stage.direct, id, JSON.stringify(documents));
    return id;
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
}

export function inClustersScene<Result>(
  stage: FaultStage,
  options: ClustersSceneOptions,
  act: (scene: ClustersScene) => Promise<Result>,
): Promise<Result> {
  return inScene(stage, (table) => new ClustersScene(stage, table, options), act);
}
