import { Duration } from 'aws-cdk-lib';
import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ScheduleSurroundings } from '../job-schedule.ts';
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

/** `run-pruner` exists only with registry buckets. */
export interface MonitoredFunctions {
  readonly query: NodeFunction;
  readonly manage: NodeFunction;
  readonly syncReleases: NodeFunction;
  readonly watch: NodeFunction;
  readonly followFleet: NodeFunction;
  readonly runPruner?: NodeFunction;
}

const DAY_IN_MINUTES = 24 * 60;
const FIVE_MINUTES = Duration.minutes(5);

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

/**
 * One alarm per kind over all functions: alarms are billed by metric, so one per function would cost the same and send
 * more mail. The dashboard shows the function.
 */
export function lambdaAlarms(functions: MonitoredFunctions): AlarmDefinition[] {
  const { runPruner: _usesAllItsTime, ...others } = functions;
  return [
    {
      name: 'lambda-errors',
      severity: 'medium',
      meaning: 'Functions threw, ran out of memory or out of time, three times or more within 15 minutes.',
      metric: new MathExpression({
        label: 'errors',
        ...sumOf(functions, (one) => one.metricErrors({ statistic: 'Sum' })),
        period: Duration.minutes(15),
      }),
      condition: atLeast(3),
      missing: MISSING.isFine,
    },
    {
      name: 'lambda-throttles',
      severity: 'medium',
      meaning: 'Functions could not be started for want of concurrency, five times or more within 5 minutes.',
      metric: new MathExpression({
        label: 'throttles',
        ...sumOf(functions, (one) => one.metricThrottles({ statistic: 'Sum' })),
        period: FIVE_MINUTES,
      }),
      condition: atLeast(5),
      missing: MISSING.isFine,
    },
    {
      name: 'lambda-slow',
      severity: 'medium',
      meaning:
        'A function takes more than 80 % of the time after which it is ended, in two of three quarters of an hour.',
      metric: shareOfTimeout(others, Duration.minutes(15)),
      condition: moreThan(80, { periods: 3, badPeriods: 2 }),
      missing: MISSING.isFine,
    },
  ];
}

/** Fills missing data with zero: otherwise CloudWatch uses good values of earlier periods. */
export function invocationsOf(job: NodeFunction, period: Duration): MathExpression {
  return new MathExpression({
    label: 'invocations',
    expression: 'FILL(invocations, 0)',
    usingMetrics: { invocations: job.metricInvocations({ statistic: 'Sum' }) },
    period,
  });
}

/** p99 duration in percent of the timeout, for the function closest to it. */
function shareOfTimeout(functions: Omit<MonitoredFunctions, 'runPruner'>, period: Duration): MathExpression {
  const shares = Object.entries<NodeFunction>({ ...functions }).map(([name, one]) => {
    const milliseconds = `${name}Ms`;
    const share = new MathExpression({
      expression: `FILL(${milliseconds}, 0) / ${one.timeout!.toMilliseconds() / 100}`,
      usingMetrics: { [milliseconds]: one.metricDuration({ statistic: 'p99' }) },
      period,
    });
    return [name, share] as const;
  });
  return new MathExpression({
    label: '% of the timeout',
    expression: `MAX([${shares.map(([name]) => name).join(', ')}])`,
    usingMetrics: Object.fromEntries(shares),
    period,
  });
}

function sumOf(functions: MonitoredFunctions, metric: (one: NodeFunction) => Metric) {
  const metrics = Object.entries<NodeFunction>({ ...functions }).map(
    ([name, one]) => [name, metric(one)] as const,
  );
  return {
    expression: metrics.map(([name]) => `FILL(${name}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics),
  };
}
