import type { CatalogueRelease } from './catalogue.ts';

type Leveled = Pick<CatalogueRelease, 'supportLevel'>;

/**
 * The release to take out of some in catalogue order (newest first): the newest that is not beta, else the newest.
 * Of 4.12.1 in maintenance and 4.12.2 in beta it is 4.12.1.
 */
export function latestRelease<Release extends Leveled>(releases: readonly Release[]): Release | undefined {
  return releases.find((release) => release.supportLevel !== 'beta') ?? releases[0];
}
