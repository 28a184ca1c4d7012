import { buildChannelIndex, NO_FACTS } from '@cairn/shared/graph/channel-index';
import { describe, expect, it } from 'vitest';
import {
  listChannels,
  readFilter,
  writeFilter,
  type ChannelFilter,
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
