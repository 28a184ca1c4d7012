import { NO_FACTS } from '@cairn/shared/cluster/facts';
import { selectCluster } from '@cairn/shared/plan/select-cluster';
import { currentVersion } from '@cairn/shared/safety/evaluate';
import { describe, expect, it } from 'vitest';
import { aCluster, aCondition, historyOf } from '../../../helpers/cluster/clusters.ts';
import { conditionOf, evaluate } from '../../../helpers/cluster/evaluations.ts';
import { aHostedCluster, aNodePool, hostedFacts, withControlPlane } from '../../../helpers/cluster/hosted.ts';

const guest = aHostedCluster();
const other = aHostedCluster({ name: 'other', clusterId: 'other' }, '4.19.3');

describe('the cluster to plan for', () => {
  it('is the only hosted cluster of documents without a ClusterVersion', () => {
    const facts = hostedFacts(guest, []);
    expect(currentVersion(facts)?.raw).toBe('4.18.10');
    expect(facts.infrastructure).toEqual({ platform: 'AWS', controlPlaneTopology: 'External' });
  });

  it('is the management cluster if its ClusterVersion is there and no hosted cluster is named', () => {
    const facts = aCluster({ hostedClusters: [guest] });
    expect(selectCluster(facts, undefined)).toEqual({ kind: 'selected', facts });
  });

  it('is the hosted cluster that is named, without any fact of its management cluster', () => {
    const pools = [
      aNodePool('a', '4.18.10'),
      aNodePool('b', '4.19.3', { cluster: 'other' }),
      aNodePool('c', '4.18.10', { namespace: 'elsewhere' }),
    ];
    const facts = aCluster({ hostedClusters: [guest, other], nodePools: pools, hostedVersions: ['4.19'] });
    const selection = selectCluster(facts, 'clusters/guest');
    if (selection.kind !== 'selected') throw new Error(selection.kind);
    const { collectedAt, completeLists, clusterVersion, infrastructure, networkType, ...rest } =
      selection.facts;
    expect(collectedAt).toBe(facts.collectedAt);
    expect(completeLists).toEqual([]);
    expect(clusterVersion?.desired.version).toBe('4.18.10');
    expect(infrastructure?.controlPlaneTopology).toBe('External');
    expect(networkType).toBe('OVNKubernetes');
    expect(Object.entries(rest).filter(([, value]) => value !== null)).toEqual([
      ['hostedClusters', [guest]],
      ['nodePools', [pools[0]]],
      ['hostedVersions', ['4.19']],
    ]);
  });

  it.each([undefined, 'clusters/guest'])('is the one that documents from inside are of (%s)', (name) => {
    const own = aNodePool('a', '4.18.10');
    const facts = aCluster(
      {
        infrastructure: { platform: 'AWS', controlPlaneTopology: 'External' },
        hostedClusters: [other, guest],
        nodePools: [aNodePool('b', '4.19.3', { cluster: 'other' }), own],
      },
      '4.18.10',
    );
    expect(selectCluster(facts, name)).toEqual({
      kind: 'selected',
      facts: { ...facts, hostedClusters: [guest], nodePools: [own] },
    });
    const outside = selectCluster(facts, 'clusters/other');
    expect(outside).toMatchObject({ kind: 'selected', facts: { nodes: null, hostedClusters: [other] } });
    expect(selectCluster(facts, 'clusters/absent').kind).toBe('unknown');
  });

  it.each([
    ['of several must be named', [guest, other], undefined, 'unnamed'],
    ['must exist', [guest, other], 'clusters/absent', 'unknown'],
    ['must exist, also alone', [], 'clusters/guest', 'unknown'],
  ])('%s', (_, hostedClusters, name, kind) => {
    expect(selectCluster({ ...NO_FACTS, hostedClusters }, name)).toEqual({
      kind,
      hosted: hostedClusters.map((each) => `clusters/${each.name}`),
    });
  });

  it('is not MicroShift, unless the documents have a ClusterVersion too', () => {
    expect(selectCluster({ ...NO_FACTS, microshiftVersion: '4.18.3' }, undefined)).toEqual({
      kind: 'microshift',
      version: '4.18.3',
    });
    expect(selectCluster(aCluster({ microshiftVersion: '4.18.3' }), undefined).kind).toBe('selected');
  });
});

describe('the ClusterVersion of a hosted cluster', () => {
  const of = (changes: Parameters<typeof aHostedCluster>[0]) =>
    hostedFacts(aHostedCluster(changes), []).clusterVersion!;

  it('has the conditions that HyperShift copies, under their own names', () => {
    const conditions = [
      aCondition('Progressing', 'True'),
      aCondition('ClusterVersionUpgradeable', 'False', 'No', 'why'),
      aCondition('ClusterVersionProgressing', 'False'),
    ];
    expect(of({ conditions }).conditions).toEqual([
      aCondition('Upgradeable', 'False', 'No', 'why'),
      aCondition('Progressing', 'False'),
    ]);
  });

  it('is in progress while its control plane is, whatever its nodes report', () => {
    const states = (entry: string) =>
      of({ controlPlaneHistory: historyOf(entry, '4.17.6 C') }).history.map(({ state }) => state);
    expect(states('4.18.10 P')).toEqual(['Partial', 'Completed']);
    expect(states('4.18.10 C')).toEqual(['Completed']);
    const facts = hostedFacts(withControlPlane('4.18.10 P', '4.17.6 C'), []);
    const [hop] = evaluate(facts, ['4.18.10', '4.19.5'], { policy: 'hosted' });
    expect(conditionOf(hop!, 'NoUpdateInProgress')).toMatchObject({
      reason: 'UpdateInProgress',
      message: 'The update to 4.18.10 is not Completed',
      effect: 'block',
    });
  });

  it.each([
    ['no update', {}, null],
    ['another digest', { image: 'q/r@sha256:b' }, { version: '', image: 'q/r@sha256:b', force: false }],
    ['a tag of the same release', { image: 'q/r:4.18.10' }, null],
    [
      'a forced release',
      { forcedImage: 'q/r@sha256:a' },
      { version: '4.18.10', image: 'q/r@sha256:a', force: true },
    ],
    [
      'a release of the control plane alone',
      { controlPlaneImage: 'q/r@sha256:c' },
      { version: '4.18.10', image: 'q/r@sha256:a', force: true },
    ],
  ])('asks for %s', (_, changes, desiredUpdate) => {
    const version = {
      desired: { version: '4.18.10', image: 'q/r@sha256:a', channels: [] },
      history: historyOf('4.18.10 C'),
      availableUpdates: [],
      conditionalUpdates: [],
      knownRisks: null,
    };
    expect(of({ image: 'q/r@sha256:a', version, ...changes }).desiredUpdate).toEqual(desiredUpdate);
  });
});
