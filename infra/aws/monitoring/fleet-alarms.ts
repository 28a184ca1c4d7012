import { Duration } from 'aws-cdk-lib';
import type { NodeFunction } from '../node-function.ts';
import {
  type AlarmDefinition,
  atLeast,
  cairnMetric,
  type Intervals,
  lessThan,
  MISSING,
  moreThan,
  TOLD_EACH_PERIOD,
} from './alarm-definition.ts';
import { invocationsOf } from './lambda-alarms.ts';

const LONGEST_RUN = Duration.hours(24);

export function fleetAlarms(followFleet: NodeFunction, { fleet }: Intervals): AlarmDefinition[] {
  // Each period includes at least one run, so that it has data.
  const quarterOrInterval = Math.max(15, fleet.toMinutes());
  const hourOrInterval = Math.max(60, fleet.toMinutes());
  return [
    {
      name: 'fleet-not-running',
      severity: 'medium',
      meaning:
        'The fleet was not followed for three of its intervals: verdicts are old, and nobody is told of changes.',
      metric: invocationsOf(followFleet, fleet),
      condition: lessThan(1, { periods: 3 }),
      missing: MISSING.isBad,
    },
    {
      name: 'fleet-clusters-failing',
      severity: 'medium',
      meaning:
        'Clusters could not be looked at again for an hour; their verdict is the last one that could be made.',
      metric: cairnMetric('clustersNotLookedAt', {
        statistic: 'Maximum',
        period: Duration.minutes(quarterOrInterval),
      }),
      condition: atLeast(1, { periods: Math.ceil(60 / quarterOrInterval) }),
      missing: MISSING.isFine,
    },
    {
      name: 'news-undelivered',
      severity: 'medium',
      meaning: 'Messages have waited for two hours, as the webhook or the event bus does not take them.',
      metric: cairnMetric('messagesUndelivered', {
        statistic: 'Minimum',
        period: Duration.minutes(hourOrInterval),
      }),
      condition: atLeast(1, { periods: Math.ceil(120 / hourOrInterval) }),
      missing: MISSING.isFine,
    },
  ];
}

/**
 * One alarm over all pruners, because pruners are created at run time. Each uses the worst value that housekeeping has
 * seen and clears itself. Metrics with the dimension `Pruner` identify the pruner.
 */
export function pruneAlarms({ watch: period }: Intervals): AlarmDefinition[] {
  return [
    {
      name: 'prune-not-scheduled',
      severity: 'low',
      meaning: 'A pruner is suspended, or its schedule is not what it should be and could not be repaired.',
      metric: cairnMetric('installStatus', { statistic: 'Minimum', period }),
      condition: lessThan(2, TOLD_EACH_PERIOD),
      missing: MISSING.isFine,
    },
    {
      name: 'prune-last-run-failed',
      severity: 'medium',
      meaning: 'The last run of a pruner failed.',
      metric: cairnMetric('lastRunFailed', { statistic: 'Maximum', period }),
      condition: atLeast(1, TOLD_EACH_PERIOD),
      missing: MISSING.isFine,
    },
    {
      name: 'prune-blocked',
      severity: 'high',
      meaning: 'The last run of a pruner deleted nothing, as what it found was not to be trusted.',
      metric: cairnMetric('lastRunBlocked', { statistic: 'Maximum', period }),
      condition: atLeast(1, TOLD_EACH_PERIOD),
      missing: MISSING.isFine,
    },
    {
      name: 'prune-run-too-long',
      severity: 'medium',
      meaning: 'A run of a pruner has been under way for more than 24 hours.',
      metric: cairnMetric('activeRunAgeSeconds', { statistic: 'Maximum', period }),
      condition: moreThan(LONGEST_RUN.toSeconds(), TOLD_EACH_PERIOD),
      missing: MISSING.isFine,
    },
    {
      name: 'prune-overdue',
      severity: 'medium',
      meaning: 'No run of a pruner has finished within two periods of its schedule.',
      metric: cairnMetric('prunerOverdue', { statistic: 'Maximum', period }),
      condition: atLeast(1, TOLD_EACH_PERIOD),
      missing: MISSING.isFine,
    },
  ];
}
