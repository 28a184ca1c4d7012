import { readFileSync } from 'node:fs';
import { NO_FACTS } from '@cairn/shared/cluster/facts';
import type { RiskAnswer } from '@cairn/shared/risk/cluster-risks';
import { describe, expect, it } from 'vitest';
import { readParsedDocuments } from '../../../helpers/cluster/cluster-documents.ts';
import {
  aCluster,
  aClusterOperator,
  aCondition,
  aNode,
  anOperator,
  aPool,
  minutesAgo,
  withHistory,
} from '../../../helpers/cluster/clusters.ts';
import type { Json } from '../../../helpers/cluster/objects.ts';
import { aBudget, aHealthCheck, aPodGroup } from '../../../helpers/cluster/workloads.ts';
import { ask, releases } from '../../../helpers/path/releases.ts';
import { reportOn } from '../../../helpers/plan/reports.ts';

const known = releases({
  'stable-4.16': ['4.14.8 > 4.14.30', '4.14.8 > 4.15.3 SlowDisks', '4.14.30 > 4.15.20', '4.15.20 > 4.16.9'],
});

const limited = (name: string, max: string) =>
  anOperator(name, { properties: [{ type: 'olm.maxOpenShiftVersion', value: max }] });

describe('a report', () => {
  it('has the question and the result', async () => {
    const facts = aCluster({ clusterVersion: withHistory(['4.14.8 P', '4.13.9 C']) });
    const report = reportOn(facts, await ask(known, '4.14.8', '4.16'), { policy: 'n-1' });
    expect(report).toMatchObject({
      cluster: { id: '00000000-0000-4000-8000-000000000001', channel: 'stable-4.14' },
      current: '4.14.8',
      lastCompleted: { version: '4.13.9', assumed: false },
      target: '4.16.9',
      policy: 'n-1',
      strategy: 'rolling',
      verdict: 'blocked',
      pathExists: { status: 'True', reason: 'AsExpected', message: '4.16.9 is 3 hops away', effect: 'ok' },
      evaluatedAt: '2026-06-01T12:00:00.000Z',
    });
  });

  it('has each hop with its pools and its minutes', async () => {
    const answer = await ask(known, '4.14.8', '4.15.20');
    const { hops, duration } = reportOn(aCluster(), answer);
    expect(hops).toEqual([
      {
        index: 0,
        from: '4.14.8',
        to: '4.14.30',
        updateType: 'patch',
        kubeFrom: '1.27',
        kubeTo: '1.27',
        minorDistance: 0,
        verdict: 'allowed',
        conditions: expect.any(Array),
        risks: [],
        upgradeable: expect.objectContaining({ status: 'True' }),
        pools: [
          expect.objectContaining({ pool: 'master', hop: 0, lag: 0, isWithinLimit: true }),
          expect.objectContaining({ pool: 'worker', hop: 0, lag: 0, isWithinLimit: true }),
        ],
        duration: { min: 27, expected: 60, max: 125, serialNetwork: false },
      },
      {
        index: 1,
        from: '4.14.30',
        to: '4.15.20',
        updateType: 'minor',
        kubeFrom: '1.27',
        kubeTo: '1.28',
        minorDistance: 1,
        verdict: 'allowed',
        conditions: expect.any(Array),
        risks: [],
        upgradeable: expect.objectContaining({ status: 'True' }),
        pools: [
          expect.objectContaining({ pool: 'master', hop: 1, kubeletsAfter: [28] }),
          expect.objectContaining({ pool: 'worker', hop: 1, kubeletsAfter: [27], lag: 1 }),
        ],
        duration: { min: 45, expected: 60, max: 125, serialNetwork: false },
      },
    ]);
    expect(duration.total).toEqual({ min: 72, expected: 120, max: 210, worst: 250 });
  });

  it('counts what blocks and what is announced over all hops, without what was accepted', async () => {
    const facts = aCluster({
      operators: [limited('a', '4.14'), limited('b', '4.15')],
      adminGates: [{ key: 'ack-4.14-subject', value: 'why' }],
    });
    const answer = await ask(known, '4.14.8', '4.16');
    const counts = (...accept: string[]) => {
      const { blockers, informs } = reportOn(facts, answer, { accept });
      return [blockers, informs];
    };
    expect(counts()).toEqual([2, 2]);
    expect(counts('AdminAckRequired')).toEqual([1, 1]);
    expect(counts('AdminAckRequired', 'OperatorsCompatible')).toEqual([0, 0]);
  });

  it('knows no minutes without nodes', async () => {
    const answer = await ask(known, '4.14.8', '4.15.20');
    const { hops, duration } = reportOn(aCluster({ nodes: null, pools: null }), answer);
    expect([duration.total, hops.map((hop) => hop.duration)]).toEqual([null, [null, null]]);
  });

  it('leaves a conditional update to who accepts it', async () => {
    const answer = await ask(known, '4.14.8', '4.15.3', [], { risk: 'all' });
    const report = reportOn(aCluster(), answer);
    expect(report.verdict).toBe('ready-with-warnings');
    expect(report.plan.steps.map(({ command }) => command)).toContain(
      'oc adm upgrade --allow-not-recommended --to=4.15.3',
    );
  });

  it('says since when a pool is paused', async () => {
    const facts = aCluster({ pools: [aPool('master'), aPool('worker', { paused: true })] });
    const { plan } = reportOn(
      facts,
      await ask(known, '4.14.8', '4.15.20'),
      {},
      { pausedSince: new Map([['worker', minutesAgo(90 * 24 * 60)]]) },
    );
    expect(plan.caveats.map(({ type }) => type)).toContain('PoolPausedTooLong');
  });
});

