import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { AlertFacts } from '@cairn/shared/cluster/workloads';
import { describe, expect, it } from 'vitest';
import { aCondition } from '../../../helpers/cluster/clusters.ts';
import {
  ago,
  aPlatformOperator,
  aRollingPool,
  aRunningUpdate,
  AT,
  aVersion,
  BEGIN,
  entry,
  FROM,
  insightsOf,
  operators,
  outdatedNode,
  statusFrom,
  TO,
  updatedNode,
  updatingNode,
} from '../../../helpers/update-status/statuses.ts';

const withCondition = (type: string, status: string, seconds: number): Partial<ClusterFacts> => ({
  clusterOperators: [
    aPlatformOperator('etcd', TO, [aCondition(type, status, 'Why', 'because', ago(seconds))]),
  ],
});

describe('operators', () => {
  it.each([
    ['ClusterOperatorUnavailable', 'Available', 'False', 300, []],
    ['ClusterOperatorUnavailable', 'Available', 'False', 301, ['Warning']],
    ['ClusterOperatorUnavailable', 'Available', 'False', 1200, ['Warning']],
    ['ClusterOperatorUnavailable', 'Available', 'False', 1201, ['Error']],
    ['ClusterOperatorUnavailable', 'Available', 'Unknown', 9999, []],
    ['ClusterOperatorDegraded', 'Degraded', 'True', 300, []],
    ['ClusterOperatorDegraded', 'Degraded', 'True', 301, ['Warning']],
    ['ClusterOperatorDegraded', 'Degraded', 'True', 2400, ['Warning']],
    ['ClusterOperatorDegraded', 'Degraded', 'True', 2401, ['Error']],
    ['ClusterOperatorDegraded', 'Degraded', 'Unknown', 9999, []],
  ] as const)('%s: %s=%s for %d s is %j', (type, condition, status, seconds, levels) => {
    const found = insightsOf(withCondition(condition, status, seconds), type);
    expect(found.map(({ level }) => level)).toEqual(levels);
  });

  it('are named with reason, runbook and resource', () => {
    expect(insightsOf(withCondition('Degraded', 'True', 400), 'ClusterOperatorDegraded')).toEqual([
      {
        origin: 'oc',
        type: 'ClusterOperatorDegraded',
        level: 'Warning',
        impact: 'API Availability',
        scope: 'ControlPlane',
        since: ago(400),
        message: 'Cluster operator etcd is degraded (Why)',
        description: 'because',
        reason: 'Why',
        reference: expect.stringContaining('/ClusterOperatorDegraded.md') as string,
        resources: [{ group: 'config.openshift.io', kind: 'ClusterOperator', namespace: null, name: 'etcd' }],
      },
    ]);
  });

  it('that were added to the release have none, and none of the release is an insight of Cairn', () => {
    const [operator] = withCondition('Degraded', 'True', 9999).clusterOperators!;
    const status = statusFrom(aRunningUpdate({ clusterOperators: [{ ...operator!, platform: false }] }));
    expect(status.insights.map(({ origin, type }) => [origin, type])).toEqual([
      ['cairn', 'NoPlatformOperators'],
      ['oc', 'ProceedingWell'],
    ]);
    expect(status).toMatchObject({
      state: 'control-plane',
      controlPlane: { assessment: 'Unknown', remaining: null, completion: { percent: null, total: 0 } },
    });
  });
});

