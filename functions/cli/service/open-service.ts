import { setTimeout as delay } from 'node:timers/promises';
import { normalizeGraph } from '@cairn/shared/graph/normalize';
import { pairName, parseChannel } from '@cairn/shared/releases/channel';
import { CHANNEL_ORDER } from '@cairn/shared/releases/values';
import { joinInWords } from '@cairn/shared/text/words';
import { type Arch, ARCHES, archOf, parseCpuArchitecture } from '@cairn/shared/version/arch';
import { parseMinor } from '@cairn/shared/version/minor';
import { isExtendedSupport, ordinalOf } from '@cairn/shared/version/release-line';
import { parseVersion } from '@cairn/shared/version/release-version';
import type { ParsedArgs } from '../../command-line/parse.ts';
import { hostName, isLoopback } from '../../outbound/address.ts';
import { parseHostileJson } from '../../outbound/failures.ts';
import { backoffMs, FETCH_LIMITS } from '../../outbound/limits.ts';
import { readBody } from '../../outbound/response-body.ts';
import { type Authorize, gatewayRegion, signRequests } from '../../outbound/signing.ts';
import { badInput, notKnown } from '../../runtime/exit.ts';
import type { Host } from '../host.ts';
import { offlineService } from './offline-service.ts';
import { remoteService, USER_AGENT } from './remote-service.ts';
import { type KnownGraph, type SavedReleases, pathIn, readGraphFile } from './saved-graphs.ts';
import { reasonOf, requestEach, type Service } from './service.ts';

/** Channels that clusters follow; others must be named. */
const FOLLOWED = CHANNEL_ORDER.filter((prefix) => prefix !== 'candidate' && prefix !== 'prerelease');
/** No path crosses more minors. */
const MOST_MINORS = 12;

export interface Wanted {
  readonly channels: readonly string[];
  readonly arch: Arch;
}

/** `wanted` is called only for an update service, which is queried by channel. */
export async function openService(
  args: ParsedArgs,
  host: Host,
  wanted: () => Promise<Wanted> | Wanted,
): Promise<Service> {
  const releases = await openGraphs(args, host, wanted);
  return releases ? offlineService(releases, host.clock) : openRemote(args, host);
}

/** Graphs from files or an update service; null for a Cairn. */
export async function openGraphs(
  args: ParsedArgs,
  host: Host,
  wanted: () => Promise<Wanted> | Wanted,
): Promise<SavedReleases | null> {
  const upstream = args.text('upstream');
  const files = args.list('graph');
  if (upstream !== undefined && files.length > 0) {
    throw badInput('--upstream and --graph are both given, one of them is accepted');
  }
  if (files.length > 0) return readGraphs(files, archOfFlag(args), host);
  if (upstream !== undefined) {
    const url = serviceUrl('--upstream', upstream);
    const { channels, arch } = await wanted();
    const foreign = channels.find((channel) => parseChannel(channel) === null);
    if (foreign !== undefined) throw badInput(`"${foreign}" is not a channel such as stable-4.16`);
    return { graphs: await fetchGraphs(url, channels, arch, host), support: null };
  }
  if (args.text('url') !== undefined) return null;
  throw badInput(
    'nothing tells where release data comes from: give --url (or set CAIRN_URL), --upstream or --graph',
  );
}

export async function openRemote(args: ParsedArgs, host: Host): Promise<Service> {
  const text = args.text('url');
  if (text === undefined) throw badInput('--url is needed: the address of a Cairn (or set CAIRN_URL)');
  const url = serviceUrl('--url', text);
  return remoteService(url, await authorization(args, host, url), host);
}

async function readGraphs(files: readonly string[], arch: Arch, host: Host): Promise<SavedReleases> {
  const graphs = new Map<string, KnownGraph>();
  let support: SavedReleases['support'] = null;
  for (const name of files) {
    const path = pathIn(name);
    const file = await host.readFile(path).catch((error: NodeJS.ErrnoException) => {
      throw badInput(
        `${path} can't be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`,
      );
    });
    // A later file replaces an earlier one.
    const saved = readGraphFile({ name, ...file }, arch);
    for (const known of saved.graphs) graphs.set(pairName(known.channel, known.arch), known);
    support = saved.support ?? support;
  }
  return { graphs: [...graphs.values()], support };
}

