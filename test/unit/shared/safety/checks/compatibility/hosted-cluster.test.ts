import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { HostedClusterFacts } from '@cairn/shared/cluster/hosted/facts';
import { describe, expect, it } from 'vitest';
import { aCondition, historyOf, minutesAgo } from '../../../../../helpers/cluster/clusters.ts';
import { evaluate, findingsOf } from '../../../../../helpers/cluster/evaluations.ts';
import { aHostedCluster, aNodePool, hostedFacts } from '../../../../../helpers/cluster/hosted.ts';

const MINOR = ['4.18.10', '4.19.5'];
const PATCH = ['4.18.10', '4.18.12'];
const upgradeable = aCondition('ClusterVersionUpgradeable', 'True');
const reporting = (type: string, status: string) => [upgradeable, aCondition(type, status, 'Why', 'because')];

interface Case {
  readonly hosted?: Partial<HostedClusterFacts>;
  readonly pool?: Parameters<typeof aNodePool>[2];
  readonly facts?: Partial<ClusterFacts>;
  readonly options?: Parameters<typeof evaluate>[2];
}

const hopsOf = (path: readonly string[], { hosted = {}, pool = {}, facts = {}, options = {} }: Case = {}) =>
  evaluate(
    hostedFacts(
      aHostedCluster(hosted),
      [aNodePool('a', '4.18.10', { upgradeType: 'InPlace', ...pool })],
      facts,
    ),
    path,
    { policy: 'hosted', ...options },
  );
const found = (path: readonly string[], asked: Case = {}) => hopsOf(path, asked).map(findingsOf);

/** Inside a hosted cluster nothing is checked. */
const INSIDE = 'NotChecked info';

