import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { configPairs } from '@cairn/shared/releases/sources';
import { describe, expect, it } from 'vitest';
import { readScript } from '../../../functions/command-line/script.ts';
import { givenOf, mistakesOf } from '../../helpers/cli/scripts.ts';
import { authorizationOf } from '../../helpers/table/signature.ts';
import { isRecordedDataPresent } from '../../helpers/upstream/recorded-data.ts';
import { canMeasure, channelSets, followAll } from './channel-set.ts';
import { findingsTable, isFarFromGoal, verdictOf } from './findings-table.ts';
import { cpuCostOf, medianRatio, smallestCosts } from './interleave.ts';
import type { Finding } from './row.ts';
import { benchScript } from './run.ts';

describe('interleaved runs', () => {
  it('take turns, and the smallest of each side counts', async () => {
    const order: string[] = [];
    const side = (name: string, costs: number[]) => async () => {
      order.push(name);
      return costs.shift()!;
    };
    const costs = await smallestCosts({ a: side('a', [3, 1, 2]), b: side('b', [9, 8, 7]) }, 3);
    expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
    expect(costs).toEqual({ a: 1, b: 7 });
  });

  it.each([
    { rounds: 3, measured: [2, 30, 9], against: [1, 10, 9], ratio: 2 },
    { rounds: 2, measured: [1, 3], against: [1, 1], ratio: 2 },
  ])('begin with each side in turn, and the median of $rounds rounds counts', async (costs) => {
    const order: string[] = [];
    const side = (name: string, ofRounds: number[]) => async () => {
      order.push(name);
      return ofRounds.shift()!;
    };
    const [a, b] = [side('a', [...costs.measured]), side('b', [...costs.against])];
    expect(await medianRatio(a, b, costs.rounds)).toBe(costs.ratio);
    expect(order).toEqual(['a', 'b', 'b', 'a', 'a', 'b'].slice(0, 2 * costs.rounds));
  });

  it('cost the CPU time of the work', () => {
    const work = () => {
      const before = process.cpuUsage();
      while (process.cpuUsage(before).user < 5000);
    };
    expect(cpuCostOf(work)).toBeGreaterThanOrEqual(5000);
  });
});

describe('findings', () => {
  it.each([
    { measured: 3.99, goal: 4, verdict: 'held', isFar: false },
    { measured: 4, goal: 4, verdict: 'held', isFar: false },
    { measured: 4.01, goal: 4, verdict: 'not held', isFar: false },
    { measured: 4.59, goal: 4, verdict: 'not held', isFar: false },
    { measured: 4.61, goal: 4, verdict: 'not held', isFar: true },
    { measured: 1000, goal: undefined, verdict: '', isFar: false },
  ])('$measured with the goal $goal is "$verdict"', ({ measured, goal, verdict, isFar }) => {
    const finding: Finding = { what: 'x', measured, unit: '×', ...(goal !== undefined && { goal }) };
    expect(verdictOf(finding)).toBe(verdict);
    expect(isFarFromGoal(finding)).toBe(isFar);
  });

  it('become a table', () => {
    const table = findingsTable([
      { what: 'check / parse', measured: 2.156, unit: '×', goal: 4 },
      { what: 'writes', measured: 3, unit: 'calls', goal: 2 },
      { what: 'growth', measured: 9.6, unit: 'MB' },
    ]);
    expect(table.split('\n')).toEqual([
      'ROW            MEASURED  GOAL       RESULT',
      'check / parse  2.16 ×    ≤ 4 ×      held',
      'writes         3 calls   ≤ 2 calls  not held',
      'growth         10 MB',
      '',
    ]);
  });
});

describe('flags', () => {
  const script = benchScript(['graph check, demo', 'unchanged sync, demo']);

  it('choose rows by their name', () => {
    const given = givenOf(script, ['--only', 'graph', '--gate']);
    expect([given.text('only'), given.isSet('gate')]).toEqual(['graph', true]);
    expect(mistakesOf(script, ['--only', 'cold'])).toEqual([
      'no row has "cold" in its name, there are: graph check, demo; unchanged sync, demo',
    ]);
  });

  it('the help names every row', () => {
    expect(readScript(script, ['--help'])).toMatchObject({
      kind: 'help',
      help: expect.stringContaining('Rows:\n  graph check, demo\n  unchanged sync, demo\n') as string,
    });
  });
});

if (!isRecordedDataPresent)
  console.log('recorded graphs are not at ../shared/data: tests with them are skipped');

describe.each(channelSets.filter(({ name }) => canMeasure(name)))('the $name channels', (channels) => {
  it('can all be followed', () => {
    const followed = configPairs(followAll(channels)).map(({ channel, arch }) => `${channel}/${arch}`);
    const wanted = channels.pairs.map(({ channel, arch }) => `${channel}/${arch}`);
    expect(followed.toSorted()).toEqual(wanted.toSorted());
  });

  it('have an answer each', () => {
    const [pair] = channels.pairs;
    expect(JSON.parse(channels.answer(pair!))).toMatchObject({ nodes: expect.any(Array) });
  });
});

describe('the hand-made signature', () => {
  it('is the one that the SDK makes', async () => {
    const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'token' };
    interface Sent {
      readonly method: string;
      readonly path: string;
      readonly headers: Record<string, string>;
      readonly body: string;
    }
    let sent: Sent | undefined;
    const client = new DynamoDBClient({
      region: 'eu-west-1',
      endpoint: 'http://127.0.0.1:1',
      credentials: { ...credentials },
      maxAttempts: 1,
      requestHandler: {
        handle(request: Sent) {
          sent = request;
          return Promise.reject(new Error('not sent'));
        },
      },
    });
    const read = new GetItemCommand({ TableName: 'cairn', Key: { pk: { S: 'a' } } });
    await expect(client.send(read)).rejects.toThrow('not sent');

    const { authorization = '', ...headers } = sent!.headers;
    const names = /SignedHeaders=([^,]+)/.exec(authorization)![1]!.split(';');
    const signed = Object.fromEntries(names.map((name) => [name, headers[name]!]));
    const made = authorizationOf(
      { method: sent!.method, path: sent!.path, headers: signed, body: sent!.body },
      { ...credentials, region: 'eu-west-1', service: 'dynamodb', date: headers['x-amz-date']! },
    );
    expect(made).toBe(authorization);
  });
});
