import {
  buildChannelIndex,
  channelFacts,
  type ChannelEntry,
  factsOf,
  NO_FACTS,
  nearestVersions,
  findHoldings,
  preferredChannel,
} from '@cairn/shared/graph/channel-index';
import type { Minor } from '@cairn/shared/version/minor';
import { parseVersion } from '@cairn/shared/version/release-version';
import { describe, expect, it } from 'vitest';
import { payloadOf } from '../../../helpers/path/answers.ts';
import { drawn } from '../../../helpers/path/channels.ts';

const AT = '2026-01-01T00:00:00.000Z';

const stable = drawn('4.13.9 > 4.14.0', '4.14.0 > 4.14.1', '4.13.9 > 4.14.1 Slow,Broken');
const candidate = drawn('4.14.0-rc.1', '4.14.0', '4.14.1', '4.14.2');

const entry = (channel: string, more: Partial<ChannelEntry> = {}): ChannelEntry => ({
  channel,
  publishedAt: AT,
  facts: NO_FACTS,
  withdrawn: [],
  ...more,
});
const entries = [
  entry('candidate-4.14', { facts: channelFacts(candidate) }),
  entry('stable-4.9', { publishedAt: null }),
  entry('stable-4.14', { facts: channelFacts(stable) }),
];

describe('buildChannelIndex', () => {
  it('lists what each channel holds, in the order of channels', () => {
    const empty = { nodes: 0, plainEdges: 0, conditionalEdges: 0, oldest: null, newest: null };
    expect(buildChannelIndex(entries).channels).toEqual([
      { channel: 'stable-4.9', publishedAt: null, ...empty, newestPerMinor: [], risks: [] },
      {
        channel: 'stable-4.14',
        publishedAt: AT,
        nodes: 3,
        plainEdges: 2,
        conditionalEdges: 1,
        oldest: '4.13.9',
        newest: '4.14.1',
        newestPerMinor: [
          { minor: '4.13', version: '4.13.9' },
          { minor: '4.14', version: '4.14.1' },
        ],
        risks: ['Broken', 'Slow'],
      },
      {
        channel: 'candidate-4.14',
        publishedAt: AT,
        nodes: 4,
        plainEdges: 0,
        conditionalEdges: 0,
        oldest: '4.14.0-rc.1',
        newest: '4.14.2',
        newestPerMinor: [{ minor: '4.14', version: '4.14.2' }],
        risks: [],
      },
    ]);
  });

  it('lists the channels of each version, in release order', () => {
    const { versions } = buildChannelIndex(entries);
    expect(versions.map(({ version, channels }) => [version, channels])).toEqual([
      ['4.13.9', [1]],
      ['4.14.0-rc.1', [2]],
      ['4.14.0', [1, 2]],
      ['4.14.1', [1, 2]],
      ['4.14.2', [2]],
    ]);
    expect(versions[0]).toEqual({ version: '4.13.9', payload: payloadOf('4.13.9'), channels: [1] });
  });

  it('is the same in whatever order the channels come', () => {
    expect(buildChannelIndex(entries.toReversed())).toEqual(buildChannelIndex(entries));
  });

  it('does not count a withdrawn version as the newest of its minor', () => {
    const index = buildChannelIndex([
      entry('stable-4.14', { facts: channelFacts(stable), withdrawn: ['4.13.9', '4.14.1'] }),
    ]);
    expect(index.channels[0]).toMatchObject({
      newest: '4.14.1',
      newestPerMinor: [{ minor: '4.14', version: '4.14.0' }],
    });
    expect(index.versions.map(({ withdrawnIn }) => withdrawnIn)).toEqual([[0], undefined, [0]]);
  });

  it('gives back what each channel was made from, also where payloads and errata differ', () => {
    const other = {
      ...channelFacts(stable),
      releases: [
        { version: '4.14.0', payload: payloadOf('other'), url: 'https://example.com/errata' },
        { version: '4.14.1', payload: payloadOf('4.14.1') },
      ],
    };
    const made = [...entries, entry('fast-4.14', { facts: other })];
    const index = buildChannelIndex(made);
    for (const { channel, facts } of made) expect(factsOf(index, channel)).toEqual(facts);
    expect(factsOf(index, 'eus-4.14')).toBeNull();
    expect(findHoldings(index, '4.14.0').map(({ payload }) => payload)).toEqual([
      payloadOf('4.14.0'),
      payloadOf('other'),
    ]);
  });

  it('takes the errata from the metadata', () => {
    const node = { version: '4.14.0', payload: payloadOf('4.14.0') };
    const graph = { ...stable, nodes: [{ ...node, metadata: { url: 'https://example.com/1' } }] };
    expect(channelFacts(graph).releases).toEqual([{ ...node, url: 'https://example.com/1' }]);
  });
});

