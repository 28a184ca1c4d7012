import {
  channelsOf,
  listedChannels,
  mirrorOfReleases,
  neededReleases,
  signatureNote,
} from '@cairn/shared/path/mirror-list';
import { describe, expect, it } from 'vitest';
import { payloadOf } from '../../../helpers/path/answers.ts';
import { channel, solve } from '../../../helpers/path/channels.ts';
import { releases } from '../../../helpers/path/releases.ts';
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

describe('signatures', () => {
  const mirrorOf = (...versions: readonly string[]) =>
    mirrorOfReleases(versions.map((version) => ({ step: step(version, null), arch: 'amd64' as const })));

  it('are named from 4.21 on, whose nodes require them', () => {
    const digest = payloadOf('4.21.0').split('@')[1]!;
    expect(mirrorOf('4.20.9', '4.21.0', '5.0.1').map(({ signatureTag }) => signatureTag)).toEqual([
      undefined,
      `${digest.replace(':', '-')}.sig`,
      expect.stringMatching(/^sha256-[0-9a-f]{64}\.sig$/),
    ]);
    expect(signatureNote(mirrorOf('4.20.9'))).toBeNull();
    expect(signatureNote(mirrorOf('4.20.9', '4.21.0'))).toContain('sha256-<digest>.sig');
  });
});

describe('channels of a step', () => {
  const { directory } = releases(
    {
      'stable-4.14': ['4.14.3 > 4.14.9'],
      'eus-4.14': ['4.14.3 > 4.14.9'],
      'stable-4.15': ['4.14.9 > 4.15.1'],
      'fast-4.15': ['4.15.1'],
    },
    { withdrawn: { 'eus-4.14': ['4.14.3'] }, neverSynced: ['fast-4.15'] },
  );

  it.each<[string, string | null, string[]]>([
    ['4.14.9', null, ['stable-4.14', 'eus-4.14', 'stable-4.15']],
    // Metadata does not count beside known channels.
    ['4.14.9', 'fast-4.14', ['stable-4.14', 'eus-4.14', 'stable-4.15']],
    ['4.14.3', 'eus-4.14', ['stable-4.14']],
    // Not followed, or not known yet; followed channels do not hold it.
    ['4.14.5', 'stable-4.14,fast-4.14,fast-4.15,fast-4.13,nightly', ['fast-4.14', 'fast-4.15']],
    ['4.14.5', null, []],
  ])('of %s, listed in %s', (version, listed, expected) => {
    expect(channelsOf(step(version, listed), directory)).toEqual(expected);
    expect(listedChannels(step(version, listed).node)).toEqual(listed?.split(',') ?? []);
  });

  it('hold the same image', () => {
    const other = { ...step('4.14.9', null), payload: `quay.io/other@sha256:${'0'.repeat(64)}` };
    expect(channelsOf(other, directory)).toEqual([]);
  });
});