describe('the ClusterVersion', () => {
  const failing = (status: string | null) =>
    statusFrom(
      aRunningUpdate({
        clusterVersion: aVersion({
          conditions: [
            aCondition('Progressing', 'True'),
            ...(status === null ? [] : [aCondition('Failing', status, 'Slow', 'text', ago(5))]),
          ],
        }),
      }),
    ).insights;

  it.each([
    ['False', 'ProceedingWell', 1800],
    ['True', 'ClusterVersionFailing', 5],
    ['Maybe', 'ClusterVersionFailing', 5],
    ['Unknown', 'ClusterVersionMayBeFailing', 5],
    [null, 'ClusterVersionFailingUnknown', 0],
  ])('with Failing=%s has %s', (status, type, seconds) => {
    const [insight, ...others] = failing(status);
    expect(others).toEqual([]);
    expect(insight!.type).toBe(type);
    expect(Date.parse(insight!.since!)).toBe(AT - seconds * 1000);
  });

  it('has the previous update if that did not complete', () => {
    const history = [
      entry('Partial', TO, BEGIN, null),
      entry('Partial', FROM, ago(9000), ago(8000)),
      entry('Partial', '4.13.9', ago(19_000), ago(18_000)),
      entry('Completed', '4.13.8', ago(29_000), ago(28_000)),
    ];
    const clusterVersion = aVersion({ history });
    expect(insightsOf({ clusterVersion }, 'PreviousUpdateIncomplete')).toMatchObject([
      { impact: 'None', since: BEGIN, previous: FROM, lastCompleted: '4.13.8' },
    ]);
    const short = aVersion({ history: history.slice(0, 2) });
    expect(insightsOf({ clusterVersion: short }, 'PreviousUpdateIncomplete')).toMatchObject([
      { lastCompleted: 'unknown' },
    ]);
    const completed = { clusterVersion, clusterOperators: operators(2, 0) };
    expect(insightsOf(completed, 'PreviousUpdateIncomplete')).toEqual([]);
  });
});

describe('nodes and pools', () => {
  const unavailable = (type: string, status: string, seconds: number, pool = 'worker') =>
    insightsOf(
      {
        nodes: [
          outdatedNode('n', {}, pool, { problems: [aCondition(type, status, '', 'gone', ago(seconds))] }),
        ],
      },
      'NodeUnavailable',
    );

  it.each([
    ['Ready', 'False', 299, 0],
    ['Ready', 'Unknown', 300, 1],
    ['DiskPressure', 'True', 59, 0],
    ['DiskPressure', 'Unknown', 60, 1],
    ['NetworkUnavailable', 'True', 59, 0],
    ['NetworkUnavailable', 'True', 60, 1],
  ])('%s=%s for %d s makes %d insights', (type, status, seconds, count) => {
    expect(unavailable(type, status, seconds)).toHaveLength(count);
  });

  it('are unavailable since the earliest cause, with every cause named', () => {
    const nodes = [
      outdatedNode('n', {}, 'master', {
        unschedulable: true,
        problems: [
          aCondition('Ready', 'False', '', 'one', ago(400)),
          aCondition('DiskPressure', 'True', '', '', ago(500)),
        ],
      }),
    ];
    expect(insightsOf({ nodes }, 'NodeUnavailable')).toMatchObject([
      {
        level: 'Warning',
        impact: 'Update Speed',
        scope: 'ControlPlane',
        since: ago(500),
        message: 'Node n is unavailable: Not ready | Disk pressure | Node is marked unschedulable',
        description: 'one',
        resources: [{ kind: 'Node', name: 'n' }],
      },
    ]);
  });

  it('are no insight while they update, or if they are only cordoned', () => {
    const problems = [aCondition('Ready', 'False', '', '', ago(4000))];
    expect(insightsOf({ nodes: [updatingNode('n', {}, 'worker', { problems })] }, 'NodeUnavailable')).toEqual(
      [],
    );
    const cordoned = outdatedNode('n', {}, 'worker', { unschedulable: true });
    expect(insightsOf({ nodes: [cordoned] }, 'NodeUnavailable')).toEqual([]);
  });

  it('have both insights when a degraded node is unavailable too, also without a reason', () => {
    const problems = [aCondition('Ready', 'False', '', '', ago(4000))];
    const nodes = [outdatedNode('n', { state: 'Degraded' }, 'worker', { problems })];
    const { insights } = statusFrom(aRunningUpdate({ nodes }));
    expect(insights.map(({ type, level, since, description }) => [type, level, since, description])).toEqual([
      ['NodeDegraded', 'Error', null, 'no message'],
      ['NodeUnavailable', 'Warning', ago(4000), 'no message'],
    ]);
  });

  it('are held by a paused pool only if one of them waits', () => {
    const pools = [aRollingPool('worker', { paused: true })];
    expect(insightsOf({ pools, nodes: [outdatedNode('n')] }, 'PoolPaused')).toMatchObject([
      {
        level: 'Warning',
        impact: 'Update Stalled',
        scope: 'WorkerPool',
        since: null,
        resources: [{ name: 'worker' }],
      },
    ]);
    expect(insightsOf({ pools, nodes: [updatedNode('n')] }, 'PoolPaused')).toEqual([]);
  });
});

