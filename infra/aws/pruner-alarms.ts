import { Aws, Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { METRIC, type MetricName } from '../../functions/runtime/metrics.ts';
import type { ScheduleSurroundings } from './job-start.ts';

export interface PrunerAlarmsProps {
  /** How often the watch tells how the pruners stand. */
  readonly watchInterval: Duration;
  readonly schedules: ScheduleSurroundings;
}

const LONGEST_RUN = Duration.hours(24);
const WHICH = 'GET /v1/image-pruners tells which, and so does the metric with the dimension Pruner';

/**
 * Alarms over all pruners: those that people will make have no names yet. Each goes by the worst that the watch has seen,
 * and ends by itself. What shall happen with them is for the account to say.
 */
export class PrunerAlarms extends Construct {
  readonly #period: Duration;

  constructor(scope: Construct, id: string, { watchInterval, schedules }: PrunerAlarmsProps) {
    super(scope, id);
    // Holds at least one word of the watch, even when one of its runs fails.
    this.#period = Duration.minutes(Math.max(60, 2 * watchInterval.toMinutes()));

    this.#alarm('NotScheduled', {
      name: 'not-scheduled',
      description: `A pruner is suspended or its schedule is not what it should be. ${WHICH}.`,
      metric: this.#metric('installStatus', 'Minimum'),
      operator: ComparisonOperator.LESS_THAN_THRESHOLD,
      threshold: 2,
    });
    this.#alarm('LastRunFailed', {
      name: 'last-run-failed',
      description: `The last run of a pruner failed. ${WHICH}, its condition Failed tells why.`,
      metric: this.#metric('lastRunFailed', 'Maximum'),
      threshold: 1,
    });
    this.#alarm('Blocked', {
      name: 'circuit-breaker',
      description: `The last run of a pruner deleted nothing, as what it found was not to be trusted. ${WHICH}, its condition Failed tells why.`,
      metric: this.#metric('lastRunBlocked', 'Maximum'),
      threshold: 1,
    });
    this.#alarm('RunTooLong', {
      name: 'run-too-long',
      description: `A run of a pruner has been under way for more than 24 hours. ${WHICH}.`,
      metric: this.#metric('activeRunAgeSeconds', 'Maximum'),
      operator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      threshold: LONGEST_RUN.toSeconds(),
    });
    this.#alarm('Overdue', {
      name: 'overdue',
      description: `No run of a pruner has finished within two of its periods, or the watch does not look after pruners any more. ${WHICH}.`,
      metric: this.#metric('prunerOverdue', 'Maximum'),
      threshold: 1,
      missing: TreatMissingData.BREACHING,
    });
    const messages = { statistic: 'Maximum', period: Duration.minutes(5) };
    this.#alarm('Undelivered', {
      name: 'undelivered',
      description:
        'A schedule could not start its function, of a pruner or of another job. The messages of the queue tell which.',
      metric: schedules.deliveryQueue.metricApproximateNumberOfMessagesVisible(messages),
      threshold: 1,
    });
    this.#alarm('FailedRuns', {
      name: 'failed-runs',
      description:
        'A run threw twice, of a pruner or of another job. The messages of the queue tell which, the log has the error.',
      metric: schedules.runQueue.metricApproximateNumberOfMessagesVisible(messages),
      threshold: 1,
    });
  }

  #metric(name: MetricName, statistic: string): Metric {
    return new Metric({
      namespace: METRIC.namespace,
      metricName: METRIC[name],
      dimensionsMap: { service: 'cairn' },
      statistic,
      period: this.#period,
    });
  }

  #alarm(
    id: string,
    alarm: {
      readonly name: string;
      readonly description: string;
      readonly metric: IMetric;
      readonly threshold: number;
      readonly operator?: ComparisonOperator;
      readonly missing?: TreatMissingData;
    },
  ): void {
    new Alarm(this, id, {
      alarmName: `${Aws.STACK_NAME}-pruner-${alarm.name}`,
      alarmDescription: alarm.description,
      metric: alarm.metric,
      threshold: alarm.threshold,
      comparisonOperator: alarm.operator ?? ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: alarm.missing ?? TreatMissingData.NOT_BREACHING,
    });
  }
}
