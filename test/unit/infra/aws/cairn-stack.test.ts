import { describe, expect, it } from 'vitest';
import { templateOf } from '../../../helpers/template/template.ts';

const { json, ofType, idOf, resource, arnOf } = await templateOf();

describe('functions', () => {
  const functions = ofType('AWS::Lambda::Function');

  it('are the five of the bundles that need no registry', () => {
    expect(functions.map(({ id }) => id).toSorted()).toEqual(
      ['Query', 'Manage', 'SyncReleases', 'Watch', 'FollowFleet'].map(idOf).toSorted(),
    );
  });

  it.each(functions)(
    '$id runs Node 24 on arm64, with explicit limits and a log in JSON',
    ({ properties }) => {
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: expect.any(Number),
        Timeout: expect.any(Number),
        LoggingConfig: { LogFormat: 'JSON' },
      });
    },
  );

  it('leave no log, nor the gateway, to grow for ever', () => {
    const logGroups = ofType('AWS::Logs::LogGroup');
    expect(logGroups).toHaveLength(functions.length + 1);
    expect(new Set(logGroups.map(({ properties }) => properties.RetentionInDays))).toEqual(new Set([30]));
  });
});

// What roles may do is in cairn-stack-rights.test.ts, what outlives faults and the stack in cairn-stack-safeguards.test.ts.
describe('schedules', () => {
  it.each(['Sync', 'WatchSchedule', 'FleetSchedule'])(
    '%s works for this account and group only',
    (schedule) => {
      expect(resource(`${schedule}/Role`).Properties.AssumeRolePolicyDocument.Statement).toEqual([
        {
          Action: 'sts:AssumeRole',
          Condition: {
            StringEquals: {
              'aws:SourceAccount': { Ref: 'AWS::AccountId' },
              'aws:SourceArn': arnOf('Sync/Group'),
            },
          },
          Effect: 'Allow',
          Principal: { Service: 'scheduler.amazonaws.com' },
        },
      ]);
    },
  );
});

describe('what is kept', () => {
  it('the table is on demand, with the keys of the code', () => {
    const keys = (partition: string, sort: string) => [
      { AttributeName: partition, KeyType: 'HASH' },
      { AttributeName: sort, KeyType: 'RANGE' },
    ];
    expect(resource('Table').Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keys('pk', 'sk'),
      GlobalSecondaryIndexes: [{ IndexName: 'gsi1', KeySchema: keys('gsi1pk', 'gsi1sk') }],
    });
  });

  it('the bucket is versioned and logged; old versions go after 30 days, uploads after one', () => {
    expect(resource('Bucket').Properties).toMatchObject({
      VersioningConfiguration: { Status: 'Enabled' },
      LoggingConfiguration: { DestinationBucketName: { Ref: idOf('BucketAccessLogs') } },
      LifecycleConfiguration: {
        Rules: [
          { NoncurrentVersionExpiration: { NoncurrentDays: 30 }, Status: 'Enabled' },
          { Prefix: 'uploads/', ExpirationInDays: 1, Status: 'Enabled' },
        ],
      },
    });
  });
});

describe('the schedules', () => {
  it('are one for each job, in one group', () => {
    expect(ofType('AWS::Scheduler::Schedule')).toHaveLength(3);
    expect(ofType('AWS::Scheduler::ScheduleGroup')).toHaveLength(1);
  });

  it.each([
    ['Sync', 'SyncReleases', 10],
    ['WatchSchedule', 'Watch', 15],
    ['FleetSchedule', 'FollowFleet', 5],
  ])('%s fires on the dot; delivery is tried again 3 times within 5 minutes', (schedule, job, minutes) => {
    expect(resource(`${schedule}/Schedule`).Properties).toMatchObject({
      ScheduleExpression: `rate(${minutes} minutes)`,
      FlexibleTimeWindow: { Mode: 'OFF' },
      State: 'ENABLED',
      GroupName: resource('Sync/Group').Properties.Name,
      Target: {
        Arn: arnOf(job),
        RoleArn: arnOf(`${schedule}/Role`),
        Input: '{"scheduledTime":"<aws.scheduler.scheduled-time>","trigger":"schedule"}',
        RetryPolicy: { MaximumRetryAttempts: 3, MaximumEventAgeInSeconds: 300 },
        DeadLetterConfig: { Arn: arnOf('Sync/UndeliveredQueue') },
      },
    });
  });
});

it('every setting reaches what it is for', async () => {
  const tuned = await templateOf({
    syncIntervalMinutes: 30,
    watchIntervalMinutes: 60,
    fleetIntervalMinutes: 1,
    news: { email: [], windowHours: 48, digestAbove: 3 },
    retirementGraceDays: 7,
    historyLimit: 50,
    graphUrl: 'https://updates.example.com/graph',
    payloadHosts: ['quay.io', 'registry.example.com'],
  });
  expect(tuned.resource('Sync/Schedule').Properties.ScheduleExpression).toBe('rate(30 minutes)');
  expect(tuned.resource('WatchSchedule/Schedule').Properties.ScheduleExpression).toBe('rate(1 hour)');
  expect(tuned.resource('FleetSchedule/Schedule').Properties.ScheduleExpression).toBe('rate(1 minute)');
  expect(tuned.resource('FollowFleet').Properties.Environment.Variables).toMatchObject({
    NEWS_WINDOW_HOURS: '48',
    DIGEST_ABOVE: '3',
  });
  for (const path of ['Watch', 'Manage']) {
    expect(tuned.resource(path).Properties.Environment.Variables).toMatchObject({ HISTORY_LIMIT: '50' });
  }
  expect(tuned.resource('SyncReleases').Properties.Environment.Variables).toMatchObject({
    GRAPH_URL: 'https://updates.example.com/graph',
    PAYLOAD_HOSTS: 'quay.io,registry.example.com',
    RELEASES_FILE: 'releases.json',
    RETIREMENT_GRACE_DAYS: '7',
  });
  expect(tuned.resource('Query').Properties.Environment.Variables).toMatchObject({
    SYNC_INTERVAL_MINUTES: '30',
    RETIREMENT_GRACE_DAYS: '7',
  });
});

it('is the template that was reviewed', () => {
  const text = JSON.stringify(json, null, 2);
  expect(text.replaceAll(/[0-9a-f]{64}/g, '<asset>')).toMatchSnapshot();
});
