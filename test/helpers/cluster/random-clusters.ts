import type { ClusterFacts, ClusterVersionFacts, HistoryEntry } from '@cairn/shared/cluster/facts';
import type { PlanQuestion } from '@cairn/shared/plan/figures';
import { CHECKS } from '@cairn/shared/safety/evaluate';
import { type SafetyOptions } from '@cairn/shared/safety/hop';
import { SKEW_POLICIES, STRATEGIES } from '@cairn/shared/safety/values';
import { kubernetesMinorOf } from '@cairn/shared/version/release-line';
import { mustParseVersion } from '@cairn/shared/version/release-version';
import fc from 'fast-check';
import { CALENDAR } from '../path/builders.ts';
import { answerAlong, path } from '../path/random-paths.ts';
import { inWindows } from '../plan/windows.ts';
import { aCluster, aClusterVersion, aCondition, minutesAgo, NOW } from './clusters.ts';
import { configuration } from './random-configuration.ts';
import { workloads } from './random-workloads.ts';

/** Valid and hostile names. */
const NAMES = [
  'a',
  'b',
  'c',
  'openshift-x',
  "x'; reboot #",
  '$(reboot)',
  '`id`',
  '__proto__',
  '',
  'a\nb',
  '-n é',
];
const name = fc.constantFrom(...NAMES);
const text = fc.constantFrom('', 'why', '\u001b[31mred\nred', "'", '__proto__', 'https://example.com/x).');
const time = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -60, max: 500_000 }).map(minutesAgo) },
  { weight: 1, arbitrary: fc.constantFrom(null, '', 'yesterday', '0001-01-01T00:00:00Z') },
);
const status = fc.constantFrom('True', 'True', 'False', 'False', 'Unknown', 'maybe');

/** Unique by key, as the API server guarantees. */
function listBy<T>(item: fc.Arbitrary<T>, key: (value: T) => string, maxLength: number): fc.Arbitrary<T[]> {
  return fc.uniqueArray(item, { selector: key, maxLength });
}

function conditions(...types: readonly string[]) {
  const reason = fc.constantFrom(
    '',
    'AsExpected',
    'KubeletMinorVersion_KubeletMinorVersionUnsupported',
    'IncompatibleOperatorsInstalled',
    'InstalledOLMOperators_IncompatibleOperatorsInstalled',
    'Retrying',
    'ClusterOnCgroupV1::Other',
    'FeatureGates_RestrictedFeatureGates_TechPreviewNoUpgrade',
    'ResourceDeletesInProgress',
    'MultipleReasons',
    'UnacceptedRisks',
  );
  const one = fc.record({ type: fc.constantFrom(...types), status, reason, message: text, since: time });
  return listBy(one, ({ type }) => type, types.length);
}

function historyAround(versions: readonly string[]): fc.Arbitrary<HistoryEntry[]> {
  const source = mustParseVersion(versions[0]!);
  const near = [
    source.raw,
    `${source.major}.${source.minor}.0`,
    `${source.major}.${source.minor}.1`,
    `${source.major}.${Math.max(0, source.minor - 1)}.7`,
    `${source.major}.${Math.max(0, source.minor - 2)}.7`,
  ];
  const entry = fc.record({
    state: fc.constantFrom('Completed' as const, 'Partial' as const),
    version: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...near) },
      { weight: 1, arbitrary: fc.constantFrom('', 'custom', '99.99.99', 'v4.1.0') },
    ),
    image: fc.constantFrom('', 'image-a', 'image-b'),
    startedTime: time,
    completionTime: time,
    verified: fc.boolean(),
    acceptedRisks: fc.constantFrom('', '', 'forced through'),
  });
  return fc.array(entry, { maxLength: 6 });
}

