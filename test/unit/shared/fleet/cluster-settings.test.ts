import { subscribedChannels } from '@cairn/shared/fleet/cluster-settings';
import { newerPatch } from '@cairn/shared/path/channel-directory';
import { mustParseVersion } from '@cairn/shared/version/release-version';
import { describe, expect, it } from 'vitest';
import { releases } from '../../../helpers/path/releases.ts';

const { directory } = releases({
  'stable-4.14': ['4.14.8 > 4.14.20'],
  'fast-4.14': ['4.14.8 > 4.14.20', '4.14.20 > 4.14.21'],
  'stable-4.15': ['4.14.20 > 4.15.7'],
  'eus-4.16': ['4.14.20 > 4.15.7', '4.15.7 > 4.16.5'],
  'candidate-4.17': ['4.16.5 > 4.17.0'],
  'stable-5.0': ['4.22.3 > 5.0.1'],
  'stable-4.22': ['4.22.1 > 4.22.3'],
});
const version = mustParseVersion;

describe('channels that concern a cluster', () => {
  it('are those read, its own, those of the same kind on the way, and those to come', () => {
    expect(
      subscribedChannels(
        { current: version('4.14.8'), channel: 'stable-4.14', target: '4.15.7', read: ['eus-4.16'] },
        directory,
      ),
    ).toEqual([
      'eus-4.16',
      'fast-4.14',
      'fast-4.15',
      'fast-4.16',
      'fast-5.0',
      'stable-4.14',
      'stable-4.15',
      'stable-4.16',
      'stable-5.0',
    ]);
  });

  it('are those of a default target for a cluster that follows none', () => {
    expect(
      subscribedChannels({ current: version('4.22.1'), channel: null, target: null, read: [] }, directory),
    ).toEqual([
      'eus-4.23',
      'eus-4.24',
      'fast-4.23',
      'fast-4.24',
      'fast-5.0',
      'stable-4.22',
      'stable-4.23',
      'stable-4.24',
      'stable-5.0',
    ]);
  });
});

describe('a far target', () => {
  it('subscribes the stable, eus and fast channels up to it', () => {
    const known = releases(
      Object.fromEntries(
        ['fast-4.12', 'fast-4.13', 'stable-4.13', 'eus-4.14', 'stable-4.15', 'eus-4.16', 'stable-4.17'].map(
          (name) => [name, ['4.12.1 > 4.12.2']],
        ),
      ),
    );
    expect(
      subscribedChannels(
        { current: version('4.12.1'), channel: 'fast-4.12', target: '4.16.9', read: [] },
        known.directory,
      ),
    ).toEqual([
      'eus-4.14',
      'eus-4.16',
      'fast-4.12',
      'fast-4.13',
      'fast-4.14',
      'fast-5.0',
      'stable-4.13',
      'stable-4.14',
      'stable-4.15',
      'stable-5.0',
    ]);
  });
});

describe('a newer patch', () => {
  it.each([
    ['4.14.8', '4.14.20'],
    ['4.14.20', '4.14.30'],
    ['4.14.30', null],
  ])('of %s in a candidate channel is a candidate release only if there is no other', (from, expected) => {
    const known = releases({
      'stable-4.14': ['4.14.8 > 4.14.20'],
      'candidate-4.14': ['4.14.8 > 4.14.20', '4.14.20 > 4.14.30'],
    });
    expect(newerPatch(version(from), 'candidate-4.14', known.directory)).toBe(expected);
  });

  it.each([
    ['of its own channel', '4.14.8', 'fast-4.14', '4.14.21'],
    ['of stable channels when its own does not hold it', '4.14.8', 'candidate-4.14', '4.14.20'],
    ['is none on the newest', '4.14.20', 'stable-4.14', null],
    ['of any channel when no stable one holds it', '4.14.21', 'x', null],
    ['is none for a version that nobody holds', '4.3.1', 'stable-4.3', null],
  ])('%s', (_what, from, channel, expected) => {
    expect(newerPatch(version(from), channel, directory)).toBe(expected);
  });
});
