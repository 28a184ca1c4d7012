import { normalizeGraph } from '@cairn/shared/graph/normalize';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Cincinnati,
  createCincinnati,
  type FetchResult,
} from '../../../../functions/outbound/cincinnati.ts';
import type { FetchLimits } from '../../../../functions/outbound/limits.ts';
import type { HostileCase } from '../../../helpers/upstream/hostile-case.ts';
import {
  hostileCases,
  type HostileUpstream,
  startHostileUpstream,
} from '../../../helpers/upstream/hostile-upstream.ts';

const MIB = 1024 * 1024;
const NO_WAIT: Partial<FetchLimits> = { backoffBaseMs: 5, backoffCapMs: 20 };
// Only where time runs out on purpose: elsewhere a busy machine would make good answers late.
const IMPATIENT: Partial<FetchLimits> = { ...NO_WAIT, idleMs: 500, totalMs: 2_000 };
const RETRIED: ReadonlySet<string> = new Set(['Truncated', 'ConnectionLost', 'ConnectFailed']);

const caught = hostileCases.filter(({ code }) => code !== undefined);
const letThrough = hostileCases.filter(({ code }) => code === undefined);
const timed = new Set(caught.filter(({ code }) => code === 'TimedOut').map(({ name }) => name));

let upstream: HostileUpstream;
beforeAll(async () => {
  upstream = await startHostileUpstream();
});
afterAll(() => upstream.close());

async function meet<T>(name: string, use: (client: Cincinnati) => Promise<T>): Promise<T> {
  const limits = timed.has(name) ? IMPATIENT : NO_WAIT;
  const client = createCincinnati({ version: '1.2.3', limits, ...upstream.options(name) });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

test('every one of the 35 bodies has a case, and names are unique', () => {
  expect(new Set(hostileCases.map(({ id }) => id))).toEqual(
    new Set(Array.from({ length: 35 }, (_, i) => i + 1)),
  );
  expect(new Set(hostileCases.map(({ name }) => name)).size).toBe(hostileCases.length);
  expect(caught.every(({ expect }) => expect === 'refused')).toBe(true);
});

describe('bodies that the fetch refuses', () => {
  test.each(caught)('$name is $code', async ({ name, code, tls, addresses }) => {
    const before = upstream.visits(name);
    const result = await meet(name, (client) => client.fetchGraph('stable-4.12', 'amd64'));
    expect(result).toMatchObject({ ok: false, code });
    const isRetried = RETRIED.has(code!) || name === '05-error-as-500';
    expect(result.attempts).toBe(isRetried ? 3 : 1);
    // A refused certificate or address means that no request was ever sent.
    const isSent = tls === undefined && addresses === undefined;
    expect(upstream.visits(name) - before).toBe(isSent ? result.attempts : 0);
  });

  test('no redirect was followed', () => {
    expect(upstream.visits('14-redirect-to-loopback')).toBeGreaterThan(0);
    expect(upstream.trapped()).toBe(0);
  });
});

describe('bodies that the fetch lets through', () => {
  test.each(letThrough)('$name is $expect', async ({ name, expect: expected }) => {
    const result = await meet(name, (client) => client.fetchGraph('stable-4.12', 'amd64'));
    expect(result).toMatchObject({ ok: true, attempts: 1 });
    expect(verdictOf(result)).toBe(withoutState(expected));
  });

  test('a changed body counts, whatever its ETag says', async () => {
    await meet('30-same-etag-other-body', async (client) => {
      const first = await client.fetchGraph('stable-4.12', 'amd64');
      const second = await client.fetchGraph('stable-4.12', 'amd64');
      expect(first).toMatchObject({ ok: true });
      expect(second).not.toEqual(first);
    });
  });
});

/** What can be said of an answer alone; whether it is held back depends on the one before. */
function verdictOf(result: FetchResult): HostileCase['expect'] {
  if (!result.ok) return 'refused';
  const normalized = normalizeGraph(result.answer, { arch: 'amd64', payloadHosts: ['quay.io'] });
  if (!normalized.ok) return 'refused';
  return Object.keys(normalized.report).length > 0 ? 'repaired' : 'accepted';
}

function withoutState(expected: HostileCase['expect']): HostileCase['expect'] {
  return expected === 'held' ? 'accepted' : expected;
}

describe('cost', () => {
  const costly = caught.filter(({ id }) => [9, 10, 16].includes(id));

  test.each(costly)('$name leaves memory flat', async ({ name }) => {
    // The stub lives in the same process, so its body is made before the measurement begins.
    await meet(name, (client) => client.fetchGraph('stable-4.12', 'amd64'));
    const start = process.memoryUsage.rss();
    let peak = start;
    const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 2);
    await meet(name, async (client) => {
      await Promise.all(Array.from({ length: 8 }, () => client.fetchGraph('stable-4.12', 'amd64')));
    });
    clearInterval(sampler);
    expect((peak - start) / MIB).toBeLessThan(128);
  });

  test('no socket outlives its client', async () => {
    const sockets = (): number =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap' || kind === 'TLSWrap')
        .length;
    await expect.poll(sockets).toBe(0);
    for (const name of ['baseline', '09-never-ending-spaces', '32-certificate-expired', '14-redirect-loop']) {
      await meet(name, (client) => client.fetchGraph('stable-4.12', 'amd64'));
    }
    await expect.poll(sockets).toBe(0);
  });
});
