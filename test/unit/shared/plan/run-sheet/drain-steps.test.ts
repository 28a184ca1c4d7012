import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import { describe, expect, it } from 'vitest';
import { aCluster, aNode, aPool } from '../../../../helpers/cluster/clusters.ts';
import { aBudget, aPodGroup } from '../../../../helpers/cluster/workloads.ts';
import { isDiskCheck, isUpdate, outline, stepsOf } from '../../../../helpers/plan/plan-outlines.ts';

const PATH = ['4.14.8', '4.15.3', '4.16.1'];
const WEB = aPodGroup('shop', { app: 'web' }, ['worker-1', 'worker-2']);

function drainSteps(changes: Partial<ClusterFacts>, path = PATH, options: Partial<SafetyOptions> = {}) {
  return stepsOf(aCluster(changes), path, { options }).filter(({ resolves = [] }) =>
    resolves.some(({ type }) => type === 'DrainsPossible'),
  );
}

describe('steps before drains', () => {
  const strict = { budgets: [aBudget('shop', 'strict')], drainedPods: [WEB] };

  it('case 43: give a budget room once, and put it back at the end', () => {
    expect(drainSteps(strict)).toEqual([
      {
        id: '1-fix',
        kind: 'fix',
        hop: 0,
        text: 'Give disruption budgets room: add a replica, or relax them while pool worker rolls: shop/strict',
        command: 'oc -n shop get pdb strict -o yaml',
        objects: [{ kind: 'PodDisruptionBudget', namespace: 'shop', name: 'strict' }],
        resolves: [{ type: 'DrainsPossible', reason: 'BudgetNeverAllows' }],
        blocking: false,
      },
      {
        id: expect.stringMatching(/^\d+-check$/) as string,
        kind: 'check',
        hop: null,
        text: 'Put back what you changed for the drains: shop/strict',
        command: 'oc -n shop get pdb strict -o yaml',
        objects: [{ kind: 'PodDisruptionBudget', namespace: 'shop', name: 'strict' }],
        resolves: [{ type: 'DrainsPossible', reason: 'BudgetNeverAllows' }],
        blocking: false,
      },
    ]);
  });

  it('case 47: come with the hop before the rollout if workers wait', () => {
    const [first] = drainSteps(strict, PATH, { strategy: 'control-plane-only' });
    expect(first).toMatchObject({ kind: 'fix', hop: 1 });
  });

  it('come after the mirror and before the backup, and the last check comes at the end', () => {
    const steps = stepsOf(aCluster(strict), ['4.14.8', '4.15.3']);
    expect(outline(steps)).toEqual([
      'fix 0 worker',
      'backup 0',
      'update 0',
      'verify 0',
      'verify end worker',
      'check end',
      'verify end',
    ]);
  });

  it('come before everything else of the hop for a pool that catches up first', () => {
    const facts = {
      ...strict,
      pools: [aPool('master'), aPool('worker', { paused: true })],
      nodes: [
        aNode('master-0', {}, 'master'),
        ...['worker-1', 'worker-2'].map((name) => aNode(name, { kubeletVersion: 'v1.25.1' })),
      ],
    };
    const steps = stepsOf(aCluster(facts), ['4.14.8', '4.15.3']);
    const place = (kind: string) => steps.findIndex((step) => step.kind === kind);
    expect(place('fix')).toBeGreaterThanOrEqual(0);
    expect(place('fix')).toBeLessThan(place('unpause'));
  });

  it('ask to repair pods of the platform, never to change its budgets', () => {
    const budgets = [aBudget('openshift-x', 'guard')];
    const steps = drainSteps({ budgets, drainedPods: [{ ...WEB, namespace: 'openshift-x' }] });
    expect(steps.map(({ text }) => text)).toEqual([
      'Repair the pods of the platform before pool worker rolls; do not change their disruption budgets: openshift-x/guard',
    ]);
  });

  it('are one for all obstacles of a kind, with one command for many', () => {
    const names = Array.from({ length: 21 }, (_, number) => `pdb-${String(number).padStart(2, '0')}`);
    const steps = drainSteps({
      budgets: names.map((name) => aBudget(name, 'x')),
      drainedPods: names.map((name) => ({ ...WEB, namespace: name })),
    });
    expect(steps.map(({ kind, command }) => [kind, command])).toEqual([
      ['fix', 'oc get pdb -A'],
      ['check', 'oc get pdb -A'],
    ]);
  });

  it('cover virtual machines, pods in two budgets and pods that nothing creates again', () => {
    const room = { desiredHealthy: 1, disruptionsAllowed: 1 };
    const steps = drainSteps({
      budgets: [aBudget('shop', 'a', room), aBudget('shop', 'b', room)],
      drainedPods: [WEB, { ...aPodGroup('lab', {}, ['worker-0']), owner: null }],
      virtualMachines: [{ namespace: 'vms', name: 'vm-1', node: 'worker-1', message: '' }],
    });
    expect(steps.map(({ kind, hop, text, command }) => [kind, hop, text, command])).toEqual([
      [
        'fix',
        0,
        'Leave one disruption budget for each pod, before pool worker rolls: shop/web-0 and shop/web-1',
        'oc -n shop get pod web-0 -o yaml',
      ],
      [
        'fix',
        0,
        'Make virtual machines migratable, or stop them before pool worker rolls: vms/vm-1',
        'oc -n vms get vmi vm-1 -o yaml',
      ],
      [
        'fix',
        0,
        'Save pods that nothing creates again, before pool worker rolls: lab/pod-0',
        'oc -n lab get pod pod-0 -o yaml',
      ],
      [
        'check',
        null,
        'Put back what you changed for the drains: shop/web-0, shop/web-1 and lab/pod-0',
        undefined,
      ],
    ]);
  });
});

describe('the check of free disk space', () => {
  const checks = (path: readonly string[], changes: Partial<ClusterFacts> = {}) =>
    stepsOf(aCluster(changes), path).filter(isDiskCheck);

  it('comes once before the first update of a path to another minor', () => {
    expect(checks(['4.14.8', '4.14.9', '4.15.3', '4.16.1'])).toMatchObject([
      { hop: 0, blocking: false, command: 'oc debug node/master-0 -- chroot /host df -h /var' },
    ]);
    const steps = stepsOf(aCluster(), ['4.14.8', '4.14.9', '4.15.3']);
    expect(steps.findIndex(isDiskCheck)).toBeLessThan(steps.findIndex(isUpdate));
  });

  it('is not needed for patches and for hosted clusters', () => {
    expect(checks(['4.14.8', '4.14.9'])).toEqual([]);
    const infrastructure = { platform: 'AWS', controlPlaneTopology: 'External' };
    expect(checks(['4.14.8', '4.15.3'], { infrastructure })).toEqual([]);
  });
});
