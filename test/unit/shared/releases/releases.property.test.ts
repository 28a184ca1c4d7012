import { buildCatalogue, type ReleaseRow, listedReleases } from '@cairn/shared/releases/catalogue';
import { listVersions } from '@cairn/shared/releases/query';
import { planRetirement } from '@cairn/shared/releases/retirement';
import { parseReleaseConfig, type ReleaseConfig } from '@cairn/shared/releases/sources';
import { CPU_ARCHITECTURES } from '@cairn/shared/version/arch';
import type { Minor } from '@cairn/shared/version/minor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALENDAR } from '../../../helpers/path/builders.ts';

const CHANNELS = ['candidate', 'fast', 'stable', 'eus', 'prerelease'];
const NAMES = ['x86_64', 'amd64', 'arm64', 'aarch64', 'ppc64le', 's390x', 'multi'];
const SINGLE_NAMES = NAMES.filter((name) => name !== 'multi');
const LEVELS = ['beta', 'production', 'maintenance', 'end-of-life'];

const minor = fc.constantFrom<Minor[]>('4.9', '4.10', '4.11', '4.22', '5.0');
const version = fc
  .tuple(minor, fc.nat(12), fc.constantFrom('', '', '-rc.1', '-ec.10', '-ec.9'))
  .map(([m, z, pre]) => `${m}.${z}${pre}`);

const sourceBody = fc.record(
  {
    upgrade_channels: fc.array(
      fc.record({
        cpu_architecture: fc.constantFrom(...NAMES),
        channels: fc.array(fc.constantFrom(...CHANNELS), { maxLength: 4 }),
      }),
      { maxLength: 4 },
    ),
    multi_cpu_architectures: fc.array(fc.constantFrom(...SINGLE_NAMES), { maxLength: 4 }),
  },
  { requiredKeys: ['upgrade_channels'] },
);
const sourceList = fc.array(
  fc.tuple(minor, sourceBody).map(([openshift_version, body]) => ({ openshift_version, ...body })),
  { maxLength: 6 },
);
const images = fc
  .uniqueArray(fc.tuple(version, fc.constantFrom('x86_64', 'arm64', 'multi')), {
    selector: ([v, cpu]) => `${v}/${cpu}`,
    maxLength: 4,
  })
  .chain((pairs) =>
    fc.tuple(
      ...pairs.map(([v, cpu]) =>
        fc.record(
          {
            openshift_version: fc.constant(v.split('.').slice(0, 2).join('.')),
            version: fc.constantFrom(v, cpu === 'multi' ? `${v}-multi` : v),
            cpu_architecture: fc.constant(cpu),
            url: fc.constant(`registry.example.com/ocp:${v}-${cpu}`),
            support_level: fc.constantFrom(...LEVELS),
          },
          { requiredKeys: ['openshift_version', 'version', 'cpu_architecture', 'url'] },
        ),
      ),
    ),
  );
