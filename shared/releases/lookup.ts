import { showValue } from '../text/show-value.ts';
import { type CpuArchitecture, parseCpuArchitecture } from '../version/arch.ts';
import { parseMinor } from '../version/minor.ts';
import { parseVersion } from '../version/release-version.ts';
import type { Catalogue, CatalogueRelease } from './catalogue.ts';
import { ignoredTest } from './ignored-versions.ts';
import { latestRelease } from './latest.ts';
import { isMultiVersion, withoutMulti } from './multi-version.ts';
import { ARCHITECTURE_NAMES } from './release-sources.ts';

export type ReleaseLookup =
  | { readonly found: true; readonly release: CatalogueRelease }
  | {
      readonly found: false;
      readonly reason: 'invalid_version' | 'unknown_architecture' | 'ignored' | 'not_found';
      readonly message: string;
    };

/**
 * The release to install for a version and an architecture under any of its names. A minor means its latest release;
 * `4.14.1-multi` and `4.14.1` on `multi` mean the multi payload, which also serves `4.14.1` on an architecture that
 * has no payload of its own.
 */
export function findRelease(
  catalogue: Catalogue,
  ignored: readonly string[],
  version: string,
  cpuArchitecture: string,
): ReleaseLookup {
  const cpu = parseCpuArchitecture(cpuArchitecture);
  if (cpu === null) {
    const accepted = ARCHITECTURE_NAMES.join(', ');
    return missing(
      'unknown_architecture',
      `${showValue(cpuArchitecture)} is not an architecture, use one of ${accepted}`,
    );
  }
  const wanted = withoutMulti(version);
  const minor = parseMinor(wanted);
  if (minor === null && parseVersion(wanted) === null) {
    const accepted = 'use a minor such as "4.14" or a version such as "4.14.3"';
    return missing('invalid_version', `${showValue(version)} is not a version, ${accepted}`);
  }
  const named = catalogue.releases.filter((release) =>
    minor === null ? release.upstreamVersion === wanted : release.minor === minor,
  );
  const suitable = onArchitecture(named, cpu, isMultiVersion(version));
  const isIgnored = ignoredTest(ignored);
  const release = latestRelease(suitable.filter((candidate) => !isIgnored(candidate)));
  if (release) return { found: true, release };
  return suitable.length > 0
    ? missing('ignored', `${version} is in the list of ignored versions`)
    : missing('not_found', `there is no release ${version} for ${cpu}`);
}

function onArchitecture(
  releases: readonly CatalogueRelease[],
  cpu: CpuArchitecture,
  multiOnly: boolean,
): readonly CatalogueRelease[] {
  const own = releases.filter(({ cpuArchitecture }) => cpuArchitecture === cpu);
  if (own.length > 0 && !multiOnly) return own;
  return releases.filter(
    ({ cpuArchitecture, cpuArchitectures }) =>
      cpuArchitecture === 'multi' && (cpu === 'multi' || cpuArchitectures.includes(cpu)),
  );
}

function missing(reason: Extract<ReleaseLookup, { found: false }>['reason'], message: string): ReleaseLookup {
  return { found: false, reason, message };
}
