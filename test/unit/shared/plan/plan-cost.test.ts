import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const helper = new URL('../../../helpers/cluster/large-cluster-plan.ts', import.meta.url).href;
const bench = new URL('../../../campaign/bench/interleave.ts', import.meta.url).href;
const NODES = 500;
/** `npm run bench` holds the goal of 2. Tests beside this one distort the CPU time, so this finds only a lasting loss. */
const MOST = 3;

/** In a process without the transformed modules of the test runner, which are slower. */
function ratioOf(): number {
  const code = `
    import { cpuCostOf, smallestCosts } from '${bench}';
    import { largePlan } from '${helper}';
    const { plan, parse } = largePlan(${NODES});
    const costs = await smallestCosts({ plan: () => cpuCostOf(plan), parse: () => cpuCostOf(parse) }, 2);
    process.stdout.write(String(costs.plan / costs.parse));`;
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' }),
  );
}

it(`a plan of ${NODES} nodes with all documents costs less than parsing them ${MOST} times`, () => {
  const ratio = ratioOf();
  expect(ratio).toBeGreaterThan(0);
  expect(ratio).toBeLessThan(MOST);
});
