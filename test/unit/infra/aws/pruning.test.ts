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
const FOLDERS = [
  ['registry', 'docker/registry/v2/*'],
  ['mirror.example.com', 'prod/eu/docker/registry/v2/*'],
] as const;

function variablesOf(path: string): Record<string, unknown> {
  return resource(path).Properties.Environment.Variables as Record<string, unknown>;
}

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

  // cairn-stack-rights.test.ts has all rights of the roles, for one bucket.
  it('reaches the storage folder of each granted registry', () => {
    const places = textsIn(statementsOf(idOf(`${JOB}Role`))).filter((text) =>
      text.endsWith('/registry/v2/*'),
    );
    expect(new Set(places)).toEqual(
      new Set([
        ...FOLDERS.map(([, folder]) => folder),
        ...FOLDERS.map(([bucket, folder]) => `:s3:::${bucket}/${folder}`),
      ]),
    );
  });

  it('is started by schedules that are made at run time', () => {
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
});

it('housekeeping only lists the storage folder of each registry', () => {
  const ofS3 = statementsOf(idOf('WatchRole')).filter(({ Action }) => textsIn(Action)[0]!.startsWith('s3:'));
  expect(ofS3).toEqual(
    FOLDERS.map(([bucket, folder]) => ({
      Action: 's3:ListBucket',
      Condition: { StringLike: { 's3:prefix': folder } },
      Effect: 'Allow',
      Resource: { 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, `:s3:::${bucket}`]] },
    })),
  );
});

it('leaves cdk-nag nothing to say', () => {
  expect(template.violations).toEqual([]);
});

it('outputs the role that other accounts and keys must trust', () => {
  expect(template.output('PrunerRoleArn')).toEqual(arnOf(`${JOB}Role`));
});
