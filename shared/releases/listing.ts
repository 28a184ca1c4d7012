import type { Catalogue, CatalogueRelease } from './catalogue.ts';
import { ignoredTest } from './ignored-versions.ts';

/** What a list of versions is made from: of a release only the part that a list shows or is chosen by. */
export type ListedRelease = Pick<
  CatalogueRelease,
  'version' | 'upstreamVersion' | 'minor' | 'cpuArchitectures' | 'supportLevel' | 'withdrawnAt'
> & { readonly default?: true };

/** The releases that may be listed, newest first as in the catalogue: those that the configuration does not ignore. */
export function listedReleases(catalogue: Catalogue, ignored: readonly string[]): ListedRelease[] {
  const isIgnored = ignoredTest(ignored);
  return catalogue.releases
    .filter((release) => !isIgnored(release))
    .map(({ version, upstreamVersion, minor, cpuArchitectures, supportLevel, withdrawnAt, ...release }) => ({
      version,
      upstreamVersion,
      minor,
      cpuArchitectures,
      supportLevel,
      ...(withdrawnAt !== undefined && { withdrawnAt }),
      ...(release.default && { default: true as const }),
    }));
}