const file = fc.record(
  {
    release_sources: fc.oneof(sourceList, fc.dictionary(minor, sourceBody)),
    release_images: images,
    ignored_openshift_versions: fc.array(fc.oneof(minor, version, fc.constant('>=4.10.0 <4.11.3')), {
      maxLength: 4,
    }),
    support_levels: fc.dictionary(minor, fc.constantFrom(...LEVELS)),
    confirm_removal: fc.array(minor, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);
/** A multi release of `release_images` may hold other architectures than the rest of its minor. */
const likeMultis = file.map(({ release_images: all = [], ...other }) => ({
  ...other,
  release_images: all.filter(({ cpu_architecture: cpu }) => cpu !== 'multi'),
}));

const rows: fc.Arbitrary<ReleaseRow[]> = fc.uniqueArray(
  fc
    .record({
      version,
      arch: fc.constantFrom('amd64', 'arm64', 's390x', 'multi'),
      names: fc.subarray(CHANNELS),
      withdrawn: fc.boolean(),
    })
    .map(({ version, arch, names, withdrawn }) => ({
      version,
      arch,
      channels: names.map((name) => `${name}-${version.split('.').slice(0, 2).join('.')}`),
      payload: `quay.io/ocp@${version}/${arch}`,
      firstSeenAt: '2026-11-01T00:00:00Z',
      ...(withdrawn && { withdrawnAt: '2026-11-02T00:00:00Z' }),
    })),
  { selector: (row) => `${row.version}/${row.arch}`, maxLength: 40 },
);

function read(input: unknown): ReleaseConfig {
  const reading = parseReleaseConfig(input);
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.config;
}

/** The configuration written down again, in its normal form. */
function write(config: ReleaseConfig): unknown {
  return {
    release_sources: config.asConfigured,
    release_images: config.staticReleases.map((release) => ({
      openshift_version: release.minor,
      version: release.version,
      cpu_architecture: release.cpuArchitecture,
      cpu_architectures: release.cpuArchitectures,
      url: release.url,
      default: release.default,
      ...(release.supportLevel && { support_level: release.supportLevel }),
    })),
    ignored_openshift_versions: config.ignored,
    excluded_in_graph: config.excludedInGraph,
    support_levels: config.supportLevels,
    confirm_removal: config.confirmRemoval,
  };
}

describe('configuration', () => {
  it('normalising a normalised one is the identity', () => {
    fc.assert(
      fc.property(file, (input) => {
        const config = read(input);
        expect(read(write(config))).toEqual(config);
      }),
    );
  });

  it('sources that are written down as followed mean the same', () => {
    fc.assert(
      fc.property(file, (input) => {
        const { sources } = read(input);
        const again = sources.map((source) => ({
          openshift_version: source.minor,
          multi_cpu_architectures: source.multiCpuArchitectures,
          upgrade_channels: source.upgradeChannels.map(({ cpuArchitecture, channels }) => ({
            cpu_architecture: cpuArchitecture,
            channels,
          })),
        }));
        expect(read({ release_sources: again }).sources).toEqual(sources);
      }),
    );
  });

  it('is plain data: it survives JSON', () => {
    fc.assert(
      fc.property(file, (input) => {
        const config = read(input);
        expect(JSON.parse(JSON.stringify(config))).toEqual(config);
      }),
    );
  });

  it('is read from anything without throwing, and a refusal names a mistake', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.dictionary(
            fc.constantFrom('release_sources', 'release_images', 'support_levels'),
            fc.jsonValue(),
          ),
        ),
        (input) => {
          const reading = parseReleaseConfig(input);
          expect(reading.ok || reading.mistakes.length > 0).toBe(true);
        },
      ),
    );
  });
});

