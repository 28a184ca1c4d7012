import type { ReleaseConfig } from '@cairn/shared/releases/sources';

/** The document `configuration`: what queries need of the configuration in force. */
export interface PublishedConfiguration {
  readonly releaseSources: ReleaseConfig['asConfigured'];
  readonly ignored: ReleaseConfig['ignored'];
  /** The pairs that are followed, `stable-4.14/amd64`. */
  readonly pairs: readonly string[];
}
