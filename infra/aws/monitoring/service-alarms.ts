import { Aws, Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { METRIC } from '../../../functions/runtime/names.ts';
import { TABLE } from '../../../functions/store/table.ts';
import type { NodeFunction } from '../node-function.ts';
import type { TableReference } from '../storage.ts';
import { type AlarmDefinition, atLeast, moreThan } from './alarm-definition.ts';

const FIVE_MINUTES = Duration.minutes(5);
/** DynamoDB reports system errors by operation only. */
const OPERATIONS = [
  'GetItem',
  'BatchGetItem',
  'Query',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
] as const;

/** DynamoDB reports table and index separately. */
export const OF_INDEX = { GlobalSecondaryIndexName: TABLE.index.name } as const;

/** Deployed names: the keys are identifiers of metrics. `run-pruner` exists only with registry buckets. */
export interface MonitoredFunctions {
  readonly query: NodeFunction;
  readonly manage: NodeFunction;
  readonly syncReleases: NodeFunction;
  readonly watch: NodeFunction;
  readonly followFleet: NodeFunction;
  readonly runPruner?: NodeFunction;
}

export function apiAlarms(api: HttpApi, authFailures: Metric): AlarmDefinition[] {
  return [
    {
      name: 'api-5xx',
      severity: 'high',
      meaning:
        'More than 1 % of the requests, and at least 5 within 5 minutes, were answered with an error of ours.',
      metric: errorShare(api, { atLeastErrors: 5, period: FIVE_MINUTES }),
      condition: moreThan(1, { periods: 5, badPeriods: 3 }),
    },
    {
      name: 'api-slow-burn',
      severity: 'medium',
      meaning:
        'More than 0.6 % of the requests of 6 hours, and at least 10, were answered with an error of ours: six times what 99.9 % allow.',
      metric: errorShare(api, { atLeastErrors: 10, period: Duration.hours(6) }),
      condition: moreThan(0.6),
    },
    {
      name: 'api-latency',
      severity: 'medium',
      meaning: 'One of a hundred requests takes longer than a second, for a quarter of an hour.',
      metric: api.metricLatency({ statistic: 'p99', period: FIVE_MINUTES }),
      condition: moreThan(1000, { periods: 3 }),
    },
    {
      name: 'api-auth-failures',
      severity: 'medium',
      meaning: 'More than 100 requests within 5 minutes came without a right to be answered (401 or 403).',
      metric: authFailures,
      condition: moreThan(100),
    },
  ];
}

/** Ignores fewer errors: a single one would be a large share of few requests. */
function errorShare(
  api: HttpApi,
  { atLeastErrors, period }: { readonly atLeastErrors: number; readonly period: Duration },
): MathExpression {
  return new MathExpression({
    label: 'errors of ours in %',
    expression: `IF(errors >= ${atLeastErrors}, 100 * errors / requests, 0)`,
    usingMetrics: {
      errors: api.metricServerError({ statistic: 'Sum' }),
      requests: api.metricCount({ statistic: 'SampleCount' }),
    },
    period,
  });
}

/**
 * Counts rejected requests in the gateway log: they reach no function. A metric filter cannot add a dimension that is
 * not in the log, so the namespace has the stack name.
 */
export class AuthFailures extends Construct {
  readonly metric: Metric;

  constructor(scope: Construct, id: string, accessLog: LogGroup) {
    super(scope, id);
    const filter = new MetricFilter(this, 'Filter', {
      logGroup: accessLog,
      // The gateway logs the status as text.
      filterPattern: FilterPattern.any(
        FilterPattern.stringValue('$.status', '=', '401'),
        FilterPattern.stringValue('$.status', '=', '403'),
      ),
      metricNamespace: `${METRIC.namespace}/${Aws.STACK_NAME}`,
      metricName: METRIC.authFailures,
      metricValue: '1',
      defaultValue: 0,
    });
    this.metric = filter.metric({ statistic: 'Sum', period: Duration.minutes(5) });
  }
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
      metric: sumOf(
        'errors',
        ofEach(functions, (one) => one.metricErrors({ statistic: 'Sum' })),
        Duration.minutes(15),
      ),
      condition: atLeast(3),
    },
    {
      name: 'lambda-throttles',
      severity: 'medium',
      meaning: 'Functions could not be started for want of concurrency, five times or more within 5 minutes.',
      metric: sumOf(
        'throttles',
        ofEach(functions, (one) => one.metricThrottles({ statistic: 'Sum' })),
      ),
      condition: atLeast(5),
    },
    {
      name: 'lambda-slow',
      severity: 'medium',
      meaning:
        'A function takes more than 80 % of the time after which it is ended, in two of three quarters of an hour.',
      metric: shareOfTimeout(others, Duration.minutes(15)),
      condition: moreThan(80, { periods: 3, badPeriods: 2 }),
    },
  ];
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

/** Fills missing data with zero: one metric without data would leave the sum without data. */
function sumOf(label: string, metrics: Record<string, Metric>, period = FIVE_MINUTES): MathExpression {
  const terms = Object.keys(metrics).map((id) => `FILL(${id}, 0)`);
  return new MathExpression({ label, expression: terms.join(' + '), usingMetrics: metrics, period });
}

function ofEach(functions: MonitoredFunctions, metric: (one: NodeFunction) => Metric) {
  const entries = Object.entries<NodeFunction>({ ...functions });
  return Object.fromEntries(entries.map(([name, one]) => [name, metric(one)]));
}

export function tableAlarms(table: TableReference): AlarmDefinition[] {
  return [
    {
      name: 'table-throttled',
      severity: 'medium',
      meaning:
        'DynamoDB turned reads or writes of the table or its index away, ten times or more within 5 minutes.',
      metric: sumOf('throttled', {
        reads: tableMetric(table, 'ReadThrottleEvents'),
        writes: tableMetric(table, 'WriteThrottleEvents'),
        indexReads: tableMetric(table, 'ReadThrottleEvents', OF_INDEX),
        indexWrites: tableMetric(table, 'WriteThrottleEvents', OF_INDEX),
      }),
      condition: atLeast(10),
    },
    {
      name: 'table-errors',
      severity: 'medium',
      meaning: 'DynamoDB failed by its own fault, five times or more within 5 minutes.',
      metric: sumOf(
        'errors of DynamoDB',
        Object.fromEntries(
          OPERATIONS.map((operation) => [
            idOf(operation),
            tableMetric(table, 'SystemErrors', { Operation: operation }),
          ]),
        ),
      ),
      condition: atLeast(5),
    },
  ];
}

export function tableMetric(
  table: TableReference,
  metricName: string,
  dimensions: Readonly<Record<string, string>> = {},
): Metric {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: table.tableName, ...dimensions },
    statistic: 'Sum',
    period: FIVE_MINUTES,
  });
}

/** Metric math identifiers start with a lower-case letter. */
function idOf(operation: string): string {
  return `${operation.charAt(0).toLowerCase()}${operation.slice(1)}`;
}
