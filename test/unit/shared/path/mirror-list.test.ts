import { channelsOf, listedChannels, mirrorOfReleases, neededReleases } from '@cairn/shared/path/mirror-list';
import { describe, expect, it } from 'vitest';
import { payloadOf } from '../../../helpers/path/answers.ts';
import { channel, solve } from '../../../helpers/path/channels.ts';
import { step } from '../../../helpers/path/steps.ts';

const found = solve(channel('stable-4.2', '4.1.0 > 4.1.1', '4.1.1 > 4.2.0'), '4.1.0', '4.2.0');
const path = found.found ? found.path : [];

describe('releases that a path needs', () => {
  it.each([
    [false, ['4.1.1', '4.2.0']],
    [true, ['4.1.0', '4.1.1', '4.2.0']],
  ])('with where the cluster is: %s', (includeSource, versions) => {
    const needed = neededReleases(path, 'arm64', includeSource);
    expect(needed.map((release) => release.step.version)).toEqual(versions);
    expect(new Set(needed.map(({ arch }) => arch))).toEqual(new Set(['arm64']));
    expect(mirrorOfReleases(needed)).toEqual(
      versions.map((version) => ({
        version,
        payload: payloadOf(version),
        digest: payloadOf(version).split('@')[1],
        arch: 'arm64',
      })),
    );
  });

  it('are mirrored once for each image, oldest first', () => {
    const image = (version: string, digit: string) => ({
      version,
      payload: `quay.io/a/b@sha256:${digit.repeat(64)}`,
    });
    const list = mirrorOfReleases([
      { step: image('4.14.10', '2'), arch: 'amd64' },
      { step: image('4.14.9', '1'), arch: 'amd64' },
      { step: image('4.14.10', '2'), arch: 'amd64' },
      { step: image('4.14.10', '3'), arch: 'arm64' },
    ]);
    expect(list.map(({ version, arch, digest }) => [version, arch, digest.slice(7, 8)])).toEqual([
      ['4.14.9', 'amd64', '1'],
      ['4.14.10', 'amd64', '2'],
      ['4.14.10', 'arm64', '3'],
    ]);
  });

  it('have a payload with a digest, as in every served graph', () => {
    const step = { version: '4.14.1', payload: 'quay.io/a/b:4.14.1' };
    expect(() => mirrorOfReleases([{ step, arch: 'amd64' }])).toThrow('no digest');
  });
});

describe('channels of a step', () => {
  it.each<[string | null, string[] | null, string[]]>([
    ['stable-4.14,eus-4.14', null, ['stable-4.14', 'eus-4.14']],
    ['stable-4.14,eus-4.14', ['eus-4.14', 'fast-4.15'], ['stable-4.14', 'eus-4.14', 'fast-4.15']],
    [null, ['fast-4.15'], ['fast-4.15']],
    [null, null, []],
  ])('listed %s, offered in %s', (listed, offeredIn, expected) => {
    expect(channelsOf(step('4.14.3', listed, offeredIn))).toEqual(expected);
    expect(listedChannels(step('4.14.3', listed).node)).toEqual(listed?.split(',') ?? []);
  });
});
