import { configMap, type Json } from './objects.ts';

const singleton = (kind: string, apiVersion: string, content: Json): Json => ({
  kind,
  apiVersion,
  metadata: { name: 'cluster' },
  ...content,
});

const ANSWER = { at: '2026-01-02T00:00:00Z', data: { resultType: 'vector' } };
const sample = (value: string) => ({ metric: { a: 'b' }, value: [1767312000, value] });

/** What only risks of updates ask for. */
export const riskInputs: readonly Json[] = [
  configMap('openshift-config', 'openshift-install', { version: 'v4.12.3', invoker: 'hypershift' }),
  configMap('openshift-config', 'openshift-install-manifests', { version: '' }),
  singleton('Proxy', 'config.openshift.io/v1', {
    spec: {
      httpProxy: 'http://user:secret@proxy.example.com:3128',
      httpsProxy: '',
      noProxy: '.example.com',
      trustedCA: { name: 'user-ca-bundle' },
    },
  }),
  {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: { namespace: 'openshift-image-registry', name: 'image-registry' },
    spec: { replicas: 3, template: {} },
  },
  {
    kind: 'ObjectCounts',
    apiVersion: 'cairn/v1',
    counts: { nodes: 6, 'egressips.k8s.ovn.org': 0, 'performanceprofiles.performance.openshift.io': null },
    names: [
      {
        resource: 'configmaps',
        namespace: 'openshift-cloud-controller-manager',
        names: ['kube-root-ca.crt', 'cloud-conf'],
      },
    ],
    absent: [
      { resource: 'deployments.apps', namespace: 'openshift-image-registry', name: 'image-registry' },
      { resource: 'proxies.config.openshift.io', name: 'cluster' },
    ],
  },
  { kind: 'ContainerImages', apiVersion: 'cairn/v1', images: ['quay.io/a@sha256:1'], complete: true },
  {
    kind: 'RiskAnswers',
    apiVersion: 'cairn/v1',
    answers: [
      { ...ANSWER, promql: 'group(a)\n', data: { resultType: 'vector', result: [sample('1')] } },
      { ...ANSWER, promql: '0 * group(a)', data: { resultType: 'vector', result: [sample('0')] } },
      { ...ANSWER, promql: 'a', data: { resultType: 'vector', result: [sample('1'), sample('1')] } },
      { promql: 'b', at: '2026-01-02T00:00:00Z', error: 'execution: many-to-many' },
    ],
  },
];

