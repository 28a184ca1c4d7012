import { findHoldings, preferredChannel, type VersionHolding } from '@cairn/shared/graph/channel-index';
import { listRisks, type ServedGraph, updatesOf, withoutUpdatesTo } from '@cairn/shared/graph/served-graph';
import { imageByTag, type ListedRelease } from '@cairn/shared/releases/catalogue';
import { pairName, parseChannel } from '@cairn/shared/releases/channel';
import {
  dayOf,
  listSupport,
  supportCalendar,
  type SupportDates,
  type SupportSettings,
} from '@cairn/shared/releases/lifecycle';
import { architectureOf } from '@cairn/shared/releases/query';
import { quoteValue, SENT, truncate } from '@cairn/shared/text/quote';
import {
  ARCHES,
  type Arch,
  archOf,
  cpuArchitectureOf,
  isMultiVersion,
  withoutMulti,
} from '@cairn/shared/version/arch';
import type { Minor } from '@cairn/shared/version/minor';
import { compareVersions, mustParseVersion, parseVersion } from '@cairn/shared/version/release-version';
import { type Call, endpoints } from '../http/endpoint.ts';
import { decodeCursor, encodeCursor, limitOf } from '../http/pagination.ts';
import { Problem } from '../http/problem.ts';
import { isFlagSet } from '../http/schema-fields.ts';
import { REVALIDATED } from '../releases/cache-headers.ts';
import { type PublishedConfiguration, supportSettings } from '../releases/configuration.ts';
import {
  type ArchIndex,
  archParameter,
  readIndexes,
  refuseUnknownChannel,
} from '../releases/followed-channels.ts';
import type { PublishedCatalogue } from '../releases/release-reader.ts';
import { notSyncedYet } from '../releases/sync-state.ts';
import type { ExpectedError } from '../runtime/errors.ts';
import { PUBLICATION_NAME } from '../store/keys.ts';
import type { Documents } from '../store/publication-cache.ts';
import { knownVersions, selectVersions } from './version-list.ts';

const PLACES_SHOWN = 5;

interface Release extends VersionHolding {
  readonly arch: Arch;
  /** Image as configured; null if no static release of this architecture is. */
  readonly staticUrl: string | null;
}

export function versionEndpoints(documents: Documents, clock: () => number) {
  return endpoints({
    listVersions: listVersions(documents, clock),
    getVersion: getVersion(documents, clock),
    listSupport: async () => {
      const configuration = await documents.get<PublishedConfiguration>(PUBLICATION_NAME.configuration);
      if (!configuration) throw notSyncedYet();
      const settings = await supportSettings(documents);
      const followed = configuration.value.pairs.flatMap(
        (pair) => parseChannel(pair.slice(0, pair.indexOf('/')))?.minor ?? [],
      );
      return {
        data: {
          eusTerms: settings.eusTerms,
          dates: configuredDates(settings),
          minors: [...listSupport(settings, dayOf(clock()), followed)],
        },
      };
    },
  });
}

function configuredDates({ dates }: SupportSettings) {
  const rows = Object.entries(dates) as [string, SupportDates][];
  return Object.fromEntries(
    rows.map(([minor, { ga, maintenance, eus }]) => [minor, { ga, maintenance, eus }]),
  );
}

/** `GET /v1/versions` */
function listVersions(documents: Documents, clock: () => number) {
  return async (call: Call<'listVersions'>) => {
    const { query } = call;
    const after =
      query.cursor === undefined ? null : decodeCursor(query.cursor, ([raw = '']) => parseVersion(raw));
    const [indexes, { releases }] = await Promise.all([
      readIndexes(documents, ARCHES),
      catalogueIn(documents),
    ]);
    const arch = query.arch === undefined ? undefined : archParameter(query.arch);
    if (query.channel !== undefined) refuseUnknownChannel(query.channel, arch, indexes);
    const calendar = supportCalendar(await supportSettings(documents), dayOf(clock()));
    const wanted = selectVersions(knownVersions(indexes, releases, calendar), {
      pattern: query.version_pattern,
      channel: query.channel,
      arch,
      supportLevel: query.support_level,
      excludeWithdrawn: isFlagSet(query.exclude_withdrawn),
    }).filter(({ version }) => after === null || compareVersions(mustParseVersion(version), after) < 0);
    const versions = wanted.slice(0, limitOf(query));
    const isLastPage = versions.length === wanted.length;
    return revalidated({
      versions: versions.map((known) => ({
        ...known,
        arches: [...known.arches],
        channels: [...known.channels],
      })),
      nextCursor: isLastPage ? null : encodeCursor([versions.at(-1)!.version]),
    });
  };
}

