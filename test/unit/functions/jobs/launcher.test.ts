import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type PrunerLauncher,
  schedulerPrunerLauncher,
  schedulerSyncLauncher,
} from '../../../../functions/jobs/launcher.ts';
import { type AwsStub, startAwsStub } from '../../../helpers/lambda/aws-stub.ts';
import { type HeldSchedules, heldSchedules } from '../../../helpers/lambda/held-schedules.ts';

const TARGET = {
  functionArn: 'arn:aws:lambda:us-east-1:1:function:run-pruner',
  roleArn: 'arn:aws:iam::1:role/prune',
  group: 'cairn',
  deliveryQueueArn: 'arn:aws:sqs:us-east-1:1:undelivered',
};
const NOW = Date.parse('2026-01-01T00:00:00.250Z');
const LONG_NAME = 'a'.repeat(63);

let stub: AwsStub;
let held: HeldSchedules;
let client: SchedulerClient;
let launcher: PrunerLauncher;

beforeEach(async () => {
  stub = await startAwsStub();
  held = heldSchedules(TARGET.group);
  stub.answerBy(held.reply);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  client = new SchedulerClient({ endpoint: stub.url, region: 'us-east-1', credentials, maxAttempts: 1 });
  launcher = schedulerPrunerLauncher(client, TARGET);
});
afterEach(async () => {
  client.destroy();
  await stub.close();
});

function inputs(): unknown[] {
  return [...held.byName.values()].map(({ Target }) => JSON.parse((Target as { Input: string }).Input));
}

it('a sync is started once, in a few seconds', async () => {
  const slot = await schedulerSyncLauncher(client, TARGET).launchSync({ accept: ['a/b'], now: NOW });
  expect(slot).toBe('2026-01-01T00:00:06.000Z');
  const { ClientToken: _token, ...sent } = held.byName.get('sync-now-20260101000006')!;
  expect(sent).toEqual({
    GroupName: 'cairn',
    ScheduleExpression: 'at(2026-01-01T00:00:06)',
    FlexibleTimeWindow: { Mode: 'OFF' },
    ActionAfterCompletion: 'DELETE',
    Target: {
      Arn: TARGET.functionArn,
      RoleArn: TARGET.roleArn,
      Input: '{"scheduledTime":"2026-01-01T00:00:06.000Z","trigger":"manual","accept":["a/b"]}',
      DeadLetterConfig: { Arn: TARGET.deliveryQueueArn },
      RetryPolicy: { MaximumRetryAttempts: 3, MaximumEventAgeInSeconds: 300 },
    },
  });
});

describe('a manual run of a pruner', () => {
  it('is started once, with what it was asked for', async () => {
    const launch = { pruner: LONG_NAME, trigger: 'manual', dryRun: true, agree: 'abc' } as const;
    const slot = await launcher.launchPruner({ ...launch, now: NOW });
    expect(slot).toBe('2026-01-01T00:00:06.000Z');
    const [[name, schedule] = ['', {}]] = [...held.byName];
    expect(name).toMatch(/^prune-now-20260101000006-[0-9a-f]{16}$/);
    expect(schedule).toMatchObject({
      Description: `image pruner ${LONG_NAME}`,
      ScheduleExpression: 'at(2026-01-01T00:00:06)',
      ActionAfterCompletion: 'DELETE',
    });
    expect(inputs()).toEqual([{ ...launch, scheduledTime: slot }]);
  });

  it('has its own slot when others start the same one in the same second', async () => {
    const launch = { pruner: 'cluster', trigger: 'manual', now: NOW } as const;
    const slots = [
      await launcher.launchPruner(launch),
      await launcher.launchPruner({ ...launch, dryRun: true }),
    ];
    expect(slots).toEqual(['2026-01-01T00:00:06.000Z', '2026-01-01T00:00:07.000Z']);
    expect(inputs()).toMatchObject([{ scheduledTime: slots[0] }, { scheduledTime: slots[1], dryRun: true }]);
    expect(await launcher.launchPruner({ ...launch, pruner: 'other' })).toBe(slots[0]);
  });

  it('is given up when that goes on and on', async () => {
    stub.answer(409, { __type: 'ConflictException', Message: 'busy' });
    const launch = { pruner: 'cluster', trigger: 'manual', now: NOW } as const;
    await expect(launcher.launchPruner(launch)).rejects.toThrow('cluster is being started again and again');
    expect(stub.calls).toHaveLength(5);
  });
});

describe('a run that was cut', () => {
  const slot = '2025-12-31T00:00:00.000Z';
  const launch = { pruner: 'cluster', trigger: 'resume', slot, now: NOW } as const;

  it('goes on in a few seconds under the slot it has, and is not started twice', async () => {
    expect([await launcher.launchPruner(launch), await launcher.launchPruner(launch)]).toEqual([slot, slot]);
    expect(held.byName.size).toBe(1);
    const [[name, schedule] = ['', {}]] = [...held.byName];
    expect(name).toMatch(/^resume-20251231000000-[0-9a-f]{16}$/);
    expect(schedule).toMatchObject({ ScheduleExpression: 'at(2026-01-01T00:00:06)' });
    expect(inputs()).toEqual([{ pruner: 'cluster', trigger: 'resume', scheduledTime: slot }]);
  });

  it('reports other errors', async () => {
    stub.answer(403, { __type: 'AccessDeniedException', Message: 'no' });
    await expect(launcher.launchPruner(launch)).rejects.toThrow('no');
  });
});
