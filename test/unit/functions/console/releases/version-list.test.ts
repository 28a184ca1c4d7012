import type { Arch } from '@cairn/shared/version/arch';
import { minorOf } from '@cairn/shared/version/minor';
import { mustParseVersion } from '@cairn/shared/version/release-version';
import { describe, expect, it } from 'vitest';
import type { VersionsAnswer } from '../../../../../functions/console/data/responses.ts';
import {
  isArchFollowed,
  minorsWithout,
  minorsWithReleases,
  newestOfMinors,
  shownSupport,
  versionsFor,
} from '../../../../../functions/console/releases/version-list.tsx';
import { CALENDAR } from '../../../../helpers/path/builders.ts';

type Cpu = VersionsAnswer[string]['cpu_architectures'][number];

function answer(
  ...versions: (readonly [name: string, cpus: readonly Cpu[], beta?: 'beta'])[]
): VersionsAnswer {
  return Object.fromEntries(
    versions.map(([name, cpus, beta]) => [
      name,
      { display_name: name, support_level: beta ?? ('production' as const), cpu_architectures: [...cpus] },
    ]),
  );
}

const names = (listed: readonly { readonly name: string }[]) => listed.map(({ name }) => name);

const ALL = answer(
  ['5.0.0-ec.1', ['x86_64'], 'beta'],
  ['5.0.0-ec.0', ['x86_64', 's390x'], 'beta'],
  ['4.16.2', ['x86_64']],
  ['4.16.2-multi', ['x86_64', 's390x']],
  ['4.16.1', ['x86_64', 's390x'], 'beta'],
  ['4.16.0', ['x86_64', 's390x']],
  ['4.9.1', ['arm64']],
);
const LATEST = answer(
  ['5.0.0-ec.1', ['x86_64'], 'beta'],
  ['4.16.2', ['x86_64']],
  ['4.16.2-multi', ['x86_64', 's390x']],
  ['4.9.1', ['arm64']],
);

describe('versions for an architecture', () => {
  it.each<[Arch, string[]]>([
    ['amd64', ['5.0.0-ec.1', '5.0.0-ec.0', '4.16.2', '4.16.1', '4.16.0']],
    ['arm64', ['4.9.1']],
    ['s390x', ['5.0.0-ec.0', '4.16.1', '4.16.0']],
    // One image for several architectures is an architecture of its own to the update service.
    ['multi', ['4.16.2-multi']],
    ['ppc64le', []],
  ])('%s', (arch, expected) => {
    expect(names(versionsFor(arch, ALL))).toEqual(expected);
  });

  it('are named as installers and as the update service name them', () => {
    expect(versionsFor('multi', ALL)).toEqual([
      {
        name: '4.16.2-multi',
        version: '4.16.2',
        minor: '4.16',
        support: 'production',
        isDefault: false,
        arches: ['multi'],
      },
    ]);
  });

  it('say which is the default', () => {
    const listed = versionsFor('amd64', { '4.16.2': { ...ALL['4.16.2']!, default: true } });
    expect(listed[0]!.isDefault).toBe(true);
  });
});

describe('the configuration is no fact about a release', () => {
  const source = (
    minor: string,
    channels: ('candidate' | 'stable')[],
    cpu: 'x86_64' | 'arm64' = 'x86_64',
  ) => ({
    openshift_version: minor,
    multi_cpu_architectures: [],
    upgrade_channels: [{ cpu_architecture: cpu, channels }],
  });
  const SOURCES = [
    source('4.16', ['candidate']),
    source('4.17', ['candidate', 'stable']),
    source('4.18', [], 'arm64'),
  ];
  const shown = (
    version: string,
    followed: ReadonlySet<string> | null,
    support: 'beta' | 'maintenance' = 'beta',
  ) =>
    shownSupport(
      {
        name: version,
        version,
        minor: minorOf(mustParseVersion(version)),
        support,
        isDefault: false,
        arches: [],
      },
      followed,
      CALENDAR(minorOf(mustParseVersion(version))),
    );

  it('only candidate-4.16 is followed, so its releases have the support of 4.16', () => {
    const followed = minorsWithReleases(SOURCES);
    expect([...followed]).toEqual(['4.17']);
    expect(shown('4.16.3', followed)).toBe('maintenance');
    expect(shown('4.22.3', followed)).toBe('production');
    expect(shown('4.9.3', followed)).toBe('end-of-life');
    expect(shown('4.16.0-rc.1', followed)).toBe('beta');
    // Stable is followed and does not have it.
    expect(shown('4.17.3', followed)).toBe('beta');
    expect(shown('4.17.3', followed, 'maintenance')).toBe('maintenance');
    expect(shown('4.16.3', null)).toBe('beta');
  });

  it('an architecture without channels is not followed', () => {
    expect([isArchFollowed('amd64', SOURCES), isArchFollowed('arm64', SOURCES)]).toEqual([true, false]);
  });
});

describe('the newest of every minor', () => {
  it.each<[Arch, VersionsAnswer | null, string[]]>([
    ['amd64', null, ['5.0.0-ec.1', '4.16.2']],
    ['s390x', null, []],
    // What the service would take first is not built for it: the next that is, and no beta where there is another.
    ['s390x', ALL, ['5.0.0-ec.0', '4.16.0']],
    ['arm64', ALL, ['4.9.1']],
    ['multi', ALL, ['4.16.2-multi']],
  ])('for %s', (arch, all, expected) => {
    expect(names(newestOfMinors(arch, LATEST, all))).toEqual(expected);
  });

  it.each<[Arch, string[]]>([
    ['amd64', ['4.9']],
    ['s390x', ['5.0', '4.16', '4.9']],
  ])('is missing for %s in some', (arch, expected) => {
    expect(minorsWithout(versionsFor(arch, LATEST), LATEST)).toEqual(expected);
  });
});
