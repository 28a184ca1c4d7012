import { setTimeout as delay } from 'node:timers/promises';
import { normalizeGraph } from '@cairn/shared/graph/normalize';
import type { Arch } from '@cairn/shared/version/arch';
import { parseHostileJson } from '../../outbound/failures.ts';
import { FETCH_LIMITS, backoffMs } from '../../outbound/limits.ts';
import { readBody } from '../../outbound/response-body.ts';
import { notKnown } from '../../runtime/exit.ts';
import type { Host } from '../host.ts';
import { USER_AGENT } from './remote-service.ts';
import type { KnownGraph } from './saved-graphs.ts';
import { reasonOf, requestEach } from './service.ts';

/** Unknown channels are omitted. */
export async function fetchGraphs(
  url: URL,
  channels: readonly string[],
  arch: Arch,
  host: Host,
): Promise<readonly KnownGraph[]> {
  const at = new Date(host.clock()).toISOString();
  const graphs = await requestEach(channels, async (channel): Promise<readonly KnownGraph[]> => {
    const answer = await fetchGraph(url, channel, arch, host);
    const parsed = normalizeGraph(answer, { arch });
    if (!parsed.ok) throw notKnown(`${url.host} gives no graph of ${channel}: ${parsed.detail}`);
    if (parsed.graph.nodes.length === 0) return [];
    return [{ channel, arch, graph: parsed.graph, syncedAt: at, publishedAt: at, withdrawn: [] }];
  });
  return graphs.flat();
}

async function fetchGraph(url: URL, channel: string, arch: Arch, host: Host): Promise<unknown> {
  const asked = new URL(url);
  asked.searchParams.set('channel', channel);
  asked.searchParams.set('arch', arch);
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchOnce(asked, host);
    } catch (error) {
      const canRetry = !(error instanceof Refused);
      if (!canRetry || attempt === FETCH_LIMITS.attempts) {
        throw notKnown(`${url.host} gives no graph of ${channel} on ${arch}: ${reasonOf(error)}`);
      }
      await delay(backoffMs(attempt, FETCH_LIMITS, Math.random));
    }
  }
}

class Refused extends Error {}

async function fetchOnce(url: URL, host: Host): Promise<unknown> {
  const response = await host.fetch(url, {
    headers: { accept: 'application/json', 'user-agent': USER_AGENT },
    redirect: 'error',
    signal: AbortSignal.timeout(FETCH_LIMITS.totalMs),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    const told = `status ${response.status}, accepted is 200`;
    throw response.status >= 500 || response.status === 429 ? new Error(told) : new Refused(told);
  }
  // fetch has already decompressed the body.
  const limits = { ...FETCH_LIMITS, wireBytes: FETCH_LIMITS.inflatedBytes };
  const { bytes } = await readBody(response.body ?? new ReadableStream(), 'identity', limits);
  return parseHostileJson(bytes);
}
