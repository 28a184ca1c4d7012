import type { Risk } from '@cairn/shared/graph/graph';
import type { Minor } from '@cairn/shared/version/minor';
import { dayOf, RELEASES, type DemoRelease } from './channels.ts';

/**
 * Updates to a defective release that are exposed: `regression` from releases without the defect, `crossing` from the
 * previous minor, `every` all.
 */
type Exposure = 'regression' | 'crossing' | 'every';

interface Defect {
  readonly risk: Risk;
  readonly exposure: Exposure;
  readonly minors: readonly Minor[];
  /** First and last release day with the defect. */
  readonly shipped: readonly [since: string, until: string];
}

const always: Risk['matchingRules'] = [{ type: 'Always' }];

/** One sample: 1 if the cluster has the `exposed` series, 0 if it has only the `known` series. */
function whereTrue(exposed: string, known: string): Risk['matchingRules'] {
  return [{ type: 'PromQL', promql: { promql: `group(${exposed})\nor\n0 * group(${known})` } }];
}

function onPlatform(type: string): Risk['matchingRules'] {
  const series = 'cluster_infrastructure_provider';
  return whereTrue(`${series}{_id="",type="${type}"}`, `${series}{_id=""}`);
}

function withOperator(name: string): Risk['matchingRules'] {
  return whereTrue(`csv_succeeded{_id="",name=~"${name}[.].*"}`, 'csv_count{_id=""}');
}

function risk(issue: number, name: string, message: string, matchingRules: Risk['matchingRules']): Risk {
  return { url: `https://issues.example.com/browse/DEMO-${issue}`, name, message, matchingRules };
}

/** Only testers install release candidates; updates from them are not supported. */
const RELEASE_CANDIDATE_ORIGIN = risk(
  1001,
  'ReleaseCandidateOrigin',
  'Updates from a release candidate are not tested. Install a new cluster instead.',
  always,
);

