import { buildChannelIndex, NO_FACTS } from '@cairn/shared/graph/channel-index';
import { describe, expect, it } from 'vitest';
import {
  listChannels,
  pairState,
  readFilter,
  writeFilter,
  type ChannelFilter,
  type SyncPair,
} from '../../../../../functions/console/releases/channel-table.tsx';

const FILTERS: readonly (readonly [text: string, filter: ChannelFilter])[] = [
  ['', { prefix: '', minor: '' }],
  ['eus', { prefix: 'eus', minor: '' }],
  ['4.16', { prefix: '', minor: '4.16' }],
  ['eus 4.16', { prefix: 'eus', minor: '4.16' }],
];

describe('the filter of channels', () => {
  it.each(FILTERS)('"%s" is read and written as it is', (text, filter) => {
    expect(readFilter(text)).toEqual(filter);
    expect(writeFilter(filter)).toBe(text);
  });

  it.each(['nightly', '__proto__', '4.16.2', 'eus-4.16'])('leaves out what is no filter: %s', (text) => {
    expect(readFilter(text)).toEqual({ prefix: '', minor: '' });
  });
});

describe('channels', () => {
  const followed = ['stable-4.9', 'candidate-4.10', 'stable-4.10', 'eus-4.10', 'fast-5.0'];
  const index = buildChannelIndex(
    followed.map((channel) => ({ channel, publishedAt: null, facts: NO_FACTS, withdrawn: [] })),
  );
  const listed = (filter: string) =>
    listChannels(index, readFilter(filter)).map(({ indexed }) => indexed.channel);

  it('come newest minor first, within it as they are preferred', () => {
    expect(listed('')).toEqual(['fast-5.0', 'stable-4.10', 'eus-4.10', 'candidate-4.10', 'stable-4.9']);
  });

  it.each([
    ['stable', ['stable-4.10', 'stable-4.9']],
    ['4.10', ['stable-4.10', 'eus-4.10', 'candidate-4.10']],
    ['eus 4.10', ['eus-4.10']],
    ['eus 4.9', []],
  ])('of %s', (filter, expected) => {
    expect(listed(filter)).toEqual(expected);
  });
});

const GOOD_AT = '2026-11-16T10:00:00.000Z';
const HELD = {
  reason: 'NodesLost',
  detail: '40 of 80 nodes are gone',
  since: '2026-11-16T09:00:00.000Z',
  rounds: 2,
};
const LAST_GOOD = { what: 'Last good answer:', at: GOOD_AT };
const CURRENT: SyncPair = {
  channel: 'stable-4.16',
  arch: 'amd64',
  state: 'Current',
  stale: false,
  lastAttemptAt: GOOD_AT,
  lastSuccessAt: GOOD_AT,
  lastChangeAt: GOOD_AT,
  nodes: 1,
  edges: 0,
  error: null,
  held: null,
  missing: [],
  repairs: [],
  payloadConflicts: [],
};

describe('how a channel is followed', () => {
  it.each<[string, Partial<SyncPair>, ReturnType<typeof pairState>]>([
    [
      'by a time in the future',
      { state: 'Unknown', stale: true },
      {
        tone: 'cond',
        word: 'Stale',
        detail: 'the time of its last good answer is in the future',
        time: LAST_GOOD,
      },
    ],
    ['well', {}, { tone: 'ok', word: 'Current', detail: null, time: null }],
    [
      'not at all',
      { state: 'Failing', stale: true, error: { code: 'Timeout', detail: 'no answer within 30 s' } },
      { tone: 'block', word: 'Failing', detail: 'no answer within 30 s', time: LAST_GOOD },
    ],
    [
      'with an answer that is not believed',
      { state: 'Held', held: HELD },
      { tone: 'cond', word: 'Held back', detail: HELD.detail, time: { what: 'Since', at: HELD.since } },
    ],
    ['too long ago', { stale: true }, { tone: 'cond', word: 'Stale', detail: null, time: LAST_GOOD }],
    [
      'next time',
      { state: 'Skipped' },
      { tone: 'plain', word: 'Waiting', detail: 'the last round did not get to it', time: null },
    ],
    [
      'never yet',
      { stale: true, lastSuccessAt: null },
      { tone: 'cond', word: 'Stale', detail: null, time: null },
    ],
    // An answer that was held back stays so while the next one fails.
    [
      'worse than before',
      { state: 'Failing', held: HELD, error: { code: 'Timeout', detail: 'no answer within 30 s' } },
      { tone: 'block', word: 'Failing', detail: 'no answer within 30 s', time: LAST_GOOD },
    ],
  ])('%s', (_, changes, expected) => {
    expect(pairState({ ...CURRENT, ...changes })).toEqual(expected);
  });
});
