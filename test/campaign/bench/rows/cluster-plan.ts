import { largePlan } from '../../../helpers/cluster/large-cluster-plan.ts';
import { cpuCostOf, medianRatio } from '../interleave.ts';
import { ratio, type Row } from '../row.ts';

const ROUNDS = 9;
const GOAL = 2;
const NODES = 500;

/** Reading all documents of a large cluster and planning with them, against parsing the same text. */
export const clusterPlan: Row = {
  name: 'plan of a large cluster',
  async run() {
    const { size, plan, parse } = largePlan(NODES);
    // The first plan compiles the code.
    plan();
    const measured = await medianRatio(
      () => cpuCostOf(plan),
      () => cpuCostOf(parse),
      ROUNDS,
    );
    const what = `plan of ${NODES} nodes with all documents (${size} MB) / JSON.parse of them`;
    return [ratio(what, measured, GOAL)];
  },
};
