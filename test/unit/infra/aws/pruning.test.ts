import { describe, expect, it } from 'vitest';
import { templateOf, textsIn } from '../../../helpers/template/template.ts';

const registryBuckets = [
  { bucket: 'registry', prefix: '' },
  { bucket: 'mirror.example.com', prefix: 'prod/eu' },
];
const template = await templateOf({ registryBuckets, watchIntervalMinutes: 45 });
const { ofType, idOf, resource, arnOf, statementsOf } = template;
const without = await templateOf();

const JOB = 'Pruning/RunPruner';

function variablesOf(path: string): Record<string, unknown> {
  return resource(path).Properties.Environment.Variables as Record<string, unknown>;
}

const inPartition = (...parts: unknown[]) => ({
  'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ...parts]],
});
const leadingKeys = (...keys: string[]) => ({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } });

describe('without buckets', () => {
  it('nothing of it is there', () => {
    const added = (type: string) => ofType(type).length - without.ofType(type).length;
    expect(added('AWS::Lambda::Function')).toBe(1);
    const template = JSON.stringify(without.json);
    for (const trace of [
      '-prune-',
      'REGISTRY_BUCKETS',
      'PRUNER_FUNCTION_ARN',
      'docker/registry',
      // As a folder of the bucket; routes have it in their paths.
      '"/runs/*"',
    ]) {
      expect(template.includes(trace), trace).toBe(false);
    }
  });
});

describe('the job', () => {
  it('has the longest time there is and memory for large registries', () => {
    expect(resource(JOB).Properties).toMatchObject({ MemorySize: 2048, Timeout: 900 });
  });

  it('is tried once more when it throws, then kept', () => {
    const configs = ofType('AWS::Lambda::EventInvokeConfig').map(({ properties }) => properties);
    expect(configs.find(({ FunctionName }) => FunctionName.Ref === idOf(JOB))).toMatchObject({
      MaximumRetryAttempts: 1,
      DestinationConfig: { OnFailure: { Destination: arnOf('Sync/FailedRunQueue') } },
    });
  });

  it('keeps to its rows, its files and the storage of the granted registries', () => {
    const [log, ...granted] = statementsOf(idOf(`${JOB}Role`));
    expect(log).toMatchObject({ Resource: arnOf(`${JOB}Logs`) });
    // What it may do where, rights-suffice.test.ts says: exactly what it does.
    const isOfTable = ({ Action }: { Action: unknown }) =>
      textsIn(Action).some((action) => action.startsWith('dynamodb:'));
    const rows = granted.filter(isOfTable);
    for (const statement of rows) {
      expect(statement).toMatchObject({ Effect: 'Allow', Resource: arnOf('Table') });
    }
    expect(new Set(rows.flatMap(({ Condition }) => textsIn(Condition)))).toEqual(
      new Set(['PRUNER#*', 'RUN#*', 'SWITCHES']),
    );
    const [files, listFiles, ...others] = granted.filter((statement) => !isOfTable(statement));
    expect(files).toEqual({
      Action: ['s3:DeleteObject', 's3:GetObject', 's3:PutObject'],
      Effect: 'Allow',
      Resource: { 'Fn::Join': ['', [arnOf('Bucket'), '/runs/*']] },
    });
    expect(listFiles).toEqual({
      Action: 's3:ListBucket',
      Condition: { StringLikeIfExists: { 's3:prefix': 'runs/*' } },
      Effect: 'Allow',
      Resource: arnOf('Bucket'),
    });
    const ofRegistries = others.filter(({ Action }) =>
      textsIn(Action).some((action) => action.startsWith('s3:')),
    );
    const rest = others.filter((statement) => !ofRegistries.includes(statement));
    expect(rest).toMatchObject([{ Resource: arnOf('Sync/FailedRunQueue') }]);

    const expected = [
      ['registry', 'docker/registry/v2/*'],
      ['mirror.example.com', 'prod/eu/docker/registry/v2/*'],
    ] as const;
    const perBucket = expected.flatMap(([bucket, below]) => [
      {
        Action: 's3:ListBucket',
        Condition: { StringLikeIfExists: { 's3:prefix': below } },
        Resource: inPartition(`:s3:::${bucket}`),
      },
      {
        Action: 's3:ListBucketVersions',
        Condition: { StringLike: { 's3:prefix': below } },
        Resource: inPartition(`:s3:::${bucket}`),
      },
    ]);
    const shared = [
      {
        Action: ['s3:GetBucketVersioning', 's3:ListBucketMultipartUploads'],
        Resource: expected.map(([bucket]) => inPartition(`:s3:::${bucket}`)),
      },
      {
        Action: [
          's3:AbortMultipartUpload',
          's3:DeleteObject',
          's3:DeleteObjectVersion',
          's3:GetObject',
          's3:PutObject',
        ],
        Resource: expected.map(([bucket, below]) => inPartition(`:s3:::${bucket}/${below}`)),
      },
    ];
    expect(ofRegistries).toHaveLength(perBucket.length + shared.length);
    for (const statement of [...perBucket, ...shared].map((one) => ({ Effect: 'Allow', ...one }))) {
      const { Resource, ...same } = statement;
      const found = ofRegistries.filter(
        ({ Resource: _resource, ...one }) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(same)),
      );
      expect(
        found.map((one) => sortedTexts(one.Resource)),
        JSON.stringify(same),
      ).toContainEqual(sortedTexts(Resource));
    }
  });

  it('is started by schedules of the one group with its own role', () => {
    expect(statementsOf(idOf('Pruning/Role'))).toEqual([
      { Action: 'lambda:InvokeFunction', Effect: 'Allow', Resource: arnOf(JOB) },
      { Action: 'sqs:SendMessage', Effect: 'Allow', Resource: arnOf('Sync/UndeliveredQueue') },
    ]);
    // They are made at run time.
    expect(ofType('AWS::Scheduler::Schedule')).toHaveLength(3);
    expect(ofType('AWS::Scheduler::ScheduleGroup')).toHaveLength(1);
  });
});