describe('alerts', () => {
  const alert = (name: string, changes: Partial<AlertFacts> = {}): AlertFacts => ({
    name,
    severity: 'warning',
    namespace: 'ns',
    budget: '',
    isPrecheck: false,
    summary: '',
    description: '',
    runbook: '',
    since: ago(60),
    ...changes,
  });
  const found = (...alerts: AlertFacts[]) => insightsOf({ alerts }, 'AlertFiring');

  it('count since the begin of the update, and some that slow updates from before', () => {
    const before = { since: ago(1800) };
    const shown = found(
      alert('Before', before),
      alert('PodDisruptionBudgetAtLimitSoon', before),
      alert('PodDisruptionBudgetAtLimit', before),
      alert('PodDisruptionBudgetLimit', { since: null }),
      alert('During', { since: ago(1799) }),
    );
    expect(shown.map(({ resources }) => resources[0]!.name)).toEqual([
      'During',
      'PodDisruptionBudgetAtLimit',
      'PodDisruptionBudgetLimit',
    ]);
    expect(new Set(shown.map(({ description }) => description)).size).toBe(2);
  });

  it('have the level of their severity', () => {
    const shown = found(
      ...['critical', 'warning', 'info', 'none', 'Critical', ''].map((severity) =>
        alert(`a-${severity}`, { severity }),
      ),
    );
    expect(shown.map(({ level }) => level)).toEqual(['Critical', 'Warning']);
  });

  it('are described by their annotations, and stay two if they share a name', () => {
    const full = { summary: 'Sum', description: 'Text', message: 'More', runbook: 'https://example.com/r' };
    expect(found(alert('A', full), alert('A', { namespace: '' }))).toMatchObject([
      {
        impact: 'Unknown',
        scope: 'Cluster',
        message: 'Alert is firing: Sum',
        description: expect.stringContaining('Text | More') as string,
        reference: 'https://example.com/r',
        resources: [{ kind: 'Alert', namespace: 'ns', name: 'A' }],
      },
      { message: 'Alert is firing: A', reference: null, resources: [{ namespace: null }] },
    ]);
  });
});

describe('all insights', () => {
  it('come worst first, then the latest, then those without a time, then as collected', () => {
    const degraded = (name: string, seconds: number) =>
      aPlatformOperator(name, TO, [aCondition('Degraded', 'True', '', '', ago(seconds))]);
    const { insights } = statusFrom(
      aRunningUpdate({
        clusterOperators: [
          degraded('z', 400),
          degraded('a', 400),
          degraded('old', 9999),
          degraded('new', 350),
        ],
        pools: [aRollingPool('worker', { paused: true })],
        nodes: [outdatedNode('n')],
        alerts: [
          {
            name: 'C',
            severity: 'critical',
            namespace: '',
            budget: '',
            isPrecheck: false,
            summary: '',
            description: '',
            runbook: '',
            since: ago(1000),
          },
        ],
      }),
    );
    expect(insights.map(({ resources }) => resources[0]!.name)).toEqual([
      'C',
      'old',
      'new',
      'z',
      'a',
      'worker',
    ]);
  });

  it('need an update in progress', () => {
    const clusterVersion = aVersion({ conditions: [aCondition('Progressing', 'False')] });
    const status = statusFrom(
      aRunningUpdate({ clusterVersion, nodes: [], ...withCondition('Degraded', 'True', 9999) }),
    );
    expect(status).toMatchObject({ updating: false, insights: [] });
  });
});