/** Objects of kinds without facts of their own shape, with content that checks read. */
export const everyOtherKind: readonly Json[] = [
  {
    kind: 'ClusterExtension',
    apiVersion: 'olm.operatorframework.io/v1',
    metadata: { name: 'pipelines' },
    spec: {
      namespace: 'pipelines',
      source: {
        sourceType: 'Catalog',
        catalog: {
          packageName: 'openshift-pipelines-operator-rh',
          channels: ['latest'],
          version: '1.18.x',
          selector: {
            matchLabels: { 'olm.operatorframework.io/metadata.name': 'openshift-redhat-operators' },
          },
          upgradeConstraintPolicy: 'CatalogProvided',
        },
      },
    },
    status: {
      install: { bundle: { name: 'pipelines.v1.18.0', version: '1.18.0' } },
      conditions: [
        { type: 'Progressing', status: 'True', reason: 'Succeeded', message: 'desired state reached' },
        {
          type: 'Installed',
          status: 'True',
          reason: 'Succeeded',
          lastTransitionTime: '2026-01-02T00:00:00Z',
        },
        { type: 'Deprecated', status: 'True', reason: 'Deprecated', message: 'use another' },
        { type: 'ChannelDeprecated', status: 'False', reason: 'Deprecated', message: '' },
      ],
    },
  },
  {
    kind: 'ClusterExtension',
    apiVersion: 'olm.operatorframework.io/v1',
    metadata: { name: 'waiting' },
    spec: { namespace: 'waiting', source: { sourceType: 'Catalog', catalog: { packageName: 'waiting' } } },
  },
  ...['Available', 'Unavailable'].map((availabilityMode) => ({
    kind: 'ClusterCatalog',
    apiVersion: 'olm.operatorframework.io/v1',
    metadata: {
      name: `catalog-${availabilityMode}`,
      labels: { 'olm.operatorframework.io/metadata.name': `catalog-${availabilityMode}` },
    },
    spec: {
      source: { type: 'Image', image: { ref: 'registry.redhat.io/redhat/redhat-operator-index:v4.20' } },
      priority: -100,
      availabilityMode,
    },
  })),
  ...[
    { lifecycleState: 'Active', revision: 2 },
    { lifecycleState: 'Archived', revision: 1 },
  ].map((spec) => ({
    kind: 'ClusterObjectSet',
    apiVersion: 'olm.operatorframework.io/v1',
    metadata: {
      name: `pipelines-${spec.revision}`,
      labels: {
        'olm.operatorframework.io/owner-kind': 'ClusterExtension',
        'olm.operatorframework.io/owner-name': 'pipelines',
      },
      annotations: {
        'olm.operatorframework.io/bundle-name': 'pipelines.v1.18.0',
        'olm.operatorframework.io/bundle-version': '1.18.0',
        'olm.properties': '[{"type":"olm.maxOpenShiftVersion","value":4.20},{"type":"olm.gvk","value":{}}]',
      },
    },
    spec: {
      ...spec,
      phases: [{ name: 'deploy', objects: [{ object: { kind: 'Secret', data: { a: 'b' } } }] }],
    },
  })),
  {
    kind: 'ImageDigestMirrorSet',
    apiVersion: 'config.openshift.io/v1',
    metadata: { name: 'mirror' },
    spec: { imageDigestMirrors: [{ source: 'quay.io/a', mirrors: ['mirror.example.com/a'] }] },
  },
  {
    kind: 'ImageTagMirrorSet',
    apiVersion: 'config.openshift.io/v1',
    metadata: { name: 'tags' },
    spec: { imageTagMirrors: [{ source: 'quay.io/b', mirrors: [] }] },
  },
  {
    kind: 'ImageContentSourcePolicy',
    apiVersion: 'operator.openshift.io/v1alpha1',
    metadata: { name: 'old' },
    spec: { repositoryDigestMirrors: [{ source: 'quay.io/c', mirrors: ['mirror.example.com/c'] }] },
  },
  singleton('MachineConfiguration', 'operator.openshift.io/v1', {
    spec: {
      managedBootImages: {
        machineManagers: [
          { resource: 'machinesets', apiGroup: 'machine.openshift.io', selection: { mode: 'None' } },
        ],
      },
    },
    status: {
      bootImageSkewEnforcementStatus: {
        mode: 'Manual',
        manual: { mode: 'OCPVersion', ocpVersion: '4.12.30' },
        automatic: { ocpVersion: '4.20.0' },
      },
    },
  }),
  ...['gateways.gateway.networking.k8s.io', 'widgets.example.com'].map((name) => ({
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name },
    spec: { group: name.replace(/^[a-z]+\./, ''), versions: [{ name: 'v1', schema: { deep: {} } }] },
  })),
  ...['True', 'False'].map((status) => ({
    kind: 'Route',
    apiVersion: 'route.openshift.io/v1',
    metadata: { namespace: 'shop', name: `route-${status}` },
    status: {
      ingress: [
        { routerName: 'default', conditions: [{ type: 'Admitted', status: 'True' }] },
        {
          routerName: 'second',
          conditions: [{ type: 'UnservableInFutureVersions', status, message: 'SHA1' }],
        },
      ],
    },
  })),
  ...[{ vsphereVolume: { volumePath: 'x' } }, { csi: {} }].map((spec, number) => ({
    kind: 'PersistentVolume',
    apiVersion: 'v1',
    metadata: { name: `pv-${number}` },
    spec,
  })),
  ...riskInputs,
  singleton('Node', 'config.openshift.io/v1', { spec: { cgroupMode: 'v1' } }),
  singleton('FeatureGate', 'config.openshift.io/v1', { spec: { featureSet: 'TechPreviewNoUpgrade' } }),
  {
    ...singleton('CloudCredential', 'operator.openshift.io/v1', { spec: { credentialsMode: 'Manual' } }),
    metadata: { name: 'cluster', annotations: { 'cloudcredential.openshift.io/upgradeable-to': 'v4.15' } },
  },
  singleton('Network', 'operator.openshift.io/v1', { spec: { defaultNetwork: { type: 'OpenShiftSDN' } } }),
  singleton('Network', 'config.openshift.io/v1', {
    status: {
      networkType: 'OpenShiftSDN',
      conditions: [{ type: 'NetworkTypeMigrationInProgress', status: 'True', message: 'half done' }],
    },
  }),
  {
    kind: 'ContainerRuntimeConfig',
    apiVersion: 'machineconfiguration.openshift.io/v1',
    metadata: { name: 'runc' },
    spec: {
      containerRuntimeConfig: { defaultRuntime: 'runc' },
      machineConfigPoolSelector: {
        matchLabels: { 'pools.operator.machineconfiguration.openshift.io/w': '' },
      },
    },
  },
  {
    kind: 'MachineConfig',
    apiVersion: 'machineconfiguration.openshift.io/v1',
    metadata: { name: '99-runtime', labels: { 'machineconfiguration.openshift.io/role': 'worker' } },
    spec: {
      config: {
        storage: {
          files: [
            {
              path: '/etc/crio/crio.conf.d/10',
              contents: { source: 'data:,default_runtime%20%3D%20%22crun%22' },
            },
            {
              path: '/etc/crio/crio.conf.d/20',
              contents: { source: `data:text/plain;base64,${btoa('[crio]\ndefault_runtime = "runc"\n')}` },
            },
            { path: '/etc/other', contents: { source: 'data:,default_runtime%20%3D%20%22x%22' } },
          ],
        },
      },
    },
  },
  {
    kind: 'MachineConfig',
    apiVersion: 'machineconfiguration.openshift.io/v1',
    metadata: {
      name: 'rendered-worker-1',
      annotations: { 'machineconfiguration.openshift.io/release-image-version': '4.14.8' },
    },
    spec: { config: { storage: { files: [] } } },
  },
  configMap('openshift-config', 'selinux-conflicts', { conflictsPresent: 'True' }),
  configMap('openshift-config', 'unsupported-cert-rotation-config', { base: '1h' }),
  { kind: 'ClusterImagePolicy', apiVersion: 'config.openshift.io/v1', metadata: { name: 'openshift' } },
  singleton('KubeAPIServer', 'operator.openshift.io/v1', {
    spec: { unsupportedConfigOverrides: { b: 1, a: {} } },
  }),
  singleton('Etcd', 'operator.openshift.io/v1', { spec: { unsupportedConfigOverrides: {} } }),
  {
    kind: 'PodDisruptionBudget',
    apiVersion: 'policy/v1',
    metadata: { namespace: 'shop', name: 'strict' },
    spec: {
      selector: {
        matchLabels: { app: 'shop' },
        matchExpressions: [{ key: 'tier', operator: 'In', values: ['web'] }],
      },
      maxUnavailable: 0,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    },
    status: { disruptionsAllowed: 0, currentHealthy: 3, desiredHealthy: 3, expectedPods: 3 },
  },
  {
    kind: 'PodDisruptionBudget',
    apiVersion: 'policy/v1',
    metadata: { namespace: 'shop', name: 'none' },
    spec: {},
    status: {},
  },
  ...['shop-1', 'shop-0'].map((name) => ({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      namespace: 'shop',
      name,
      labels: { app: 'shop', 'statefulset.kubernetes.io/pod-name': name },
      ownerReferences: [{ kind: 'StatefulSet', name: 'shop', controller: true }],
    },
    spec: { nodeName: 'w0' },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: name === 'shop-0' ? 'True' : 'False' }],
    },
  })),
  ...[1, 3].map((replicas) => ({
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: { namespace: 'shop', name: `cart-${replicas}` },
    spec: { replicas },
  })),
  {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: { namespace: 'openshift-machine-config-operator', name: 'machine-config-operator' },
    spec: {
      template: {
        spec: {
          containers: [
            { name: 'kube-rbac-proxy', image: 'quay.example/proxy@sha256:1' },
            { name: 'machine-config-operator', image: 'quay.example/operator@sha256:2' },
          ],
        },
      },
    },
  },
  { kind: 'StatefulSet', apiVersion: 'apps/v1', metadata: { namespace: 'shop', name: 'db' }, spec: {} },
  ...['True', 'False'].map((status) => ({
    kind: 'VirtualMachineInstance',
    apiVersion: 'kubevirt.io/v1',
    metadata: { namespace: 'vms', name: `vm-${status}` },
    spec: { evictionStrategy: 'LiveMigrate' },
    status: { nodeName: 'w1', conditions: [{ type: 'LiveMigratable', status, message: 'local disk' }] },
  })),
  {
    kind: 'MachineHealthCheck',
    apiVersion: 'machine.openshift.io/v1beta1',
    metadata: {
      namespace: 'openshift-machine-api',
      name: 'workers',
      annotations: { 'cluster.x-k8s.io/paused': '' },
    },
  },
  {
    kind: 'NodeHealthCheck',
    apiVersion: 'remediation.medik8s.io/v1alpha1',
    metadata: { name: 'nodes' },
    spec: { pauseRequests: [] },
  },
  ...[undefined, [{ type: 'Approved', status: 'True' }]].map((conditions, number) => ({
    kind: 'CertificateSigningRequest',
    apiVersion: 'certificates.k8s.io/v1',
    metadata: { name: `csr-${number}` },
    spec: { signerName: 'kubernetes.io/kubelet-serving', username: 'system:node:w0' },
    status: { conditions },
  })),
  {
    status: 'success',
    data: {
      alerts: ['firing', 'pending'].map((state) => ({
        state,
        activeAt: '2026-11-16T07:00:00.123456789Z',
        labels: {
          alertname: 'PodDisruptionBudgetAtLimit',
          severity: 'warning',
          namespace: 'shop',
          poddisruptionbudget: 'strict',
        },
        annotations: {
          summary: 'At its limit',
          message: 'No room',
          runbook_url: 'https://example.com/runbook',
        },
      })),
    },
  },
  {
    kind: 'HostedCluster',
    apiVersion: 'hypershift.openshift.io/v1beta1',
    metadata: {
      namespace: 'clusters',
      name: 'guest',
      creationTimestamp: '2026-01-01T00:00:00Z',
      annotations: { 'hypershift.openshift.io/force-upgrade-to': 'quay.io/r@sha256:b' },
    },
    spec: {
      clusterID: 'd00d',
      channel: 'stable-4.19',
      updateService: 'https://cairn.example.com/graph',
      platform: { type: 'AWS' },
      networking: { networkType: 'OVNKubernetes' },
      release: { image: 'quay.io/r@sha256:b' },
      controlPlaneRelease: { image: 'quay.io/r@sha256:c' },
      pausedUntil: '2026-12-01T00:00:00Z',
    },
    status: {
      version: {
        desired: { version: '4.19.19', image: 'quay.io/r@sha256:b', channels: ['stable-4.19'] },
        history: [
          {
            state: 'Partial',
            version: '4.19.19',
            image: 'quay.io/r@sha256:b',
            startedTime: '2026-10-01T00:00:00Z',
          },
        ],
        availableUpdates: [{ version: '4.19.20' }],
        conditionalUpdates: [{ release: { version: '4.20.1' }, risks: [{ name: 'A' }] }],
      },
      controlPlaneVersion: {
        history: [
          {
            state: 'Partial',
            version: '4.20.1',
            image: 'quay.io/r@sha256:c',
            startedTime: '2026-11-01T00:00:00Z',
          },
        ],
      },
      conditions: [{ type: 'ClusterVersionUpgradeable', status: 'False', reason: 'No', message: 'why' }],
    },
  },
  ...[
    { upgradeType: 'Replace', replace: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } } },
    { upgradeType: 'Replace', replace: { rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } } },
    { upgradeType: 'InPlace', inPlace: { maxUnavailable: 3 } },
  ].map((management, number) => ({
    kind: 'NodePool',
    apiVersion: 'hypershift.openshift.io/v1beta1',
    metadata: { namespace: 'clusters', name: `guest-${number}` },
    spec: {
      clusterName: 'guest',
      replicas: 3,
      management,
      arch: 'arm64',
      pausedUntil: number === 1 ? 'true' : undefined,
    },
    status: {
      version: '4.18.10',
      ...(number === 0 && { replicas: 4 }),
      nodeVersions: [
        { ocpVersion: '4.18.10', kubeletVersion: 'v1.31.6', readyNodeCount: 2, unreadyNodeCount: 1 },
      ],
      conditions: [
        { type: 'SupportedVersionSkew', status: 'True', lastTransitionTime: '2026-11-01T00:00:00Z' },
      ],
    },
  })),
  configMap('hypershift', 'supported-versions', {
    'server-version': '2f6cfe2',
    'supported-versions': '{"versions":["4.20","4.19"]}',
  }),
  configMap('kube-public', 'microshift-version', { major: '4', minor: '18', version: '4.18.3' }),
];
