import { Aws, Duration } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { METRIC } from '../../../functions/runtime/metrics.ts';

/**
 * Counts in the log of the gateway what it refused: no function is asked for these, so none can count them. A filter can't
 * set a dimension that is not in the log, so the stack is in the namespace.
 */
export class AuthFailures extends Construct {
  readonly metric: Metric;

  constructor(scope: Construct, id: string, accessLog: LogGroup) {
    super(scope, id);
    const filter = new MetricFilter(this, 'Filter', {
      logGroup: accessLog,
      // The gateway writes the status as a text.
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
