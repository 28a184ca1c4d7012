import { mayGoAway } from '@cairn/shared/cluster/api-use';
import type { ApiUseFacts } from '@cairn/shared/cluster/facts';
import { describe, expect, it } from 'vitest';
import { readDocuments } from '../../../helpers/cluster/cluster-documents.ts';
import { type Json, listOf, requestCount } from '../../../helpers/cluster/objects.ts';

const REMOVED = 'ingresses.v1beta1.extensions';
const ACCOUNT = 'system:serviceaccount:shop:builder';

function useIn(
  objects: readonly Json[],
  options: { readonly usernames?: boolean; readonly collectedAt?: string } = {},
): readonly ApiUseFacts[] {
  const isRemovedApi = (name: string) => name === REMOVED;
  const reading = readDocuments(JSON.stringify(listOf(...objects)), { isRemovedApi, ...options });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.facts.apiUse!;
}

function user(
  username: string,
  requests: number,
  verbs: readonly string[] = ['get'],
  userAgent = 'agent',
): Json {
  return {
    username,
    userAgent,
    requestCount: requests,
    byVerb: verbs.map((verb) => ({ verb, requestCount: 1 })),
  };
}

function hour(requests: number, ...nodes: readonly Json[][]): Json {
  return { requestCount: requests, byNode: nodes.map((byUser, at) => ({ nodeName: `n${at}`, byUser })) };
}

/** Hours by their number; the others are empty. */
function hours(used: Readonly<Record<number, Json>>): Json[] {
  return Array.from({ length: 24 }, (_, at) => used[at] ?? { requestCount: 0 });
}

describe('the use of APIs', () => {
  it('is kept for APIs that will be removed, by their own record or by the table', () => {
    const all = useIn([
      requestCount(REMOVED, { requestCount: 5 }),
      requestCount('cronjobs.v1beta1.batch', { removedInRelease: '1.25', requestCount: 0 }),
      requestCount('pods.v1', { requestCount: 1000 }),
      requestCount('empty.v1', { removedInRelease: '' }),
    ]);
    expect(all).toEqual([
      { name: 'cronjobs.v1beta1.batch', removedInRelease: '1.25', requests: 0, users: [] },
      { name: REMOVED, removedInRelease: null, requests: 5, users: [] },
    ]);
    expect(useIn([requestCount('pods.v1')])).toEqual([]);
  });

  it('is summed over hours and nodes', () => {
    const last24h = hours({
      3: hour(30, [user(ACCOUNT, 10, ['list', 'get']), user('system:apiserver', 1)], [user(ACCOUNT, 5)]),
      9: hour(12, [user(ACCOUNT, 7, ['watch']), user(ACCOUNT, 1, ['get'], 'other')]),
    });
    expect(useIn([requestCount(REMOVED, { last24h, currentHour: last24h[9], requestCount: 99 })])).toEqual([
      {
        name: REMOVED,
        removedInRelease: null,
        requests: 42,
        users: [
          {
            username: ACCOUNT,
            userAgent: 'agent',
            requests: 22,
            verbs: ['get', 'list', 'watch'],
            lastHour: 9,
          },
          { username: 'system:apiserver', userAgent: 'agent', requests: 1, verbs: ['get'], lastHour: 3 },
          { username: ACCOUNT, userAgent: 'other', requests: 1, verbs: ['get'], lastHour: 9 },
        ],
      },
    ]);
  });

  it('has the users of the current hour if the day is missing', () => {
    const status = { currentHour: hour(3, [user(ACCOUNT, 3)]), requestCount: 40 };
    expect(useIn([requestCount(REMOVED, status)])).toMatchObject([
      { requests: 40, users: [{ requests: 3, lastHour: null }] },
    ]);
  });

  it.each<[string, Json, string | undefined, number]>([
    ['by the time of collection', {}, '2026-06-01T05:30:00Z', 4],
    ['by that time, in another zone', {}, '2026-06-01T05:30:00+02:00', 2],
    ['by the hour that is told apart', { currentHour: hour(7) }, undefined, 4],
    [
      'as the last of the day, when the hour told apart was without use',
      { currentHour: hour(0) },
      undefined,
      20,
    ],
    ['as the last of the day, when nothing tells it', {}, undefined, 20],
  ])('was last seen in an hour %s', (_title, status, collectedAt, lastHour) => {
    const used = (requests: number) => hour(requests, [user(ACCOUNT, requests)]);
    const last24h = hours({ 2: used(5), 4: used(7), 20: used(9) });
    const options = collectedAt === undefined ? {} : { collectedAt };
    const [api] = useIn([requestCount(REMOVED, { last24h, ...status })], options);
    expect(api!.users).toMatchObject([{ requests: 21, lastHour }]);
  });

  it('distinguishes people only on request', () => {
    const last24h = hours({
      1: hour(9, [user('alice', 4, ['get'], 'oc/4.14'), user('kube:admin', 3, ['list'], 'kubectl/1.27')]),
      2: hour(9, [user('alice', 1, ['get'], 'oc/4.14'), user(ACCOUNT, 1), user('system:node:a', 1)]),
    });
    const objects = [requestCount(REMOVED, { last24h })];
    const usersOf = (usernames: boolean) =>
      useIn(objects, { usernames })[0]!.users.map(({ username, userAgent, requests }) => [
        username,
        userAgent,
        requests,
      ]);
    expect(usersOf(false)).toEqual([
      ['a user', '', 8],
      ['system:node:a', 'agent', 1],
      [ACCOUNT, 'agent', 1],
    ]);
    expect(usersOf(true)).toEqual([
      ['alice', 'oc/4.14', 5],
      ['kube:admin', 'kubectl/1.27', 3],
      ['system:node:a', 'agent', 1],
      [ACCOUNT, 'agent', 1],
    ]);
    expect(useIn(objects)).toEqual(useIn(objects, { usernames: false }));
    expect(JSON.stringify(useIn(objects))).not.toContain('alice');
  });

  it('shows what people use when they all use the same', () => {
    const last24h = hours({ 1: hour(2, [user('alice', 1, ['get'], 'oc'), user('bob', 1, ['list'], 'oc')]) });
    expect(useIn([requestCount(REMOVED, { last24h })])[0]!.users).toEqual([
      { username: 'a user', userAgent: 'oc', requests: 2, verbs: ['get', 'list'], lastHour: 1 },
    ]);
  });
});

describe('mayGoAway', () => {
  it.each([
    ['{"metadata":{"name":"pods.v1"},"status":{}}', false],
    ['{"metadata":{"name" :\n "wanted"}}', true],
    ['{"metadata":{"name":"pods.v1","note":"wanted"}}', false],
    ['{"metadata":{"name":"pods.v1"},"status":{"removedInRelease":"1.30"}}', true],
    ['{"metadata":{"name":"p\\u006fds.v1"}}', true],
    ['{"metadata":{"n\\u0061me":"wanted"},"a":{"name":"b"}}', true],
    ['{"metadata":{}}', true],
    ['{"a":{"name":"x"},"metadata":{"name":"wanted"}}', true],
  ])('%s: %s', (text, expected) => {
    expect(mayGoAway(text, (name) => name === 'wanted')).toBe(expected);
  });
});