describe.each(['Manage', 'Watch'])('%s', (path) => {
  it('knows the buckets, the job and what starts it', () => {
    expect(variablesOf(path)).toMatchObject({
      REGISTRY_BUCKETS: JSON.stringify(registryBuckets),
      PRUNER_FUNCTION_ARN: arnOf(JOB),
      PRUNER_ROLE_ARN: arnOf('Pruning/Role'),
      SCHEDULE_GROUP: resource('Sync/Group').Properties.Name,
      DELIVERY_QUEUE_ARN: arnOf('Sync/UndeliveredQueue'),
    });
  });

  it('may keep schedules in the one group, and hand the role to them', () => {
    const statements = statementsOf(idOf(`${path}Role`));
    const schedules = statements.find(({ Action }) => textsIn(Action).includes('scheduler:GetSchedule'));
    expect(schedules.Action).toEqual([
      'scheduler:CreateSchedule',
      'scheduler:DeleteSchedule',
      'scheduler:GetSchedule',
      'scheduler:UpdateSchedule',
    ]);
    expect(textsIn(schedules.Resource).slice(-3)).toEqual([':schedule/', 'AWS::StackName', '/*']);
    const roles = textsIn(statements.find(({ Action }) => Action === 'iam:PassRole').Resource);
    expect(roles).toContain(idOf('Pruning/Role'));
    expect(roles.includes(idOf('Sync/Role'))).toBe(path === 'Manage');
  });
});

describe('other rights', () => {
  const s3Of = (path: string) =>
    statementsOf(idOf(`${path}Role`)).filter(({ Action }) =>
      textsIn(Action).some((action) => action.startsWith('s3:')),
    );

  it('manage reads what runs leave and keeps what is in use, and has nothing to do with registries', () => {
    const ofRuns = s3Of('Manage').filter((statement) => JSON.stringify(statement).includes('runs/'));
    const below = (folder: string) => ({ 'Fn::Join': ['', [arnOf('Bucket'), folder]] });
    expect(ofRuns).toEqual([
      { Action: 's3:GetObject', Effect: 'Allow', Resource: below('/runs/*') },
      {
        Action: 's3:ListBucket',
        Condition: { StringLikeIfExists: { 's3:prefix': 'runs/*' } },
        Effect: 'Allow',
        Resource: arnOf('Bucket'),
      },
      { Action: ['s3:DeleteObject', 's3:PutObject'], Effect: 'Allow', Resource: below('/runs/*/in-use/*') },
    ]);
    expect(JSON.stringify(s3Of('Manage'))).not.toContain('registry');
  });

  it('watch keeps pruners, finds their names and only lists registries', () => {
    expect(s3Of('Watch')).toEqual(
      [
        ['registry', 'docker/registry/v2/*'],
        ['mirror.example.com', 'prod/eu/docker/registry/v2/*'],
      ].map(([bucket, below]) => ({
        Action: 's3:ListBucket',
        Condition: { StringLike: { 's3:prefix': below } },
        Effect: 'Allow',
        Resource: inPartition(`:s3:::${bucket}`),
      })),
    );
    const statements = statementsOf(idOf('WatchRole'));
    expect(statements).toContainEqual({
      Action: 'dynamodb:Query',
      Condition: leadingKeys('PRUNERS'),
      Effect: 'Allow',
      Resource: { 'Fn::Join': ['', [arnOf('Table'), '/index/gsi1']] },
    });
    expect(statements).toContainEqual({
      Action: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
      Condition: leadingKeys('PRUNER#*'),
      Effect: 'Allow',
      Resource: arnOf('Table'),
    });
  });

  it.each(ofType('AWS::IAM::Role'))('$id has no wildcard action, resource or managed policy', (role) => {
    const statements = statementsOf(role.id);
    expect(textsIn(statements.map(({ Action }) => Action)).filter((action) => action.includes('*'))).toEqual(
      [],
    );
    expect(textsIn(statements.map(({ Resource }) => Resource))).not.toContain('*');
    expect(role.properties.ManagedPolicyArns).toBeUndefined();
  });
});

it('leaves cdk-nag nothing to say', () => {
  expect(template.violations).toEqual([]);
});

it('outputs the role that other accounts and keys must trust', () => {
  expect(template.output('PrunerRoleArn')).toEqual(arnOf(`${JOB}Role`));
});

function sorted(statement: object): object {
  return Object.fromEntries(Object.entries(statement).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function sortedTexts(value: unknown): readonly string[] {
  return textsIn(value).toSorted();
}
