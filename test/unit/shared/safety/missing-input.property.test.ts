import { collectionsOf } from '@cairn/shared/cluster/document-kinds';
import { type ClusterFacts, REPORTED_KINDS, type ReportedKind } from '@cairn/shared/cluster/facts';
import { simulatePools } from '@cairn/shared/plan/pools';
import { isRelevant } from '@cairn/shared/safety/checks/gates/forward-guards';
import { CHECKS, currentVersion, evaluateHops, type EvaluatedHop } from '@cairn/shared/safety/evaluate';
import { entersMinor, type Hop, hopsOfSteps } from '@cairn/shared/safety/hop';
import { missingInput } from '@cairn/shared/safety/missing-input';
import { ADMIN_GATES, gatesOfHop } from '@cairn/shared/safety/tables/admin-gates';
import { FORWARD_GUARDS } from '@cairn/shared/safety/tables/forward-guards';
import { ruleOf } from '@cairn/shared/safety/tables/gate-rules';
import { overallVerdict } from '@cairn/shared/safety/verdict';
import { ordinalOf } from '@cairn/shared/version/release-line';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  ALL_SUPPORTED,
  aClusterOperator,
  aCondition,
  anExtension,
  anUpdate,
  NOW,
} from '../../../helpers/cluster/clusters.ts';
import { OPTIONS } from '../../../helpers/cluster/evaluations.ts';
import { aHostedCluster, hostedFacts } from '../../../helpers/cluster/hosted.ts';
import { clusterOn } from '../../../helpers/cluster/random-clusters.ts';
import { configuration } from '../../../helpers/cluster/random-configuration.ts';
import { path } from '../../../helpers/path/random-paths.ts';
import { minorsBetween } from '../../../helpers/plan/paths.ts';
import { sized } from '../../../helpers/size.ts';

/** Facts of one document are missing together. */
const TOGETHER: readonly (readonly ReportedKind[])[] = [
  ['podsPerNode', 'drainedPods'],
  ['networkType', 'networkMigration'],
];

function without(facts: ClusterFacts, kind: ReportedKind): ClusterFacts {
  const kinds = TOGETHER.find((group) => group.includes(kind)) ?? [kind];
  return { ...facts, ...Object.fromEntries(kinds.map((each) => [each, null])) };
}

/** Operators and gates report what a release reports for the other documents. */
function consistent(facts: ClusterFacts, hops: readonly Hop[]): ClusterFacts {
  const hop = hops.find(entersMinor) ?? hops[0]!;
  const reasons = FORWARD_GUARDS.filter(
    (guard) =>
      guard.effect === 'block' &&
      isRelevant(guard, { facts, hop }) &&
      guard.applies({ facts, hop }).answer === 'yes',
  ).map(({ reason }) => reason);
  const gates = gatesOfHop(hop, facts).filter((gate) => ruleOf(gate).applies(facts).answer === 'yes');
  const reporting = aClusterOperator('machine-config', [
    aCondition('Upgradeable', reasons.length === 0 ? 'True' : 'False', reasons.join('::')),
  ]);
  return {
    ...facts,
    // The network operator copies its configuration.
    networkType: facts.networkType && (facts.configuredNetwork ?? facts.networkType),
    // Clusters before 4.18 have none.
    ...(ordinalOf(hop.from) < 18 && {
      extensions: facts.extensions && [],
      objectSets: facts.objectSets && [],
    }),
    // The etcd operator reports members that are not ready.
    podsPerNode: facts.podsPerNode && facts.podsPerNode.map(({ node, pods }) => ({ node, pods })),
    clusterOperators: facts.clusterOperators && [
      ...facts.clusterOperators.filter(({ name }) => name !== 'machine-config'),
      reporting,
    ],
    adminGates: facts.adminGates && [...facts.adminGates, ...gates.map(({ key }) => ({ key, value: 'why' }))],
  };
}