/** All names and texts are made up. */
const DEFECTS: readonly Defect[] = [
  {
    risk: risk(
      2087,
      'AzureDiskDetachLoop',
      'On Azure, volumes of drained nodes can stay attached to the old node for up to 30 minutes, and each machine config pool takes that much longer per node.',
      onPlatform('Azure'),
    ),
    exposure: 'crossing',
    minors: ['4.14'],
    shipped: ['2023-09-19', '2024-02-02'],
  },
  {
    risk: risk(
      3254,
      'BootImageSignatureRefused',
      'Bare-metal hosts with Secure Boot refuse the new boot loader when their firmware is older than two years. New nodes cannot join.',
      onPlatform('BareMetal'),
    ),
    exposure: 'regression',
    minors: ['4.20'],
    shipped: ['2025-08-19', '2026-01-09'],
  },
  {
    risk: risk(
      2951,
      'ConsolePluginCrashLoop',
      'The web console restarts every few minutes when a dynamic plug-in answers without a content type.',
      whereTrue('console_plugins_info{_id="",state="enabled"}', 'console_plugins_info{_id=""}'),
    ),
    exposure: 'regression',
    minors: ['4.18'],
    shipped: ['2025-01-14', '2025-04-18'],
  },
  {
    risk: risk(
      2960,
      'CrunSeccompDenial',
      'The container runtime that is the default from 4.18 on denies two system calls that older seccomp profiles allowed. Pods with such a custom profile do not start.',
      always,
    ),
    exposure: 'crossing',
    minors: ['4.18'],
    shipped: ['2025-01-14', '2025-06-06'],
  },
  {
    risk: risk(
      2113,
      'EtcdDefragLeaderLoss',
      'A defragmentation of a database above 4 GiB can cost etcd its leader twice in a row. The API server is away for about a minute.',
      whereTrue(
        'etcd_mvcc_db_total_size_in_bytes{_id=""} > 4 * 1024^3',
        'etcd_mvcc_db_total_size_in_bytes{_id=""}',
      ),
    ),
    exposure: 'regression',
    minors: ['4.12', '4.13'],
    shipped: ['2023-11-20', '2024-01-19'],
  },
  {
    risk: risk(
      3702,
      'GatewayOwnershipClash',
      'The ingress operator takes over Gateway API definitions that another product installed, and routes served by that product stop.',
      whereTrue(
        'apiserver_storage_objects{_id="",resource="gateways.gateway.networking.k8s.io"} > 0',
        'apiserver_storage_objects{_id=""}',
      ),
    ),
    exposure: 'crossing',
    minors: ['4.22'],
    shipped: ['2026-04-14', '2026-07-31'],
  },
  {
    risk: risk(
      2740,
      'IngressHeaderRejection',
      'Routers answer 400 to requests that carry a header name with an underscore. Some older load balancers add one.',
      whereTrue('haproxy_backend_http_responses_total{_id="",code="4xx"} > 0', 'cluster_version{_id=""}'),
    ),
    exposure: 'every',
    minors: ['4.17'],
    shipped: ['2024-08-20', '2024-12-06'],
  },
  {
    risk: risk(
      3310,
      'KernelNvmeResetPanic',
      'Nodes that boot from NVMe can panic on the first restart after the update. A second restart brings them back.',
      always,
    ),
    exposure: 'every',
    minors: ['4.18', '4.19', '4.20'],
    shipped: ['2025-11-10', '2025-12-19'],
  },
  {
    risk: risk(
      2095,
      'KubeletCgroupFreeze',
      'The kubelet can wait for ever on a frozen control group while it drains a node with more than 200 pods.',
      always,
    ),
    exposure: 'every',
    minors: ['4.14'],
    shipped: ['2023-09-19', '2023-12-29'],
  },
  {
    risk: risk(
      3488,
      'MachineConfigRenderRace',
      'Pools that share a custom machine config can be rendered in the wrong order and restart their nodes twice.',
      whereTrue('mcp_custom_pools{_id=""} > 0', 'cluster_version{_id=""}'),
    ),
    exposure: 'crossing',
    minors: ['4.21'],
    shipped: ['2025-12-02', '2026-04-03'],
  },
  {
    risk: risk(
      2688,
      'MultipathBootTimeout',
      'Nodes with multipath on the root disk may need more than ten minutes to find it and are then marked as failed.',
      whereTrue('node_disk_info{_id="",device=~"dm-.*"}', 'node_disk_info{_id=""}'),
    ),
    exposure: 'every',
    minors: ['4.15', '4.16', '4.17'],
    shipped: ['2024-09-09', '2024-11-15'],
  },
  {
    risk: risk(
      3144,
      'NeighbourTableOverflow',
      'The new default for the neighbour table is too small for clusters of more than 250 nodes. Traffic between nodes is dropped at random.',
      whereTrue('sum(kube_node_info{_id=""}) > 250', 'cluster_version{_id=""}'),
    ),
    exposure: 'crossing',
    minors: ['4.19'],
    shipped: ['2025-05-06', '2025-09-05'],
  },
  {
    risk: risk(
      3811,
      'NodeTuningProfileLost',
      'Performance profiles that were written for two pools are applied to one of them only, and isolated CPUs are shared again.',
      withOperator('cluster-node-tuning-operator'),
    ),
    exposure: 'regression',
    minors: ['4.20', '4.21', '4.22'],
    shipped: ['2026-08-24', '2026-10-09'],
  },
  {
    risk: risk(
      1890,
      'OVNInterfaceStall',
      'A pod interface can stay down for several minutes when its node restarts under load. Single-replica workloads are away for that time.',
      whereTrue('ovnkube_controller_ready_duration_seconds{_id=""}', 'cluster_version{_id=""}'),
    ),
    exposure: 'every',
    minors: ['4.13'],
    shipped: ['2023-04-04', '2023-07-07'],
  },
  {
    risk: risk(
      2567,
      'RegistryPullSecretReset',
      'A pull secret that was edited outside the cluster configuration is set back during the update, and images of a mirror are refused until it is entered again.',
      always,
    ),
    exposure: 'crossing',
    minors: ['4.16'],
    shipped: ['2024-05-14', '2024-08-30'],
  },
  {
    risk: risk(
      3059,
      'SriovFirmwareMismatch',
      'Virtual functions are not created on network cards whose firmware is older than the driver expects.',
      withOperator('sriov-network-operator'),
    ),
    exposure: 'regression',
    minors: ['4.16', '4.17', '4.18'],
    shipped: ['2025-05-12', '2025-07-18'],
  },
  {
    risk: risk(
      2340,
      'VSphereZoneLabelDrop',
      'Nodes on vSphere lose their zone label, so pods with a zone constraint stay pending.',
      onPlatform('VSphere'),
    ),
    exposure: 'every',
    minors: ['4.15'],
    shipped: ['2024-01-16', '2024-04-26'],
  },
];

const DEFECTS_OF: ReadonlyMap<DemoRelease, readonly Defect[]> = new Map(
  RELEASES.map((release) => [release, DEFECTS.filter((defect) => hasDefect(release, defect))]),
);

/** Empty for a recommended update. */
export function risksOfUpdate(from: DemoRelease, to: DemoRelease): readonly Risk[] {
  const risks = DEFECTS_OF.get(to)!
    .filter((defect) => isExposed(from, to, defect))
    .map((defect) => defect.risk);
  return from.stage === 'rc' && to.stage === 'ga' ? [...risks, RELEASE_CANDIDATE_ORIGIN] : risks;
}

function isExposed(from: DemoRelease, to: DemoRelease, defect: Defect): boolean {
  if (defect.exposure === 'every') return true;
  if (defect.exposure === 'crossing') return from.minor !== to.minor;
  return !DEFECTS_OF.get(from)!.includes(defect);
}

function hasDefect(release: DemoRelease, defect: Defect): boolean {
  const [since, until] = defect.shipped;
  return defect.minors.includes(release.minor) && release.day >= dayOf(since) && release.day <= dayOf(until);
}
