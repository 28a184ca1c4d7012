import { compareChannels, parseChannel } from '@cairn/shared/releases/channel';
import { nearestChannels } from '@cairn/shared/releases/nearest-channels';
import { describe, expect, it } from 'vitest';

describe('parseChannel', () => {
  it.each([
    ['stable-4.14', { prefix: 'stable', minor: '4.14' }],
    ['prerelease-4.1', { prefix: 'prerelease', minor: '4.1' }],
    ['candidate-5.0', { prefix: 'candidate', minor: '5.0' }],
    ['stable', null],
    ['stable-', null],
    ['-4.14', null],
    ['4.14', null],
    ['stable-4.14.3', null],
    ['stable-04.14', null],
    ['Stable-4.14', null],
    ['nightly-4.14', null],
    ['', null],
  ])('%s', (text, expected) => {
    expect(parseChannel(text)).toEqual(expected);
  });
});

describe('compareChannels', () => {
  it('orders by minor, then stable, eus, fast, candidate, prerelease', () => {
    const ordered = [
      'stable-4.9',
      'stable-4.10',
      'eus-4.10',
      'fast-4.10',
      'candidate-4.10',
      'prerelease-4.10',
      'stable-5.0',
    ];
    const shuffled = [3, 6, 0, 5, 2, 4, 1].map((index) => ordered[index]!);
    const sorted = shuffled.toSorted((a, b) => compareChannels(parseChannel(a)!, parseChannel(b)!));
    expect(sorted).toEqual(ordered);
  });
});

describe('nearestChannels', () => {
  const known = ['stable-4.14', 'fast-4.14', 'stable-4.16', 'fast-4.16', 'candidate-4.22', 'stable-5.0'];

  it.each([
    ['eus-4.14', ['stable-4.14', 'fast-4.14', 'stable-4.16']],
    ['stable-4.15', ['stable-4.14', 'stable-4.16', 'fast-4.14']],
    ['fast-4.99', ['stable-5.0', 'fast-4.16', 'stable-4.16']],
    ['candidate-4.99', ['candidate-4.22', 'stable-5.0', 'stable-4.16']],
    ['stable-4.1', ['stable-4.14', 'fast-4.14', 'stable-4.16']],
    ['sable-4.14', ['stable-4.14']],
    ['nonsense', []],
  ])('%s → %j', (asked, nearest) => {
    expect(nearestChannels(asked, known)).toEqual(nearest);
  });

  it('names each once, and none where none is known', () => {
    expect(nearestChannels('eus-4.14', ['stable-4.14', 'stable-4.14'])).toEqual(['stable-4.14']);
    expect(nearestChannels('eus-4.14', [])).toEqual([]);
  });
});
