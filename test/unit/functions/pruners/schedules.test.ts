import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type PrunerScheduleDefinition,
  type PrunerSchedules,
  schedulerPrunerSchedules,
} from '../../../../functions/pruners/schedules.ts';
import { type AwsStub, startAwsStub } from '../../../helpers/lambda/aws-stub.ts';
import { type HeldSchedules, heldSchedules } from '../../../helpers/lambda/held-schedules.ts';
import { definition } from '../../../helpers/prune/schedules.ts';

const TARGET = {
  functionArn: 'arn:aws:lambda:us-east-1:1:function:run-pruner',
  roleArn: 'arn:aws:iam::1:role/scheduler',
  group: 'cairn',
  deliveryQueueArn: 'arn:aws:sqs:us-east-1:1:undelivered',
};
const NOW = Date.parse('2026-01-01T00:00:00.000Z');
const CONFLICT = { status: 409, body: { __type: 'ConflictException', Message: 'busy' } };

let stub: AwsStub;
let held: HeldSchedules;
let client: SchedulerClient;
let schedules: PrunerSchedules;

beforeEach(async () => {
  stub = await startAwsStub();
  held = heldSchedules(TARGET.group);
  stub.answerBy(held.reply);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  client = new SchedulerClient({ endpoint: stub.url, region: 'us-east-1', credentials, maxAttempts: 1 });
  schedules = schedulerPrunerSchedules(client, TARGET, () => NOW);
});
afterEach(async () => {
  client.destroy();
  await stub.close();
});

function expressions(): Record<string, unknown> {
  return Object.fromEntries(
    [...held.byName].map(([name, { ScheduleExpression }]) => [name, ScheduleExpression]),
  );
}

function calls(): string[] {
  return stub.calls.map(
    ({ method, path }) => `${method} ${path.slice('/schedules/'.length).replace(/\?.*/, '')}`,
  );
}

describe('put', () => {
  it('creates a schedule with all that the run needs', async () => {
    await schedules.put('cluster', definition('0 0 * * *', { timeZone: 'Europe/Berlin' }));
    expect([...held.byName.keys()]).toEqual(['pruner-cluster']);
    const { ClientToken, ...sent } = held.byName.get('pruner-cluster')!;
    expect(ClientToken).toMatch(/./);
    expect(sent).toEqual({
      GroupName: 'cairn',
      Description: 'image pruner cluster: 0 0 * * *',
      ScheduleExpression: 'cron(0 0 * * ? *)',
      ScheduleExpressionTimezone: 'Europe/Berlin',
      State: 'ENABLED',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: TARGET.functionArn,
        RoleArn: TARGET.roleArn,
        Input:
          '{"pruner":"cluster","scheduledTime":"<aws.scheduler.scheduled-time>","trigger":"schedule",' +
          '"executionId":"<aws.scheduler.execution-id>","attempt":"<aws.scheduler.attempt-number>"}',
        DeadLetterConfig: { Arn: TARGET.deliveryQueueArn },
        RetryPolicy: { MaximumRetryAttempts: 3, MaximumEventAgeInSeconds: 3600 },
      },
    });
  });

  it('updates one that is there, with everything again', async () => {
    await schedules.put('cluster', definition('0 0 * * *'));
    const { ClientToken: _first, ...created } = held.byName.get('pruner-cluster')!;
    stub.calls.length = 0;
    await schedules.put('cluster', definition('0 0 * * *', { suspend: true }));
    expect(calls()).toEqual(['PUT pruner-cluster', 'DELETE pruner-cluster_dow']);
    const { ClientToken: _second, ...updated } = held.byName.get('pruner-cluster')!;
    expect(updated).toEqual({ ...created, State: 'DISABLED' });
  });

  it('makes two of dates and weekdays, and one again', async () => {
    await schedules.put('cluster', definition('0 0 1,15 * 5', { timeZone: 'Europe/Berlin', suspend: true }));
    expect(expressions()).toEqual({
      'pruner-cluster': 'cron(0 0 1,15 * ? *)',
      'pruner-cluster_dow': 'cron(0 0 ? * FRI *)',
    });
    const [first, second] = [...held.byName.values()];
    const same = ['State', 'ScheduleExpressionTimezone', 'Target', 'FlexibleTimeWindow'];
    for (const part of same) expect(second![part], part).toEqual(first![part]);
    await schedules.put('cluster', definition('0 0 * * 5'));
    expect(expressions()).toEqual({ 'pruner-cluster': 'cron(0 0 ? * FRI *)' });
  });

  it('does not leave an interval alone that a clock 30 days ahead let begin', async () => {
    const every = definition('@every 90m');
    const ahead = schedulerPrunerSchedules(client, TARGET, () => NOW + 30 * 24 * 3600_000);
    await ahead.put('cluster', every);
    expect(await schedules.holds('cluster', every)).toBe(false);
    await schedules.put('cluster', every);
    expect(await schedules.holds('cluster', every)).toBe(true);
  });

  it('lets an interval begin with its first time, as a rate would otherwise fire at once', async () => {
    await schedules.put('cluster', definition('@every 90m'));
    expect(held.byName.get('pruner-cluster')).toMatchObject({
      ScheduleExpression: 'rate(90 minutes)',
      StartDate: (NOW + 90 * 60_000) / 1000,
    });
    await schedules.put('cluster', definition('@daily'));
    expect(held.byName.get('pruner-cluster')).not.toHaveProperty('StartDate');
  });

  it.each([
    [1, 60],
    [60, 60],
    [61, 61],
    [86_400, 86_400],
    [1_000_000, 86_400],
  ])(
    'delivers within the starting deadline of %i s as far as EventBridge can: %i s',
    async (deadline, age) => {
      await schedules.put('cluster', definition('@daily', { startingDeadlineSeconds: deadline }));
      expect(held.byName.get('pruner-cluster')).toMatchObject({
        Target: { RetryPolicy: { MaximumEventAgeInSeconds: age } },
      });
    },
  );

  it('takes the one that another has created in between', async () => {
    let isFirst = true;
    stub.answerBy((call) => {
      if (call.method === 'POST' && isFirst) {
        isFirst = false;
        held.reply({ ...call, body: { ...call.body, State: 'DISABLED' } });
      }
      return held.reply(call);
    });
    await schedules.put('cluster', definition('@daily'));
    expect(calls().slice(0, 3)).toEqual(['PUT pruner-cluster', 'POST pruner-cluster', 'PUT pruner-cluster']);
    expect(held.byName.get('pruner-cluster')).toMatchObject({ State: 'ENABLED' });
  });

  it('gives up after three conflicts', async () => {
    stub.answerBy(() => CONFLICT);
    await expect(schedules.put('cluster', definition('@daily'))).rejects.toThrow('busy');
    expect(calls()).toHaveLength(3);
  });

  it.each([
    [{ status: 400, body: { __type: 'ValidationException', Message: 'no such zone' } }, 'no such zone', 1],
    [{ status: 404, body: { __type: 'ResourceNotFoundException', Message: 'no group' } }, 'no group', 2],
  ])('does not hide another error: %j', async (answer, message, count) => {
    stub.answerBy(() => answer);
    await expect(schedules.put('cluster', definition('@daily'))).rejects.toThrow(message);
    expect(calls()).toHaveLength(count);
  });
});