function clusterVersion(versions: readonly string[]): fc.Arbitrary<ClusterVersionFacts> {
  const source = versions[0]!;
  const asked = fc.constantFrom('', source, versions.at(-1)!, 'custom');
  return fc
    .record({
      history: historyAround(versions),
      desired: fc.record(
        {
          version: fc.oneof(
            { weight: 12, arbitrary: fc.constant(source) },
            { weight: 1, arbitrary: fc.constantFrom('', 'custom') },
          ),
          image: fc.constantFrom('', 'image-a'),
          channels: fc.constant([]),
          architecture: fc.constant('Multi'),
        },
        { requiredKeys: ['version', 'image', 'channels'] },
      ),
      desiredUpdate: fc.option(
        fc.record(
          {
            version: asked,
            image: fc.constantFrom('', 'image-b'),
            force: fc.boolean(),
            architecture: fc.constant('Multi'),
          },
          { requiredKeys: ['version', 'image', 'force'] },
        ),
      ),
      unmanagedOverrides: listBy(
        fc.record({ kind: name, group: name, namespace: name, name }),
        (override) => JSON.stringify(override),
        2,
      ),
      conditions: conditions(
        'Upgradeable',
        'Progressing',
        'Failing',
        'Invalid',
        'ReleaseAccepted',
        'RetrievedUpdates',
      ),
      channel: fc.constantFrom(null, '', 'stable-4.14'),
      createdAt: time,
      availableUpdates: fc.subarray([...new Set(versions)]),
      conditionalUpdates: listBy(
        fc.record({
          version: fc.constantFrom(...versions),
          risks: fc.subarray(['A', 'B', 'C', 'x; y', 'A-', 'AdminAck-x', 'ClusterVersionUpdating']),
          recommended: fc.option(
            fc.record({ type: fc.constant('Recommended'), status, reason: text, message: text, since: time }),
          ),
        }),
        ({ version }) => version,
        2,
      ),
      acceptedRisks: fc.option(fc.subarray(['A', 'B', 'x; y', 'AdminAck-x'])),
      knownRisks: fc.option(
        listBy(
          fc.record({
            name: fc.constantFrom('A', 'B', 'C', 'x; y', 'AdminAck-x'),
            url: fc.constantFrom('', 'https://example.com/x).'),
            message: text,
            applies: fc.option(
              fc.record({ type: fc.constant('Applies'), status, reason: text, message: text, since: time }),
            ),
          }),
          (risk) => risk.name,
          3,
        ),
      ),
    })
    .map((changes) => aClusterVersion(changes, source));
}

const ROLES = ['master', 'worker', 'infra', 'arbiter'];

function node(kubernetes: number) {
  return fc
    .record({
      name: fc.oneof(
        fc.nat(20).map((number) => `node-${number}`),
        name,
      ),
      roles: fc.subarray(ROLES),
      zone: fc.option(fc.constantFrom('zone-a', 'zone-b', '')),
      createdAt: time,
      unschedulable: fc.boolean(),
      ready: fc.oneof(
        { weight: 6, arbitrary: fc.constant('True') },
        { weight: 1, arbitrary: fc.constantFrom('False', 'Unknown', null) },
      ),
      pressure: fc.oneof(
        { weight: 6, arbitrary: fc.constant<string[]>([]) },
        { weight: 1, arbitrary: fc.subarray(['DiskPressure', 'MemoryPressure'], { minLength: 1 }) },
      ),
      kubeletVersion: fc.oneof(
        {
          weight: 5,
          arbitrary: fc.integer({ min: -4, max: 1 }).map((lag) => `v1.${kubernetes + lag}.3+abc`),
        },
        { weight: 1, arbitrary: fc.constantFrom('', 'Invalid', 'v2.1.0', 'v1.99999.0', 'v1.27') },
      ),
      containerRuntimeVersion: fc.constantFrom(
        '',
        'cri-o://1.27.3',
        'containerd://1.6',
        `cri-o://1.${kubernetes}.0`,
      ),
      osImage: fc.constantFrom('CoreOS 1', 'CoreOS 2', 'RHEL 8'),
      architecture: fc.constantFrom('amd64', 'arm64'),
      machineConfig: fc.record({
        current: fc.constantFrom('one', 'two'),
        desired: fc.constantFrom('one', 'two'),
        state: fc.constantFrom('Done', 'Working', 'Degraded'),
        reason: text,
      }),
    })
    .map(({ roles, zone, pressure, ...rest }) => ({
      ...rest,
      problems: [
        ...pressure.map((type) => aCondition(type, 'True')),
        ...(rest.ready === 'False' || rest.ready === 'Unknown' ? [aCondition('Ready', rest.ready)] : []),
      ],
      labels: Object.fromEntries([
        ...roles.map((role) => [`node-role.kubernetes.io/${role}`, ''] as const),
        ...(zone === null ? [] : [['topology.kubernetes.io/zone', zone] as const]),
      ]),
    }));
}

const count = fc.nat(9);
const expression = fc.record({
  key: fc.constantFrom(...ROLES.map((role) => `node-role.kubernetes.io/${role}`), 'constructor'),
  operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Like'),
  values: fc.constantFrom([], ['']),
});
const pool = fc.record({
  name: fc.oneof(fc.constantFrom(...ROLES), name),
  labels: fc.constant({}),
  paused: fc.boolean(),
  maxUnavailable: fc.constantFrom(0, 1, 3, '10%', '100%', 'many', -1),
  nodeSelector: fc.record({
    matchLabels: fc.constantFrom(...ROLES.map((role) => ({ [`node-role.kubernetes.io/${role}`]: '' })), {}),
    matchExpressions: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(expression, { maxLength: 2 }) },
    ),
  }),
  configuration: fc.record({ wanted: fc.constantFrom('one', 'two'), current: fc.constantFrom('one', 'two') }),
  machines: fc.record({ total: count, updated: count, ready: count, unavailable: count, degraded: count }),
  conditions: conditions('Updated', 'Updating', 'Degraded'),
});

