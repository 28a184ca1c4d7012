import { Random } from '../random.ts';
import { configMap, type Json, typedListOf } from './objects.ts';

const TIME = '2026-11-16T07:00:00Z';
const OPERATORS = [
  'authentication baremetal cloud-controller-manager cloud-credential cluster-autoscaler config-operator console',
  'control-plane-machine-set csi-snapshot-controller dns etcd image-registry ingress insights kube-apiserver',
  'kube-controller-manager kube-scheduler kube-storage-version-migrator machine-api machine-approver machine-config',
  'marketplace monitoring network node-tuning olm openshift-apiserver openshift-controller-manager openshift-samples',
  'operator-lifecycle-manager operator-lifecycle-manager-catalog service-ca storage',
].flatMap((names) => names.split(' '));
const POD_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** Names and sizes as real clusters have them; equal for equal sizes. */
export class LargeCluster {
  readonly #random = new Random(21);
  readonly #nodes: readonly string[];

  constructor(nodes: number) {
    this.#nodes = Array.from(
      { length: nodes },
      (_, number) =>
        `ip-10-0-${number >> 6}-${4 * (number & 63) + this.#random.below(4)}.eu-west-1.compute.internal`,
    );
  }

  /** What the reporter reads without the component `workloads`. */
  documents(): readonly Json[] {
    const { hex } = this;
    return [
      this.#clusterVersion(),
      list('ClusterOperator', 'config.openshift.io/v1', OPERATORS.map(clusterOperator)),
      this.#nodeList(),
      list('MachineConfigPool', 'machineconfiguration.openshift.io/v1', [
        pool('master', hex(32), 3),
        pool('worker', hex(32), this.#nodes.length - 3),
      ]),
      list('ClusterServiceVersion', 'operators.coreos.com/v1alpha1', many(12, this.#operator)),
      list('Subscription', 'operators.coreos.com/v1alpha1', many(12, subscription)),
      list('ClusterExtension', 'olm.operatorframework.io/v1', many(3, extension)),
      list('ClusterCatalog', 'olm.operatorframework.io/v1', CATALOGS.map(catalog)),
      list('ClusterObjectSet', 'olm.operatorframework.io/v1', []),
      list('APIRequestCount', 'apiserver.openshift.io/v1', many(200, requestCount)),
      configMap('openshift-config-managed', 'admin-gates', {
        'ack-4.18-boot-image-opt-out-in-4.19':
          'Boot images are updated by default in 4.19. See the documentation.',
      }),
      configMap('openshift-config', 'admin-acks', { 'ack-4.18-boot-image-opt-out-in-4.19': 'true' }),
      ...SINGLETONS,
      list('ImageDigestMirrorSet', 'config.openshift.io/v1', many(3, mirrorSet)),
      list('CustomResourceDefinition', 'apiextensions.k8s.io/v1', many(250, customResource)),
      list('PodDisruptionBudget', 'policy/v1', [...many(60, platformBudget), ...many(40, userBudget)]),
      list('CertificateSigningRequest', 'certificates.k8s.io/v1', many(20, this.#certificateRequest)),
      list('MachineHealthCheck', 'machine.openshift.io/v1beta1', many(3, healthCheck)),
    ];
  }

  /** What the component `workloads` adds: 50 pods per node, of which a third are of DaemonSets. */
  workloads(): readonly Json[] {
    const pods = this.#nodes.flatMap((node, at) => many(50, (number) => this.#pod(node, at * 50 + number)));
    return [
      list('Pod', 'v1', pods),
      list('Deployment', 'apps/v1', many(400, deployment)),
      list('Route', 'route.openshift.io/v1', many(300, route)),
      list('PersistentVolume', 'v1', many(300, this.#volume)),
    ];
  }

  readonly hex = (length: number): string =>
    Array.from({ length }, () => '0123456789abcdef'[this.#random.below(16)]).join('');

  readonly #suffix = (length: number): string =>
    Array.from({ length }, () => POD_ALPHABET[this.#random.below(POD_ALPHABET.length)]).join('');

  readonly #uid = (): string => [8, 4, 4, 4, 12].map(this.hex).join('-');

  #clusterVersion(): Json {
    const history = many(12, (number) => ({
      state: 'Completed',
      version: `4.${18 - (number >> 2)}.${30 - number}`,
      image: `quay.io/openshift-release-dev/ocp-release@sha256:${this.hex(64)}`,
      startedTime: `2026-0${1 + (number >> 2)}-11T08:00:00Z`,
      completionTime: `2026-0${1 + (number >> 2)}-11T09:12:44Z`,
      verified: true,
    }));
    const { version, image } = history[0]!;
    return {
      apiVersion: 'config.openshift.io/v1',
      kind: 'ClusterVersion',
      metadata: { name: 'version', creationTimestamp: TIME, uid: this.#uid() },
      spec: { clusterID: this.#uid(), channel: 'eus-4.20' },
      status: {
        desired: { version, image, channels: ['eus-4.18', 'fast-4.18', 'stable-4.18'], url: URL_OF_ERRATA },
        history,
        conditions: ['Available', 'Failing', 'Progressing', 'RetrievedUpdates', 'Upgradeable'].map(
          (type) => ({
            type,
            status: type === 'Failing' || type === 'Progressing' ? 'False' : 'True',
            message: `Done applying ${version}`,
            lastTransitionTime: TIME,
          }),
        ),
        availableUpdates: many(20, (number) => ({
          version: `4.18.${31 + number}`,
          image: `quay.io/openshift-release-dev/ocp-release@sha256:${this.hex(64)}`,
          channels: ['eus-4.18', 'fast-4.18', 'stable-4.18'],
          url: URL_OF_ERRATA,
        })),
      },
    };
  }

  #nodeList(): Json {
    const configurations = { master: this.hex(32), worker: this.hex(32) };
    const images = many(50, () => ({
      names: [`quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:${this.hex(64)}`],
      sizeBytes: this.#random.below(1e9),
    }));
    return list(
      'Node',
      'v1',
      this.#nodes.map((name, number) => {
        const role = number < 3 ? 'master' : 'worker';
        const zone = `eu-west-1${'abc'[number % 3]}`;
        const configuration = `rendered-${role}-${configurations[role]}`;
        return {
          metadata: {
            name,
            uid: this.#uid(),
            creationTimestamp: `2026-01-0${1 + (number % 9)}T0${number % 10}:${10 + (number % 50)}:12Z`,
            labels: {
              'beta.kubernetes.io/arch': 'amd64',
              'beta.kubernetes.io/instance-type': 'm6i.2xlarge',
              'beta.kubernetes.io/os': 'linux',
              'failure-domain.beta.kubernetes.io/region': 'eu-west-1',
              'failure-domain.beta.kubernetes.io/zone': zone,
              'kubernetes.io/arch': 'amd64',
              'kubernetes.io/hostname': name,
              'kubernetes.io/os': 'linux',
              ...(role === 'master' && { 'node-role.kubernetes.io/control-plane': '' }),
              [`node-role.kubernetes.io/${role}`]: '',
              'node.kubernetes.io/instance-type': 'm6i.2xlarge',
              'node.openshift.io/os_id': 'rhcos',
              'topology.ebs.csi.aws.com/zone': zone,
              'topology.k8s.aws/zone-id': `euw1-az${1 + (number % 3)}`,
              'topology.kubernetes.io/region': 'eu-west-1',
              'topology.kubernetes.io/zone': zone,
            },
            annotations: {
              'csi.volume.kubernetes.io/nodeid': `{"ebs.csi.aws.com":"i-${this.hex(17)}"}`,
              'k8s.ovn.org/host-cidrs': `["10.0.${number}.7/19"]`,
              'k8s.ovn.org/node-chassis-id': this.#uid(),
              'machine.openshift.io/machine': `openshift-machine-api/prod-${this.#suffix(5)}`,
              'machineconfiguration.openshift.io/currentConfig': configuration,
              'machineconfiguration.openshift.io/desiredConfig': configuration,
              'machineconfiguration.openshift.io/desiredDrain': `uncordon-${configuration}`,
              'machineconfiguration.openshift.io/reason': '',
              'machineconfiguration.openshift.io/state': 'Done',
            },
          },
          spec: { providerID: `aws:///${zone}/i-${this.hex(17)}` },
          status: {
            addresses: [{ address: `10.0.${number}.7`, type: 'InternalIP' }],
            allocatable: { cpu: '7500m', memory: '30954352Ki', pods: '250' },
            conditions: ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].map((type) => ({
              type,
              status: type === 'Ready' ? 'True' : 'False',
              lastHeartbeatTime: TIME,
              lastTransitionTime: TIME,
              message: `kubelet has sufficient ${type}`,
              reason: `KubeletHas${type}`,
            })),
            images,
            nodeInfo: {
              architecture: 'amd64',
              bootID: this.#uid(),
              containerRuntimeVersion: 'cri-o://1.31.9-3.rhaos4.18.git1b6d9f0.el9',
              kubeletVersion: 'v1.31.9',
              osImage: 'Red Hat Enterprise Linux CoreOS 418.94.202510230424-0',
              systemUUID: this.#uid(),
            },
          },
        };
      }),
    );
  }

  readonly #operator = (number: number): Json => ({
    metadata: {
      name: `operator-${number}.v1.${number}.0`,
      namespace: `operator-${number}`,
      labels: { [`operators.coreos.com/operator-${number}.operator-${number}`]: '' },
      annotations: {
        'alm-examples': JSON.stringify(
          many(20, (example) => ({ kind: 'Example', metadata: { name: example } })),
        ),
        'operatorframework.io/properties': JSON.stringify({
          properties: [
            ...many(20, (api) => ({ type: 'olm.gvk', value: { group: 'example.com', kind: `Kind${api}` } })),
            { type: 'olm.maxOpenShiftVersion', value: '4.20' },
          ],
        }),
      },
    },
    spec: {
      displayName: `Operator ${number}`,
      description: text(4000),
      icon: [{ base64data: this.hex(8000), mediatype: 'image/png' }],
      minKubeVersion: '1.25.0',
      version: `1.${number}.0`,
    },
    status: { phase: 'Succeeded' },
  });

  readonly #certificateRequest = (number: number): Json => ({
    metadata: { name: `csr-${this.#suffix(5)}` },
    spec: {
      request: this.hex(600),
      signerName: 'kubernetes.io/kubelet-serving',
      username: `system:node:${this.#nodes[number % this.#nodes.length]!}`,
    },
    status: { conditions: number < 15 ? [{ type: 'Approved', status: 'True' }] : undefined },
  });

  #pod(node: string, number: number): Json {
    const isOfDaemonSet = number % 3 === 0;
    const workload = isOfDaemonSet ? number % 15 : Math.floor(number / 9);
    const app = `${isOfDaemonSet ? 'agent' : 'service'}-${workload}`;
    const template = isOfDaemonSet ? '' : `-${(workload * 7919).toString(16)}9f${workload % 10}c`;
    const labels = {
      app,
      'app.kubernetes.io/name': app,
      'app.kubernetes.io/part-of': `team-${workload % 40}`,
      'pod-template-hash': template.slice(1),
    };
    return {
      metadata: {
        name: `${app}${template}-${this.#suffix(5)}`,
        namespace: isOfDaemonSet ? `openshift-${app}` : `team-${workload % 40}`,
        uid: this.#uid(),
        creationTimestamp: TIME,
        labels,
        annotations: {
          'k8s.ovn.org/pod-networks': `{"default":{"ip_addresses":["10.128.${number % 256}.7/23"],"mac_address":"0a:58"}}`,
          'openshift.io/scc': 'restricted-v2',
        },
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: isOfDaemonSet ? 'DaemonSet' : 'ReplicaSet',
            name: `${app}${template}`,
            uid: this.#uid(),
            controller: true,
          },
        ],
      },
      spec: {
        nodeName: node,
        containers: many(2, (container) => ({
          name: `container-${container}`,
          image: `registry.example.com/team/${app}@sha256:${this.hex(64)}`,
          env: many(12, (variable) => ({ name: `VARIABLE_${variable}`, value: `value of ${variable}` })),
          resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '512Mi' } },
          volumeMounts: many(4, (mount) => ({
            name: `volume-${mount}`,
            mountPath: `/var/run/volume-${mount}`,
          })),
        })),
        tolerations: many(4, (toleration) => ({
          key: `node.kubernetes.io/${toleration}`,
          operator: 'Exists',
        })),
        volumes: many(4, (volume) => ({ name: `volume-${volume}`, configMap: { name: `config-${volume}` } })),
      },
      status: {
        phase: 'Running',
        podIP: `10.128.${number % 256}.7`,
        conditions: [
          'PodReadyToStartContainers',
          'Initialized',
          'Ready',
          'ContainersReady',
          'PodScheduled',
        ].map((type) => ({ type, status: 'True', lastProbeTime: null, lastTransitionTime: TIME })),
        containerStatuses: many(2, (container) => ({
          name: `container-${container}`,
          containerID: `cri-o://${this.hex(64)}`,
          ready: true,
          restartCount: 0,
          state: { running: { startedAt: TIME } },
        })),
      },
    };
  }

  readonly #volume = (number: number): Json => ({
    metadata: { name: `pvc-${this.#uid()}`, creationTimestamp: TIME },
    spec: {
      capacity: { storage: '20Gi' },
      claimRef: { namespace: `team-${number % 40}`, name: `data-${number}`, uid: this.#uid() },
      vsphereVolume: { volumePath: `[datastore] kubevols/${this.#uid()}.vmdk`, fsType: 'ext4' },
    },
    status: { phase: 'Bound' },
  });
}

