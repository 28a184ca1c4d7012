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

  it('of several paths are mirrored once for each image, oldest first', () => {
    const [twice, other] = [neededReleases(path, 'amd64', false), neededReleases(path, 'amd64', true)];
    expect(mirrorOfReleases([...twice, ...other]).map(({ version }) => version)).toEqual([
      '4.1.0',
      '4.1.1',
      '4.2.0',
    ]);
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
