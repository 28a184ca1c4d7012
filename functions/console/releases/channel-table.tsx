import type { ChannelIndex, IndexedChannel } from '@cairn/shared/graph/channel-index';
import { compareChannels, parseChannel, type Channel } from '@cairn/shared/releases/channel';
import { CHANNEL_ORDER } from '@cairn/shared/releases/values';
import type { Arch } from '@cairn/shared/version/arch';
import { compareMinors, parseMinor, type Minor } from '@cairn/shared/version/minor';
import { useSync } from '../data/releases.ts';
import { counted } from '../lanes/model.ts';
import { followInPage, linkTo } from '../state/navigation.ts';
import { localTime } from '../ui/text.ts';
import { PairPill } from './pair-state.tsx';

export function ChannelTable({ rows, arch }: { readonly rows: readonly ChannelRow[]; readonly arch: Arch }) {
  const sync = useSync();
  return (
    <div class="card releases-table">
      <table class="table releases-cards">
        <caption class="visually-hidden">Followed channels on {arch}, newest minor first</caption>
        <thead>
          <tr>
            <th scope="col">Channel</th>
            <th scope="col">Releases</th>
            <th scope="col">Newest of each minor</th>
            <th scope="col">Updates</th>
            <th scope="col">Last change</th>
            {sync && <th scope="col">State</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ indexed }) => (
            <tr key={indexed.channel}>
              <th scope="row">
                <a
                  class="mono"
                  href={linkTo('channels', { open: indexed.channel, sel: '' })}
                  onClick={followInPage}
                >
                  {indexed.channel}
                </a>
              </th>
              <td>
                {counted(indexed.nodes, 'release')}
                {indexed.oldest !== null && (
                  <div class="small muted nowrap">
                    {indexed.oldest} – {indexed.newest}
                  </div>
                )}
              </td>
              <td class="mono" data-label="Newest">
                {indexed.newestPerMinor
                  .map(({ version }) => version)
                  .toReversed()
                  .join(', ')}
              </td>
              <td>
                <UpdateCounts {...indexed} />
              </td>
              <td class="small" data-label="Changed">
                {indexed.publishedAt === null ? 'Not read yet' : localTime(indexed.publishedAt)}
              </td>
              {sync && (
                <td>
                  <PairPill sync={sync} channel={indexed.channel} arch={arch} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `● 6,409 recommended ▲ 3,446 conditional` */
export function UpdateCounts({
  plainEdges,
  conditionalEdges,
}: {
  readonly plainEdges: number;
  readonly conditionalEdges: number;
}) {
  return (
    <span class="row releases-counts">
      <span>
        <span class="releases-ok" aria-hidden="true">
          ●
        </span>{' '}
        {plainEdges.toLocaleString('en')} recommended
      </span>
      {conditionalEdges > 0 && (
        <span>
          <span class="releases-cond" aria-hidden="true">
            ▲
          </span>{' '}
          {conditionalEdges.toLocaleString('en')} conditional
        </span>
      )}
    </span>
  );
}

/** Empty fields match everything. */
export interface ChannelFilter {
  readonly prefix: Channel['prefix'] | '';
  readonly minor: Minor | '';
}

/** Format in the URL: `eus 4.16`, `eus` or `4.16`. */
export function readFilter(text: string): ChannelFilter {
  const words = text.split(' ');
  return {
    prefix: CHANNEL_ORDER.find((prefix) => words.includes(prefix)) ?? '',
    minor: words.map(parseMinor).find((minor) => minor !== null) ?? '',
  };
}

export function writeFilter({ prefix, minor }: ChannelFilter): string {
  return `${prefix} ${minor}`.trim();
}

interface ChannelRow extends Channel {
  readonly indexed: IndexedChannel;
}

/** Newest minor first; within it stable, eus, fast, candidate. */
export function listChannels({ channels }: ChannelIndex, filter: ChannelFilter): ChannelRow[] {
  return channels
    .flatMap((indexed) => {
      const channel = parseChannel(indexed.channel);
      return channel ? [{ ...channel, indexed }] : [];
    })
    .filter(({ prefix }) => filter.prefix === '' || prefix === filter.prefix)
    .filter(({ minor }) => filter.minor === '' || minor === filter.minor)
    .toSorted((a, b) => compareMinors(b.minor, a.minor) || compareChannels(a, b));
}
