import { type ClusterFacts, NO_FACTS } from '@cairn/shared/cluster/facts';
import { reducedDocuments } from '@cairn/shared/cluster/reduced-documents';
import type { Condition } from '@cairn/shared/safety/condition';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import { describe, expect, it } from 'vitest';
import { readParsedDocuments } from '../../../../../helpers/cluster/cluster-documents.ts';
import { aCluster, aNode, aPool } from '../../../../../helpers/cluster/clusters.ts';
import { evaluate } from '../../../../../helpers/cluster/evaluations.ts';
import { aBudget, aPodGroup, labelled } from '../../../../../helpers/cluster/workloads.ts';

const MINOR = ['4.14.8', '4.15.3'];
const WEB = aPodGroup('shop', { app: 'web' }, ['worker-1', 'worker-2', 'worker-2']);
const STRICT = aBudget('shop', 'strict');
/** `minAvailable: 2` of three pods, one of which is not ready. */
const TIGHT = aBudget('shop', 'tight', { currentHealthy: 2, desiredHealthy: 2 });

function drains(
  changes: Partial<ClusterFacts>,
  path = MINOR,
  options: Partial<SafetyOptions> = {},
): (readonly Condition[])[] {
  return evaluate(aCluster(changes, path[0]), path, options).map(({ conditions }) =>
    conditions.filter(({ type }) => type === 'DrainsPossible'),
  );
}

/** `reason effect nodes`, by hop. */
function found(...question: Parameters<typeof drains>): string[][] {
  return drains(...question).map((conditions) =>
    conditions.map(({ reason, effect, objects = [] }) =>
      [
        reason,
        effect,
        ...new Set(objects.flatMap(({ detail }) => (detail?.['nodes'] ?? []) as string[])),
      ].join(' '),
    ),
  );
}

function factsOf(documents: readonly object[]): ClusterFacts {
  const reading = readParsedDocuments(documents, { isRemovedApi: () => false });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.facts;
}