function evaluated(facts: ClusterFacts, hops: readonly Hop[]): readonly EvaluatedHop[] {
  const pools = simulatePools({ ...facts, hops, ...OPTIONS });
  return evaluateHops({
    checks: CHECKS,
    facts,
    hops,
    pools,
    options: OPTIONS,
    now: NOW,
    calendar: ALL_SUPPORTED,
  });
}

/** Findings with an effect, as `hop type reason`. */
function findings(hops: readonly EvaluatedHop[]): Set<string> {
  return new Set(
    hops.flatMap(({ hop, conditions }) =>
      conditions
        .filter(({ effect }) => effect === 'block' || effect === 'inform' || effect === 'warn')
        .map(({ type, reason }) => `${hop.index} ${type} ${reason}`),
    ),
  );
}

const steps = (versions: readonly string[]) =>
  versions.map((version, index) => ({ version, hop: index === 0 ? null : anUpdate() }));

/** Plans require the ClusterVersion. */
const REMOVABLE = REPORTED_KINDS.filter((kind) => kind !== 'clusterVersion');

interface Drawn {
  readonly versions: readonly string[];
  readonly drawn: ClusterFacts;
  readonly kind: ReportedKind;
}

const anyCluster: fc.Arbitrary<Drawn> = path
  .filter((versions) => versions.length > 1)
  .chain((versions) =>
    fc.record({
      versions: fc.constant(versions),
      drawn: clusterOn(versions).filter(({ clusterVersion }) => clusterVersion !== null),
      kind: fc.constantFrom(...REMOVABLE),
    }),
  );

const RELEASES = minorsBetween('4.11', '5.1');

/** Healthy and acknowledged but for one setting and its gates, so that the removal of its document could make the cluster ready. */
const oneSetting: fc.Arbitrary<Drawn> = fc
  .tuple(configuration, fc.nat(), fc.nat(RELEASES.length - 2), fc.integer({ min: 2, max: 4 }))
  .map(([settings, index, first, count]) => {
    const versions = RELEASES.slice(first, first + count);
    const [kind, value] = Object.entries(settings).at(index % Object.keys(settings).length)!;
    const removed = kind as ReportedKind;
    const others = ADMIN_GATES.filter((gate) => !ruleOf(gate).documents.includes(removed));
    const adminAcks = others.map(({ key }) => ({ key, value: 'true' }));
    return { versions, drawn: aCluster({ adminAcks, [kind]: value }, versions[0]), kind: removed };
  });

const cluster = fc.oneof(anyCluster, oneSetting).map(({ versions, drawn, kind }) => {
  const hops = hopsOfSteps(steps(versions), currentVersion(drawn));
  return { facts: consistent(drawn, hops), hops, kind };
});

it('asks for extensions where there can be some', () => {
  const asked = (version: string, facts: Partial<ClusterFacts>) => {
    const target = version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
    const cluster = aCluster({ extensions: null, objectSets: null, ...facts }, version);
    const hops = hopsOfSteps(steps([version, target]), currentVersion(cluster));
    return missingInput(cluster, hops)
      .filter(({ decides }) => decides.includes('ExtensionsCompatible'))
      .map(({ kind }) => kind);
  };
  expect(asked('4.17.9', {})).toEqual([]);
  expect(asked('4.18.9', {})).toEqual(['ClusterExtension', 'ClusterObjectSet']);
  expect(asked('4.18.9', { extensions: [] })).toEqual([]);
  expect(asked('4.18.9', { extensions: [anExtension('x')] })).toEqual(['ClusterObjectSet']);
});