const URL_OF_ERRATA = 'https://access.redhat.com/errata/RHBA-2026:1234';
const CATALOGS = ['redhat-operators', 'certified-operators', 'community-operators', 'redhat-marketplace'];
const SINGLETONS: readonly Json[] = [
  ['Infrastructure', 'config.openshift.io', { status: { platformStatus: { type: 'AWS' } } }] as const,
  ['Network', 'config.openshift.io', { status: { networkType: 'OVNKubernetes' } }] as const,
  ['Network', 'operator.openshift.io', { spec: { defaultNetwork: { type: 'OVNKubernetes' } } }] as const,
  ['Node', 'config.openshift.io', { spec: {} }] as const,
  ['FeatureGate', 'config.openshift.io', { spec: {} }] as const,
  ['CloudCredential', 'operator.openshift.io', { spec: { credentialsMode: '' } }] as const,
  ['Etcd', 'operator.openshift.io', { spec: { managementState: 'Managed' } }] as const,
].map(([kind, group, content]) => ({
  kind,
  apiVersion: `${group}/v1`,
  metadata: { name: 'cluster', creationTimestamp: TIME },
  ...content,
}));

function many<Item>(count: number, item: (number: number) => Item): Item[] {
  return Array.from({ length: count }, (_, number) => item(number));
}