describe('a budget', () => {
  it('case 43: that requires all of its pods blocks the drain of their nodes for good', () => {
    const facts = { budgets: [STRICT], drainedPods: [WEB] };
    expect(found(facts)).toEqual([['BudgetNeverAllows warn worker-1 worker-2']]);
    expect(found(facts, ['4.14.8', '4.14.9'])).toEqual([['BudgetNeverAllows warn worker-1 worker-2']]);
    expect(drains(facts)[0]).toMatchObject([
      {
        status: 'False',
        message:
          'A drain never ends, because disruption budgets allow no eviction: ' +
          'shop/strict: pods web-0, web-1 and web-2 on worker-1 and worker-2',
        objects: [
          {
            kind: 'PodDisruptionBudget',
            namespace: 'shop',
            name: 'strict',
            detail: { nodes: ['worker-1', 'worker-2'], pools: ['worker'], pods: ['web-0', 'web-1', 'web-2'] },
          },
        ],
      },
    ]);
  });

  it.each([
    ['selects no pod', { budgets: [aBudget('shop', 'strict', { selector: labelled('other') })] }],
    ['has no selector', { budgets: [aBudget('shop', 'strict', { selector: null })] }],
    ['is of another namespace', { budgets: [aBudget('other', 'strict')] }],
    ['expects no pods', { budgets: [aBudget('shop', 'strict', { expectedPods: 0, desiredHealthy: 0 })] }],
    ['has room', { budgets: [aBudget('shop', 'strict', { desiredHealthy: 2, disruptionsAllowed: 1 })] }],
    ['has only pods of DaemonSets, which facts omit', { budgets: [STRICT], drainedPods: [] }],
  ])('cases 43 and 45: blocks nothing if it %s', (_, changes) => {
    expect(found({ drainedPods: [WEB], ...changes })).toEqual([['AsExpected ok']]);
  });

  const budgetDocument = (spec: object, status?: object) => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { namespace: 'shop', name: 'strict' },
    spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
    ...(status && { status }),
  });
  const budgetsIn = (...documents: readonly object[]) => factsOf(documents).budgets;

  it.each([
    [{ maxUnavailable: 0 }, true],
    [{ maxUnavailable: '0%' }, true],
    [{ minAvailable: '100%' }, true],
    [{ maxUnavailable: 1 }, false],
    [{ maxUnavailable: '10%' }, false],
    [{ minAvailable: '99%' }, false],
    [{ minAvailable: 100 }, false],
    [{}, false],
  ])('without a status and with %j never allows an eviction: %s', (spec, isStrict) => {
    const budgets = budgetsIn(budgetDocument(spec));
    const reasons = isStrict ? ['BudgetNeverAllows warn worker-1 worker-2'] : ['AsExpected ok'];
    expect(found({ budgets, drainedPods: [WEB] })).toEqual([reasons]);
    const other = [aPodGroup('shop', { app: 'other' }, ['worker-1'])];
    expect(found({ budgets, drainedPods: other })).toEqual([['AsExpected ok']]);
    const alone = drains({ budgets, drainedPods: null })[0]!.map(({ reason }) => reason);
    expect(alone).toEqual(isStrict ? ['BudgetAllowsNone', 'NotChecked'] : ['NotChecked']);
    expect(factsOf(reducedDocuments({ ...NO_FACTS, budgets }, ['budgets'])).budgets).toEqual(budgets);
  });

  it('counts by its status where it has one, whatever its spec says', () => {
    const status = { expectedPods: 0, desiredHealthy: 0, currentHealthy: 0, disruptionsAllowed: 0 };
    const budgets = budgetsIn(budgetDocument({ maxUnavailable: 0 }, status));
    expect(found({ budgets, drainedPods: [WEB] })).toEqual([['AsExpected ok']]);
  });

  it('beside an empty list of pods is told as if no pods were sent', () => {
    const status = { expectedPods: 3, desiredHealthy: 3, currentHealthy: 3, disruptionsAllowed: 0 };
    const { budgets, drainedPods } = factsOf([
      budgetDocument({ maxUnavailable: 0 }, status),
      { apiVersion: 'v1', kind: 'PodList', items: [] },
    ]);
    const [conditions = []] = drains({ budgets, drainedPods });
    expect(conditions.map(({ reason, message }) => [reason, message])).toEqual([
      ['BudgetAllowsNone', expect.stringContaining('send the pods')],
      ['NotChecked', expect.stringContaining('Pods')],
    ]);
  });

  it('selects all pods of its namespace with an empty selector', () => {
    const selector = { matchLabels: {}, matchExpressions: [] };
    expect(found({ budgets: [aBudget('shop', 'all', { selector })], drainedPods: [WEB] })).toEqual([
      ['BudgetNeverAllows warn worker-1 worker-2'],
    ]);
  });

  it.each([
    [{ matchLabels: { 'statefulset.kubernetes.io/pod-name': 'db-1' } }, ['BudgetNeverAllows warn worker-1']],
    [
      { matchExpressions: [{ key: 'apps.kubernetes.io/pod-index', operator: 'NotIn', values: ['1'] }] },
      ['BudgetNeverAllows warn worker-0'],
    ],
    [{ matchLabels: { 'statefulset.kubernetes.io/pod-name': 'db' } }, ['AsExpected ok']],
  ])('selects single pods of a StatefulSet by %j', (selector, expected) => {
    const pods = [0, 1].map((index) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        namespace: 'shop',
        name: `db-${index}`,
        labels: {
          'statefulset.kubernetes.io/pod-name': `db-${index}`,
          'apps.kubernetes.io/pod-index': `${index}`,
        },
        ownerReferences: [{ kind: 'StatefulSet', name: 'db', controller: true }],
      },
      spec: { nodeName: `worker-${index}` },
      status: { phase: 'Running' },
    }));
    const { budgets, drainedPods } = factsOf([budgetDocument({ maxUnavailable: 0, selector }), ...pods]);
    expect(found({ budgets, drainedPods })).toEqual([expected]);
  });

  it('case 44: without room now waits for pods that are not ready', () => {
    const group = aPodGroup('shop', { app: 'web' }, ['worker-0', 'worker-1', 'worker-2!']);
    expect(found({ budgets: [TIGHT], drainedPods: [group] })).toEqual([
      ['BudgetAllowsNoneNow warn worker-0 worker-1 worker-2'],
    ]);
    expect(found({ budgets: [{ ...TIGHT, evictsUnhealthy: true }], drainedPods: [group] })).toEqual([
      ['BudgetAllowsNoneNow warn worker-0 worker-1'],
    ]);
    expect(found({ budgets: [{ ...TIGHT, currentHealthy: 0 }], drainedPods: [group] })).toEqual([
      ['AsExpected ok'],
    ]);
  });

  it('of the platform is marked, because nobody should change it', () => {
    const drainedPods = [{ ...WEB, namespace: 'openshift-etcd' }];
    const [[finding]] = drains({ budgets: [aBudget('openshift-etcd', 'guard')], drainedPods }) as [
      Condition[],
    ];
    expect(finding!.objects).toMatchObject([{ detail: { platform: true } }]);
  });

  it('warns on every hop if pods were not sent, because nodes are unknown', () => {
    const facts = { budgets: [STRICT, aBudget('shop', 'b', { disruptionsAllowed: 1 })], drainedPods: null };
    const [first, second] = drains(facts, ['4.14.8', '4.15.3', '4.16.1']);
    expect(first).toMatchObject([
      {
        reason: 'BudgetAllowsNone',
        effect: 'warn',
        objects: [{ namespace: 'shop', name: 'strict', detail: { nodes: 'unknown' } }],
      },
      { reason: 'NotChecked', effect: 'info' },
    ]);
    expect(second!.map(({ reason }) => reason)).toEqual(['BudgetAllowsNone']);
  });
});