describe(`a document that is removed, of ${sized(1000, 5000)} clusters`, () => {
  it('never makes a plan ready, and is named as missing if a finding goes with it', () => {
    const seen = { worse: 0, disappeared: 0 };
    fc.assert(
      fc.property(cluster, ({ facts, hops, kind }) => {
        const fewer = without(facts, kind);
        const [before, after] = [evaluated(facts, hops), evaluated(fewer, hops)];
        const [had, has] = [overallVerdict(before, true), overallVerdict(after, true)];
        const wasNotReady = ['blocked', 'action-required', 'unknown'].includes(had);
        const left = findings(after);
        const gone = [...findings(before)].filter((finding) => !left.has(finding));
        const hasLost = gone.length > 0 && facts[kind] !== null;
        const missing = missingInput(fewer, hops).map(({ command }) => command);
        const isNamed = collectionsOf(kind).every(({ command }) => missing.includes(command));
        seen.worse += wasNotReady ? 1 : 0;
        seen.disappeared += hasLost ? 1 : 0;
        expect({
          kind,
          gone,
          turnedReady: wasNotReady && has === 'ready',
          isUnnamed: hasLost && !isNamed,
        }).toEqual({ kind, gone, turnedReady: false, isUnnamed: false });
      }),
      { numRuns: sized(1000, 5000) },
    );
    expect(seen.worse).toBeGreaterThan(20);
    expect(seen.disappeared).toBeGreaterThan(5);
  });
});

describe('missing input', () => {
  const hopsOf = (...versions: string[]) => hopsOfSteps(steps(versions), null);

  it('is nothing for a cluster with all documents', () => {
    const facts = aCluster({ podsPerNode: [] });
    expect(missingInput(facts, hopsOf('4.14.8', '4.15.3', '4.16.5'))).toEqual([]);
  });

  it('names the command and what it decides on the path', () => {
    const facts = aCluster({ podsPerNode: [], featureSet: null, digestMirrorSets: null, cgroupMode: null });
    expect(missingInput(facts, hopsOf('4.19.4', '4.20.1', '4.21.3'))).toEqual([
      {
        kind: 'ImageDigestMirrorSet',
        command: 'oc get imagedigestmirrorsets -o json',
        decides: ['SigstoreSignaturesNeeded', 'ack-4.20-sigstore-in-4.21'],
      },
      {
        kind: 'FeatureGate',
        command: 'oc get featuregates cluster -o json',
        decides: ['RestrictedFeatureGates'],
      },
    ]);
  });

  it('asks for no document that others make needless', () => {
    const missing = (platform: string, ...path: string[]) => {
      const infrastructure = { platform, controlPlaneTopology: 'HighlyAvailable' };
      const facts = { podsPerNode: [], infrastructure, vsphereVolumes: null, machineConfiguration: null };
      return missingInput(aCluster(facts), hopsOf(...path)).map(({ kind }) => kind);
    };
    expect(missing('AWS', '4.12.8', '4.13.3')).toEqual([]);
    expect(missing('VSphere', '4.12.8', '4.13.3')).toEqual(['PersistentVolume']);
    expect(missing('BareMetal', '4.18.8', '4.19.3')).toEqual([]);
    expect(missing('GCP', '4.18.8', '4.19.3')).toEqual(['MachineConfiguration']);
  });

  it('asks for no machine configuration of a hosted cluster', () => {
    const facts = aCluster({
      podsPerNode: [],
      infrastructure: { platform: 'AWS', controlPlaneTopology: 'External' },
      pools: null,
      machineConfiguration: null,
      runtimeConfigs: null,
    });
    expect(missingInput(facts, hopsOf('4.21.3', '4.22.3', '5.0.2'))).toEqual([]);
  });

  it('asks for node pools and supported versions of a hosted cluster on its management cluster', () => {
    const decides = (facts: ClusterFacts) =>
      missingInput(facts, hopsOf('4.18.10', '4.19.5')).flatMap((missing) =>
        missing.decides.filter((type) => type.startsWith('Hosted')),
      );
    expect(decides(hostedFacts(aHostedCluster(), null, { hostedVersions: null }))).toEqual([
      'HostedSkew',
      'HostedClusterReady',
    ]);
    expect(decides(aCluster({ nodePools: null, hostedVersions: null }))).toEqual([]);
  });
});
