import { describe, expect, it } from 'vitest';
import { type ChannelEntry, loadImageSet, resolveReleases } from '../../../helpers/path/oc-mirror.ts';

/** Channels by their updates: `4.1.0 > 4.1.1`. */
const CHANNELS: Readonly<Record<string, readonly string[]>> = {
  'stable-4.1': ['4.1.0 > 4.1.1', '4.1.0 > 4.1.2', '4.1.1 > 4.1.3', '4.1.2 > 4.1.3', '4.1.9'],
  'stable-4.2': ['4.1.3 > 4.1.9', '4.1.9 > 4.2.0', '4.2.0 > 4.2.4'],
  'stable-4.3': ['4.2.4 > 4.3.0', '4.3.0 > 4.3.1'],
  'eus-4.1': ['4.1.0 > 4.1.3'],
  'eus-4.3': ['4.3.0'],
  'fast-4.2': ['4.2.0 > 4.2.4'],
};

function drawn(channel: string, arch: string) {
  const updates = arch === 'amd64' ? CHANNELS[channel] : undefined;
  if (updates === undefined) return null;
  const pairs = updates.map((update) => update.split(' > '));
  const versions = [...new Set(pairs.flat())];
  return {
    nodes: versions.map((version) => ({ version, payload: `image of ${version}` })),
    edges: pairs
      .filter((pair) => pair.length === 2)
      .map((pair) => pair.map((version) => versions.indexOf(version)) as [number, number]),
  };
}

function resolved(arch: string, ...channels: readonly ChannelEntry[]) {
  const { releases, error } = resolveReleases([arch], channels, drawn);
  return [releases.map(({ version }) => version).join(' '), error];
}

const at = (name: string, version: string): ChannelEntry => ({
  name,
  minVersion: version,
  maxVersion: version,
});

describe('the restated resolution of oc-mirror, on small graphs', () => {
  it.each<[string, ChannelEntry, string]>([
    ['one release', at('stable-4.1', '4.1.2'), '4.1.2'],
    ['a range', { name: 'stable-4.1', minVersion: '4.1.1', maxVersion: '4.1.3' }, '4.1.1 4.1.2 4.1.3'],
    ['the newest', { name: 'stable-4.1' }, '4.1.9'],
    ['all', { name: 'stable-4.2', full: true }, '4.1.3 4.1.9 4.2.0 4.2.4'],
    ['from a minimum', { name: 'stable-4.1', minVersion: '4.1.2' }, '4.1.2 4.1.3 4.1.9'],
    ['up to a maximum', { name: 'stable-4.1', maxVersion: '4.1.2' }, '4.1.0 4.1.1 4.1.2'],
    [
      'the shortest path, by the newest neighbor',
      { name: 'stable-4.1', minVersion: '4.1.0', maxVersion: '4.1.3', shortestPath: true },
      '4.1.0 4.1.2 4.1.3',
    ],
    [
      'both ends without a path',
      { name: 'stable-4.1', minVersion: '4.1.0', maxVersion: '4.1.9', shortestPath: true },
      '4.1.0 4.1.9',
    ],
  ])('of one entry selects %s', (_what, entry, expected) => {
    expect(resolved('amd64', entry)).toEqual([expected, null]);
  });

  it('of one entry fails if the channel or the release is not there', () => {
    expect(resolved('amd64', at('stable-4.9', '4.9.1'))).toEqual(['', 'no release images found']);
    expect(resolved('arm64', { name: 'stable-4.1' })).toEqual(['', 'no release images found']);
    expect(resolved('amd64', at('stable-4.1', '4.1.7'))).toEqual(['', 'no release images found']);
  });

  it('of two entries adds releases on a path from the oldest to the newest', () => {
    expect(resolved('amd64', at('stable-4.1', '4.1.3'), at('stable-4.3', '4.3.0'))).toEqual([
      '4.1.3 4.1.9 4.2.0 4.2.4 4.3.0',
      null,
    ]);
    // Of the same minor, and blocked there: only the ends.
    expect(resolved('amd64', at('stable-4.2', '4.1.9'), at('fast-4.2', '4.2.4'))).toEqual([
      '4.1.9 4.2.4',
      null,
    ]);
    expect(resolved('amd64', at('fast-4.2', '4.2.0'), at('stable-4.2', '4.2.4'))).toEqual([
      '4.2.0 4.2.4',
      null,
    ]);
  });

  it('of two entries fails if a channel between them does not exist', () => {
    expect(resolved('amd64', at('eus-4.1', '4.1.0'), at('eus-4.3', '4.3.0'))).toEqual([
      '4.1.0 4.3.0',
      'error list [error calculating cross channel upgrades: failed to get upgrade graph: NoVersionsFound: no cluster versions found for "amd64" in the "eus-4.2" channel]',
    ]);
    expect(resolved('amd64', { name: 'stable-4.8' }, at('stable-4.1', '4.1.2'))).toEqual([
      '4.1.2',
      'error list [NoVersionsFound: no cluster versions found for "amd64" in the "stable-4.8" channel error calculating cross channel upgrades: failed to find minimum release version: Version string empty]',
    ]);
  });

  it('of several architectures uses the ends that it found on the first', () => {
    const source = (_channel: string, arch: string) => ({
      nodes: (arch === 'amd64' ? ['4.1.0', '4.1.2'] : ['4.1.2', '4.1.3']).map((version) => ({
        version,
        payload: `${version} ${arch}`,
      })),
      edges: [],
    });
    const { releases } = resolveReleases(['amd64', 'arm64'], [{ name: 'stable-4.1' }], source);
    expect(releases.map(({ payload }) => payload)).toEqual(['4.1.2 amd64', '4.1.2 arm64']);
  });
});

describe('the restated loader of oc-mirror', () => {
  const file = (platform: string, rest = '') =>
    `kind: ImageSetConfiguration\napiVersion: mirror.openshift.io/v2alpha1\nmirror:\n  platform:\n${platform}${rest}`;
  const channel = '    channels:\n      - name: stable-4.1\n        type: ocp\n';

  it('accepts what its types have', () => {
    expect(loadImageSet(file(`    architectures: [amd64]\n${channel}`)).channels).toHaveLength(1);
  });

  it.each([
    [
      file(`    platforms: [{os: linux, architecture: amd64}]\n${channel}`),
      'unknown field mirror.platform.platforms',
    ],
    [file(`${channel}${channel.slice('    channels:\n'.length)}`), 'duplicate found'],
    [file(channel.replace('type: ocp', 'type: rhel')), 'invalid platform type'],
    [file(channel, 'size: 4\n'), 'unknown field .size'],
    ['kind: Secret', 'configuration missing `kind`'],
  ])('rejects %j', (text, message) => {
    expect(() => loadImageSet(text)).toThrow(message);
  });
});