describe('other obstacles', () => {
  it('case 46: are pods of two budgets', () => {
    const budgets = ['a', 'b'].map((name) =>
      aBudget('shop', name, { desiredHealthy: 2, disruptionsAllowed: 1 }),
    );
    const facts = { budgets, drainedPods: [aPodGroup('shop', { app: 'web' }, ['worker-0'])] };
    expect(found(facts)).toEqual([['PodInTwoBudgets warn worker-0']]);
    expect(drains(facts)[0]![0]!.message).toBe(
      'Pods of several disruption budgets cannot be evicted: shop/web-0 on worker-0: budgets a and b',
    );
  });

  it('are virtual machines that cannot migrate', () => {
    const virtualMachines = [{ namespace: 'vms', name: 'vm-1', node: 'worker-1', message: 'local disk' }];
    expect(found({ virtualMachines })).toEqual([['VirtualMachineCannotMigrate warn worker-1']]);
    expect(drains({ virtualMachines })[0]![0]!.message).toContain('vms/vm-1 on worker-1: local disk');
    // Without a node, nothing is drained.
    expect(found({ virtualMachines: [{ ...virtualMachines[0]!, node: '' }] })).toEqual([['AsExpected ok']]);
  });

  it('have the same order in any documents, also if two have one name', () => {
    const pods = ['worker-1', 'worker-0'].map((node) => ({ ...aPodGroup('lab', {}, [node]), owner: null }));
    expect(drains({ drainedPods: pods })).toEqual(drains({ drainedPods: pods.toReversed() }));
  });

  it('are pods that nothing creates again, except those of the platform', () => {
    const lonely = (namespace: string) => ({ ...aPodGroup(namespace, {}, ['worker-0']), owner: null });
    expect(found({ drainedPods: [lonely('lab'), lonely('openshift-x'), lonely('kube-system')] })).toEqual([
      ['UnownedPods warn worker-0'],
    ]);
  });

  it('are not workloads with one replica, which are noted once', () => {
    const singleReplicas = [{ kind: 'Deployment', namespace: 'shop', name: 'db' }];
    expect(found({ singleReplicas }, ['4.14.8', '4.15.3', '4.16.1'])).toEqual([
      ['AsExpected ok', 'SingleReplica info'],
      [],
    ]);
  });
});

