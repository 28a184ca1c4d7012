import { Aws, Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { METRIC } from '../../../functions/runtime/names.ts';
import { type AlarmDefinition, MISSING, moreThan } from './alarm-definition.ts';

const FIVE_MINUTES = Duration.minutes(5);

export function apiAlarms(api: HttpApi, authFailures: Metric): AlarmDefinition[] {
  return [
    {
      name: 'api-5xx',
      severity: 'high',
      meaning:
        'More than 1 % of the requests, and at least 5 within 5 minutes, were answered with an error of ours.',
      metric: errorShare(api, { atLeastErrors: 5, period: FIVE_MINUTES }),
      condition: moreThan(1, { periods: 5, badPeriods: 3 }),
      missing: MISSING.isFine,
    },
    {
      name: 'api-slow-burn',
      severity: 'medium',
      meaning:
        'More than 0.6 % of the requests of 6 hours, and at least 10, were answered with an error of ours: six times what 99.9 % allow.',
      metric: errorShare(api, { atLeastErrors: 10, period: Duration.hours(6) }),
      condition: moreThan(0.6),
      missing: MISSING.isFine,
    },
    {
      name: 'api-latency',
      severity: 'medium',
      meaning: 'One of a hundred requests takes longer than a second, for a quarter of an hour.',
      metric: api.metricLatency({ statistic: 'p99', period: FIVE_MINUTES }),
      condition: moreThan(1000, { periods: 3 }),
      missing: MISSING.isFine,
    },
    {
      name: 'api-auth-failures',
      severity: 'medium',
      meaning: 'More than 100 requests within 5 minutes came without a right to be answered (401 or 403).',
      metric: authFailures,
      condition: moreThan(100),
      missing: MISSING.isFine,
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