function list(kind: string, apiVersion: string, items: readonly Json[]): Json {
  return typedListOf(kind, apiVersion, items);
}

function text(length: number): string {
  return 'The operator manages the lifecycle of its operands and of their configuration. '.repeat(
    Math.ceil(length / 79),
  );
}

function clusterOperator(name: string): Json {
  return {
    metadata: {
      name,
      creationTimestamp: TIME,
      annotations: {
        'include.release.openshift.io/self-managed-high-availability': 'true',
        'include.release.openshift.io/single-node-developer': 'true',
      },
    },
    status: {
      conditions: ['Available', 'Degraded', 'Progressing', 'Upgradeable', 'EvaluationConditionsDetected'].map(
        (type) => ({
          type,
          status: type === 'Available' || type === 'Upgradeable' ? 'True' : 'False',
          reason: 'AsExpected',
          message: `${name} has been reconciled and all of its operands are available at their newest version`,
          lastTransitionTime: TIME,
        }),
      ),
      relatedObjects: many(12, (number) => ({
        group: 'apps',
        name: `${name}-${number}`,
        resource: 'deployments',
      })),
      versions: ['operator', name].map((each) => ({ name: each, version: '4.18.30' })),
    },
  };
}

function pool(name: string, hash: string, machines: number): Json {
  const configuration = {
    name: `rendered-${name}-${hash}`,
    source: many(20, (number) => ({ kind: 'MachineConfig', name: `${number}-${name}` })),
  };
  return {
    metadata: { name, labels: { [`pools.operator.machineconfiguration.openshift.io/${name}`]: '' } },
    spec: {
      configuration,
      maxUnavailable: '10%',
      nodeSelector: { matchLabels: { [`node-role.kubernetes.io/${name}`]: '' } },
      paused: false,
    },
    status: {
      configuration,
      conditions: ['Updated', 'Updating', 'Degraded', 'NodeDegraded', 'RenderDegraded'].map((type) => ({
        type,
        status: type === 'Updated' ? 'True' : 'False',
        message: '',
        lastTransitionTime: TIME,
      })),
      degradedMachineCount: 0,
      machineCount: machines,
      readyMachineCount: machines,
      unavailableMachineCount: 0,
      updatedMachineCount: machines,
    },
  };
}

