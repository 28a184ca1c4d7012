import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { planReport } from '@cairn/shared/plan/report';
import { asText } from '@cairn/shared/text/as-text';
import { describe, expect, it } from 'vitest';
import { aCluster, aNode, aPool } from '../../../helpers/cluster/clusters.ts';
import { aBudget, aPodGroup } from '../../../helpers/cluster/workloads.ts';
import { aReport } from '../../../helpers/plan/report-cases.ts';

const COMPACT = { 'node-role.kubernetes.io/master': '', 'node-role.kubernetes.io/worker': '' };
const compact = (...names: readonly string[]) => names.map((name) => aNode(name, { labels: COMPACT }));
const NO_WORKERS = {
  pools: [
    aPool('master'),
    aPool('worker', { machines: { total: 0, updated: 0, ready: 0, unavailable: 0, degraded: 0 } }),
  ],
};
const SINGLE = { infrastructure: { platform: 'None', controlPlaneTopology: 'SingleReplica' } };

function plan(changes: Partial<ClusterFacts>) {
  return aReport({ facts: aCluster(changes), to: '4.16.5', options: { strategy: 'control-plane-only' } });
}

describe('a cluster without workers to hold back', () => {
  it.each<[string, Partial<ClusterFacts>]>([
    ['a single node', { ...SINGLE, nodes: compact('only') }],
    ['a single node that was not sent', { ...SINGLE, nodes: null, pools: null }],
    ['three compact nodes', { nodes: compact('a', 'b', 'c') }],
    ['pools alone', { nodes: null, ...NO_WORKERS }],
  ])('is planned as rolling: %s', async (_, changes) => {
    const { strategy, plan: details } = await plan(changes);
    expect(strategy).toBe('rolling');
    expect(details.steps.filter(({ kind }) => kind === 'pause' || kind === 'unpause')).toEqual([]);
    expect(details.caveats.filter(({ type }) => type === 'NothingGained')).toEqual([
      {
        type: 'NothingGained',
        effect: 'warn',
        text: expect.stringContaining('no worker pool has a node') as string,
      },
    ]);
  });

  it.each<[string, Partial<ClusterFacts>]>([
    ['with workers', {}],
    [
      'with one control plane node and workers',
      { ...SINGLE, nodes: [...compact('only'), aNode('worker-0')] },
    ],
    ['with three compact nodes and workers', { nodes: [...compact('a', 'b', 'c'), aNode('worker-0')] }],
    ['of which nothing is known', { nodes: null, pools: null }],
  ])('is not one %s', async (_, changes) => {
    expect((await plan(changes)).strategy).toBe('control-plane-only');
  });

  it('has no advice about paused pools if its control plane is hosted', async () => {
    const infrastructure = { platform: 'AWS', controlPlaneTopology: 'External' };
    const report = await plan({ infrastructure, pools: null, nodes: [aNode('worker-0')] });
    expect(asText(planReport(report))).toContain('Node pools keep their release as long as skew allows');
    const { plan: details } = report;
    expect(details.caveats).toEqual([]);
    expect(details.steps[0]?.text).toBe(
      'Ask the administrator of the management cluster to switch to channel stable-4.16',
    );
  });

  it('has one backup for each minor and no drains if it is a single node', async () => {
    const facts = aCluster({
      ...SINGLE,
      nodes: compact('only'),
      budgets: [aBudget('shop', 'strict')],
      drainedPods: [aPodGroup('shop', { app: 'web' }, ['only'])],
    });
    const report = await aReport({ facts, to: '4.15.3', options: { strategy: 'control-plane-only' } });
    expect(report.plan.steps.filter(({ kind }) => kind === 'backup')).toHaveLength(1);
    expect(report.hops[0]!.conditions.filter(({ type }) => type === 'DrainsPossible')).toMatchObject([
      { reason: 'SingleNodeOutage', effect: 'info' },
    ]);
    expect(report.verdict).toBe('ready');
  });
});
