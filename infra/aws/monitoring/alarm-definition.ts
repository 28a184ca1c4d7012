import { ArnFormat, Aws, type Duration, Stack } from 'aws-cdk-lib';
import {
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  type TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { METRIC, type MetricName } from '../../../functions/runtime/names.ts';

/** `high` pages on-call, `medium` waits until the next morning, `low` until the next week. */
type Severity = 'high' | 'medium' | 'low';

/** Source of the alarm, its dashboard mark and its runbook section. */
export interface AlarmDefinition {
  /** `<area>-<what>`: anchor in the runbook; with the stack name as prefix, the alarm name. */
  readonly name: string;
  readonly severity: Severity;
  readonly meaning: string;
  readonly metric: IMetric;
  readonly condition: ReturnType<typeof atLeast>;
  /** @default not breaching */
  readonly missing?: TreatMissingData;
}

interface Lasting {
  /** Evaluated periods of the metric. */
  readonly periods?: number;
  /**
   * Breaching periods that raise the alarm.
   * @default all
   */
  readonly badPeriods?: number;
}

const comparison =
  (operator: ComparisonOperator) =>
  (threshold: number, { periods = 1, badPeriods = periods }: Lasting = {}) => ({
    operator,
    threshold,
    periods,
    badPeriods,
  });

export const atLeast = comparison(ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD);
export const moreThan = comparison(ComparisonOperator.GREATER_THAN_THRESHOLD);
export const lessThan = comparison(ComparisonOperator.LESS_THAN_THRESHOLD);

/** For a value that a job emits once per period: run times vary, so one period can lack data without a problem. */
export const EMITTED_EACH_PERIOD = { periods: 2, badPeriods: 1 } as const;

export interface Intervals {
  readonly sync: Duration;
  readonly housekeeping: Duration;
  readonly fleet: Duration;
}

/** Metric of this stack only. */
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

/**
 * SNS topics: `page` for on-call, `ticket` for the rest. Only alarms of this stack can publish. Not encrypted at rest:
 * CloudWatch cannot publish with the AWS managed key, and alarm names and numbers do not justify the cost of a customer
 * key.
 */
export class AlarmTopics extends Construct {
  readonly page: Topic;
  readonly ticket: Topic;

  constructor(scope: Construct, id: string, emails: readonly string[]) {
    super(scope, id);
    this.page = this.#topic('Page', `${Aws.STACK_NAME}: act now`, emails);
    this.ticket = this.#topic('Ticket', `${Aws.STACK_NAME}: have a look`, emails);
  }

  actionFor(severity: Severity): SnsAction {
    return new SnsAction(severity === 'high' ? this.page : this.ticket);
  }

  #topic(id: string, displayName: string, emails: readonly string[]): Topic {
    const topic = new Topic(this, id, { displayName, enforceSSL: true });
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: {
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
          ArnLike: {
            'aws:SourceArn': Stack.of(this).formatArn({
              service: 'cloudwatch',
              resource: 'alarm',
              resourceName: `${Aws.STACK_NAME}-*`,
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
            }),
          },
        },
      }),
    );
    for (const address of emails) topic.addSubscription(new EmailSubscription(address));
    return topic;
  }
}
