import { DEFAULT_SUPPORT, type SupportSettings } from '@cairn/shared/releases/lifecycle';
import type { ReleaseConfig } from '@cairn/shared/releases/sources';
import { PUBLICATION_NAME } from '../store/keys.ts';
import type { Documents } from '../store/publication-cache.ts';

/** Publication `configuration`: the part of the configuration that queries need. */
export interface PublishedConfiguration {
  readonly releaseSources: ReleaseConfig['asConfigured'];
  /** Followed pairs, such as `stable-4.14/amd64`. */
  readonly pairs: readonly string[];
  readonly support?: SupportSettings;
  /** Absent if no version is excluded. */
  readonly excluded?: {
    /** As configured: versions, minors and ranges. */
    readonly versions: ReleaseConfig['ignored'];
    readonly inGraph: ReleaseConfig['excludedInGraph'];
  };
}

/** Publications of earlier versions have no settings. */
export async function supportSettings(documents: Documents): Promise<SupportSettings> {
  const configuration = await documents.get<PublishedConfiguration>(PUBLICATION_NAME.configuration);
  return configuration?.value.support ?? DEFAULT_SUPPORT;
}
