import { takeReport } from '@cairn/shared/cluster/record';
import { changeCluster, removeCluster } from '../../../../functions/clusters/store.ts';
import { aCluster, aClusterOperator, aCondition } from '../../../helpers/cluster/clusters.ts';
import type { Break } from '../harness/client-boundary.ts';
import { launchProgram } from '../harness/program.ts';
import type { Scene } from '../harness/scene.ts';
import type { TableCall } from '../harness/table-proxy.ts';
import type { ClusterState } from './drawn-state.ts';
import type { Truth } from './truth.ts';

type Surroundings = Scene & { readonly truth: Truth };

/** What a cluster reports, or null: somebody deletes it. */
export type Report = Pick<ClusterState, 'version' | 'isBlocked'> | null;

/** Clusters that report side by side with the runs, and may be cut short as they are. */
export class Reporters {
  readonly #scene: Surroundings;
  readonly #underWay = new Map<string, { readonly id: string; readonly report: Report }>();
  #launched = 0;

  constructor(scene: Surroundings) {
    this.#scene = scene;
  }

  launch(id: string, report: Report, breakAt: Break | null = null): void {
    const actor = `report-${++this.#launched}`;
    this.#underWay.set(actor, { id, report });
    this.#scene.journal.note(`${actor} of ${id}: ${report === null ? 'deleted' : JSON.stringify(report)}`);
    const now = new Date(Date.now()).toISOString();
    launchProgram(this.#scene, {
      actor,
      breakAt,
      async run({ table }) {
        const facts = report && aCluster(report.isBlocked ? BLOCKED : {}, report.version);
        if (facts === null) await removeCluster(table, id, now, () => {});
        else {
          await changeCluster(table, id, (former) =>
            takeReport(former?.record ?? null, facts, { now, forget: false, historyLimit: 100 }),
          );
        }
      },
    });
  }

  /** A head was written: from now on the cluster is what was reported. */
  wrote({ actor, keys }: TableCall): void {
    const asked = this.#underWay.get(actor);
    if (asked === undefined || keys[0] !== `CLUSTER#${asked.id}|!HEAD`) return;
    const { truth } = this.#scene;
    const { id, report } = asked;
    const former = truth.clusterNow(id);
    const life = former?.life ?? truth.lives(id) + 1;
    truth.became(id, report && { life, bornAt: former?.bornAt ?? Date.now(), ...report });
  }
}

const BLOCKED = {
  clusterOperators: [aClusterOperator('etcd', [aCondition('Upgradeable', 'False', 'Broken', 'no')])],
};