describe('the names', () => {
  const LONGEST = 'a'.repeat(53);
  const names = [
    'a',
    'a-dow',
    'a.b',
    LONGEST,
    `${LONGEST}a`,
    `${LONGEST}b`,
    'a_dow',
    'A',
    'ä/b',
    `pruner-${'x'.repeat(300)}`,
  ];

  it('are distinct and as EventBridge takes them', async () => {
    for (const name of names) await schedules.put(name, definition('0 0 1 * 1'));
    expect(held.byName.size).toBe(2 * names.length);
    for (const name of held.byName.keys()) expect(name).toMatch(/^[0-9a-zA-Z-_.]{1,64}$/);
    expect([...held.byName.keys()].slice(0, 4)).toEqual([
      'pruner-a',
      'pruner-a_dow',
      'pruner-a-dow',
      'pruner-a-dow_dow',
    ]);
    for (const name of names) await schedules.remove(name);
    expect(held.byName.size).toBe(0);
  });
});

describe('remove', () => {
  it('removes both, and nothing of another pruner', async () => {
    await schedules.put('one', definition('0 0 1 * 1'));
    await schedules.put('two', definition('@daily'));
    await schedules.remove('one');
    expect(expressions()).toEqual({ 'pruner-two': 'cron(0 0 * * ? *)' });
  });

  it('succeeds without a schedule', async () => {
    await expect(schedules.remove('one')).resolves.toBeUndefined();
  });

  it('does not hide another error', async () => {
    stub.answer(403, { __type: 'AccessDeniedException', Message: 'not allowed' });
    await expect(schedules.remove('one')).rejects.toThrow('not allowed');
  });
});

describe('holds', () => {
  it.each(['@daily', '0 0 1,15 * 5', '@every 90m'])('knows %s as it was put', async (text) => {
    expect(await schedules.holds('cluster', definition(text))).toBe(false);
    await schedules.put('cluster', definition(text, { startingDeadlineSeconds: 5 }));
    expect(await schedules.holds('cluster', definition(text, { startingDeadlineSeconds: 5 }))).toBe(true);
    const later = schedulerPrunerSchedules(client, TARGET, () => NOW + 1e9);
    expect(await later.holds('cluster', definition(text, { startingDeadlineSeconds: 5 }))).toBe(true);
  });

  it.each<[string, Partial<PrunerScheduleDefinition>]>([
    ['0 1 * * *', {}],
    ['0 0 1 * 1', {}],
    ['@daily', { timeZone: 'Europe/Berlin' }],
    ['@daily', { suspend: true }],
    ['@daily', { startingDeadlineSeconds: 7200 }],
  ])('sees that another definition is wanted: %s %j', async (text, others) => {
    await schedules.put('cluster', definition('@daily'));
    expect(await schedules.holds('cluster', definition(text, others))).toBe(false);
  });

  it.each<[string, Record<string, unknown>]>([
    ['an end', { EndDate: NOW / 1000 }],
    ['a window', { FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 60 } }],
    [
      'another function',
      { Target: { Arn: 'arn:aws:lambda:us-east-1:1:function:other', RoleArn: TARGET.roleArn } },
    ],
  ])('detects %s from another writer, which put repairs', async (_, change) => {
    await schedules.put('cluster', definition('@daily'));
    held.byName.set('pruner-cluster', { ...held.byName.get('pruner-cluster'), ...change });
    expect(await schedules.holds('cluster', definition('@daily'))).toBe(false);
    await schedules.put('cluster', definition('@daily'));
    expect(await schedules.holds('cluster', definition('@daily'))).toBe(true);
  });

  it('sees that one of two is gone, or that there is one too many', async () => {
    await schedules.put('cluster', definition('0 0 1 * 1'));
    const second = held.byName.get('pruner-cluster_dow')!;
    held.byName.delete('pruner-cluster_dow');
    expect(await schedules.holds('cluster', definition('0 0 1 * 1'))).toBe(false);
    expect(await schedules.holds('cluster', definition('0 0 1 * *'))).toBe(true);
    held.byName.set('pruner-cluster_dow', second);
    expect(await schedules.holds('cluster', definition('0 0 1 * *'))).toBe(false);
  });
});
