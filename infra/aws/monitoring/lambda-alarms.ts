import { Duration } from 'aws-cdk-lib';
import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { NodeFunction } from '../node-function.ts';
import { type AlarmDefinition, atLeast, MISSING, moreThan } from './alarm-definition.ts';

/** The functions of the stack; `run-pruner` only where registries are pruned. */
export interface MonitoredFunctions {
  readonly query: NodeFunction;
  readonly manage: NodeFunction;
  readonly syncReleases: NodeFunction;
  readonly watch: NodeFunction;
  readonly followFleet: NodeFunction;
  readonly runPruner?: NodeFunction;
}

const FIVE_MINUTES = Duration.minutes(5);

/**
 * One alarm of each kind over all functions: an alarm costs by the metrics it looks at, so that one for each function would
 * cost the same and only send more mails. Which function it is, the dashboard shows.
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

/**
 * How often a job was started, for alarms that it was not. Missing data is made zero before the alarm sees it: CloudWatch
 * looks further back where data is missing, and would find good data there for some periods more.
 */
export function invocationsOf(job: NodeFunction, period: Duration): MathExpression {
  return new MathExpression({
    label: 'invocations',
    expression: 'FILL(invocations, 0)',
    usingMetrics: { invocations: job.metricInvocations({ statistic: 'Sum' }) },
    period,
  });
}

/** Percent of its timeout that the slowest hundredth takes, of the function that is nearest to it. */
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
