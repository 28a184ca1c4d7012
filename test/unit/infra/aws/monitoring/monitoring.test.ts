import { describe, expect, it } from 'vitest';
import { METRIC } from '../../../../../functions/runtime/names.ts';
import { alarmsOf, type FoundAlarm, templateWithEveryAlarm } from '../../../../helpers/template/alarms.ts';
import { type ReadTemplate, templateOf, textsIn } from '../../../../helpers/template/template.ts';

const template = await templateWithEveryAlarm();
const { ofType, idOf, resource, output } = template;
const alarms = alarmsOf(template);
const without = await templateOf();

const PAGE = { Ref: idOf('Monitoring/Topics/Page') };
const TICKET = { Ref: idOf('Monitoring/Topics/Ticket') };
const STACK_NAME = { Ref: 'AWS::StackName' };

/** Operators as they are shortest to read here. */
const SIGN = {
  GreaterThanThreshold: '>',
  GreaterThanOrEqualToThreshold: '>=',
  LessThanThreshold: '<',
} as const;

function alarmNamed(name: string, all = alarms): FoundAlarm {
  const found = all.find((alarm) => alarm.name === name);
  if (!found) throw new Error(`no alarm ${name}`);
  return found;
}

/** `> 1, 3 of 5 × 300 s, missing: notBreaching` */
function conditionOf({ properties, metrics }: FoundAlarm): string {
  const { ComparisonOperator, Threshold, DatapointsToAlarm, EvaluationPeriods, TreatMissingData } =
    properties;
  const sign = SIGN[ComparisonOperator as keyof typeof SIGN];
  const periods = [...new Set(metrics.map(({ period }) => period))].join('/');
  return `${sign} ${Threshold}, ${DatapointsToAlarm} of ${EvaluationPeriods} × ${periods} s, missing: ${TreatMissingData}`;
}

const FINE = 'missing: notBreaching';
const BAD = 'missing: breaching';
const repeated = (metric: string, times: number): string => Array(times).fill(metric).join(' ');

