import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { describe, expect, it } from 'vitest';
import { templateOf, textsIn } from '../../../helpers/template/template.ts';

/** With everything that a setting adds, so that nothing is left out by accident. */
const { ofType, resources, arnOf } = await templateOf({
  registryBuckets: [{ bucket: 'registry', prefix: '' }],
  access: { publicReleaseData: 'all' },
  cloudFront: true,
  alarms: { email: ['ops@example.com'] },
  news: { email: ['ops@example.com'], windowHours: 24, digestAbove: 10 },
  logRetentionDays: RetentionDays.ONE_WEEK,
});

/** Types that hold what can't be had again. */
const KEPT = ['AWS::DynamoDB::Table', 'AWS::S3::Bucket'];

describe('data', () => {
  it('that cannot be recreated outlives the stack, and nothing else does', () => {
    const all = Object.entries(resources) as [string, { Type: string; DeletionPolicy?: string }][];
    const retained = all.filter(([, { DeletionPolicy }]) => DeletionPolicy === 'Retain');
    expect(retained.map(([id]) => id).toSorted()).toEqual(
      KEPT.flatMap((type) => ofType(type).map(({ id }) => id)).toSorted(),
    );
    for (const [id, resource] of retained)
      expect([id, resource]).toMatchObject([id, { UpdateReplacePolicy: 'Retain' }]);
  });

  it.each(ofType('AWS::DynamoDB::Table'))('$id can be restored and not be deleted', ({ properties }) => {
    expect(properties).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 },
    });
    // Nothing in it may go by itself: a lease that did would begin its tokens anew.
    expect(properties.TimeToLiveSpecification).toBeUndefined();
  });

  it.each(ofType('AWS::S3::Bucket'))(
    '$id is closed, encrypted and reached over TLS only',
    ({ id, properties }) => {
      expect(properties).toMatchObject({
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
      });
      expect(deniedWithoutTls('AWS::S3::BucketPolicy', 'Bucket', id)).toBe(true);
    },
  );
});

describe('what happens when nothing goes right', () => {
  it('every function that is not asked by the gateway leaves runs that failed in a queue', () => {
    const invoked = ofType('AWS::Lambda::EventInvokeConfig').map(({ properties }) => properties);
    const integrated = ofType('AWS::ApiGatewayV2::Integration').map(
      ({ properties }) => properties.IntegrationUri,
    );
    const functions = ofType('AWS::Lambda::Function').map(({ id }) => id);
    const askedByGateway = new Set(integrated.flatMap(textsIn));
    const jobs = functions.filter((id) => !askedByGateway.has(id));
    expect(jobs).toHaveLength(4);
    expect(new Set(invoked.map(({ FunctionName }) => FunctionName.Ref))).toEqual(new Set(jobs));
    expect(invoked).toHaveLength(jobs.length);
    for (const config of invoked) {
      expect(config).toMatchObject({
        MaximumRetryAttempts: 1,
        MaximumEventAgeInSeconds: expect.any(Number),
        DestinationConfig: { OnFailure: { Destination: arnOf('Sync/FailedRunQueue') } },
      });
    }
  });

  it.each(ofType('AWS::SQS::Queue'))(
    '$id keeps it for two weeks, encrypted, over TLS only',
    ({ id, properties }) => {
      expect(properties).toMatchObject({
        MessageRetentionPeriod: 14 * 24 * 3600,
        SqsManagedSseEnabled: true,
      });
      expect(deniedWithoutTls('AWS::SQS::QueuePolicy', 'Queues', id)).toBe(true);
    },
  );

  it.each(ofType('AWS::SNS::Topic'))('$id takes nothing without TLS', ({ id }) => {
    expect(deniedWithoutTls('AWS::SNS::TopicPolicy', 'Topics', id)).toBe(true);
  });
});