/** Every cache asks again, so a new configuration shows at once. */
function revalidated<Data>(data: Data) {
  return { data, headers: { 'cache-control': REVALIDATED['cache-control'] } };
}

/** `GET /v1/versions/{version}` */
function getVersion(documents: Documents, clock: () => number) {
  return async (call: Call<'getVersion'>) => {
    const { version: named = '' } = call.path;
    const [indexes, listed] = await Promise.all([readIndexes(documents, ARCHES), catalogueIn(documents)]);
    const isHeld = (text: string): boolean => releasesOf(text, indexes, listed).length > 0;
    // Installers name a multi release 4.14.3-multi.
    const isMulti = isMultiVersion(named) && !isHeld(named) && isHeld(withoutMulti(named));
    const version = isMulti ? withoutMulti(named) : named;
    const releases = releasesOf(version, indexes, listed);
    if (releases.length === 0) throw await notHeld(version, indexes);
    const wanted = isMulti ? { arch: 'multi', ...call.query } : call.query;
    if (isMulti && wanted.arch === 'multi' && releases.every((release) => release.arch !== 'multi')) {
      throw notThere(version, releases, { arch: 'multi' }, { parameter: 'version', value: named });
    }
    const { channel, arch } = channelToShow(version, releases, wanted);
    const graph =
      channel === null ? null : await documents.get<ServedGraph>(PUBLICATION_NAME.graph(channel, arch));
    const calendar = supportCalendar(await supportSettings(documents), dayOf(clock()));
    return revalidated({
      version,
      withdrawn: releases.every(({ withdrawn }) => withdrawn),
      excluded: releases.some(({ excluded }) => excluded),
      errata: releases.find(({ url }) => url !== null)?.url ?? null,
      releases: releases.map((release) => releaseView(version, release)),
      updates: { channel, arch, ...updatesView(graph?.value, version, indexes) },
      support: calendar(minorIn(version)),
    });
  };
}

/** Empty before the catalogue is published: the indexes then hold all that is known. */
async function catalogueIn(documents: Documents): Promise<PublishedCatalogue> {
  const catalogue = await documents.get<PublishedCatalogue>(PUBLICATION_NAME.catalogue);
  return catalogue?.value ?? { releases: [] };
}

/** One per architecture and release image. */
function releasesOf(
  version: string,
  indexes: readonly ArchIndex[],
  { releases, excluded = [] }: PublishedCatalogue,
): readonly Release[] {
  const ownOf = (arch: Arch, listed: readonly ListedRelease[]): ListedRelease | undefined =>
    listed.find(
      (release) =>
        release.staticUrl && release.upstreamVersion === version && archOf(architectureOf(release)) === arch,
    );
  return indexes.flatMap(({ arch, index }) => {
    const ignored = ownOf(arch, excluded);
    const staticUrl = (ignored ?? ownOf(arch, releases))?.staticUrl ?? null;
    const held = findHoldings(index, version);
    const isSame = ({ payload }: VersionHolding): boolean =>
      staticUrl !== null && (!staticUrl.includes('@') || digestOf(payload) === digestOf(staticUrl));
    const holdings = held.map((holding) => ({
      arch,
      staticUrl: isSame(holding) ? staticUrl : null,
      ...holding,
    }));
    if (staticUrl === null || held.some(isSame)) return holdings;
    const isExcluded = ignored !== undefined;
    const onlyStatic = {
      payload: staticUrl,
      url: null,
      withdrawn: false,
      excluded: isExcluded,
      channels: [],
    };
    return [{ arch, staticUrl, ...onlyStatic }, ...holdings];
  });
}

/** Null for an image by tag. */
function digestOf(image: string): string | null {
  const at = image.indexOf('@');
  return at === -1 ? null : image.slice(at + 1);
}

/** The requested channel, or the best one on the requested architecture or on the first that has the version. */
function channelToShow(
  version: string,
  releases: readonly Release[],
  query: { readonly channel?: string | undefined; readonly arch?: string | undefined },
): { readonly channel: string | null; readonly arch: Arch } {
  const wanted = query.arch === undefined ? null : archParameter(query.arch);
  const minor = minorIn(version);
  for (const arch of wanted === null ? ARCHES : [wanted]) {
    const channels = releases
      .filter((release) => release.arch === arch)
      .flatMap((release) => release.channels)
      .filter(({ channel }) => query.channel === undefined || query.channel === channel);
    const channel = preferredChannel(minor, channels);
    if (channel !== null) return { channel, arch };
  }
  const alone = releases.find(({ arch }) => wanted === null || arch === wanted);
  if (alone && query.channel === undefined) return { channel: null, arch: alone.arch };
  const blamed =
    query.channel === undefined
      ? { parameter: 'arch', value: wanted! }
      : { parameter: 'channel', value: query.channel };
  throw notThere(version, releases, { channel: query.channel, arch: wanted }, blamed);
}

