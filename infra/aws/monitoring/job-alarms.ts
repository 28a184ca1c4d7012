import { Duration } from 'aws-cdk-lib';
import type { ScheduleSurroundings } from '../job-start.ts';
import type { NodeFunction } from '../node-function.ts';
import {
  type AlarmDefinition,
  atLeast,
  type Intervals,
  lessThan,
  MISSING,
  TOLD_EACH_PERIOD,
} from './alarm-definition.ts';
import { cairnMetric } from './cairn-metric.ts';
import { invocationsOf } from './lambda-alarms.ts';

const DAY_IN_MINUTES = 24 * 60;

/** The watch, the queues in which events of every job end that nothing could handle, wrong clocks, and the switches. */
export function jobAlarms(
  watch: NodeFunction,
  { deliveryQueue, runQueue }: ScheduleSurroundings,
  intervals: Intervals,
): AlarmDefinition[] {
  const messages = { statistic: 'Maximum', period: Duration.minutes(5) };
  const hourOrInterval = Math.max(60, intervals.watch.toMinutes());
  return [
    {
      name: 'watch-not-running',
      severity: 'high',
      meaning:
        'The watch was not started for two of its intervals, so that nothing tells how fresh the data is.',
      metric: invocationsOf(watch, intervals.watch),
      condition: lessThan(1, { periods: 2 }),
      missing: MISSING.isBad,
    },
    {
      name: 'jobs-undelivered',
      severity: 'medium',
      meaning: 'A schedule could not start its function; the messages of the queue tell which.',
      metric: deliveryQueue.metricApproximateNumberOfMessagesVisible(messages),
      condition: atLeast(1),
      missing: MISSING.isFine,
    },
    {
      name: 'jobs-failed-runs',
      severity: 'medium',
      meaning: 'A run of a job threw twice; the messages of the queue tell which.',
      metric: runQueue.metricApproximateNumberOfMessagesVisible(messages),
      condition: atLeast(1),
      missing: MISSING.isFine,
    },
    {
      name: 'clock-ahead',
      severity: 'medium',
      meaning:
        'A job found stored times in the future, which a wrong clock wrote; the next run replaces them.',
      metric: cairnMetric('futureTimes', { statistic: 'Sum', period: intervals.watch }),
      condition: atLeast(1, TOLD_EACH_PERIOD),
      missing: MISSING.isFine,
    },
    {
      name: 'switch-stopped',
      severity: 'low',
      meaning: 'Something has been stopped by hand for a day.',
      metric: cairnMetric('switchesStopped', {
        statistic: 'Minimum',
        period: Duration.minutes(hourOrInterval),
      }),
      condition: atLeast(1, { periods: Math.floor(DAY_IN_MINUTES / hourOrInterval) }),
      missing: MISSING.isFine,
    },
  ];
}