describe('catalogue', () => {
  it('does not depend on the order of the rows', () => {
    const shuffled = rows.chain((some) =>
      fc.tuple(
        fc.constant(some),
        fc.shuffledSubarray(some, { minLength: some.length, maxLength: some.length }),
      ),
    );
    fc.assert(
      fc.property(file, shuffled, (input, [some, other]) => {
        const config = read(input);
        const reordered = other.map((row) => ({ ...row, channels: row.channels.toReversed() }));
        expect(buildCatalogue({ config, rows: reordered, calendar: CALENDAR })).toEqual(
          buildCatalogue({ config, rows: some, calendar: CALENDAR }),
        );
      }),
    );
  });

  it('holds each version and architecture once, and at most one default', () => {
    fc.assert(
      fc.property(file, rows, (input, some) => {
        const { releases } = buildCatalogue({ config: read(input), rows: some, calendar: CALENDAR });
        const keys = releases.map((release) => `${release.version}/${release.cpuArchitecture}`);
        expect(new Set(keys).size).toBe(keys.length);
        expect(releases.filter((release) => release.default).length).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('listing', () => {
  it('the latest that match a pattern are the latest, and match it', () => {
    const pattern = fc.constantFrom('', '4.', '4.1', '.1', '4.10.', '-multi', '-rc', '5.0.0', '9');
    fc.assert(
      fc.property(file, rows, pattern, fc.boolean(), (input, some, pattern, excludeWithdrawn) => {
        const config = read(input);
        const catalogue = buildCatalogue({ config, rows: some, calendar: CALENDAR });
        const list = (query: { text?: string; onlyLatest: boolean }) =>
          listVersions(listedReleases(catalogue, config.ignored), { ...query, excludeWithdrawn });
        const matching = list({ text: pattern, onlyLatest: false });
        const latest = list({ onlyLatest: true });
        const both = Object.entries(latest).filter(([name]) => Object.hasOwn(matching, name));
        expect(list({ text: pattern, onlyLatest: true })).toEqual(Object.fromEntries(both));
        // A version is listed only for the architectures whose latest it is.
        for (const [name, { cpu_architectures: cpus, ...entry }] of both) {
          expect(matching[name]).toMatchObject(entry);
          expect(matching[name]!.cpu_architectures).toEqual(expect.arrayContaining([...cpus]));
        }
      }),
    );
  });

  it('every minor has the latest version of each of its architectures, and narrowed to one no other', () => {
    const minorOf = (name: string) => name.split('.').slice(0, 2).join('.');
    const isMulti = ({ version }: { readonly version: string }) => version.endsWith('-multi');
    fc.assert(
      fc.property(likeMultis, rows, (input, some) => {
        const config = read(input);
        const releases = listedReleases(
          buildCatalogue({ config, rows: some, calendar: CALENDAR }),
          config.ignored,
        );
        const all = Object.keys(listVersions(releases, { onlyLatest: false }));
        const latest = Object.entries(listVersions(releases, { onlyLatest: true }));
        expect(new Set(latest.map(([name]) => minorOf(name)))).toEqual(new Set(all.map(minorOf)));
        const places = latest.flatMap(([name, { cpu_architectures: cpus }]) =>
          (name.includes('-multi') ? ['multi'] : cpus).map((cpu) => `${minorOf(name)} ${cpu}`),
        );
        expect(new Set(places).size).toBe(places.length);
        for (const cpu of CPU_ARCHITECTURES) {
          const own = Object.keys(listVersions(releases, { onlyLatest: true, cpuArchitecture: cpu }));
          const minors = own.filter((name) => name.includes('-multi') === (cpu === 'multi')).map(minorOf);
          expect(new Set(minors).size).toBe(minors.length);
          const forIt = releases.filter(
            (release) => release.cpuArchitectures.includes(cpu) || (cpu === 'multi' && isMulti(release)),
          );
          expect(own).toEqual(Object.keys(listVersions(forIt, { onlyLatest: true })));
        }
      }),
    );
  });
});

describe('retirement', () => {
  it('never touches a configured minor, a pinned version or more than was agreed to', () => {
    const clock = fc.constantFrom('2026-10-01T00:00:00Z', '2026-11-19T00:00:00Z');
    const since = fc.array(fc.tuple(minor, clock)).map((entries) => new Map(entries));
    fc.assert(
      fc.property(
        rows,
        fc.array(minor),
        fc.array(minor),
        since,
        fc.array(version),
        (some, configured, confirmed, since, pinned) => {
          const pinnedVersions = new Set(pinned);
          const input = some.map((row) => ({
            ...row,
            minor: row.version.split('.').slice(0, 2).join('.') as Minor,
          }));
          const plan = planRetirement({
            configured,
            rows: input,
            retiredSince: since,
            confirmed,
            pinnedVersions,
            now: '2026-11-20T00:00:00Z',
            graceMs: 14 * 24 * 3_600_000,
          });
          const gone = [...new Set(plan.deletable.map((row) => row.minor))];
          const offending = plan.deletable.filter(
            (row) =>
              configured.includes(row.minor) ||
              pinnedVersions.has(row.version) ||
              since.get(row.minor) !== '2026-10-01T00:00:00Z',
          );
          expect(offending).toEqual([]);
          const isLittle = gone.length <= 1 && plan.deletable.length <= input.length / 5;
          expect(isLittle || gone.every((minor) => confirmed.includes(minor))).toBe(true);
          expect((configured.length > 0 && plan.held === null) || plan.deletable.length === 0).toBe(true);
        },
      ),
    );
  });
});
