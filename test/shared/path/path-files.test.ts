import { describe, expect, it } from 'vitest';
import {
  channelsOf,
  imageSetOf,
  imageSetText,
  listedChannels,
  mirrorOfReleases,
  neededReleases,
} from '@cairn/shared/path/path-files';
import type { PathStep } from '@cairn/shared/path/solve';
import { CHANNELS, payloadOf } from '../graph/answers.ts';
import { channel, solve } from './channels.ts';

const found = solve(channel('stable-4.2', '4.1.0 > 4.1.1', '4.1.1 > 4.2.0'), '4.1.0', '4.2.0');
const path = found.found ? found.path : [];

/** A step that its release says to be in these channels. */
function step(version: string, listed: string | null, offeredIn: readonly string[] | null = null): PathStep {
  const node = {
    version,
    payload: payloadOf(version),
    metadata: (listed === null ? {} : { [CHANNELS]: listed }) as Record<string, string>,
  };
  const hop = offeredIn && { conditional: false, risks: [], crossesMinor: false, channels: offeredIn };
  return { version, payload: node.payload, node, hop };
}

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

describe('the image set', () => {
  it('is none when nothing is needed', () => {
    expect(imageSetOf([])).toBeNull();
  });

  it('of one file is that file', () => {
    const set = imageSetOf([
      { step: step('4.14.3', 'stable-4.14'), arch: 'amd64' },
      { step: step('4.15.1', null, ['stable-4.15']), arch: 'arm64' },
    ])!;
    expect(imageSetText(set)).toBe(set.files[0]!.yaml);
    expect(set.files[0]!.yaml).toContain(
      '- name: stable-4.15\n        type: ocp\n        minVersion: 4.15.1\n',
    );
    expect(set.files[0]!.yaml).toContain('      - amd64\n      - arm64\n');
  });

  it('of several has them all, each under its name, and says why', () => {
    const needed = ['4.14.3', '4.14.9'].map((version) => ({
      step: step(version, 'stable-4.14'),
      arch: 'amd64' as const,
    }));
    const set = imageSetOf(needed)!;
    const [first, second] = set.files;
    const parts = `---\n# imageset-config-1.yaml\n${first!.yaml}---\n# imageset-config-2.yaml\n${second!.yaml}`;
    expect(imageSetText(set)).toBe(
      `# 2 files: ${set.splitBecause}.\n# Save each part under its name.\n${parts}`,
    );
    expect(imageSetText(set, ', or ask')).toBe(
      `# 2 files: ${set.splitBecause}.\n# Save each part under its name, or ask.\n${parts}`,
    );
  });
});