describe('a hosted cluster', () => {
  it('that reports nothing wrong may take a minor and a patch', () => {
    const facts = hostedFacts(aHostedCluster({}, '4.20.5'), [
      aNodePool('a', '4.20.5', { upgradeType: 'InPlace' }),
    ]);
    const [minor] = evaluate(facts, ['4.20.5', '4.21.5'], { policy: 'hosted' });
    expect(findingsOf(minor!)).toEqual([INSIDE]);
    expect(minor!.verdict).toBe('allowed');
    expect(hopsOf(PATCH)[0]!.verdict).toBe('allowed');
  });

  it.each([
    ['until somebody resumes it', { pausedUntil: 'true' }],
    ['by another word for true', { pausedUntil: 'True' }],
    ['for five more minutes', { pausedUntil: minutesAgo(-5) }],
    ['as it reports', { conditions: reporting('ReconciliationActive', 'False') }],
  ])('whose reconciliation is paused %s takes no minor', (_, hosted) => {
    expect(found(MINOR, { hosted })[0]).toContain('ReconciliationPaused block');
    expect(found(PATCH, { hosted })[0]).toContain('ReconciliationPaused warn');
    expect(hopsOf([...PATCH, '4.19.5'], { hosted }).map(({ verdict }) => verdict)).toEqual([
      'allowed-with-warnings',
      'blocked',
    ]);
  });

  it.each([{ pausedUntil: minutesAgo(5) }, { pausedUntil: 'false' }])('is not paused with %j', (hosted) => {
    expect(found(MINOR, { hosted }).flat().join()).not.toContain('ReconciliationPaused');
  });

  it('may have a paused node pool, which is a warning', () => {
    expect(found(MINOR, { pool: { pausedUntil: 'true' } })[0]).toContain('ReconciliationPaused warn');
  });

  it('takes only minors that the operator supports', () => {
    const facts = { hostedVersions: ['4.18', '4.19'] };
    const path = ['4.18.10', '4.19.5', '4.20.5'];
    expect(found(path, { facts }).map((each) => each.filter((one) => one.startsWith('Target')))).toEqual([
      [],
      ['TargetNotSupportedByOperator inform'],
    ]);
    expect(found(['4.18.10', '4.19.5'], { facts: { hostedVersions: ['4.18'] } })[0]).toContain(
      'TargetNotSupportedByOperator block',
    );
  });

  it.each([
    ['4.19.5', '4.19 needs operator 4.19 or later'],
    ['4.17.5', '4.17 needs operator 4.18 or later'],
    ['5.0.1', '5.0 needs operator 5.0 or later'],
    ['5.2.1', 'no operator that supports 5.2 is known'],
  ])('to %s needs an operator that may not be there, if its versions are not known', (to, expected) => {
    const from = { '4.19.5': '4.18.10', '4.17.5': '4.16.10', '5.0.1': '4.22.5' }[to] ?? '5.1.4';
    const facts = hostedFacts(aHostedCluster({}, from), [aNodePool('a', from)], { hostedVersions: null });
    const conditions = evaluate(facts, [from, to], { policy: 'hosted' })[0]!.conditions;
    expect(conditions.find(({ reason }) => reason === 'TargetNotSupportedByOperator')).toMatchObject({
      status: 'Unknown',
      effect: 'warn',
      message: `The supported versions of the HyperShift operator were not supplied; ${expected}`,
    });
  });

  it('with OpenShift SDN takes no minor', () => {
    const hosted = { networkType: 'OpenShiftSDN' };
    expect(found(MINOR, { hosted })[0]).toContain('OpenShiftSDNConfigured block');
    expect(found(PATCH, { hosted }).flat()).not.toContain('OpenShiftSDNConfigured warn');
  });

  it('that is not upgradeable takes patches', () => {
    const conditions = [aCondition('ClusterVersionUpgradeable', 'False', 'AdminAckRequired', 'gate')];
    const [minor] = hopsOf(MINOR, { hosted: { conditions } });
    expect(minor!.verdict).toBe('blocked');
    expect(minor!.conditions).toContainEqual(
      expect.objectContaining({ type: 'ReportedUpgradeable', reason: 'AdminAckRequired', message: 'gate' }),
    );
    expect(hopsOf(PATCH, { hosted: { conditions } })[0]!.verdict).toBe('allowed');
  });

  it('never goes back to an older minor', () => {
    expect(found(['4.18.10', '4.17.30'])[0]).toContain('LowDesiredVersion block');
  });

  it.each([
    ['Available', 'False', 'block'],
    ['EtcdAvailable', 'False', 'block'],
    ['KubeAPIServerAvailable', 'False', 'block'],
    ['ValidReleaseImage', 'False', 'block'],
    ['ValidConfiguration', 'False', 'block'],
    ['SupportedHostedCluster', 'False', 'block'],
    ['Degraded', 'True', 'warn'],
    ['ClusterVersionFailing', 'True', 'warn'],
  ])('reports %s=%s', (type, status, effect) => {
    const hosted = { conditions: reporting(type, status) };
    expect(found([...MINOR, '4.20.5'], { hosted }).map((each) => each.includes(`${type} ${effect}`))).toEqual(
      [true, false],
    );
    expect(found(PATCH, { hosted })[0]).toContain(`${type} warn`);
    const healthy = reporting(type, status === 'True' ? 'False' : 'True');
    expect(
      found(MINOR, { hosted: { conditions: healthy } })
        .flat()
        .join(),
    ).not.toContain(type);
  });

  it.each(['Available', 'EtcdAvailable', 'KubeAPIServerAvailable'])('does not know %s', (type) => {
    const hosted = { conditions: reporting(type, 'Unknown') };
    expect(
      found([...MINOR, '4.20.5'], { hosted }).map((each) => each.includes('ControlPlaneUnknown warn')),
    ).toEqual([true, false]);
    expect(found(PATCH, { hosted })[0]).toContain('ControlPlaneUnknown warn');
    expect(hopsOf(MINOR, { hosted })[0]!.conditions).toContainEqual(
      expect.objectContaining({
        status: 'Unknown',
        message: expect.stringContaining(`${type}=Unknown`) as string,
      }),
    );
  });

  it.each([
    ['AllMachinesReady', 'False'],
    ['AllNodesHealthy', 'False'],
    ['UpdatingVersion', 'True'],
  ])('has a node pool that reports %s=%s', (type, status) => {
    expect(found(MINOR, { pool: { conditions: reporting(type, status) } })[0]).toContain(`${type} warn`);
  });

  it('is waited for, for a limited time, while a node pool updates', () => {
    const [hop] = hopsOf(MINOR, { pool: { conditions: reporting('UpdatingVersion', 'True') } });
    const { remediation = [] } = hop!.conditions.find(({ reason }) => reason === 'UpdatingVersion')!;
    expect(remediation).toEqual([
      expect.stringMatching(/^Wait for the update of node pool \S+$/),
      expect.stringMatching(
        /^oc -n clusters wait nodepool\/\S+ --for=condition=UpdatingVersion=False --timeout=60m$/,
      ),
    ]);
  });

  it('needs spare capacity for pools that replace nodes', () => {
    expect(found(MINOR, { pool: { upgradeType: 'Replace' } })[0]).toContain('SpareCapacityNeeded info');
    expect(found(MINOR)[0]).not.toContain('SpareCapacityNeeded info');
  });

  it.each<[string, Partial<HostedClusterFacts>]>([
    ['an annotation', { forcedImage: 'q/r@sha256:a' }],
    ['a release of the control plane alone', { controlPlaneImage: 'q/r@sha256:a' }],
  ])('that was forced by %s says so', (_, hosted) => {
    expect(found(MINOR, { hosted })[0]).toContain('PastForcedUpdate info');
  });

  it('waits for an update in progress', () => {
    const history = historyOf('4.18.10 P', '4.17.3 C');
    const version = { ...aHostedCluster().version, history };
    expect(found(MINOR, { hosted: { version } })[0]).toContain('MinorUpdateIncomplete block');
  });
});

describe('what is inside a hosted cluster', () => {
  it('is not known, if its ClusterVersion does not report whether it blocks', () => {
    for (const conditions of [[], [aCondition('ClusterVersionUpgradeable', 'Unknown')]]) {
      const [hop] = hopsOf(MINOR, { hosted: { conditions } });
      expect(hop!.verdict).toBe('unknown');
      expect(hop!.conditions.filter(({ type }) => type === 'HostedClusterReady')).not.toContainEqual(
        expect.objectContaining({ reason: 'NotChecked' }),
      );
    }
  });

  it('blocks with strict', () => {
    expect(hopsOf(MINOR, { options: { strict: true } })[0]!.verdict).toBe('blocked');
  });

  it('is a warning if the hop removes APIs', () => {
    const facts = hostedFacts(aHostedCluster({}, '4.15.9'), [aNodePool('a', '4.15.9')], {
      hostedVersions: ['4.16'],
    });
    expect(evaluate(facts, ['4.15.9', '4.16.5'], { policy: 'hosted' }).flatMap(findingsOf)).toContain(
      'NotChecked warn',
    );
  });
});
