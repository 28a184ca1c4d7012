import { configurationsWith } from '../../cluster/clusters.ts';
import { type SimulatedCluster, Stuck, type UpdateRequest } from './simulated-cluster.ts';

type Run = (cluster: SimulatedCluster, groups: readonly string[]) => void;

const nothing: Run = () => {};

function requestOf(options: string, by: UpdateRequest['by'], target: string): UpdateRequest {
  return { by, target, flags: new Set(options.trim().split(' ')) };
}

/** Content of a merge patch. */
interface Patch {
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly channel?: string;
    readonly release?: { readonly image: string };
    readonly managedBootImages?: {
      readonly machineManagers: readonly {
        readonly resource: string;
        readonly apiGroup: string;
        readonly selection: { readonly mode: string };
      }[];
    };
  };
}

function patchOf(text: string): Patch {
  return JSON.parse(text) as Patch;
}

/**
 * Every command that a run sheet may have, with its effect. It has none of the commands that plans must not print:
 * waits are bounded, nothing is forced, images have digests.
 */
const COMMANDS: readonly (readonly [pattern: RegExp, run: Run])[] = [
  [/^oc (?:-n \S+ )?(?:get|describe) (?!.* (?:-w|--watch))[^|;&]*$/, nothing],
  [/^oc adm upgrade(?: status)?$/, nothing],
  [/^oc debug node\/\S+ -- chroot \/host df -h \/var$/, nothing],
  [/^oc adm release extract --credentials-requests --to=\S+ \S+@sha256:[0-9a-f]{64}$/, nothing],
  [
    /^oc adm (?:cordon \S+|drain \S+ --ignore-daemonsets --delete-emptydir-data --timeout=[1-9]\d*m)$/,
    nothing,
  ],
  [/^oc delete node \S+$/, nothing],
  [
    /^oc debug node\/(\S+) -- chroot \/host \/usr\/local\/bin\/cluster-backup\.sh \/home\/core\/assets\/backup$/,
    (cluster, [node = '']) => cluster.backUp(node),
  ],
  [
    /^oc adm upgrade channel (\S+)( --allow-explicit-channel)?$/,
    (cluster, [channel = '', isExplicit]) => cluster.setChannel(channel, isExplicit !== undefined),
  ],
  [
    /^oc adm upgrade((?: --allow-(?:upgrade-with-warnings|not-recommended))*) --to=(\d+\.\d+\.\d+)$/,
    (cluster, [options = '', version = '']) => cluster.startUpdate(requestOf(options, 'version', version)),
  ],
  [
    /^oc adm upgrade((?: --allow-(?:upgrade-with-warnings|not-recommended|explicit-upgrade))*) --to-image=(\S+@sha256:[0-9a-f]{64})$/,
    (cluster, [options = '', image = '']) => cluster.startUpdate(requestOf(options, 'image', image)),
  ],
  [
    /^oc adm wait-for-stable-cluster --minimum-stable-period=5m --timeout=[1-9]\d*m$/,
    (cluster) => cluster.settle(),
  ],
  [
    /^oc wait clusterversion\/version --for=condition=Progressing=False --timeout=[1-9]\d*m$/,
    (cluster) => cluster.settle(),
  ],
  [
    /^oc wait mcp\/(\S+) --for=condition=Updated=True --timeout=[1-9]\d*m$/,
    (cluster, [pool = '']) => cluster.waitForPool(pool),
  ],
  [
    /^oc patch mcp\/(\S+) --type merge -p '\{"spec":\{"paused":(true|false)\}\}'$/,
    (cluster, [pool = '', paused]) => cluster.setPaused(pool, paused === 'true'),
  ],
  [
    /^oc -n openshift-config patch cm admin-acks --type=merge -p '(\{"data":\{.*\}\})'$/,
    (cluster, [text = '']) => {
      const { data = {} } = patchOf(text);
      const given = Object.entries(data).map(([key, value]) => ({ key, value }));
      const others = (cluster.facts.adminAcks ?? []).filter(({ key }) => !(key in data));
      cluster.change({ adminAcks: [...others, ...given] });
    },
  ],
  [
    /^oc patch clusterversion(?:\/| )version --type=json -p '\[\{"op":"remove","path":"\/spec\/overrides"\}\]'$/,
    (cluster) =>
      cluster.change({ clusterVersion: { ...cluster.facts.clusterVersion!, unmanagedOverrides: [] } }),
  ],
  [
    /^oc patch \S+ cluster --type=json -p '\[\{"op":"remove","path":"\/spec\/unsupportedConfigOverrides"\}\]'$/,
    (cluster) => cluster.change({ operatorConfigs: configurationsWith({}) }),
  ],
  [
    /^oc annotate cloudcredential\.operator\.openshift\.io cluster --overwrite cloudcredential\.openshift\.io\/upgradeable-to=(\S+)$/,
    (cluster, [upgradeableTo = '']) => cluster.change({ cloudCredential: { mode: 'Manual', upgradeableTo } }),
  ],
  [
    /^oc patch nodes\.config\.openshift\.io cluster --type=merge -p '\{"spec":\{"cgroupMode":"v2"\}\}'$/,
    (cluster) => cluster.reconfigure({ cgroupMode: 'v2' }),
  ],
  [
    /^oc patch containerruntimeconfig (\S+) --type=merge -p '\{"spec":\{"containerRuntimeConfig":\{"defaultRuntime":"crun"\}\}\}'$/,
    (cluster, [changed]) =>
      cluster.reconfigure({
        runtimeConfigs: cluster.facts.runtimeConfigs!.map((config) =>
          config.name === changed ? { ...config, runtime: 'crun' } : config,
        ),
      }),
  ],
  [
    /^oc -n openshift-config patch configmap unsupported-cert-rotation-config --type=json -p '\[\{"op":"remove","path":"\/data\/base"\}\]'$/,
    (cluster) => cluster.change({ certRotationBase: '' }),
  ],
  [
    /^oc delete clusterimagepolicies (\S+)$/,
    (cluster, [deleted]) =>
      cluster.change({ imagePolicies: cluster.facts.imagePolicies!.filter((name) => name !== deleted) }),
  ],
  [
    /^oc patch machineconfiguration\.operator\.openshift\.io cluster --type=merge -p '(\{.*\})'$/,
    (cluster, [text = '']) => {
      const { machineManagers = [] } = patchOf(text).spec?.managedBootImages ?? {};
      const bootImageManagers = machineManagers.map(({ selection, ...manager }) => ({
        ...manager,
        mode: selection.mode,
      }));
      cluster.change({ machineConfiguration: { ...cluster.facts.machineConfiguration!, bootImageManagers } });
    },
  ],
  [
    /^oc -n \S+ annotate machinehealthcheck (\S+) cluster\.x-k8s\.io\/paused(=|-)$/,
    (cluster, [name, sign]) =>
      cluster.change({
        healthChecks: cluster.facts.healthChecks!.map((check) =>
          check.name === name ? { ...check, isPaused: sign === '=' } : check,
        ),
      }),
  ],
  [
    /^oc patch nodehealthcheck (\S+) --type=merge -p '\{"spec":\{"pauseRequests":\[(.*)\]\}\}'$/,
    (cluster, [name, requests]) =>
      cluster.change({
        healthChecks: cluster.facts.healthChecks!.map((check) =>
          check.name === name ? { ...check, isPaused: requests !== '' } : check,
        ),
      }),
  ],
  [/^OC_ENABLE_CMD_UPGRADE_ACCEPT_RISKS=true oc adm upgrade accept \S+$/, (cluster) => cluster.acceptRisks()],
  [
    /^oc adm uncordon (.+)$/,
    (cluster, [names = '']) => {
      const named = new Set(names.split(' '));
      cluster.change({
        nodes: cluster.facts.nodes!.map((node) => ({
          ...node,
          unschedulable: node.unschedulable && !named.has(node.name),
        })),
      });
    },
  ],
  [
    /^oc adm certificate approve (.+)$/,
    (cluster, [names = '']) => {
      const named = new Set(names.split(' '));
      const pending = cluster.facts.certificateRequests!.filter(({ name }) => !named.has(name));
      cluster.change({ certificateRequests: pending });
    },
  ],
  [
    /^oc -n \S+ patch hostedcluster \S+ --type=merge -p '(\{.*\})'$/,
    (cluster, [text = '']) => {
      const { channel, release } = patchOf(text).spec ?? {};
      if (channel !== undefined) cluster.setChannel(channel, true);
      else cluster.startUpdate({ by: 'hosted cluster', target: release?.image ?? '', flags: new Set() });
    },
  ],
  [
    /^oc -n \S+ patch nodepool \S+ --type=merge -p '(\{.*\})'$/,
    (cluster, [text = '']) => {
      cluster.rollNodePools(patchOf(text).spec?.release?.image ?? '');
    },
  ],
  [
    /^oc -n \S+ wait hostedcluster\/\S+ --for=jsonpath='\{\.status\.(?:version|controlPlaneVersion)\.history\[0\]\.state\}'=Completed --timeout=[1-9]\d*m$/,
    (cluster) => cluster.settle(),
  ],
  [/^oc -n \S+ wait nodepool\/\S+ --for=condition=UpdatingVersion=False --timeout=[1-9]\d*m$/, nothing],
];

/** Throws `Stuck` for a command that the cluster refuses, and for one that is not known. */
export function runCommand(cluster: SimulatedCluster, command: string): void {
  for (const [pattern, run] of COMMANDS) {
    const found = pattern.exec(command);
    if (found) return run(cluster, found.slice(1));
  }
  throw new Stuck(`not a command of run sheets: ${command}`);
}