describe('alarms', () => {
  it.each([
    ['api-5xx', 'high', '5xx Count', `> 1, 3 of 5 × 300 s, ${FINE}`],
    ['api-slow-burn', 'medium', '5xx Count', `> 0.6, 1 of 1 × 21600 s, ${FINE}`],
    ['api-latency', 'medium', 'Latency', `> 1000, 3 of 3 × 300 s, ${FINE}`],
    ['api-auth-failures', 'medium', 'AuthFailures', `> 100, 1 of 1 × 300 s, ${FINE}`],
    ['sync-not-running', 'high', 'Invocations', `< 1, 2 of 2 × 600 s, ${BAD}`],
    [
      'sync-failing',
      'high',
      'SyncSucceeded SyncPartiallySucceeded SyncFailed Errors',
      `>= 1, 3 of 4 × 600 s, ${FINE}`,
    ],
    ['sync-skipping', 'medium', 'SyncSkipped', `>= 1, 3 of 3 × 600 s, ${FINE}`],
    ['sync-stale', 'medium', 'StalestPairSeconds', `> 3600, 1 of 2 × 900 s, ${FINE}`],
    ['sync-very-stale', 'high', 'StalestPairSeconds', `> 21600, 1 of 2 × 900 s, ${FINE}`],
    ['sync-held', 'medium', 'PairsHeld', `>= 1, 2 of 2 × 600 s, ${FINE}`],
    ['sync-mass-held', 'high', 'PairsHeld PairsFollowed', `>= 25, 1 of 1 × 600 s, ${FINE}`],
    ['sync-payload-conflict', 'high', 'PayloadConflicts', `>= 1, 1 of 2 × 600 s, ${FINE}`],
    ['risk-query-unsupported', 'low', 'RiskQueriesUnsupported', `>= 1, 1 of 2 × 600 s, ${FINE}`],
    ['sync-no-new-versions', 'low', 'VersionsAdded', `< 1, 7 of 7 × 86400 s, ${FINE}`],
    ['sync-egress-refused', 'medium', 'EgressRefused', `>= 1, 1 of 2 × 600 s, ${FINE}`],
    ['prune-not-scheduled', 'low', 'InstallStatus', `< 2, 1 of 2 × 900 s, ${FINE}`],
    ['prune-last-run-failed', 'medium', 'LastRunFailed', `>= 1, 1 of 2 × 900 s, ${FINE}`],
    ['prune-blocked', 'high', 'LastRunBlocked', `>= 1, 1 of 2 × 900 s, ${FINE}`],
    ['prune-run-too-long', 'medium', 'ActiveRunAgeSeconds', `> 86400, 1 of 2 × 900 s, ${FINE}`],
    ['prune-overdue', 'medium', 'PrunerOverdue', `>= 1, 1 of 2 × 900 s, ${FINE}`],
    ['fleet-not-running', 'medium', 'Invocations', `< 1, 3 of 3 × 300 s, ${BAD}`],
    ['fleet-clusters-failing', 'medium', 'ClustersNotLookedAt', `>= 1, 4 of 4 × 900 s, ${FINE}`],
    ['updates-stalled', 'medium', 'UpdatesStalled', `>= 1, 1 of 1 × 900 s, ${FINE}`],
    ['news-undelivered', 'medium', 'MessagesUndelivered', `>= 1, 2 of 2 × 3600 s, ${FINE}`],
    ['watch-not-running', 'high', 'Invocations', `< 1, 2 of 2 × 900 s, ${BAD}`],
    ['jobs-undelivered', 'medium', 'ApproximateNumberOfMessagesVisible', `>= 1, 1 of 1 × 300 s, ${FINE}`],
    ['jobs-failed-runs', 'medium', 'ApproximateNumberOfMessagesVisible', `>= 1, 1 of 1 × 300 s, ${FINE}`],
    ['clock-ahead', 'medium', 'FutureTimes', `>= 1, 1 of 2 × 900 s, ${FINE}`],
    ['switch-stopped', 'low', 'SwitchesStopped', `>= 1, 24 of 24 × 3600 s, ${FINE}`],
    ['lambda-errors', 'medium', repeated('Errors', 6), `>= 3, 1 of 1 × 900 s, ${FINE}`],
    ['lambda-throttles', 'medium', repeated('Throttles', 6), `>= 5, 1 of 1 × 300 s, ${FINE}`],
    // Without run-pruner, which uses all of its time.
    ['lambda-slow', 'medium', repeated('Duration', 5), `> 80, 2 of 3 × 900 s, ${FINE}`],
    [
      'table-throttled',
      'medium',
      repeated('ReadThrottleEvents WriteThrottleEvents', 2),
      `>= 10, 1 of 1 × 300 s, ${FINE}`,
    ],
    ['table-errors', 'medium', repeated('SystemErrors', 7), `>= 5, 1 of 1 × 300 s, ${FINE}`],
  ])('%s is %s and reads %s', (name, severity, metrics, condition) => {
    const alarm = alarmNamed(name);
    const { AlarmName, AlarmDescription, AlarmActions, OKActions } = alarm.properties;
    expect(AlarmName).toEqual({ 'Fn::Join': ['', [STACK_NAME, `-${name}`]] });
    expect(AlarmDescription).toMatch(/^[A-Z].+\. Severity: /);
    expect(AlarmDescription).toContain(`. Severity: ${severity}. Runbook: docs/runbook.md#${name}`);
    const topic = severity === 'high' ? PAGE : TICKET;
    expect([AlarmActions, OKActions]).toEqual([[topic], [topic]]);
    expect(alarm.metrics.map((metric) => metric.name).join(' ')).toBe(metrics);
    expect(conditionOf(alarm)).toBe(condition);
  });

  it('are these and no others', () => {
    expect(alarms).toHaveLength(34);
  });

  it('are without those of pruners where no registry is pruned', () => {
    const names = alarmsOf(without).map(({ name }) => name);
    expect(alarms.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual(
      alarms.map(({ name }) => name).filter((name) => name.startsWith('prune-')),
    );
    expect(alarmNamed('lambda-errors', alarmsOf(without)).metrics).toHaveLength(5);
  });

  it.each([
    ['sync-not-running', 'SyncReleases'],
    ['watch-not-running', 'Watch'],
    ['fleet-not-running', 'FollowFleet'],
  ])('%s reads the metrics of its function', (name, path) => {
    const [metric] = alarmNamed(name).metrics;
    expect(metric!.dimensions).toEqual([{ Name: 'FunctionName', Value: { Ref: idOf(path) } }]);
  });

  it.each([
    ['jobs-undelivered', 'Sync/UndeliveredQueue'],
    ['jobs-failed-runs', 'Sync/FailedRunQueue'],
  ])('%s reads the metrics of its queue', (name, path) => {
    const [metric] = alarmNamed(name).metrics;
    expect(metric!.dimensions).toEqual([
      { Name: 'QueueName', Value: { 'Fn::GetAtt': [idOf(path), 'QueueName'] } },
    ]);
  });

  it.each([
    ['api-5xx', 'IF(errors >= 5, 100 * errors / requests, 0)'],
    ['api-slow-burn', 'IF(errors >= 10, 100 * errors / requests, 0)'],
    [
      'sync-failing',
      'IF(FILL(succeeded, 0) + FILL(partly, 0) < 1 AND FILL(failed, 0) + FILL(errors, 0) >= 1, 1, 0)',
    ],
    ['sync-mass-held', 'IF(held >= 3, 100 * held / followed, 0)'],
    ['sync-not-running', 'FILL(invocations, 0)'],
    ['watch-not-running', 'FILL(invocations, 0)'],
    ['fleet-not-running', 'FILL(invocations, 0)'],
    ['table-throttled', 'FILL(reads, 0) + FILL(writes, 0) + FILL(indexReads, 0) + FILL(indexWrites, 0)'],
    ['lambda-slow', 'MAX([query, manage, syncReleases, watch, followFleet])'],
  ])('%s reckons %s', (name, expression) => {
    expect(alarmNamed(name).expressions[0]!.expression).toBe(expression);
  });

  it('for throttled requests of the table reads its index too', () => {
    const indexes = alarmNamed('table-throttled').metrics.map(
      ({ dimensions }) => dimensions.find(({ Name }) => Name === 'GlobalSecondaryIndexName')?.Value,
    );
    const [{ IndexName }] = resource('Table').Properties.GlobalSecondaryIndexes;
    expect(indexes).toEqual([undefined, undefined, IndexName, IndexName]);
  });

  it('that a function is slow goes by its own timeout', () => {
    const shares = Object.fromEntries(
      alarmNamed('lambda-slow').expressions.map(({ id, expression }) => [id, expression]),
    );
    for (const [id, path] of [
      ['query', 'Query'],
      ['manage', 'Manage'],
      ['syncReleases', 'SyncReleases'],
      ['watch', 'Watch'],
      ['followFleet', 'FollowFleet'],
    ] as const) {
      const { Timeout } = resource(path).Properties;
      expect(shares[id]).toBe(`FILL(${id}Ms, 0) / ${Timeout * 10}`);
    }
  });

  it('of our own metrics read this stack only, by the name that its jobs write', () => {
    const own = alarms
      .flatMap(({ metrics }) => metrics)
      .filter(({ namespace }) => namespace === METRIC.namespace);
    expect(own.length).toBeGreaterThan(15);
    const emitted = new Set<string>(Object.values(METRIC));
    for (const { name, dimensions } of own) {
      expect(emitted).toContain(name);
      expect(dimensions).toEqual([{ Name: 'service', Value: STACK_NAME }]);
    }
    for (const path of ['SyncReleases', 'Watch', 'FollowFleet', 'Pruning/RunPruner']) {
      expect(resource(path).Properties.Environment.Variables.SERVICE_NAME).toEqual(STACK_NAME);
    }
  });
});

describe.each([
  [5, 59, 1],
  [61, 90, 20],
  [1440, 1440, 1440],
])(
  'with a sync each %i, housekeeping each %i and a reassessment of the fleet each %i minutes',
  async (...minutes) => {
    const [syncIntervalMinutes, watchIntervalMinutes, fleetIntervalMinutes] = minutes;
    const registryBuckets = [{ bucket: 'registry', prefix: '' }];
    const found = alarmsOf(
      await templateOf({
        registryBuckets,
        syncIntervalMinutes,
        watchIntervalMinutes,
        fleetIntervalMinutes,
      }),
    );

    it.each(found)('$name is one that CloudWatch takes', ({ properties, metrics, expressions }) => {
      const { EvaluationPeriods, DatapointsToAlarm } = properties;
      const period = metrics[0]!.period;
      expect(metrics.filter((metric) => metric.period !== period)).toEqual([]);
      expect(period % 60).toBe(0);
      expect(period * EvaluationPeriods).toBeLessThanOrEqual(period < 3600 ? 86_400 : 604_800);
      expect(DatapointsToAlarm).toBeGreaterThanOrEqual(1);
      expect(DatapointsToAlarm).toBeLessThanOrEqual(EvaluationPeriods);
      expect(metrics.length).toBeLessThanOrEqual(10);
      const known = new Set([...metrics.map(({ id }) => id), ...expressions.map(({ id }) => id)]);
      for (const { expression } of expressions) {
        const named = expression.match(/\b[a-z]\w*\b/g) ?? [];
        expect(named.filter((name) => !known.has(name))).toEqual([]);
        expect(expression.split('(').length).toBe(expression.split(')').length);
      }
    });

    it('checks each job at its own interval', () => {
      const periodOf = (name: string) => alarmNamed(name, found).metrics[0]!.period;
      expect(periodOf('sync-not-running')).toBe(syncIntervalMinutes * 60);
      expect(periodOf('sync-failing')).toBe(syncIntervalMinutes * 60);
      expect(periodOf('watch-not-running')).toBe(watchIntervalMinutes * 60);
      expect(periodOf('fleet-not-running')).toBe(fleetIntervalMinutes * 60);
      expect(periodOf('sync-stale')).toBe(watchIntervalMinutes * 60);
    });

    it('gives the sync several rounds before it counts as stale', () => {
      const { Threshold: look } = alarmNamed('sync-stale', found).properties;
      const { Threshold: act } = alarmNamed('sync-very-stale', found).properties;
      expect(look).toBe(Math.max(3600, 3 * syncIntervalMinutes * 60));
      expect(act).toBe(Math.max(6 * 3600, 6 * syncIntervalMinutes * 60));
    });

    it.each([
      ['fleet-clusters-failing', 3600],
      ['news-undelivered', 7200],
    ])('has a value of the fleet in every period of %s, and checks %i s or one run', (name, seconds) => {
      const { metrics, properties } = alarmNamed(name, found);
      const period = metrics[0]!.period;
      expect(period).toBeGreaterThanOrEqual(fleetIntervalMinutes * 60);
      expect(properties.DatapointsToAlarm).toBe(properties.EvaluationPeriods);
      const waits = period * properties.EvaluationPeriods;
      expect(waits).toBeGreaterThanOrEqual(seconds);
      expect(waits).toBeLessThan(seconds + period);
    });

    it('waits a day, or as near as it can, before it reminds of a switch', () => {
      const { metrics, properties } = alarmNamed('switch-stopped', found);
      const waits = metrics[0]!.period * properties.EvaluationPeriods;
      expect(waits).toBeLessThanOrEqual(86_400);
      expect(waits).toBeGreaterThan(86_400 / 2);
    });
  },
);

describe('topics', () => {
  it.each(['Page', 'Ticket'])(
    '%s takes what alarms of this stack publish, over TLS, and nothing else',
    (name) => {
      const topic = { Ref: idOf(`Monitoring/Topics/${name}`) };
      const { PolicyDocument, Topics } = resource(`Monitoring/Topics/${name}/Policy`).Properties;
      expect(Topics).toEqual([topic]);
      expect(PolicyDocument.Statement).toMatchObject([
        {
          Effect: 'Deny',
          Principal: '*',
          Action: 'sns:Publish',
          Resource: topic,
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        },
        {
          Effect: 'Allow',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Action: 'sns:Publish',
          Resource: topic,
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        },
      ]);
      const source = textsIn(PolicyDocument.Statement[1].Condition.ArnLike).join('');
      expect(source).toMatch(/:cloudwatch:AWS::Region:AWS::AccountId:alarm:AWS::StackName-\*$/);
      // With the key of AWS for topics, CloudWatch could not publish.
      expect(resource(`Monitoring/Topics/${name}`).Properties.KmsMasterKeyId).toBeUndefined();
    },
  );

  it('send mails to every address of the settings, and to none by default', () => {
    const subscriptions = ofType('AWS::SNS::Subscription').map(({ properties }) => properties);
    expect(subscriptions).toEqual(
      [PAGE, TICKET].flatMap((TopicArn) =>
        ['ops@example.com', 'night@example.com'].map((Endpoint) => ({
          Protocol: 'email',
          Endpoint,
          TopicArn,
        })),
      ),
    );
    expect(without.ofType('AWS::SNS::Subscription')).toEqual([]);
  });

  it('are outputs, for subscriptions other than mail', () => {
    expect([output('PageTopicArn'), output('TicketTopicArn')]).toEqual([PAGE, TICKET]);
  });
});

describe('refused requests', () => {
  it('are counted in the log of the gateway, which writes the status as a text', () => {
    const filters = ofType('AWS::Logs::MetricFilter').map(({ properties }) => properties);
    expect(filters).toHaveLength(1);
    expect(filters[0]).toMatchObject({
      LogGroupName: { Ref: idOf('Http/AccessLog') },
      FilterPattern: '{ ($.status = "401") || ($.status = "403") }',
      MetricTransformations: [
        {
          MetricName: 'AuthFailures',
          MetricNamespace: { 'Fn::Join': ['', ['Cairn/', STACK_NAME]] },
          MetricValue: '1',
        },
      ],
    });
    const [stage] = ofType('AWS::ApiGatewayV2::Stage');
    expect(JSON.parse(stage!.properties.AccessLogSettings.Format)).toMatchObject({
      status: '$context.status',
    });
    const { Namespace } = alarmNamed('api-auth-failures').properties;
    expect(Namespace).toEqual({ 'Fn::Join': ['', ['Cairn/', STACK_NAME]] });
  });
});

describe('the dashboard', () => {
  interface Widget {
    readonly type: string;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly properties: {
      readonly title?: string;
      readonly alarms?: readonly string[];
      readonly metrics?: readonly (readonly unknown[])[];
    };
  }

  const read = (of: ReadTemplate): Widget[] => {
    const [dashboard, ...others] = of.ofType('AWS::CloudWatch::Dashboard');
    expect(others).toEqual([]);
    const body = textsOf(dashboard!.properties.DashboardBody);
    return (JSON.parse(body) as { widgets: Widget[] }).widgets;
  };
  const widgets = read(template);

  it('is one, under its own name in every region', () => {
    const [dashboard] = ofType('AWS::CloudWatch::Dashboard');
    const name = { 'Fn::Join': ['', [STACK_NAME, '-', { Ref: 'AWS::Region' }]] };
    expect(dashboard!.properties.DashboardName).toEqual(name);
    expect(output('DashboardName')).toEqual(name);
  });

  it('shows every alarm', () => {
    const shown = widgets.find(({ type }) => type === 'alarm')!.properties.alarms!;
    const ids = ofType('AWS::CloudWatch::Alarm').map(({ id }) => id);
    expect(shown).toEqual(ids.map((id) => `${id}.Arn`));
  });

  it('has no two widgets in one place', () => {
    const cells = widgets.flatMap(({ x, y, width, height }) =>
      Array.from(
        { length: width * height },
        (_, cell) => `${x + (cell % width)},${y + Math.floor(cell / width)}`,
      ),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...widgets.map(({ x, width }) => x + width))).toBe(24);
  });

  it('names only metrics that there are, of this stack', () => {
    const rows = widgets.flatMap(({ properties }) => properties.metrics ?? []);
    const own = rows.filter(([namespace]) => namespace === METRIC.namespace);
    expect(own.length).toBeGreaterThan(15);
    const emitted = new Set<unknown>(Object.values(METRIC));
    for (const [, name, ...dimensions] of own) {
      expect(emitted).toContain(name);
      expect(dimensions.slice(0, 2)).toEqual(['service', 'AWS::StackName']);
    }
    const searches = rows.flatMap(([row]) => {
      const { expression = '' } = (typeof row === 'object' ? row : {}) as { expression?: string };
      return expression.startsWith('SEARCH') ? [expression] : [];
    });
    expect(searches).toHaveLength(6);
    for (const search of searches) {
      expect(emitted).toContain(/MetricName="(\w+)" service="AWS::StackName"/.exec(search)?.[1]);
    }
  });

  it('has a row for the fleet', () => {
    const shown = widgets.flatMap(({ properties }) => properties.metrics?.map(([, name]) => name) ?? []);
    const { clustersLookedAt, clustersNotLookedAt, newsTold, messagesUndelivered, messagesDropped } = METRIC;
    expect(shown).toEqual(
      expect.arrayContaining([
        clustersLookedAt,
        clustersNotLookedAt,
        newsTold,
        messagesUndelivered,
        messagesDropped,
      ]),
    );
  });

  it('has a row for pruners only where there are any', () => {
    const titles = (of: readonly Widget[]) => of.map(({ properties }) => properties.title);
    expect(titles(widgets)).toContain('Objects pruned');
    expect(titles(read(without))).not.toContain('Objects pruned');
  });

  it('is small enough for CloudWatch', () => {
    expect(widgets.length).toBeLessThanOrEqual(500);
    for (const { properties } of widgets) expect(properties.metrics?.length ?? 0).toBeLessThanOrEqual(500);
  });
});

it.each([
  ['with all of it', template],
  ['by default', without],
])('leaves cdk-nag and CDK nothing to say: %s', (_name, { violations, warnings }) => {
  expect(violations).toEqual([]);
  expect(warnings).toEqual([]);
});

/** A joined text, with the names of what is known only when it is deployed. */
function textsOf(value: { readonly 'Fn::Join': readonly [string, readonly unknown[]] }): string {
  return value['Fn::Join'][1].map((part) => textsIn(part).join('.')).join('');
}