function subscription(number: number): Json {
  return {
    metadata: { name: `operator-${number}`, namespace: `operator-${number}` },
    spec: {
      channel: `stable-${number}`,
      name: `operator-${number}`,
      source: 'redhat-operators',
      sourceNamespace: 'openshift-marketplace',
    },
    status: {
      currentCSV: `operator-${number}.v1.${number}.0`,
      installedCSV: `operator-${number}.v1.${number}.0`,
    },
  };
}

function extension(number: number): Json {
  return {
    metadata: { name: `extension-${number}` },
    spec: {
      namespace: `extension-${number}`,
      source: {
        sourceType: 'Catalog',
        catalog: { packageName: `extension-${number}`, channels: ['stable'] },
      },
    },
    status: {
      install: { bundle: { name: `extension-${number}.v1.0.0`, version: '1.0.0' } },
      conditions: ['Installed', 'Progressing'].map((type) => ({
        type,
        status: 'True',
        reason: 'Succeeded',
        message: 'desired state reached',
        lastTransitionTime: TIME,
      })),
    },
  };
}

function catalog(name: string, number: number): Json {
  return {
    metadata: {
      name: `openshift-${name}`,
      labels: { 'olm.operatorframework.io/metadata.name': `openshift-${name}` },
    },
    spec: {
      priority: -100 * (number + 1),
      source: { type: 'Image', image: { ref: `registry.redhat.io/redhat/${name}-index:v4.18` } },
    },
  };
}