function properties(minor: number) {
  const limit = fc.record({
    type: fc.constantFrom('olm.maxOpenShiftVersion', 'olm.maxKubeVersion', 'olm.gvk'),
    value: fc.oneof(
      fc.integer({ min: -2, max: 3 }).map((step) => `4.${Math.max(0, minor + step)}`),
      fc.constantFrom('5.0', '"4.10"', '', 'nonsense', '1.30', '4.14.1', '9'.repeat(40)),
    ),
  });
  return fc.oneof(
    fc.constant(null),
    fc.array(limit, { maxLength: 2 }),
    fc.constant({ unreadable: 'it is not JSON' }),
  );
}

function operator(minor: number) {
  return fc.record({
    namespace: name,
    name,
    displayName: text,
    version: fc.constant('1.0.0'),
    minKubeVersion: fc.constantFrom('', '1.20.0', '1.40', 'nonsense'),
    phase: fc.constantFrom('Succeeded', 'Replacing', 'Failed'),
    components: fc.subarray(['a.a', 'b.openshift-x', '4.10.b', "x'; reboot #.c", 'cut.openshif', '.a', 'a']),
    properties: properties(minor),
    declaredProperties: properties(minor),
  });
}

/** Packages and channels with special characters. */
const installable = fc.oneof(
  name,
  fc.constantFrom('4.10', 'true', 'null', '~', '1e3', '- x', 'x: y', '"', '#', '*a', 'x\u2028y', 'x\u0085y'),
);
const subscription = fc.record({
  namespace: name,
  name,
  package: installable,
  channel: installable,
  source: fc.oneof(
    fc.constantFrom('redhat-operators', 'certified-operators', 'cs-redhat-operator-index-v4-14', 'my-own'),
    name,
  ),
  sourceNamespace: fc.oneof(
    { weight: 4, arbitrary: fc.constant('openshift-marketplace') },
    { weight: 1, arbitrary: name },
  ),
  startingCsv: name,
  installedCsv: name,
  currentCsv: name,
});

const selector = fc.constantFrom(
  { matchLabels: {}, matchExpressions: [] },
  { matchLabels: { a: 'b' }, matchExpressions: [] },
);

const extension = fc.record({
  name,
  package: installable,
  channels: fc.array(installable, { maxLength: 2 }),
  version: text,
  catalogSelector: selector,
  installed: fc.option(fc.record({ name, version: text })),
  problems: conditions('Installed', 'Progressing', 'Deprecated'),
});

const catalog = fc.record({
  name: fc.oneof(fc.constantFrom('openshift-redhat-operators', 'cc-redhat-operator-index-v4-20'), name),
  labels: fc.constantFrom({}, { a: 'b' }),
  image: fc.oneof(fc.constantFrom('registry.example.com/a/index:v4.20', 'x/y:v4.20\n', 'x/y:latest'), text),
  priority: fc.integer({ min: -400, max: 400 }),
  isAvailable: fc.boolean(),
});

const objectSet = (minor: number) =>
  fc.record({
    name,
    extension: name,
    revision: fc.nat(3),
    bundle: name,
    version: text,
    properties: properties(minor),
  });

const apiUser = fc.record({
  username: fc.constantFrom(
    'alice',
    'system:admin',
    'system:apiserver',
    'system:kube-controller-manager',
    'system:serviceaccount:openshift-dns:dns',
    'system:serviceaccount:a:b',
  ),
  userAgent: fc.constantFrom('', 'oc/4.14'),
  requests: fc.nat(9),
  verbs: fc.subarray(['get', 'list']),
  lastHour: fc.option(fc.nat(23)),
});

function apiUse(kubernetes: number) {
  return fc.record({
    name: fc.oneof(
      fc.constantFrom(
        'ingresses.v1beta1.extensions',
        'flowschemas.v1beta3.flowcontrol.apiserver.k8s.io',
        'cronjobs.v1beta1.batch',
        'things.v1.example.com',
      ),
      name,
    ),
    removedInRelease: fc.option(
      fc.integer({ min: -1, max: 4 }).map((step) => `1.${kubernetes + step}` as const),
    ),
    requests: fc.nat(30),
    users: listBy(apiUser, ({ username }) => username, 3),
  });
}

function entries(minor: number) {
  const key = fc.oneof(
    fc.integer({ min: -1, max: 2 }).map((step) => `ack-4.${Math.max(0, minor + step)}-subject`),
    fc.constantFrom(
      'ack-4.8-kube-1.22-api-removals-in-4.9',
      'ack-4.15-kube-1.29-api-removals-in-4.16',
      'ack-5.0-subject',
      "ack-4.14-x'; reboot",
      '',
      '__proto__',
    ),
  );
  return listBy(
    fc.record({ key, value: fc.constantFrom('true', '', 'True', 'read https://example.com/a.') }),
    (one) => one.key,
    3,
  );
}

