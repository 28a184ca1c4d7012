import type { AlertFacts } from '@cairn/shared/cluster/workloads';
import { describe, expect, it } from 'vitest';
import { aCluster } from '../../../../../helpers/cluster/clusters.ts';
import { evaluate, evaluateHop } from '../../../../../helpers/cluster/evaluations.ts';
import { anAlert } from '../../../../../helpers/cluster/workloads.ts';

const MINOR = ['4.14.8', '4.15.3'];
const PATCH = ['4.14.8', '4.14.9'];

function found(alerts: readonly AlertFacts[] | null, path = MINOR, accept: readonly string[] = []) {
  return evaluateHop(aCluster({ alerts }), path, { accept }).conditions.filter(
    ({ type }) => type === 'AlertsQuiet',
  );
}
const outcome = (...question: Parameters<typeof found>) =>
  found(...question).map(
    ({ reason, effect, accepted }) => `${reason} ${effect}${accepted ? ' accepted' : ''}`,
  );

describe('alerts', () => {
  it.each([
    [anAlert('etcdMembersDown', { severity: 'critical' }), 'CriticalAlertsFiring'],
    [anAlert('PodDisruptionBudgetLimit', { severity: 'critical' }), 'CriticalAlertsFiring'],
    [anAlert('PodDisruptionBudgetAtLimit'), 'BudgetAlertsFiring'],
    [anAlert('KubeContainerWaiting', { isPrecheck: true }), 'ImagePullAlertsFiring'],
    [anAlert('KubeletHealthState'), 'NodeAlertsFiring'],
    [anAlert('KubeNodeNotReady'), 'NodeAlertsFiring'],
    [anAlert('KubeNodeReadinessFlapping'), 'NodeAlertsFiring'],
    [anAlert('KubeNodeUnreachable'), 'NodeAlertsFiring'],
    [anAlert('VMCannotBeEvicted', { isPrecheck: true }), 'PrecheckAlertsFiring'],
    [anAlert('VirtHandlerDaemonSetRolloutFailing'), 'VirtualizationAlertsFiring'],
  ])('case 49: %j warn before minors and patches: %s', (alert, reason) => {
    expect([outcome([alert]), outcome([alert], PATCH)]).toEqual([[`${reason} warn`], [`${reason} warn`]]);
  });

  it.each([
    anAlert('Watchdog', { severity: 'critical' }),
    anAlert('AlertmanagerReceiversNotConfigured', { severity: 'critical', isPrecheck: true }),
    anAlert('KubeNodeNotReady', { severity: 'info' }),
    anAlert('SomethingElse'),
    anAlert('KubeNodeNotReady', { isFiring: false }),
  ])('%j do not matter', (alert) => {
    expect(outcome([alert])).toEqual(['AsExpected ok']);
  });

  it('case 49: are named with namespace, budget, summary and runbook', () => {
    const runbook = 'https://example.com/runbook';
    const alert = anAlert('PodDisruptionBudgetAtLimit', {
      namespace: 'shop',
      budget: 'strict',
      summary: 'Full',
      runbook,
    });
    expect(found([alert])).toMatchObject([
      {
        message: 'Firing: 1 alert about disruption budgets: PodDisruptionBudgetAtLimit for shop/strict: Full',
        origin: 'reported',
        objects: [
          { kind: 'Alert', namespace: 'shop', name: alert.name, detail: { budget: 'strict', runbook } },
        ],
        remediation: [
          `Resolve PodDisruptionBudgetAtLimit, see ${runbook}`,
          'oc -n shop get pdb strict -o yaml',
        ],
      },
    ]);
  });

  it('of one class are one finding, with at most ten lines', () => {
    const alerts = Array.from({ length: 12 }, (_, number) =>
      anAlert('KubeNodeNotReady', { summary: `node ${String(number).padStart(2, '0')}` }),
    );
    const [finding, ...others] = found(alerts);
    expect(others).toEqual([]);
    expect(finding!.message.split('\n')).toHaveLength(12);
    expect(finding!.message).toContain('\n* and 2 more');
    expect(finding!.objects).toHaveLength(12);
  });

  it('of one name have the same order in any documents', () => {
    const alerts = ['warning', ''].map((severity) => anAlert('KubeNodeNotReady', { severity }));
    expect(found(alerts)).toEqual(found(alerts.toReversed()));
  });

  it('case 49: are accepted by name, without others of the class', () => {
    const critical = ['etcdMembersDown', 'KubeAPIDown'].map((name) =>
      anAlert(name, { severity: 'critical' }),
    );
    expect(outcome(critical, MINOR, ['etcdMembersDown'])).toEqual([
      'CriticalAlertsFiring warn',
      'CriticalAlertsFiring warn accepted',
    ]);
    expect(outcome(critical.slice(0, 1), MINOR, ['etcdMembersDown'])).toEqual([
      'CriticalAlertsFiring warn accepted',
    ]);
    expect(outcome(critical, MINOR, ['AlertsQuiet'])).toEqual(['CriticalAlertsFiring warn accepted']);
  });

  it('are of now, and change no verdict if they were not sent', () => {
    const alerts = [anAlert('KubeNodeNotReady')];
    const [, later] = evaluate(aCluster({ alerts }), ['4.14.8', '4.15.3', '4.16.1']);
    expect(later!.conditions.filter(({ type }) => type === 'AlertsQuiet')).toEqual([]);
    expect(found(null)).toMatchObject([{ reason: 'NotChecked', effect: 'info' }]);
    expect(evaluateHop(aCluster({ alerts: null }), MINOR).verdict).toBe('allowed');
  });
});
