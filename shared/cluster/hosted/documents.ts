import type { InputValue } from '../../input/input-value.ts';
import { readConditions, readHistory, readVersionStatus } from '../cluster-version.ts';
import { nameOf } from '../configuration.ts';
import { readShare } from '../configuration.ts';
import type { HostedClusterFacts, NodePoolFacts } from './facts.ts';

const FORCE_UPGRADE = 'hypershift.openshift.io/force-upgrade-to';

export function readHostedCluster(object: InputValue): HostedClusterFacts {
  const [metadata, spec, status] = [object.at('metadata'), object.at('spec'), object.at('status')];
  const controlPlane = status.at('controlPlaneVersion', 'history');
  return {
    namespace: metadata.at('namespace').text(),
    name: nameOf(object),
    clusterId: spec.at('clusterID').textOrNull(),
    createdAt: metadata.at('creationTimestamp').time(),
    platform: spec.at('platform', 'type').textOrNull(),
    networkType: spec.at('networking', 'networkType').textOrNull(),
    channel: spec.at('channel').textOrNull(),
    updateService: spec.at('updateService').textOrNull(),
    image: spec.at('release', 'image').text(),
    controlPlaneImage: spec.at('controlPlaneRelease', 'image').text(),
    forcedImage: metadata.at('annotations', FORCE_UPGRADE).text(),
    pausedUntil: spec.at('pausedUntil').text(),
    version: readVersionStatus(status.at('version')),
    controlPlaneHistory: controlPlane.isMissing ? null : readHistory(controlPlane),
    conditions: readConditions(status.at('conditions')),
  };
}

export function hostedClusterDocument(
  facts: HostedClusterFacts,
  status: { readonly version: object; readonly conditions: readonly object[] },
): Readonly<Record<string, unknown>> {
  const { namespace, name, createdAt, clusterId, platform, networkType, channel, updateService } = facts;
  const { image, controlPlaneImage, forcedImage, pausedUntil, controlPlaneHistory } = facts;
  return {
    metadata: {
      namespace,
      name,
      ...(createdAt !== null && { creationTimestamp: createdAt }),
      ...(forcedImage !== '' && { annotations: { [FORCE_UPGRADE]: forcedImage } }),
    },
    spec: {
      ...(clusterId !== null && { clusterID: clusterId }),
      ...(platform !== null && { platform: { type: platform } }),
      ...(networkType !== null && { networking: { networkType } }),
      ...(channel !== null && { channel }),
      ...(updateService !== null && { updateService }),
      release: { image },
      ...(controlPlaneImage !== '' && { controlPlaneRelease: { image: controlPlaneImage } }),
      ...(pausedUntil !== '' && { pausedUntil }),
    },
    status: {
      ...status,
      ...(controlPlaneHistory !== null && { controlPlaneVersion: { history: controlPlaneHistory } }),
    },
  };
}

/** Replaces one node at a time by default, with one more than the pool has. */
const ONE_AT_ONCE = 1;

export function readNodePool(object: InputValue): NodePoolFacts {
  const [metadata, spec, status] = [object.at('metadata'), object.at('spec'), object.at('status')];
  const management = spec.at('management');
  const rolling = management.at('replace', 'rollingUpdate');
  const upgradeType = management.at('upgradeType').text();
  return {
    namespace: metadata.at('namespace').text(),
    name: nameOf(object),
    cluster: spec.at('clusterName').text(),
    replicas: status.at('replicas').integer({ least: 0 }) ?? spec.at('replicas').integer({ least: 0 }),
    upgradeType,
    atOnce:
      (upgradeType === 'InPlace'
        ? readShare(management.at('inPlace', 'maxUnavailable'))
        : readShare(rolling.at('maxSurge')) || readShare(rolling.at('maxUnavailable'))) || ONE_AT_ONCE,
    arch: spec.at('arch').text(),
    pausedUntil: spec.at('pausedUntil').text(),
    version: status.at('version').text(),
    nodeVersions: status
      .at('nodeVersions')
      .items()
      .map((nodes) => ({
        version: nodes.at('ocpVersion').text(),
        ready: nodes.at('readyNodeCount').count(),
        unready: nodes.at('unreadyNodeCount').count(),
      })),
    conditions: readConditions(status.at('conditions')),
  };
}

export function nodePoolDocument(
  facts: NodePoolFacts,
  conditions: readonly object[],
): Readonly<Record<string, unknown>> {
  const { namespace, name, cluster, replicas, upgradeType, atOnce, arch, pausedUntil, version } = facts;
  return {
    metadata: { namespace, name },
    spec: {
      clusterName: cluster,
      management: {
        upgradeType,
        ...(upgradeType === 'InPlace'
          ? { inPlace: { maxUnavailable: atOnce } }
          : { replace: { rollingUpdate: { maxSurge: atOnce } } }),
      },
      ...(arch !== '' && { arch }),
      ...(pausedUntil !== '' && { pausedUntil }),
    },
    status: {
      ...(replicas !== null && { replicas }),
      ...(version !== '' && { version }),
      nodeVersions: facts.nodeVersions.map((nodes) => ({
        ocpVersion: nodes.version,
        readyNodeCount: nodes.ready,
        unreadyNodeCount: nodes.unready,
      })),
      conditions,
    },
  };
}

/** Key of the ConfigMap in which the HyperShift operator lists minors. */
export const SUPPORTED_VERSIONS_KEY = 'supported-versions';

/** `{"versions":["4.17","4.16"]}`; null without the list, or if it is not readable. */
export function readSupportedVersions(object: InputValue): readonly string[] | null {
  const list = object.at('data', SUPPORTED_VERSIONS_KEY);
  if (list.isMissing) return null;
  const versions = versionsIn(list.text());
  return versions ?? list.refuse('expected JSON such as {"versions":["4.17"]}');
}

function versionsIn(text: string): readonly string[] | null {
  try {
    const { versions } = JSON.parse(text) as { readonly versions?: unknown };
    return Array.isArray(versions) && versions.every((version) => typeof version === 'string')
      ? versions
      : null;
  } catch {
    return null;
  }
}
