import { parseChannel } from '@cairn/shared/releases/channel';
import { pairName } from '@cairn/shared/releases/channel';
import { CHANNEL_ORDER } from '@cairn/shared/releases/values';
import { joinInWords } from '@cairn/shared/text/words';
import { type Arch, ARCHES, archOf, parseCpuArchitecture } from '@cairn/shared/version/arch';
import { parseMinor } from '@cairn/shared/version/minor';
import { isExtendedSupport, ordinalOf } from '@cairn/shared/version/release-line';
import { parseVersion } from '@cairn/shared/version/release-version';
import type { ParsedArgs } from '../../command-line/parse.ts';
import { type Authorize, signRequests } from '../../outbound/credentials.ts';
import { gatewayRegion } from '../../outbound/signing.ts';
import { badInput } from '../../runtime/exit.ts';
import type { Host } from '../host.ts';
import { offlineService } from './offline-service.ts';
import { remoteService } from './remote-service.ts';
import { type KnownGraph, pathIn, readGraphFile } from './saved-graphs.ts';
import type { Service } from './service.ts';
import { fetchGraphs } from './upstream-graphs.ts';

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
  const graphs = await openGraphs(args, host, wanted);
  return graphs ? offlineService(graphs, host.clock) : openRemote(args, host);
}

/** Graphs from files or an update service; null for a Cairn. */
export async function openGraphs(
  args: ParsedArgs,
  host: Host,
  wanted: () => Promise<Wanted> | Wanted,
): Promise<readonly KnownGraph[] | null> {
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
    return fetchGraphs(url, channels, arch, host);
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

async function readGraphs(files: readonly string[], arch: Arch, host: Host): Promise<readonly KnownGraph[]> {
  const graphs = new Map<string, KnownGraph>();
  for (const name of files) {
    const path = pathIn(name);
    const file = await host.readFile(path).catch((error: NodeJS.ErrnoException) => {
      throw badInput(
        `${path} can't be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`,
      );
    });
    // A later file replaces an earlier one.
    for (const known of readGraphFile({ name, ...file }, arch)) {
      graphs.set(pairName(known.channel, known.arch), known);
    }
  }
  return [...graphs.values()];
}

export function archOfFlag(args: ParsedArgs): Arch {
  const name = args.text('arch') ?? 'amd64';
  const cpu = parseCpuArchitecture(name);
  if (cpu) return archOf(cpu);
  throw badInput(`--arch "${name}" is not accepted, ${joinInWords(ARCHES)} are`);
}

async function authorization(args: ParsedArgs, host: Host, url: URL): Promise<Authorize> {
  const file = args.text('token-file');
  const token =
    args.text('token') ??
    (file === undefined
      ? undefined
      : Buffer.from((await readTokenFile(file, host)).bytes)
          .toString()
          .trim());
  if (token !== undefined) return async () => ({ authorization: `Bearer ${token}` });
  // Plain HTTP is local and needs no signature.
  if (url.protocol === 'http:') return async () => ({});
  const region = gatewayRegion(url.hostname) ?? args.text('region') ?? null;
  return signRequests(region, url.host);
}

function readTokenFile(file: string, host: Host) {
  return host.readFile(file).catch((error: Error) => {
    throw badInput(`--token-file can't be read: ${error.message}`);
  });
}

/** Never sends tokens or signatures unencrypted over a network. */
function serviceUrl(flag: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url?.hostname ?? '');
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
