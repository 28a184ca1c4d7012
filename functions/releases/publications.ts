import type { ListedRelease } from '@cairn/shared/releases/catalogue';
import type { ReleaseConfig } from '@cairn/shared/releases/sources';

/** The document `catalogue`: what may be installed, newest first. */
export interface PublishedCatalogue {
  readonly releases: readonly ListedRelease[];
}

/** The document `configuration`: what queries need of the configuration in force. */
export interface PublishedConfiguration {
  readonly releaseSources: ReleaseConfig['asConfigured'];
  /** The pairs that are followed, `stable-4.14/amd64`. */
  readonly pairs: readonly string[];
}