/** Known versions need no parser. */
function minorIn(version: string): Minor {
  return version.split('.', 2).join('.') as Minor;
}

/** The version exists elsewhere: suggests the nearest places, same channel or architecture first. */
function notThere(
  version: string,
  releases: readonly Release[],
  { channel, arch: wanted }: { readonly channel?: string | undefined; readonly arch: Arch | null },
  blamed: { readonly parameter: string; readonly value: string },
): Problem {
  const where = [channel && `in ${channel}`, wanted && `on ${wanted}`].filter(Boolean).join(' ');
  const places = releases.flatMap(({ arch, channels }) => channels.map((held) => ({ arch, ...held })));
  const isFar = (place: (typeof places)[number]) => place.channel !== channel && place.arch !== wanted;
  const nearest = places
    .toSorted((a, b) => Number(isFar(a)) - Number(isFar(b)))
    .slice(0, PLACES_SHOWN)
    .map((place) => pairName(place.channel, place.arch));
  const alone = releases.filter(({ channels }) => channels.length === 0).map(({ arch }) => arch);
  const found = [
    ...(nearest.length > 0 ? [`in ${nearest.join(', ')}`] : []),
    ...(alone.length > 0 ? [`a static release on ${alone.join(', ')}`] : []),
  ];
  const missing = nearest.length > 0 ? `not ${where}` : 'in no followed channel';
  const detail = `${version} is ${missing}, it is ${found.join(', and ')}`;
  return new Problem('unknown-version', detail, { errors: [{ ...blamed, detail, nearest }] });
}

async function notHeld(text: string, indexes: readonly ArchIndex[]): Promise<ExpectedError> {
  const { nearestVersions } = await import('@cairn/shared/graph/channel-index');
  const version = parseVersion(text);
  if (version === null) {
    const detail = 'a version such as 4.14.20 or 4.15.0-rc.1 is accepted';
    return new Problem('invalid-parameter', `version=${quoteValue(text, SENT)}: ${detail}`, {
      errors: [{ parameter: 'version', value: truncate(text), detail }],
    });
  }
  const held = indexes.map(({ index }) => index);
  const wasPublished = held.some(({ channels }) => channels.some(({ publishedAt }) => publishedAt !== null));
  if (!wasPublished) return notSyncedYet();
  const nearest = nearestVersions(
    held.flatMap(({ versions }) =>
      versions.filter(({ excluded }) => !excluded).map((known) => known.version),
    ),
    version,
  );
  const hint = nearest.length > 0 ? `, nearest: ${nearest.join(', ')}` : '';
  const detail = `is in no followed channel${hint}`;
  return new Problem('unknown-version', `${text} ${detail}`, {
    errors: [{ parameter: 'version', value: text, detail, nearest }],
  });
}

function releaseView(version: string, { arch, staticUrl, payload, withdrawn, channels }: Release) {
  return {
    arch,
    url: staticUrl ?? imageByTag(version, cpuArchitectureOf(arch)),
    static: staticUrl !== null,
    payload,
    digest: digestOf(payload),
    withdrawn,
    channels: channels.map(({ channel }) => channel),
    withdrawnFrom: channels.filter((held) => held.withdrawn).map(({ channel }) => channel),
  };
}

/** Whatever the served graph has: no list of updates leads to an excluded version. */
function allowedUpdates(graph: ServedGraph, indexes: readonly ArchIndex[]): ServedGraph {
  const excluded = indexes.flatMap(({ index }) => index.versions.filter((known) => known.excluded));
  const names = new Set(excluded.map(({ version }) => version));
  return withoutUpdatesTo(graph, (version) => names.has(version));
}

/** Graphs are published before the index; only the graph of a channel that just left the configuration is missing. */
function updatesView(published: ServedGraph | undefined, version: string, indexes: readonly ArchIndex[]) {
  const graph = published && allowedUpdates(published, indexes);
  const updates = graph && updatesOf(graph, version);
  if (!updates) return { from: [], to: [], risks: [] };
  const named = new Set([...updates.from, ...updates.to].flatMap(({ risks }) => risks));
  return { ...updates, risks: listRisks(graph).filter(({ name }) => named.has(name)) };
}
