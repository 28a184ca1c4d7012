import { Aws, Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  MathExpression,
  type Metric,
  PeriodOverride,
  SingleValueWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { MetricName } from '../../../functions/runtime/names.ts';
import type { ScheduleSurroundings } from '../job-schedule.ts';
import type { NodeFunction } from '../node-function.ts';
import type { TableReference } from '../storage.ts';
import { cairnMetric, type Intervals, ofEachPruner } from './alarm-definition.ts';
import { staleAfter } from './job-alarms.ts';
import { type MonitoredFunctions, OF_INDEX, tableMetric } from './service-alarms.ts';

interface ServiceDashboardProps {
  readonly alarms: readonly IAlarm[];
  readonly authFailures: Metric;
  readonly api: HttpApi;
  readonly apiUrl: string;
  readonly functions: MonitoredFunctions;
  readonly table: TableReference;
  readonly schedules: ScheduleSurroundings;
  readonly intervals: Intervals;
}

const FULL_WIDTH = 24;
const HEIGHT = 6;
const FIVE_MINUTES = Duration.minutes(5);

/** Top down: from user-facing metrics to the infrastructure. */
export class ServiceDashboard extends Construct {
  /** Includes the region: CloudWatch lists dashboards of all regions together. */
  readonly name = `${Aws.STACK_NAME}-${Aws.REGION}`;

  constructor(scope: Construct, id: string, props: ServiceDashboardProps) {
    super(scope, id);
    new Dashboard(this, 'Dashboard', {
      dashboardName: this.name,
      defaultInterval: Duration.days(1),
      periodOverride: PeriodOverride.INHERIT,
      widgets: [
        introduction(props),
        objectives(props),
        requests(props),
        syncRounds(props.intervals),
        housekeepingAndQueues(props),
        fleet(props.intervals),
        ...(props.functions.runPruner ? [pruners(props.intervals)] : []),
        lambdas(props.functions),
        storage(props.table),
      ],
    });
  }
}

function introduction({ alarms, apiUrl }: ServiceDashboardProps): IWidget[] {
  const markdown = [
    `# ${Aws.STACK_NAME}`,
    'Each alarm has an article of its name in `docs/runbook.md`.',
    `How channels stand: [\`GET /v1/sync\`](${apiUrl}/v1/sync). `,
    `What is stopped by hand: [\`GET /v1/switches\`](${apiUrl}/v1/switches); to stop something, ` +
      '`PUT /v1/switches/{sync,prune,news,write}` with `{"stopped": true, "reason": "…"}`.',
    'The four numbers below are over the time that is chosen above; objectives are for four weeks.',
  ].join('\n\n');
  return [
    new TextWidget({ markdown, width: 10, height: HEIGHT }),
    new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 14, height: HEIGHT }),
  ];
}

function objectives({ api, intervals }: ServiceDashboardProps): IWidget[] {
  const number = (title: string, metrics: IMetric[]): IWidget =>
    new SingleValueWidget({ title, metrics, width: FULL_WIDTH / 4, height: 4, setPeriodToTimeRange: true });
  const sum = { statistic: 'Sum', period: FIVE_MINUTES } as const;
  const ofSync = { statistic: 'Sum', period: intervals.sync } as const;
  return [
    number('Answered without an error of ours (99.9 %)', [
      percent('available', '100 - 100 * FILL(errors, 0) / requests', {
        errors: api.metricServerError(sum),
        requests: api.metricCount({ ...sum, statistic: 'SampleCount' }),
      }),
    ]),
    number('Latency (p90 200 ms, p99 800 ms)', [
      api.metricLatency({ statistic: 'p90', period: FIVE_MINUTES, label: 'p90' }),
      api.metricLatency({ statistic: 'p99', period: FIVE_MINUTES, label: 'p99' }),
    ]),
    number('Oldest channel (30 minutes)', [
      cairnMetric('stalestPairSeconds', { statistic: 'Maximum', period: intervals.housekeeping }).with({
        label: 'seconds',
      }),
    ]),
    number('Channels followed without a fault (98 %)', [
      percent(
        'followed',
        '100 * (followed - failed - held - skipped) / followed',
        {
          followed: cairnMetric('pairsFollowed', ofSync),
          failed: cairnMetric('pairsFailed', ofSync),
          held: cairnMetric('pairsHeld', ofSync),
          skipped: cairnMetric('pairsSkipped', ofSync),
        },
        intervals.sync,
      ),
    ]),
  ];
}

function requests({ api, authFailures }: ServiceDashboardProps): IWidget[] {
  return [
    graph('Requests', [
      api.metricCount({ label: 'all' }),
      api.metricClientError({ statistic: 'Sum', label: '4xx' }),
      api.metricServerError({ statistic: 'Sum', label: '5xx' }),
    ]),
    graph(
      'Latency in ms',
      ['p50', 'p90', 'p99'].map((statistic) => api.metricLatency({ statistic, label: statistic })),
    ),
    graph('Refused (401, 403)', [authFailures]),
  ];
}

function syncRounds(intervals: Intervals): IWidget[] {
  const { look, act } = staleAfter(intervals);
  const sum = { statistic: 'Sum', period: intervals.sync } as const;
  return [
    graph(
      'Runs of the sync',
      counts(
        [
          'syncSucceeded',
          'syncPartiallySucceeded',
          'syncFailed',
          'syncSkipped',
          'syncDuplicates',
          'syncStopped',
        ],
        sum,
      ),
      { stacked: true },
    ),
    graph(
      'Channels that could not be followed',
      counts(['pairsHeld', 'pairsFailed', 'pairsSkipped', 'egressRefused', 'payloadConflicts'], sum),
    ),
    new GraphWidget({
      title: 'Seconds since the oldest good answer',
      left: [cairnMetric('stalestPairSeconds', { statistic: 'Maximum', period: intervals.housekeeping })],
      right: counts(['stalePairs'], { statistic: 'Maximum', period: intervals.housekeeping }),
      leftAnnotations: [
        { value: look.toSeconds(), label: 'have a look' },
        { value: act.toSeconds(), label: 'act now' },
      ],
      width: FULL_WIDTH / 3,
      height: HEIGHT,
    }),
  ];
}

