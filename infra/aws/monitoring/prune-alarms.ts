import { Duration } from 'aws-cdk-lib';
import {
  type AlarmDefinition,
  atLeast,
  type Intervals,
  lessThan,
  MISSING,
  moreThan,
  TOLD_EACH_PERIOD,
} from './alarm-definition.ts';
import { cairnMetric } from './cairn-metric.ts';

const LONGEST_RUN = Duration.hours(24);

/**
 * Over all pruners: those that people will make have no names yet. Each goes by the worst that the watch has seen, and ends
 * by itself; the metrics with the dimension `Pruner` tell which one it is.
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
