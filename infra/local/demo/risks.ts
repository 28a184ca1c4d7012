import type { Risk } from '@cairn/shared/graph/graph';
import type { Minor } from '@cairn/shared/version/minor';
import { dayOf, RELEASES, type DemoRelease } from './channels.ts';

/**
 * Updates to a defective release that are exposed: `regression` from releases without the defect, `crossing` from the
 * previous minor, `every` all.
 */
type Exposure = 'regression' | 'crossing' | 'every';

interface RiskSource {
  readonly issue: number;
  readonly name: string;
  readonly message: string;
  readonly rules: Risk['matchingRules'];
}

interface Defect extends RiskSource {
  readonly exposure: Exposure;
  /** First and last release day with the defect. */
  readonly shipped: { readonly minors: readonly Minor[]; readonly since: string; readonly until: string };
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

function riskOf({ issue, name, message, rules }: RiskSource): Risk {
  return { url: `https://issues.example.com/browse/DEMO-${issue}`, name, message, matchingRules: rules };
}

/** Only testers install release candidates; updates from them are not supported. */
const RELEASE_CANDIDATE_ORIGIN = riskOf({
  issue: 1001,
  name: 'ReleaseCandidateOrigin',
  message: 'Updates from a release candidate are not tested. Install a new cluster instead.',
  rules: always,
});

/** All names and texts are made up. */
const DEFECTS: readonly Defect[] = [
  {
    issue: 2087,
    name: 'AzureDiskDetachLoop',
    message:
      'On Azure, volumes of drained nodes can stay attached to the old node for up to 30 minutes, and each machine config pool takes that much longer per node.',
    rules: onPlatform('Azure'),
    exposure: 'crossing',
    shipped: { minors: ['4.14'], since: '2023-09-19', until: '2024-02-02' },
  },
  {
    issue: 3254,
    name: 'BootImageSignatureRefused',
    message:
      'Bare-metal hosts with Secure Boot refuse the new boot loader when their firmware is older than two years. New nodes cannot join.',
    rules: onPlatform('BareMetal'),
    exposure: 'regression',
    shipped: { minors: ['4.20'], since: '2025-08-19', until: '2026-01-09' },
  },
  {
    issue: 2951,
    name: 'ConsolePluginCrashLoop',
    message:
      'The web console restarts every few minutes when a dynamic plug-in answers without a content type.',
    rules: whereTrue('console_plugins_info{_id="",state="enabled"}', 'console_plugins_info{_id=""}'),
    exposure: 'regression',
    shipped: { minors: ['4.18'], since: '2025-01-14', until: '2025-04-18' },
  },
  {
    issue: 2960,
    name: 'CrunSeccompDenial',
    message:
      'The container runtime that is the default from 4.18 on denies two system calls that older seccomp profiles allowed. Pods with such a custom profile do not start.',
    rules: always,
    exposure: 'crossing',
    shipped: { minors: ['4.18'], since: '2025-01-14', until: '2025-06-06' },
  },
  {
    issue: 2113,
    name: 'EtcdDefragLeaderLoss',
    message:
      'A defragmentation of a database above 4 GiB can cost etcd its leader twice in a row. The API server is away for about a minute.',
    rules: whereTrue(
      'etcd_mvcc_db_total_size_in_bytes{_id=""} > 4294967296',
      'etcd_mvcc_db_total_size_in_bytes{_id=""}',
    ),
    exposure: 'regression',
    shipped: { minors: ['4.12', '4.13'], since: '2023-11-20', until: '2024-01-19' },
  },
  {
    issue: 3702,
    name: 'GatewayOwnershipClash',
    message:
      'The ingress operator takes over Gateway API definitions that another product installed, and routes served by that product stop.',
    rules: whereTrue(
      'apiserver_storage_objects{_id="",resource="gateways.gateway.networking.k8s.io"} > 0',
      'apiserver_storage_objects{_id=""}',
    ),
    exposure: 'crossing',
    shipped: { minors: ['4.22'], since: '2026-04-14', until: '2026-07-31' },
  },
  {
    issue: 2740,
    name: 'IngressHeaderRejection',
    message:
      'Routers answer 400 to requests that carry a header name with an underscore. Some older load balancers add one.',
    rules: whereTrue(
      'haproxy_backend_http_responses_total{_id="",code="4xx"} > 0',
      'cluster_version{_id=""}',
    ),
    exposure: 'every',
    shipped: { minors: ['4.17'], since: '2024-08-20', until: '2024-12-06' },
  },
  {
    issue: 3310,
    name: 'KernelNvmeResetPanic',
    message:
      'Nodes that boot from NVMe can panic on the first restart after the update. A second restart brings them back.',
    rules: always,
    exposure: 'every',
    shipped: { minors: ['4.18', '4.19', '4.20'], since: '2025-11-10', until: '2025-12-19' },
  },
  {
    issue: 2095,
    name: 'KubeletCgroupFreeze',
    message:
      'The kubelet can wait for ever on a frozen control group while it drains a node with more than 200 pods.',
    rules: always,
    exposure: 'every',
    shipped: { minors: ['4.14'], since: '2023-09-19', until: '2023-12-29' },
  },
  {
    issue: 3488,
    name: 'MachineConfigRenderRace',
    message:
      'Pools that share a custom machine config can be rendered in the wrong order and restart their nodes twice.',
    rules: whereTrue('mcp_custom_pools{_id=""} > 0', 'cluster_version{_id=""}'),
    exposure: 'crossing',
    shipped: { minors: ['4.21'], since: '2025-12-02', until: '2026-04-03' },
  },
  {
    issue: 2688,
    name: 'MultipathBootTimeout',
    message:
      'Nodes with multipath on the root disk may need more than ten minutes to find it and are then marked as failed.',
    rules: whereTrue('node_disk_info{_id="",device=~"dm-.*"}', 'node_disk_info{_id=""}'),
    exposure: 'every',
    shipped: { minors: ['4.15', '4.16', '4.17'], since: '2024-09-09', until: '2024-11-15' },
  },
  {
    issue: 3144,
    name: 'NeighbourTableOverflow',
    message:
      'The new default for the neighbour table is too small for clusters of more than 250 nodes. Traffic between nodes is dropped at random.',
    rules: whereTrue('sum(kube_node_info{_id=""}) > 250', 'cluster_version{_id=""}'),
    exposure: 'crossing',
    shipped: { minors: ['4.19'], since: '2025-05-06', until: '2025-09-05' },
  },
  {
    issue: 3811,
    name: 'NodeTuningProfileLost',
    message:
      'Performance profiles that were written for two pools are applied to one of them only, and isolated CPUs are shared again.',
    rules: withOperator('cluster-node-tuning-operator'),
    exposure: 'regression',
    shipped: { minors: ['4.20', '4.21', '4.22'], since: '2026-08-24', until: '2026-10-09' },
  },
  {
    issue: 1890,
    name: 'OVNInterfaceStall',
    message:
      'A pod interface can stay down for several minutes when its node restarts under load. Single-replica workloads are away for that time.',
    rules: whereTrue('ovnkube_controller_ready_duration_seconds{_id=""}', 'cluster_version{_id=""}'),
    exposure: 'every',
    shipped: { minors: ['4.13'], since: '2023-04-04', until: '2023-07-07' },
  },
  {
    issue: 2567,
    name: 'RegistryPullSecretReset',
    message:
      'A pull secret that was edited outside the cluster configuration is set back during the update, and images of a mirror are refused until it is entered again.',
    rules: always,
    exposure: 'crossing',
    shipped: { minors: ['4.16'], since: '2024-05-14', until: '2024-08-30' },
  },
  {
    issue: 3059,
    name: 'SriovFirmwareMismatch',
    message:
      'Virtual functions are not created on network cards whose firmware is older than the driver expects.',
    rules: withOperator('sriov-network-operator'),
    exposure: 'regression',
    shipped: { minors: ['4.16', '4.17', '4.18'], since: '2025-05-12', until: '2025-07-18' },
  },
  {
    issue: 2340,
    name: 'VSphereZoneLabelDrop',
    message: 'Nodes on vSphere lose their zone label, so pods with a zone constraint stay pending.',
    rules: onPlatform('VSphere'),
    exposure: 'every',
    shipped: { minors: ['4.15'], since: '2024-01-16', until: '2024-04-26' },
  },
];

const RISKS: ReadonlyMap<Defect, Risk> = new Map(DEFECTS.map((defect) => [defect, riskOf(defect)]));

const DEFECTS_OF: ReadonlyMap<DemoRelease, readonly Defect[]> = new Map(
  RELEASES.map((release) => [release, DEFECTS.filter((defect) => hasDefect(release, defect))]),
);

/** Empty for a recommended update. */
export function risksOfUpdate(from: DemoRelease, to: DemoRelease): readonly Risk[] {
  const risks = DEFECTS_OF.get(to)!
    .filter((defect) => isExposed(from, to, defect))
    .map((defect) => RISKS.get(defect)!);
  return from.stage === 'rc' && to.stage === 'ga' ? [...risks, RELEASE_CANDIDATE_ORIGIN] : risks;
}

function isExposed(from: DemoRelease, to: DemoRelease, defect: Defect): boolean {
  if (defect.exposure === 'every') return true;
  if (defect.exposure === 'crossing') return from.minor !== to.minor;
  return !DEFECTS_OF.get(from)!.includes(defect);
}

function hasDefect({ minor, day }: DemoRelease, { shipped }: Defect): boolean {
  return shipped.minors.includes(minor) && day >= dayOf(shipped.since) && day <= dayOf(shipped.until);
}