/** Unknown channels are omitted. */
async function fetchGraphs(
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
    const unknown = { withdrawn: [], excluded: [] };
    return [{ channel, arch, graph: parsed.graph, syncedAt: at, publishedAt: at, ...unknown }];
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
    const message = `status ${response.status}, accepted is 200`;
    throw response.status >= 500 || response.status === 429 ? new Error(message) : new Refused(message);
  }
  // fetch has already decompressed the body.
  const limits = { ...FETCH_LIMITS, wireBytes: FETCH_LIMITS.inflatedBytes };
  const { bytes } = await readBody(response.body ?? new ReadableStream(), 'identity', limits);
  return parseHostileJson(bytes);
}

export function archOfFlag(args: ParsedArgs): Arch {
  const name = args.text('arch') ?? 'amd64';
  const cpu = parseCpuArchitecture(name);
  if (cpu) return archOf(cpu);
  throw badInput(`--arch "${name}" is not accepted, ${joinInWords(ARCHES)} are`);
}

async function authorization(args: ParsedArgs, host: Host, url: URL): Promise<Authorize> {
  const file = args.text('token-file');
  const token = args.text('token') ?? (file === undefined ? undefined : await readToken(file, host));
  if (token !== undefined) return async () => ({ authorization: `Bearer ${token}` });
  // Plain HTTP is local and needs no signature.
  if (url.protocol === 'http:') return async () => ({});
  const region = gatewayRegion(url.hostname) ?? args.text('region') ?? null;
  return signRequests(region, url.host);
}

async function readToken(file: string, host: Host): Promise<string> {
  const { bytes } = await host.readFile(file).catch((error: Error) => {
    throw badInput(`--token-file can't be read: ${error.message}`);
  });
  return Buffer.from(bytes).toString().trim();
}

/** Never sends tokens or signatures unencrypted over a network. */
function serviceUrl(flag: string, text: string): URL {
  const url = URL.parse(text);
  const isLocal = isLoopback(hostName(url?.hostname));
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)) return url;
  throw badInput(
    `${flag} "${text}" is not accepted, an https URL such as https://cairn.example.com is, and http on this machine`,
  );
}

interface MinorRelease {
  readonly major: number;
  readonly minor: number;
}

/** From 4.14.20 to 4.16: the channels of 4.14, 4.15 and 4.16. Without a known target, those of the source. */
export function channelsBetween(from: string, to: string | undefined): readonly string[] {
  const first = parseVersion(from);
  if (!first) return [];
  const last = (to === undefined ? null : minorIn(to)) ?? first;
  const minors: MinorRelease[] = [];
  for (let next: MinorRelease = first; ordinalOf(next) <= ordinalOf(last); next = after(next, last)) {
    minors.push(next);
    if (minors.length === MOST_MINORS) break;
  }
  return minors.flatMap((release) =>
    FOLLOWED.filter((prefix) => prefix !== 'eus' || isExtendedSupport(release)).map(
      (prefix) => `${prefix}-${release.major}.${release.minor}`,
    ),
  );
}

function minorIn(text: string): MinorRelease | null {
  const minor = parseMinor(text);
  if (!minor) return parseVersion(text);
  const [major = 0, number = 0] = minor.split('.').map(Number);
  return { major, minor: number };
}

/** The line continues as 4.23 or as 5.0, which are one release with two names. */
function after({ major, minor }: MinorRelease, last: MinorRelease): MinorRelease {
  const next = { major, minor: minor + 1 };
  const isOver = major < last.major && ordinalOf(next) >= ordinalOf({ major: major + 1, minor: 0 });
  return isOver ? { major: major + 1, minor: 0 } : next;
}
