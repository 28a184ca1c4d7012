import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClusterSummary, SettingsAnswer } from '../../../../../functions/console/data/responses.ts';
import {
  changeTarget,
  goalOf,
  planAddress,
  type HeldSettings,
} from '../../../../../functions/console/fleet/cluster-target.tsx';
import { aLine } from './lines.ts';

describe('a target that is changed', () => {
  const fetch = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();
  beforeEach(() => {
    const answer = { target: '4.16' };
    fetch.mockReset().mockImplementation(async () => Response.json(answer, { headers: { etag: '"2"' } }));
    vi.stubGlobal('fetch', fetch);
    vi.stubGlobal('sessionStorage', { getItem: () => null });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const others = { accept_risk: ['Slow'], strategy: 'rolling' } as const satisfies SettingsAnswer;
  const sent = { acceptRisks: ['Slow'], strategy: 'rolling' };
  it.each<[string, HeldSettings, target: string | null, body: object, condition: object]>([
    ['the first', { settings: {}, tag: '"0"' }, '4.16', { target: '4.16' }, { 'if-match': '"0"' }],
    [
      'another',
      { settings: { ...others, target: '4.15' }, tag: '"1"' },
      'latest',
      { ...sent, target: 'latest' },
      { 'if-match': '"1"' },
    ],
    ['none', { settings: { ...others, target: '4.15' }, tag: '"1"' }, null, sent, { 'if-match': '"1"' }],
  ])('to %s leaves all else as it was read', async (_, held, target, body, condition) => {
    expect(await changeTarget('a/b', held, target)).toEqual({ settings: { target: '4.16' }, tag: '"2"' });
    const [path, init] = fetch.mock.calls[0]!;
    expect(path).toBe('/v1/clusters/a%2Fb/settings');
    expect(init.method).toBe('PUT');
    expect(JSON.parse(init.body as string)).toEqual(body);
    expect(init.headers).toMatchObject({ 'content-type': 'application/json', ...condition });
  });
});

it.each<[string, Partial<ClusterSummary>, SettingsAnswer, query: string]>([
  ['nothing was said', { target: '4.15.7' }, {}, '?target=4.15.7'],
  ['nobody has looked at it', { target: null }, {}, '?channel=stable-4.14'],
  ['nothing is known', { target: null, channel: null }, {}, ''],
  // The list may not have caught up with it yet.
  ['a target was chosen', { target: '4.15.7', channel: 'stable-4.15' }, { target: '4.16' }, '?target=4.16'],
  [
    'all was said',
    {},
    {
      target: '4.16',
      channel: ['eus-4.16', 'stable-4.16'],
      accept_risk: ['A', 'B'],
      accept: ['PoolsReady'],
      policy: 'n-2',
      strategy: 'control-plane-only',
    },
    '?target=4.16&channel=eus-4.16%2Cstable-4.16&accept_risk=A%2CB&accept=PoolsReady&policy=n-2&strategy=control-plane-only',
  ],
])('asks for the plan that the list is about when %s', (_, changes, settings, query) => {
  expect(planAddress(aLine(changes), settings)).toBe(`/v1/clusters/prod/upgrade-plan${query}`);
});

it.each([
  // By its own channel where that leads there.
  ['4.16.9', 'eus-4.16', '4.16.9', 'eus-4.16'],
  ['4.15.7', 'stable-4.14', '4.15.7', ''],
  ['4.15.7', null, '4.15.7', ''],
  ['4.15.7', 'own-channel', '4.15.7', ''],
  // Not looked at yet: to the newest of its channel, as plans are made when nothing is said.
  [null, 'stable-4.14', '', 'stable-4.14'],
  [null, null, '', ''],
])('to %s in %s', (target, channel, to, by) => {
  expect(goalOf({ target, channel })).toEqual({ to, channel: by });
});
