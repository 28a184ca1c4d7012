import { Aws, type Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC, type MetricName } from '../../../functions/runtime/metrics.ts';

/** A metric that our own jobs emit, of this stack and no other of the account. */
export function cairnMetric(
  name: MetricName,
  options: { readonly statistic: 'Sum' | 'Maximum' | 'Minimum'; readonly period: Duration },
): Metric {
  return new Metric({
    namespace: METRIC.namespace,
    metricName: METRIC[name],
    dimensionsMap: { [METRIC.stackDimension]: Aws.STACK_NAME },
    ...options,
  });
}

/** What each pruner tells of itself, one line for each name that there is. */
export function ofEachPruner(
  name: MetricName,
  options: {
    readonly statistic: 'Sum' | 'Maximum';
    readonly period: Duration;
    /** @default those of every run that came to an end */
    readonly dimensions?: readonly string[];
  },
): MathExpression {
  const { statistic, period, dimensions = ['DryRun', 'Pruner'] } = options;
  const { namespace, stackDimension } = METRIC;
  const schema = [namespace, ...dimensions, stackDimension].join(',');
  const terms = `MetricName="${METRIC[name]}" ${stackDimension}="${Aws.STACK_NAME}"`;
  return new MathExpression({
    label: METRIC[name],
    expression: `SEARCH('{${schema}} ${terms}', '${statistic}', ${period.toSeconds()})`,
    usingMetrics: {},
    period,
  });
}