describe('a stalled update', () => {
  const late = (seconds: number, failing: Parameters<typeof aCondition>[1] = 'False', failingSince = 60) =>
    statusFrom(
      aRunningUpdate({
        clusterVersion: aVersion({
          history: [
            entry('Partial', TO, ago(9000), null),
            entry('Completed', FROM, ago(99_000), ago(90_000)),
          ],
          conditions: [
            aCondition('Progressing', 'True'),
            aCondition('Failing', failing, 'Stuck', 'text', ago(failingSince)),
          ],
        }),
        clusterOperators: [
          aPlatformOperator('done', TO, [aCondition('Progressing', 'False', '', '', ago(seconds))]),
          aPlatformOperator('left', FROM, [aCondition('Progressing', 'False', '', '', ago(8000))]),
        ],
      }),
    );

  it('is one that is late by the clock and quiet for 15 minutes', () => {
    const { state, insights, controlPlane } = late(8000);
    expect([state, controlPlane!.assessment]).toEqual(['stalled', 'Stalled']);
    expect(insights).toMatchObject([
      { origin: 'cairn', type: 'UpdateStalled', level: 'Warning', reason: 'OverEstimate', since: ago(8000) },
      { origin: 'oc', type: 'ProceedingWell' },
    ]);
    expect(insights[0]!.message).toContain('left');
  });

  it('or one that fails for 10 minutes', () => {
    const levels = ({ insights }: ReturnType<typeof late>) =>
      insights.filter(({ type }) => type === 'UpdateStalled').map(({ reason, level }) => [reason, level]);
    expect(levels(late(60, 'True', 600))).toEqual([['Failing', 'Error']]);
    expect(levels(late(60, 'True', 599))).toEqual([]);
    expect(levels(late(60, 'Unknown', 600))).toEqual([]);
    expect(levels(late(8000, 'True', 600))).toEqual([
      ['Failing', 'Error'],
      ['OverEstimate', 'Error'],
    ]);
  });

  it.each([
    [899, 'slow'],
    [900, 'stalled'],
    // Nothing changed since the begin: one report cannot show for how long.
    [9000, 'slow'],
  ])('is late, with an operator that changed %d s ago: %s', (seconds, state) => {
    const history = [
      entry('Partial', TO, ago(9000), null),
      entry('Completed', FROM, ago(99_000), ago(90_000)),
    ];
    const clusterOperators = [
      aPlatformOperator('a', FROM, [aCondition('Progressing', 'True', '', '', ago(seconds))]),
    ];
    const status = statusFrom(aRunningUpdate({ clusterVersion: aVersion({ history }), clusterOperators }));
    expect([status.state, status.controlPlane!.assessment]).toEqual([state, 'Stalled']);
  });
});

describe('states', () => {
  it('are held if every node that is behind is in a paused pool', () => {
    const done = { clusterOperators: operators(2, 0) };
    const pools = [aRollingPool('master'), aRollingPool('worker', { paused: true }), aRollingPool('infra')];
    const masters = updatedNode('m', {}, 'master');
    const state = (...nodes: ReturnType<typeof outdatedNode>[]) =>
      statusFrom(aRunningUpdate({ ...done, pools, nodes: [masters, ...nodes] })).state;
    expect(state(outdatedNode('n'))).toBe('held');
    expect(state(outdatedNode('n'), outdatedNode('i', {}, 'infra'))).toBe('workers');
    expect(state(updatedNode('n'))).toBe('control-plane');
  });
});

describe('broken transition times', () => {
  const operator = (since: string | null) => [
    aPlatformOperator('etcd', TO, [aCondition('Degraded', 'True', '', '', since)]),
  ];

  it.each([
    ['without a time', null],
    ['after the moment', ago(-500)],
  ])('count as no age, and are missing: %s', (_title, since) => {
    const status = statusFrom(aRunningUpdate({ clusterOperators: operator(since) }));
    expect(status.insights.map(({ type }) => type)).toEqual(['ProceedingWell']);
    expect(status.missing).toContain('times');
    expect(statusFrom(aRunningUpdate({ clusterOperators: operator(ago(0)) })).missing).not.toContain('times');
  });

  it('are never later than the moment in the response', () => {
    const conditions = [aCondition('Progressing', 'True'), aCondition('Failing', 'True', '', '', ago(-500))];
    const [insight] = insightsOf({ clusterVersion: aVersion({ conditions }) }, 'ClusterVersionFailing');
    expect(insight!.since).toBe('2026-11-16T12:00:00Z');
  });
});
