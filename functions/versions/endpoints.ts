import { listVersions } from '@cairn/shared/releases/query';
import type { ReleaseSourceWire } from '@cairn/shared/releases/release-sources';
import { ASSISTED_ARCHITECTURES, ASSISTED_CHANNELS } from '@cairn/shared/releases/values';
import { parseCpuArchitecture } from '@cairn/shared/version/arch';
import { type Call, endpoints } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';
import { isFlagSet } from '../http/schema-fields.ts';
import type { PublishedConfiguration } from '../releases/configuration.ts';
import type { PublishedCatalogue } from '../releases/release-reader.ts';
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
    const { version, version_pattern: pattern, cpu_architecture: arch } = query;
    if (version !== undefined && pattern !== undefined && version !== pattern) {
      throw new Problem(
        'invalid-parameter',
        `version=${version} and version_pattern=${pattern} differ; send one: version matches any part of a version, version_pattern whole components`,
      );
    }
    const { releases } = await published<PublishedCatalogue>(documents, PUBLICATION_NAME.catalogue);
    const versions = listVersions(releases, {
      // If both are equal, the stricter one decides.
      ...(pattern === undefined ? { text: version } : { pattern }),
      ...(arch !== undefined && { cpuArchitecture: parseCpuArchitecture(arch)! }),
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
    return { data: configuration.releaseSources.map(assistedSource) };
  };
}

/** With the names that assisted-service accepts: it refuses a source with any other. */
function assistedSource({ openshift_version, multi_cpu_architectures, upgrade_channels }: ReleaseSourceWire) {
  return {
    openshift_version,
    multi_cpu_architectures: multi_cpu_architectures.map(assistedName),
    upgrade_channels: upgrade_channels.map(({ cpu_architecture: cpu, channels }) => ({
      cpu_architecture: parseCpuArchitecture(cpu) === 'multi' ? ('multi' as const) : assistedName(cpu),
      channels: ASSISTED_CHANNELS.filter((name) => channels.includes(name)).toSorted(
        (a, b) => channels.indexOf(a) - channels.indexOf(b),
      ),
    })),
  };
}

/** The configuration also accepts `amd64`. */
function assistedName(cpu: string) {
  return ASSISTED_ARCHITECTURES.find((known) => known === cpu) ?? 'x86_64';
}

async function published<T>(documents: Documents, name: string): Promise<T> {
  const document = await documents.get<T>(name);
  if (!document) throw notSyncedYet();
  return document.value;
}