function requestCount(number: number): Json {
  const used = {
    byNode: many(3, (node) => ({
      nodeName: `10.0.0.${node}`,
      requestCount: 40,
      byUser: many(4, (user) => ({
        byVerb: [{ requestCount: 10, verb: 'get' }],
        requestCount: 10,
        userAgent: 'operator/v0.0.0',
        username: `system:serviceaccount:openshift-operator-${user}:operator`,
      })),
    })),
    requestCount: 120,
  };
  return {
    metadata: { name: `resources${number}.v1.group${number % 40}.example.com`, creationTimestamp: TIME },
    status: {
      currentHour: used,
      last24h: many(24, (hour) => ((hour + number) % 5 === 0 ? used : { requestCount: 0 })),
      requestCount: 600,
    },
  };
}

function mirrorSet(number: number): Json {
  return {
    metadata: { name: `idms-release-${number}` },
    spec: {
      imageDigestMirrors: many(8, (mirror) => ({
        source: `registry.redhat.io/repository-${number}-${mirror}`,
        mirrors: [`mirror.example.com:8443/prod/repository-${number}-${mirror}`],
      })),
    },
  };
}

function customResource(number: number): Json {
  const group = number < 8 ? 'gateway.networking.k8s.io' : `group${number % 60}.example.com`;
  const properties = Object.fromEntries(
    many(60, (property) => [
      `property${property}`,
      { type: 'object', description: text(160), properties: { name: { type: 'string' } } },
    ]),
  );
  return {
    metadata: { name: `resources${number}.${group}`, creationTimestamp: TIME },
    spec: {
      group,
      names: { kind: `Resource${number}`, plural: `resources${number}` },
      versions: [{ name: 'v1', schema: { openAPIV3Schema: { type: 'object', properties } }, served: true }],
    },
  };
}

function platformBudget(number: number): Json {
  return budget(`openshift-component-${number}`, `component-${number}`, 1);
}

function userBudget(number: number): Json {
  return budget(`team-${number}`, `service-${number}`, number % 5 === 0 ? 0 : 1);
}

function budget(namespace: string, app: string, disruptionsAllowed: number): Json {
  return {
    metadata: { namespace, name: `${app}-pdb`, creationTimestamp: TIME },
    spec: { minAvailable: 1, selector: { matchLabels: { app } } },
    status: {
      conditions: [
        { type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods', lastTransitionTime: TIME },
      ],
      currentHealthy: 2,
      desiredHealthy: 2 - disruptionsAllowed,
      disruptionsAllowed,
      expectedPods: 2,
    },
  };
}

function healthCheck(number: number): Json {
  return {
    metadata: { name: `workers-${number}`, namespace: 'openshift-machine-api' },
    spec: { maxUnhealthy: '40%', unhealthyConditions: [{ type: 'Ready', status: 'False', timeout: '300s' }] },
  };
}

function deployment(number: number): Json {
  return {
    metadata: { name: `service-${number}`, namespace: `team-${number % 40}`, creationTimestamp: TIME },
    spec: {
      replicas: number % 2 === 0 ? 1 : 3,
      template: {
        spec: { containers: many(2, (container) => ({ name: `container-${container}`, env: text(900) })) },
      },
    },
    status: { replicas: 3, conditions: [{ type: 'Available', status: 'True', lastTransitionTime: TIME }] },
  };
}

function route(number: number): Json {
  return {
    metadata: { name: `service-${number}`, namespace: `team-${number % 40}`, creationTimestamp: TIME },
    spec: { host: `service-${number}.apps.example.com`, to: { kind: 'Service', name: `service-${number}` } },
    status: {
      ingress: [
        {
          host: `service-${number}.apps.example.com`,
          routerName: 'default',
          conditions: [
            { type: 'Admitted', status: 'True', lastTransitionTime: TIME },
            ...(number % 30 === 0
              ? [{ type: 'UnservableInFutureVersions', status: 'True', message: 'The certificate uses SHA1' }]
              : []),
          ],
        },
      ],
    },
  };
}
