import type { ClusterFacts } from '../../cluster/facts.ts';
import type { InstallerFacts } from '../../cluster/risk-inputs/facts.ts';
import type { Series } from '../family.ts';
import { everything, isKnownAbsent, type Metric, NOTHING_SHOWN, type Shown, someOf } from './metric.ts';

/** What the operators of the cluster's configuration export. */
export const CONFIGURATION_METRICS: Readonly<Record<string, Metric>> = {
  cluster_infrastructure_provider: {
    labels: { names: ['type'] },
    horizon: 'birth',
    readFrom: ['infrastructure'],
    show: ({ infrastructure }) => {
      const platform = infrastructure?.platform;
      // That of a HostedCluster; its own cluster has another one.
      if (platform === undefined || platform === 'Agent') return NOTHING_SHOWN;
      const value = platform === 'None' ? 0 : 1;
      return everything(platform === null ? [] : [{ labels: { type: platform }, value }]);
    },
  },
  cluster_installer: {
    labels: { names: ['type', 'version', 'invoker'] },
    horizon: 'birth',
    readFrom: ['installer', 'installerManifests', 'objectCounts'],
    show: showInstaller,
  },
  cluster_proxy_enabled: {
    labels: { names: ['type'] },
    horizon: 'configuration',
    readFrom: ['proxy'],
    show: showProxy,
  },
  cluster_feature_set: {
    labels: { names: ['name'] },
    horizon: 'configuration',
    readFrom: ['featureSet'],
    show: ({ featureSet }) =>
      featureSet === null
        ? NOTHING_SHOWN
        : everything([{ labels: { name: featureSet }, value: featureSet === '' ? 1 : 0 }]),
  },
  cco_credentials_mode: {
    labels: { names: ['mode'] },
    horizon: 'configuration',
    readFrom: ['cloudCredential'],
    // Without `Manual`, the mode is an annotation of a Secret.
    show: ({ cloudCredential }) =>
      cloudCredential?.mode === 'Manual'
        ? someOf([], { mode: { in: ['mint', 'passthrough'] } })
        : NOTHING_SHOWN,
  },
};

const MISSING = '<missing>';

/** The second ConfigMap counts only without the first. */
function showInstaller(facts: ClusterFacts): Shown {
  const { installer, installerManifests } = facts;
  if (installer !== null) return everything([installerSeries('openshift-install', installer)]);
  if (!isKnownAbsent('installer', facts)) return { ...NOTHING_SHOWN, wanted: ['installer'] };
  if (installerManifests !== null) return everything([installerSeries('other', installerManifests)]);
  if (!isKnownAbsent('installerManifests', facts)) {
    return { ...NOTHING_SHOWN, wanted: ['installerManifests'] };
  }
  return everything([{ labels: { type: '', version: '', invoker: '' }, value: 1 }]);
}

function installerSeries(type: string, { version, invoker }: InstallerFacts): Series {
  return { labels: { type, version: version ?? MISSING, invoker: invoker ?? MISSING }, value: 1 };
}

function showProxy(facts: ClusterFacts): Shown {
  const { proxy } = facts;
  if (proxy === null) return isKnownAbsent('proxy', facts) ? everything([]) : NOTHING_SHOWN;
  const { http, https, trustedCa } = proxy;
  const types = { http, https, trusted_ca: trustedCa };
  return everything(
    Object.entries(types).map(([type, isSet]) => ({ labels: { type }, value: isSet ? 1 : 0 })),
  );
}
