import { listVersions } from '@cairn/shared/releases/query';
import { type Call, endpoints } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';
import { isFlagSet } from '../http/schema-fields.ts';
import type { PublishedCatalogue, PublishedConfiguration } from '../releases/release-reader.ts';
import { notSyncedYet } from '../releases/sync-state.ts';
import { PUBLICATION_NAME } from '../store/keys.ts';
import type { Documents } from '../store/publication-cache.ts';

/** Installer endpoints, also at the paths of assisted-service. */
export function installableVersionEndpoints(documents: Documents) {
  const versions = openshiftVersions(documents);
  const sources = releaseSources(documents);
  return endpoints({
    listOpenshiftVersions: versions,
    listOpenshiftVersionsAssisted: versions,
    listReleaseSources: sources,
    listReleaseSourcesAssisted: sources,
  });
}

/** `GET /v2/openshift-versions` */
function openshiftVersions(documents: Documents) {
  return async ({ query }: Pick<Call<'listOpenshiftVersions'>, 'query'>) => {
    const { version, version_pattern: alias } = query;
    if (version !== undefined && alias !== undefined && version !== alias) {
      throw new Problem(
        'invalid-parameter',
        `version=${version} and version_pattern=${alias} differ; they are two names of one parameter, give one of them`,
      );
    }
    const { releases } = await published<PublishedCatalogue>(documents, PUBLICATION_NAME.catalogue);
    const pattern = version ?? alias;
    const versions = listVersions(releases, {
      ...(pattern !== undefined && { pattern }),
      onlyLatest: isFlagSet(query.only_latest),
      excludeWithdrawn: isFlagSet(query.exclude_withdrawn),
    });
    return { data: versions };
  };
}

/** `GET /v2/release-sources` */
function releaseSources(documents: Documents) {
  return async () => {
    const configuration = await published<PublishedConfiguration>(documents, PUBLICATION_NAME.configuration);
    return { data: configuration.releaseSources };
  };
}

async function published<T>(documents: Documents, name: string): Promise<T> {
  const document = await documents.get<T>(name);
  if (!document) throw notSyncedYet();
  return document.value;
}
