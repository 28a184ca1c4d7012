import { findHoldings, preferredChannel, type VersionHolding } from '@cairn/shared/graph/channel-index';
import { listRisks, type ServedGraph, updatesOf } from '@cairn/shared/graph/served-graph';
import { pairName } from '@cairn/shared/releases/channel';
import { quoteValue, SENT, truncate } from '@cairn/shared/text/quote';
import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import type { Minor } from '@cairn/shared/version/minor';
import { type Call, endpoints } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';
import { type ArchIndex, archParameter, readIndexes } from '../releases/followed-channels.ts';
import { notSyncedYet } from '../releases/sync-state.ts';
import type { ExpectedError } from '../runtime/errors.ts';
import { PUBLICATION_NAME } from '../store/keys.ts';
import type { Documents } from '../store/publication-cache.ts';

const PLACES_SHOWN = 5;

interface Release extends VersionHolding {
  readonly arch: Arch;
}

export function versionEndpoints(documents: Documents) {
  return endpoints({ getVersion: getVersion(documents) });
}

/** `GET /v1/versions/{version}` */
function getVersion(documents: Documents) {
  return async ({ path, query }: Call<'getVersion'>) => {
    const { version = '' } = path;
    const indexes = await readIndexes(documents, ARCHES);
    const releases = indexes.flatMap(({ arch, index }) =>
      findHoldings(index, version).map((holding) => ({ arch, ...holding })),
    );
    if (releases.length === 0) throw await notHeld(version, indexes);
    const { channel, arch } = channelToShow(version, releases, query);
    const graph = await documents.get<ServedGraph>(PUBLICATION_NAME.graph(channel, arch));
    return {
      data: {
        version,
        withdrawn: releases.every(({ withdrawn }) => withdrawn),
        errata: releases.find(({ url }) => url !== null)?.url ?? null,
        releases: releases.map(releaseView),
        updates: { channel, arch, ...updatesView(graph?.value, version) },
      },
    };
  };
}

/** The requested channel, or the best one on the requested architecture or on the first that has the version. */
function channelToShow(
  version: string,
  releases: readonly Release[],
  query: { readonly channel?: string | undefined; readonly arch?: string | undefined },
): { readonly channel: string; readonly arch: Arch } {
  const wanted = query.arch === undefined ? null : archParameter(query.arch);
  const minor = version.split('.', 2).join('.') as Minor;
  for (const arch of wanted === null ? ARCHES : [wanted]) {
    const channels = releases
      .filter((release) => release.arch === arch)
      .flatMap((release) => release.channels)
      .filter(({ channel }) => query.channel === undefined || query.channel === channel);
    const channel = preferredChannel(minor, channels);
    if (channel !== null) return { channel, arch };
  }
  throw notThere(version, releases, query.channel, wanted);
}

/** The version exists elsewhere: suggests the nearest places, same channel or architecture first. */
function notThere(
  version: string,
  releases: readonly Release[],
  channel: string | undefined,
  wanted: Arch | null,
): Problem {
  const where = [channel && `in ${channel}`, wanted && `on ${wanted}`].filter(Boolean).join(' ');
  const places = releases.flatMap(({ arch, channels }) => channels.map((held) => ({ arch, ...held })));
  const isFar = (place: (typeof places)[number]) => place.channel !== channel && place.arch !== wanted;
  const nearest = places
    .toSorted((a, b) => Number(isFar(a)) - Number(isFar(b)))
    .slice(0, PLACES_SHOWN)
    .map((place) => pairName(place.channel, place.arch));
  const detail = `${version} is not ${where}, it is in ${nearest.join(', ')}`;
  const parameter = channel === undefined ? 'arch' : 'channel';
  return new Problem('unknown-version', detail, {
    errors: [{ parameter, value: channel ?? wanted ?? '', detail, nearest }],
  });
}

async function notHeld(text: string, indexes: readonly ArchIndex[]): Promise<ExpectedError> {
  // Loaded on demand: the version parser slows a cold start, and known versions do not need it.
  const { parseVersion } = await import('@cairn/shared/version/release-version');
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
    held.flatMap(({ versions }) => versions.map((known) => known.version)),
    version,
  );
  const hint = nearest.length > 0 ? `, nearest: ${nearest.join(', ')}` : '';
  const detail = `is in no followed channel${hint}`;
  return new Problem('unknown-version', `${text} ${detail}`, {
    errors: [{ parameter: 'version', value: text, detail, nearest }],
  });
}

function releaseView({ arch, payload, withdrawn, channels }: Release) {
  return {
    arch,
    payload,
    digest: payload.slice(payload.indexOf('@') + 1),
    withdrawn,
    channels: channels.map(({ channel }) => channel),
    withdrawnFrom: channels.filter((held) => held.withdrawn).map(({ channel }) => channel),
  };
}

/** Graphs are published before the index; only the graph of a channel that just left the configuration is missing. */
function updatesView(graph: ServedGraph | undefined, version: string) {
  const updates = graph && updatesOf(graph, version);
  if (!updates) return { from: [], to: [], risks: [] };
  const named = new Set([...updates.from, ...updates.to].flatMap(({ risks }) => risks));
  return { ...updates, risks: listRisks(graph).filter(({ name }) => named.has(name)) };
}