function housekeepingAndQueues({ schedules, intervals }: ServiceDashboardProps): IWidget[] {
  const sum = { statistic: 'Sum', period: intervals.housekeeping } as const;
  const messages = { statistic: 'Maximum', period: FIVE_MINUTES };
  return [
    graph(
      'Runs of the watch',
      counts(
        ['watchSucceeded', 'watchPartiallySucceeded', 'watchFailed', 'watchSkipped', 'futureTimes'],
        sum,
      ),
      { stacked: true },
    ),
    graph('Queues of what nobody could handle', [
      schedules.deliveryQueue.metricApproximateNumberOfMessagesVisible({ ...messages, label: 'undelivered' }),
      schedules.runQueue.metricApproximateNumberOfMessagesVisible({ ...messages, label: 'failed runs' }),
    ]),
    graph('Versions added, and what is stopped by hand', [
      cairnMetric('versionsAdded', { statistic: 'Sum', period: intervals.sync }),
      cairnMetric('switchesStopped', { statistic: 'Maximum', period: intervals.housekeeping }),
    ]),
  ];
}

function fleet({ fleet: period }: Intervals): IWidget[] {
  const sum = { statistic: 'Sum', period } as const;
  return [
    graph('Clusters looked at again', counts(['clustersLookedAt', 'clustersNotLookedAt'], sum), {
      right: counts(['fleetFailed'], sum),
    }),
    graph('News told', counts(['newsTold'], sum)),
    graph(
      'Updates',
      counts(['updatesGoingOn', 'updatesHeld', 'updatesSlow', 'updatesSilent', 'updatesStalled'], {
        statistic: 'Maximum',
        period,
      }),
    ),
    graph('Messages that wait, or were dropped', [
      ...counts(['messagesUndelivered'], { statistic: 'Maximum', period }),
      ...counts(['messagesDropped'], sum),
    ]),
  ];
}

function pruners({ housekeeping }: Intervals): IWidget[] {
  const hourly = { statistic: 'Sum', period: Duration.hours(1) } as const;
  return [
    graph('Runs of pruners', [
      ...(['pruneRunSucceeded', 'pruneRunFailed', 'pruneRunBlocked'] as const).map((name) =>
        ofEachPruner(name, hourly),
      ),
      ofEachPruner('pruneRunSkipped', { ...hourly, dimensions: ['Pruner'] }),
    ]),
    graph('Objects pruned', [ofEachPruner('objectsPruned', hourly)], {
      right: [ofEachPruner('bytesPruned', hourly)],
    }),
    graph('Seconds that the longest run is under way', [
      cairnMetric('activeRunAgeSeconds', { statistic: 'Maximum', period: housekeeping }),
    ]),
  ];
}

function lambdas(functions: MonitoredFunctions): IWidget[] {
  const ofEach = (metric: (one: NodeFunction, label: string) => Metric): Metric[] =>
    Object.entries<NodeFunction>({ ...functions }).map(([name, one]) => metric(one, name));
  return [
    graph(
      'Errors of functions',
      ofEach((one, label) => one.metricErrors({ label })),
      { right: ofEach((one, label) => one.metricThrottles({ label: `${label} throttled` })) },
    ),
    graph(
      'Duration in ms, p99',
      ofEach((one, label) => one.metricDuration({ label, statistic: 'p99' })),
    ),
    graph(
      'Running at once',
      ofEach((one, label) => one.metric('ConcurrentExecutions', { label, statistic: 'Maximum' })),
    ),
  ];
}

function storage(table: TableReference): IWidget[] {
  return [
    graph('Units of the table', [
      tableMetric(table, 'ConsumedReadCapacityUnits').with({ label: 'read' }),
      tableMetric(table, 'ConsumedWriteCapacityUnits').with({ label: 'written' }),
    ]),
    graph('Turned away by the table', [
      tableMetric(table, 'ReadThrottleEvents').with({ label: 'reads' }),
      tableMetric(table, 'WriteThrottleEvents').with({ label: 'writes' }),
      tableMetric(table, 'ReadThrottleEvents', OF_INDEX).with({ label: 'reads of the index' }),
      tableMetric(table, 'WriteThrottleEvents', OF_INDEX).with({ label: 'writes of the index' }),
    ]),
    graph(
      'Latency of the table in ms',
      ['GetItem', 'Query', 'PutItem', 'UpdateItem'].map((operation) =>
        tableMetric(table, 'SuccessfulRequestLatency', { Operation: operation }).with({
          label: operation,
          statistic: 'Average',
        }),
      ),
    ),
  ];
}

function counts(
  names: readonly MetricName[],
  options: { readonly statistic: 'Sum' | 'Maximum'; readonly period: Duration },
): Metric[] {
  return names.map((name) => cairnMetric(name, options));
}

function percent(
  label: string,
  expression: string,
  usingMetrics: Record<string, IMetric>,
  period = FIVE_MINUTES,
): MathExpression {
  return new MathExpression({ label: `% ${label}`, expression, usingMetrics, period });
}

function graph(
  title: string,
  left: IMetric[],
  options: { readonly stacked?: boolean; readonly right?: IMetric[] } = {},
): GraphWidget {
  return new GraphWidget({ title, left, ...options, width: FULL_WIDTH / 3, height: HEIGHT });
}