describe('findHoldings', () => {
  const index = buildChannelIndex([
    entry('stable-4.14', { facts: channelFacts(stable), withdrawn: ['4.14.0', '4.13.9'] }),
    entry('candidate-4.14', { facts: channelFacts(candidate) }),
  ]);

  it('says which channels hold a version, and which of them lost it', () => {
    expect(findHoldings(index, '4.14.0')).toEqual([
      {
        payload: payloadOf('4.14.0'),
        url: null,
        withdrawn: false,
        excluded: false,
        channels: [
          { channel: 'stable-4.14', withdrawn: true },
          { channel: 'candidate-4.14', withdrawn: false },
        ],
      },
    ]);
  });

  it('says withdrawn when every channel that held it lost it', () => {
    expect(findHoldings(index, '4.13.9')).toMatchObject([{ withdrawn: true }]);
    expect(findHoldings(index, '4.13.8')).toEqual([]);
  });
});

describe('preferredChannel', () => {
  const held = (...names: string[]) =>
    names.map((name) => ({ channel: name.replace('!', ''), withdrawn: name.endsWith('!') }));

  it.each<[Minor, ReturnType<typeof held>, string | null]>([
    ['4.13', held('eus-4.14', 'stable-4.14', 'stable-4.13', 'candidate-4.13'), 'stable-4.13'],
    ['4.14', held('candidate-4.14', 'fast-4.15'), 'fast-4.15'],
    ['4.14', held('eus-4.14', 'fast-4.14'), 'eus-4.14'],
    ['4.14', held('stable-4.14!', 'candidate-4.14'), 'candidate-4.14'],
    ['4.14', held('stable-4.14!', 'candidate-4.14!'), 'stable-4.14'],
    ['4.14', held('stable-4.9', 'stable-4.16', 'stable-4.15'), 'stable-4.15'],
    ['4.14', [], null],
  ])('%s in %j: %s', (minor, channels, expected) => {
    expect(preferredChannel(minor, channels)).toBe(expected);
    expect(preferredChannel(minor, channels.toReversed())).toBe(expected);
  });
});

describe('nearestVersions', () => {
  const known = ['4.14.1', '4.14.2', '4.15.0', '4.14.2', '4.14.5', '4.14.6', '4.14.9', '4.15.0'];

  it.each([
    ['4.14.3', ['4.14.1', '4.14.2', '4.14.5', '4.14.6']],
    ['4.14.0', ['4.14.1', '4.14.2']],
    ['4.14.99', ['4.14.6', '4.14.9']],
    ['4.15.0-rc.1', ['4.15.0']],
    ['4.13.7', ['4.14.1', '4.14.2']],
    ['5.0.0', ['4.14.9', '4.15.0']],
  ])('of %s: %j', (asked, nearest) => {
    expect(nearestVersions(known, parseVersion(asked)!)).toEqual(nearest);
  });

  it.each([
    ['4.15.7', ['4.15.2']],
    ['4.15.0-rc.2', ['4.15.0-rc.1', '4.15.2']],
    ['4.16.0', ['4.16.0-ec.1']],
  ])('of %s among pre-releases: %j', (asked, nearest) => {
    const names = ['4.15.0-rc.1', '4.15.2', '4.16.0-ec.1'];
    expect(nearestVersions(names, parseVersion(asked)!)).toEqual(nearest);
  });

  it('are none where nothing is known', () => {
    expect(nearestVersions([], parseVersion('4.14.0')!)).toEqual([]);
  });
});