describe('functions', () => {
  it.each(ofType('AWS::Lambda::Function'))('$id has explicit limits, and its own log and role', (one) => {
    const { Timeout, MemorySize, Role, LoggingConfig, TracingConfig } = one.properties;
    expect(Timeout).toBeLessThanOrEqual(900);
    expect(MemorySize).toBeGreaterThanOrEqual(512);
    const others = ofType('AWS::Lambda::Function').filter(({ id }) => id !== one.id);
    for (const { properties } of others) {
      expect(properties.Role).not.toEqual(Role);
      expect(properties.LoggingConfig.LogGroup).not.toEqual(LoggingConfig.LogGroup);
    }
    // Each request is one hop, from gateway over function to table, and metrics tell the time of all three. X-Ray would
    // add little to that without its SDK, cost by the request, and need a right on every resource of the account.
    expect(TracingConfig).toBeUndefined();
  });

  it('are reached by the gateway and by schedules only', () => {
    expect(ofType('AWS::Lambda::Url')).toEqual([]);
    const principals = ofType('AWS::Lambda::Permission').map(({ properties }) => properties.Principal);
    expect(new Set(principals)).toEqual(new Set(['apigateway.amazonaws.com']));
    for (const { properties } of ofType('AWS::Lambda::Permission'))
      expect(properties.SourceArn).toBeDefined();
  });

  it.each(ofType('AWS::Logs::LogGroup'))('$id does not grow for ever', ({ properties }) => {
    expect(properties.RetentionInDays).toBe(7);
  });
});

describe('rights', () => {
  interface Statement {
    readonly Effect: string;
    readonly Action: string | readonly string[];
    readonly Resource?: unknown;
    readonly Principal?: unknown;
    readonly Condition?: object;
  }
  const documents = Object.entries(resources).flatMap(([id, { Properties = {} }]) =>
    policiesIn(Properties).map((statements) => ({ id, statements: statements as Statement[] })),
  );

  it('are checked in every kind of policy', () => {
    const types = new Set(documents.map(({ id }) => resources[id]!.Type));
    expect([...types]).toEqual(
      expect.arrayContaining([
        'AWS::IAM::Policy',
        'AWS::IAM::Role',
        'AWS::S3::BucketPolicy',
        'AWS::SNS::TopicPolicy',
        'AWS::SQS::QueuePolicy',
      ]),
    );
  });

  it.each(documents)('of $id name actions, resources and principals', ({ statements }) => {
    for (const { Action, Resource, Principal } of statements.filter(({ Effect }) => Effect === 'Allow')) {
      expect(textsIn(Action).filter((action) => action.includes('*'))).toEqual([]);
      expect(textsIn(Resource)).not.toContain('*');
      expect(textsIn(Principal)).not.toContain('*');
    }
  });

  it('come from no policy of AWS', () => {
    for (const { properties } of ofType('AWS::IAM::Role'))
      expect(properties.ManagedPolicyArns).toBeUndefined();
    expect(ofType('AWS::IAM::User')).toEqual([]);
    expect(ofType('AWS::IAM::AccessKey')).toEqual([]);
  });
});

function deniedWithoutTls(policyType: string, field: string, id: string): boolean {
  return ofType(policyType).some(
    ({ properties }) =>
      [properties[field]].flat().some((one) => one.Ref === id) &&
      properties.PolicyDocument.Statement.some(
        (statement: { Effect: string; Principal: unknown; Condition?: { Bool?: Record<string, string> } }) =>
          statement.Effect === 'Deny' &&
          textsIn(statement.Principal).includes('*') &&
          statement.Condition?.Bool?.['aws:SecureTransport'] === 'false',
      ),
  );
}

/** The statements of every policy at or below a value. */
function policiesIn(value: unknown): unknown[][] {
  if (typeof value !== 'object' || value === null) return [];
  const { Statement: statements } = value as { Statement?: unknown };
  return Array.isArray(statements) ? [statements] : Object.values(value).flatMap(policiesIn);
}
