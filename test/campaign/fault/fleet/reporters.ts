import { takeReport } from '@cairn/shared/cluster/record';
import { changeCluster, removeCluster } from '../../../../functions/clusters/store.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { aCluster, aClusterOperator, aCondition } from '../../../helpers/cluster/clusters.ts';
import { type Break, ClientBoundary } from '../harness/client-boundary.ts';
import type { Disturbances } from '../harness/disturbances.ts';
import type { Journal } from '../harness/journal.ts';
import { programClock } from '../harness/program-clock.ts';
import type { FaultStage } from '../harness/stage.ts';
import type { TableCall } from '../harness/table-proxy.ts';
import type { Turns } from '../harness/turns.ts';
import type { ClusterState } from './drawn-state.ts';
import type { Truth } from './truth.ts';

/** What a cluster reports, or null: somebody deletes it. */
export type Report = Pick<ClusterState, 'version' | 'isBlocked'> | null;

interface Surroundings {
  readonly stage: FaultStage;
  readonly table: Table;
  readonly turns: Turns;
  readonly disturbances: Disturbances;
  readonly journal: Journal;
  readonly truth: Truth;
}

/** Clusters that report side by side with the runs, and may be cut short as they are. */
export class Reporters {
  readonly #around: Surroundings;
  readonly #underWay = new Map<string, { readonly id: string; readonly report: Report }>();
  #launched = 0;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  launch(id: string, report: Report, breakAt: Break | null = null): void {
    const { stage, turns, disturbances, journal, table } = this.#around;
    const actor = `report-${++this.#launched}`;
    const boundary = new ClientBoundary(breakAt);
    const { s3, table: client } = stage.newClients(actor);
    boundary.guard(client);
    disturbances.follow(actor, { clock: programClock(), boundary });
    this.#underWay.set(actor, { id, report });
    journal.note(`${actor} of ${id}: ${report === null ? 'deleted' : JSON.stringify(report)}`);
    const now = new Date(Date.now()).toISOString();
    turns.begin(actor, async () => {
      const own = { client, name: table.name };
      try {
        if (report === null) await removeCluster(own, id, now, () => {});
        else {
          const facts = aCluster(report.isBlocked ? BLOCKED : {}, report.version);
          await changeCluster(own, id, (former) =>
            takeReport(former?.record ?? null, facts, { now, forget: false, historyLimit: 100 }),
          );
        }
      } catch (error) {
        journal.note(`${actor} fails: ${(error as Error).message}`);
      }
      await boundary.settled();
      if (boundary.isDead) journal.counts.kills++;
      s3.destroy();
      client.destroy();
    });
  }

  /** A head was written: from now on the cluster is what was reported. */
  wrote({ actor, keys }: TableCall): void {
    const asked = this.#underWay.get(actor);
    if (asked === undefined || keys[0] !== `CLUSTER#${asked.id}|!HEAD`) return;
    const { truth } = this.#around;
    const { id, report } = asked;
    const former = truth.clusterNow(id);
    const life = former?.life ?? truth.lives(id) + 1;
    truth.became(id, report && { life, bornAt: former?.bornAt ?? Date.now(), ...report });
  }
}

const BLOCKED = {
  clusterOperators: [aClusterOperator('etcd', [aCondition('Upgradeable', 'False', 'Broken', 'no')])],
};