describe('the hop of an obstacle', () => {
  const PATH = ['4.14.8', '4.15.3', '4.16.1', '4.17.2', '4.18.1'];
  const facts = { budgets: [STRICT], drainedPods: [WEB] };
  const reasons = (...question: Parameters<typeof drains>) =>
    drains(...question).map((conditions) =>
      conditions.map(({ reason, effect }) => `${reason} ${effect}`).join(),
    );

  it('case 47: is every hop if workers follow, and the one before a rollout if they wait', () => {
    const warning = 'BudgetNeverAllows warn';
    expect(reasons(facts, PATH)).toEqual([warning, warning, warning, warning]);
    expect(reasons(facts, PATH, { strategy: 'control-plane-only' })).toEqual([
      'AsExpected ok',
      warning,
      '',
      warning,
    ]);
  });

  it('is every hop for control plane nodes', () => {
    const drainedPods = [aPodGroup('shop', { app: 'web' }, ['master-0'])];
    expect(reasons({ ...facts, drainedPods }, PATH, { strategy: 'control-plane-only' })).toEqual(
      Array.from({ length: 4 }, () => 'BudgetNeverAllows warn'),
    );
  });

  it('names only the nodes that reboot with it', () => {
    const drainedPods = [aPodGroup('shop', { app: 'web' }, ['master-0', 'worker-1'])];
    expect(found({ ...facts, drainedPods }, PATH, { strategy: 'control-plane-only' })).toEqual([
      ['BudgetNeverAllows warn master-0'],
      ['BudgetNeverAllows warn master-0 worker-1'],
      ['BudgetNeverAllows warn master-0'],
      ['BudgetNeverAllows warn master-0 worker-1'],
    ]);
  });

  it('is the first one for a paused pool that has to catch up', () => {
    const pools = [aPool('master'), aPool('worker', { paused: true })];
    const old = ['worker-1', 'worker-2'].map((name) => aNode(name, { kubeletVersion: 'v1.25.1' }));
    const nodes = [aNode('master-0', {}, 'master'), ...old];
    const [first] = reasons({ ...facts, pools, nodes }, ['4.14.8', '4.15.3', '4.16.1']);
    expect(first).toBe('BudgetNeverAllows warn');
  });

  it('is a note for nodes that never reboot on the path', () => {
    const nodes = [
      aNode('master-0', {}, 'master'),
      aNode('worker-1', { labels: {} }),
      aNode('worker-2', { labels: {} }),
    ];
    expect(reasons({ ...facts, nodes }, PATH)).toEqual(['BudgetNeverAllows info', '', '', '']);
  });

  it('is every hop if the nodes were not sent', () => {
    expect(reasons({ ...facts, nodes: null, pools: null }, PATH)).toEqual(
      Array.from({ length: 4 }, () => 'BudgetNeverAllows warn'),
    );
  });
});

describe('documents', () => {
  it('that were not sent are listed once and change no verdict', () => {
    const missing = { budgets: null, drainedPods: null, virtualMachines: null, singleReplicas: null };
    expect(drains(missing, ['4.14.8', '4.15.3', '4.16.1'])).toMatchObject([
      [
        {
          reason: 'NotChecked',
          status: 'Unknown',
          effect: 'info',
          message:
            'Not checked: PodDisruptionBudgets, Pods, VirtualMachineInstances and Deployments were not supplied',
        },
      ],
      [],
    ]);
    const [hop] = evaluate(aCluster(missing), MINOR, { strict: true });
    expect(hop!.verdict).toBe('allowed');
  });

  it('case 50: about drains do not matter on a single node, which is down while it reboots', () => {
    const infrastructure = { platform: 'None', controlPlaneTopology: 'SingleReplica' };
    expect(
      found({ infrastructure, budgets: [STRICT], drainedPods: [WEB] }, ['4.14.8', '4.15.3', '4.16.1']),
    ).toEqual([['SingleNodeOutage info'], ['SingleNodeOutage info']]);
  });

  it.each([
    ['the topology', { platform: 'None', controlPlaneTopology: null }],
    ['the Infrastructure', null],
  ])('case 50: neither if %s was not sent, and only one node was', (_, infrastructure) => {
    const only = aNode('worker-1', {}, 'master');
    const facts = { infrastructure, budgets: [STRICT], drainedPods: [WEB] };
    expect(found({ ...facts, nodes: [only] })).toEqual([['SingleNodeOutage info']]);
    const drained = ['BudgetNeverAllows warn worker-1 worker-2'];
    expect(found({ ...facts, nodes: [aNode('worker-1')] })).toEqual([drained]);
    expect(found({ ...facts, nodes: [only, aNode('worker-2')] })).toEqual([drained]);
  });
});
