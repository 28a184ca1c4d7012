import type { ChannelIndex, IndexedChannel } from '@cairn/shared/graph/channel-index';
import { nearestChannels } from '@cairn/shared/releases/nearest-channels';
import { quoteValue, SENT, truncate } from '@cairn/shared/text/quote';
import { archOf, ARCHES, type Arch, parseCpuArchitecture } from '@cairn/shared/version/arch';
import { ARCH_ACCEPTED } from '../http/schema-fields.ts';
import { ExpectedError } from '../runtime/errors.ts';
import { PUBLICATION_NAME } from '../store/keys.ts';
import type { Documents } from '../store/publication-cache.ts';
import { notSyncedYet } from './sync-state.ts';

export interface ArchIndex {
  readonly arch: Arch;
  readonly index: ChannelIndex;
}

/** The sync publishes the index of every architecture: a missing one means that the first sync has not finished. */
export async function readIndexes(documents: Documents, arches: readonly Arch[]): Promise<ArchIndex[]> {
  return Promise.all(
    arches.map(async (arch) => {
      const document = await documents.get<ChannelIndex>(PUBLICATION_NAME.channelIndex(arch));
      if (!document) throw notSyncedYet();
      return { arch, index: document.value };
    }),
  );
}

/** Accepts every name of an architecture: `x86_64` is `amd64`. */
export function archParameter(text: string): Arch {
  const cpu = parseCpuArchitecture(text);
  if (cpu !== null) return archOf(cpu);
  throw new ExpectedError('invalid-parameter', `arch=${quoteValue(text, SENT)}: ${ARCH_ACCEPTED}`, {
    errors: [{ parameter: 'arch', value: truncate(text), detail: ARCH_ACCEPTED }],
  });
}

/** Finds the channel of a URL such as `/v1/channels/stable-4.14/amd64`. */
export async function followedChannel(
  documents: Documents,
  path: Readonly<Record<string, string | undefined>>,
): Promise<ArchIndex & { readonly indexed: IndexedChannel }> {
  const { channel = '' } = path;
  const arch = archParameter(path['arch'] ?? '');
  const [own] = await readIndexes(documents, [arch]);
  const { index } = own!;
  const indexed = index.channels.find((other) => other.channel === channel);
  if (indexed) return { arch, indexed, index };
  throw unknownChannel(channel, arch, await readIndexes(documents, ARCHES));
}

/** Rejects a channel that is not followed on the architecture, or on any without one. */
export function refuseUnknownChannel(
  channel: string,
  arch: Arch | undefined,
  indexes: readonly ArchIndex[],
): void {
  const isFollowed = indexes.some(
    (other) => (arch === undefined || other.arch === arch) && namesIn(other.index).includes(channel),
  );
  if (!isFollowed) throw unknownChannel(channel, arch, indexes);
}

function unknownChannel(
  channel: string,
  arch: Arch | undefined,
  indexes: readonly ArchIndex[],
): ExpectedError {
  const name = truncate(channel);
  const followedOn = indexes
    .filter(({ index }) => namesIn(index).includes(channel))
    .map((other) => other.arch);
  if (arch !== undefined && followedOn.length > 0) {
    const detail = `is not followed on ${arch}, but on ${followedOn.join(', ')}`;
    return new ExpectedError('unknown-channel', `${name} ${detail}`, {
      errors: [{ parameter: 'arch', value: arch, detail, nearest: followedOn }],
    });
  }
  const own = indexes.filter((other) => other.arch === arch).flatMap(({ index }) => namesIn(index));
  const known = own.length > 0 ? own : indexes.flatMap(({ index }) => namesIn(index));
  const nearest = nearestChannels(channel, known);
  const hint =
    nearest.length > 0 ? `nearest: ${nearest.join(', ')}` : 'GET /v1/channels lists those that are';
  const detail = `is not followed, ${hint}`;
  return new ExpectedError('unknown-channel', `${JSON.stringify(name)} ${detail}`, {
    errors: [{ parameter: 'channel', value: name, detail, nearest }],
  });
}

function namesIn(index: ChannelIndex): string[] {
  return index.channels.map(({ channel }) => channel);
}