const KINDS = [
  'clusterVersion',
  'clusterOperators',
  'nodes',
  'pools',
  'operators',
  'extensions',
  'objectSets',
  'apiUse',
  'adminGates',
  'adminAcks',
] as const;

/** Any cluster at the start of a path, with any reported kinds. Some are mostly healthy. */
export function clusterOn(versions: readonly string[]): fc.Arbitrary<ClusterFacts> {
  const { minor, major } = mustParseVersion(versions[0]!);
  const kubernetes = kubernetesMinorOf({ major, minor }).minor;
  const supplied = <T>(facts: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(facts, { freq: 8 });
  return fc
    .record({
      collectedAt: time,
      clusterVersion: supplied(clusterVersion(versions)),
      clusterOperators: supplied(
        listBy(
          fc.record({
            name: fc.oneof(
              fc.constantFrom(
                'etcd',
                'kube-apiserver',
                'operator-lifecycle-manager',
                'olm',
                'machine-config',
              ),
              name,
            ),
            platform: fc.boolean(),
            conditions: conditions('Upgradeable', 'Available', 'Degraded', 'Progressing'),
            versions: fc.constantFrom(
              [],
              [{ name: 'kube-apiserver', version: `1.${kubernetes}.4` }],
              [{ name: 'kube-apiserver', version: `1.${kubernetes - 1}.4` }],
            ),
          }),
          (one) => one.name,
          4,
        ),
      ),
      nodes: supplied(listBy(node(kubernetes), (one) => one.name, 6)),
      pools: supplied(listBy(pool, (one) => one.name, 4)),
      operators: supplied(listBy(operator(minor), (one) => `${one.namespace}/${one.name}`, 4)),
      subscriptions: supplied(listBy(subscription, (one) => `${one.namespace}/${one.name}`, 6)),
      extensions: supplied(listBy(extension, (one) => one.name, 3)),
      catalogs: supplied(listBy(catalog, (one) => one.name, 3)),
      objectSets: supplied(listBy(objectSet(minor), (one) => one.name, 3)),
      apiUse: supplied(listBy(apiUse(kubernetes), (one) => one.name, 4)),
      adminGates: supplied(entries(minor)),
      adminAcks: supplied(entries(minor)),
      ...workloads,
      networkType: fc.constantFrom(null, 'OVNKubernetes', 'OpenShiftSDN'),
      podsPerNode: fc.option(
        listBy(
          fc.record(
            { node: fc.nat(20).map((number) => `node-${number}`), pods: count, etcdReady: fc.boolean() },
            { requiredKeys: ['node', 'pods'] },
          ),
          (one) => one.node,
          6,
        ),
      ),
    })
    .chain((facts) =>
      fc
        .tuple(
          fc.oneof(fc.constant([]), fc.subarray([...KINDS], { minLength: 5 })),
          fc.oneof(fc.constant({}), configuration),
        )
        .map(([well, settings]) => {
          const kept = Object.entries(facts).filter(([kind]) => !well.some((each) => each === kind));
          return aCluster({ ...settings, ...Object.fromEntries(kept) }, versions[0]);
        }),
    );
}

const options: fc.Arbitrary<SafetyOptions> = fc.record({
  policy: fc.constantFrom(...SKEW_POLICIES),
  strategy: fc.constantFrom(...STRATEGIES),
  strict: fc.boolean(),
  apiRemovals: fc.constantFrom('block' as const, 'ack' as const),
  accept: fc.subarray(
    [
      'InputMissing',
      'OperatorsCompatible',
      'AdminAckRequired',
      'KubeletMinorVersionUpgradeable',
      'BudgetNeverAllows',
      'etcdMembersDown',
    ],
    {
      maxLength: 2,
    },
  ),
});

/** Any cluster, any path from its version, any options. */
export const question: fc.Arbitrary<PlanQuestion> = path.chain((versions) =>
  fc
    .record({
      facts: clusterOn(versions),
      conditional: fc.array(fc.boolean(), { maxLength: 4 }),
      options,
      pausedSince: fc.constantFrom(new Map<string, string>(), new Map([['worker', minutesAgo(100_000)]])),
      fleetMedian: fc.constantFrom(null, 1.2),
      newestPatch: fc.constantFrom(null, '4.14.99'),
      windows: fc.constantFrom(null, inWindows('Sat 22:00-04:00,Mon-Fri 01:00-03:00', 'Europe/Berlin')),
    })
    .map(({ conditional, ...rest }) => ({
      ...rest,
      basis: 'reported' as const,
      checks: CHECKS,
      answer: answerAlong(versions, conditional),
      now: NOW,
      calendar: CALENDAR,
      targetReason: null,
    })),
);
