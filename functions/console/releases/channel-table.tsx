import type { ChannelIndex, IndexedChannel } from '@cairn/shared/graph/channel-index';
import { compareChannels, parseChannel, type Channel } from '@cairn/shared/releases/channel';
import { CHANNEL_ORDER } from '@cairn/shared/releases/values';
import type { Arch } from '@cairn/shared/version/arch';
import { compareMinors, parseMinor, type Minor } from '@cairn/shared/version/minor';
import { useSync } from '../data/releases.ts';
import type { SyncAnswer } from '../data/responses.ts';
import { counted } from '../lanes/model.ts';
import { PageLink, Pill, type Tone, TableHead } from '../ui/controls.tsx';
import { localTime, sentence } from '../ui/text.ts';

const COLUMNS = ['Channel', 'Releases', 'Newest of each minor', 'Updates', 'Last change'];

export function ChannelTable({ rows, arch }: { readonly rows: readonly ChannelRow[]; readonly arch: Arch }) {
  const sync = useSync();
  return (
    <div class="card releases-table">
      <table class="table releases-cards">
        <caption class="visually-hidden">Followed channels on {arch}, newest minor first</caption>
        <TableHead titles={sync ? [...COLUMNS, 'State'] : COLUMNS} />
        <tbody>
          {rows.map(({ indexed }) => (
            <tr key={indexed.channel}>
              <th scope="row">
                <PageLink class="mono" to="channels" patch={{ open: indexed.channel, sel: '' }}>
                  {indexed.channel}
                </PageLink>
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
export function UpdateCounts({ plainEdges, conditionalEdges }: IndexedChannel) {
  return (
    <span class="row releases-counts">
      <span class="nowrap">
        <span class="releases-ok" aria-hidden="true">
          ●
        </span>{' '}
        {plainEdges.toLocaleString('en')} recommended
      </span>
      {conditionalEdges > 0 && (
        <span class="nowrap">
          <span class="releases-cond" aria-hidden="true">
            ▲
          </span>{' '}
          {conditionalEdges.toLocaleString('en')} conditional
        </span>
      )}
    </span>
  );
}

interface PairPillProps {
  readonly sync: SyncAnswer;
  readonly channel: string;
  readonly arch: Arch;
}

export function PairPill({ sync, channel, arch }: PairPillProps) {
  const pair = sync.pairs.find((known) => known.channel === channel && known.arch === arch);
  if (!pair) return null;
  const { tone, word, detail, time } = pairState(pair);
  return (
    <>
      <span class="nowrap">
        <Pill tone={tone}>{word}</Pill>
      </span>
      {(detail !== null || time !== null) && (
        <p class="small muted releases-why">
          {detail !== null && sentence(detail)} {time !== null && `${time.what} ${localTime(time.at)}`}
        </p>
      )}
    </>
  );
}

export type SyncPair = SyncAnswer['pairs'][number];

interface PairState {
  readonly tone: Tone;
  readonly word: string;
  readonly detail: string | null;
  readonly time: { readonly what: string; readonly at: string } | null;
}

export function pairState({ state, stale, error, held, lastSuccessAt }: SyncPair): PairState {
  const lastGood = lastSuccessAt === null ? null : { what: 'Last good answer:', at: lastSuccessAt };
  if (state === 'Failing') {
    return { tone: 'block', word: 'Failing', detail: error?.detail ?? null, time: lastGood };
  }
  if (held !== null) {
    return { tone: 'cond', word: 'Held back', detail: held.detail, time: { what: 'Since', at: held.since } };
  }
  if (stale) {
    const detail = state === 'Unknown' ? 'the time of its last good answer is in the future' : null;
    return { tone: 'cond', word: 'Stale', detail, time: lastGood };
  }
  if (state === 'Skipped') {
    return { tone: 'plain', word: 'Waiting', detail: 'the last round did not get to it', time: null };
  }
  return { tone: 'ok', word: 'Current', detail: null, time: null };
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
