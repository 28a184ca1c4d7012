import type { AlertFacts } from '../../cluster/workloads.ts';
import type { Insight } from '../answer.ts';
import { cutMessage } from '../conditions.ts';
import type { Update } from '../target.ts';
import { momentOf } from '../times.ts';

/** Alerts that slow updates down, so they count even if they began before. */
const SLOWING_ALERTS: ReadonlySet<string> = new Set([
  'PodDisruptionBudgetLimit',
  'PodDisruptionBudgetAtLimit',
]);

const LEVELS: ReadonlyMap<string, Insight['level']> = new Map([
  ['critical', 'Critical'],
  ['warning', 'Warning'],
]);

export function alertInsights(alerts: readonly AlertFacts[], update: Update): Insight[] {
  return alerts.flatMap((alert) => {
    const level = LEVELS.get(alert.severity);
    const began = momentOf(alert.since);
    const isDuring = began !== null && began > update.begin;
    return level === undefined || (!isDuring && !SLOWING_ALERTS.has(alert.name))
      ? []
      : [alertInsight(alert, level, isDuring)];
  });
}

function alertInsight(alert: AlertFacts, level: Insight['level'], isDuring: boolean): Insight {
  const { name, namespace, summary, description, message, runbook, since } = alert;
  const texts = [description, message ?? ''].filter((text) => text !== '').join(' | ');
  return {
    origin: 'oc',
    type: 'AlertFiring',
    level,
    impact: 'Unknown',
    scope: 'Cluster',
    since,
    message: cutMessage(`Alert is firing: ${summary || name}`),
    description: cutMessage(`${historyOf(name, isDuring)} ${texts || 'The alert has no description.'}`),
    reason: null,
    reference: runbook || null,
    resources: [{ group: '', kind: 'Alert', namespace: namespace || null, name }],
  };
}

function historyOf(name: string, isDuring: boolean): string {
  if (!SLOWING_ALERTS.has(name)) return 'The alert began during the update.';
  return isDuring
    ? 'The alert is known to slow updates, and began during this one.'
    : 'The alert is known to slow updates, and was firing before this one.';
}