describe('a report of no way', () => {
  it('at the target has nothing to do', async () => {
    const report = reportOn(aCluster(), await ask(known, '4.14.8', '4.14.8'));
    expect(report).toMatchObject({
      verdict: 'ready',
      blockers: 0,
      informs: 0,
      hops: [],
      plan: { steps: [], workerRollouts: [], caveats: [] },
      duration: { total: { min: 0, expected: 0, max: 0, worst: 0 } },
      pathExists: { status: 'True', message: 'The cluster is at 4.14.8' },
    });
    expect(report.plan.pools.flatMap(({ rolls }) => rolls)).toEqual([]);
  });

  it('at the target waits for an update in progress, and repairs what is broken', async () => {
    const clusterVersion = withHistory(['4.14.8 P', '4.13.1 C']);
    const facts = aCluster({
      clusterVersion,
      clusterOperators: [
        aClusterOperator('etcd'),
        aClusterOperator('dns', [aCondition('Degraded', 'True', 'Broken', 'no pods')]),
      ],
    });
    const report = reportOn(facts, await ask(known, '4.14.8', '4.14.8'));
    expect(report.verdict).toBe('ready-with-warnings');
    expect(report.conditions!.map(({ reason, effect }) => [reason, effect])).toEqual([
      ['UpdateInProgress', 'warn'],
      ['ClusterOperatorsDegraded', 'warn'],
    ]);
    expect(report.plan.steps.map(({ id, hop }) => [id, hop])).toEqual([
      ['1-fix', null],
      ['2-wait', null],
    ]);
  });

  it('at the target protects the rollout of a pool that is late', async () => {
    const late = {
      machines: { ...aPool('worker').machines, updated: 1 },
      conditions: [aCondition('Updating', 'True')],
    };
    const facts = aCluster({
      nodes: [aNode('master-0', {}, 'master'), aNode('worker-1')],
      pools: [aPool('master'), aPool('worker', late)],
      healthChecks: [aHealthCheck('workers')],
      budgets: [aBudget('shop', 'strict')],
      drainedPods: [aPodGroup('shop', { app: 'web' }, ['worker-1'])],
    });
    const answer = await ask(known, '4.14.8', '4.14.8');
    const { steps } = reportOn(facts, answer).plan;
    expect(steps.map(({ kind, text }) => `${kind} ${text.slice(0, 26)}`)).toEqual([
      'suspend Pause health checks, which',
      'fix Give disruption budgets ro',
      'wait Wait for pool worker: 1 of',
      'resume Resume health checks: work',
      'check Put back what you changed ',
    ]);
    // Nothing rolls out, so nothing is drained.
    const pools = [aPool('master'), aPool('worker')];
    expect(reportOn({ ...facts, pools }, answer)).toMatchObject({ verdict: 'ready', plan: { steps: [] } });
  });

  it('without a path says why, and that it is the one blocker', async () => {
    const answer = await ask(known, '4.14.8', '4.15.3');
    if (answer.found) throw new Error('there is a path');
    const { code, message, suggestion } = answer.explanation;
    const report = reportOn(aCluster({ operators: [limited('x', '4.13')] }), answer);
    expect(report).toMatchObject({ verdict: 'blocked', blockers: 1, informs: 0, hops: [], target: '4.15.3' });
    expect(report.plan.steps).toEqual([]);
    expect(report.pathExists).toEqual({
      type: 'PathExists',
      status: 'False',
      reason: code,
      message,
      effect: 'block',
      origin: 'computed',
      ...(suggestion !== null && { remediation: [suggestion] }),
    });
  });

  it('without a path names the risks that close it, and the documents that decide them', async () => {
    const risky = releases({ 'stable-4.15': ['4.14.8 > 4.15.3 A,B,C,D'] });
    const applies = { A: 'no', B: 'yes', C: 'unknown', D: 'yes' } as const;
    const clusterRisks = ({ name }: { readonly name: string }): RiskAnswer => ({
      applies: applies[name as keyof typeof applies],
      decidedBy: [],
      source: 'facts',
      asOf: null,
      ...(name === 'C' && { missing: [{ metric: 'csv_succeeded', documents: ['clusterserviceversions'] }] }),
    });
    const policy = {
      risk: 'applicable',
      acceptedRisks: ['D'],
      applies: (risk: { readonly name: string }) => clusterRisks(risk).applies,
    } as const;
    const answer = await ask(risky, '4.14.8', '4.15.3', [], policy);
    const by = { reason: null, owner: null, until: null };
    const report = reportOn(aCluster(), answer, {}, { clusterRisks, acceptedRisks: new Map([['D', by]]) });
    expect(report.pathExists).toMatchObject({
      reason: 'risks_not_accepted',
      objects: [
        { name: 'B', detail: { applies: 'yes' } },
        { name: 'C', detail: { applies: 'unknown', documents: ['clusterserviceversions'] } },
      ],
    });
  });

  it('of a cluster that says nothing of itself is not known', async () => {
    const answer = await ask(known, '4.14.8', '4.15.20');
    const nothing = aCluster({ ...NO_FACTS });
    expect(reportOn(nothing, answer)).toMatchObject({
      cluster: { id: null, channel: null },
      current: null,
      lastCompleted: null,
      verdict: 'unknown',
    });
    expect(reportOn(nothing, answer, { strict: true }).verdict).toBe('blocked');
  });

  it('case 32: of the example cluster with most nodes away is blocked, a patch too, and starts with the repair', async () => {
    const example = JSON.parse(
      readFileSync(new URL('../../../../docs/examples/cluster.json', import.meta.url), 'utf8'),
    ) as { items: Json[] };
    const away = { type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' };
    const items = example.items.map((item) =>
      item['kind'] === 'Node' && (item['metadata'] as Json)['name'] !== 'master-2'
        ? { ...item, status: { ...(item['status'] as Json), conditions: [away] } }
        : item,
    );
    const reading = readParsedDocuments([{ ...example, items }], { isRemovedApi: () => false });
    if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
    const graph = releases({ 'stable-4.15': ['4.14.20 > 4.14.30', '4.14.20 > 4.15.20'] });
    for (const target of ['4.15.20', '4.14.30']) {
      const report = reportOn(reading.facts, await ask(graph, '4.14.20', target));
      expect(report.verdict).toBe('blocked');
      expect(report.nextStep).toContain('2 of 3 control plane nodes are not ready');
      expect(report.plan.steps[0]).toMatchObject({
        kind: 'fix',
        blocking: true,
        resolves: [{ type: 'NodesHealthy', reason: 'ControlPlaneMajorityNotReady' }],
      });
    }
  });
});
