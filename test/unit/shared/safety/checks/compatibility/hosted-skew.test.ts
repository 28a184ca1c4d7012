import type { HostedClusterFacts, NodePoolFacts } from '@cairn/shared/cluster/hosted/facts';
import { describe, expect, it } from 'vitest';
import { aCluster, aCondition, minutesAgo } from '../../../../../helpers/cluster/clusters.ts';
import { conditionOf, evaluate } from '../../../../../helpers/cluster/evaluations.ts';
import {
  aHostedCluster,
  aNodePool,
  hostedFacts,
  withControlPlane,
} from '../../../../../helpers/cluster/hosted.ts';

const HOSTED = { policy: 'hosted' } as const;

function skewOf(
  hosted: HostedClusterFacts,
  pools: readonly NodePoolFacts[] | null,
  path: readonly string[],
  options = {},
) {
  return evaluate(hostedFacts(hosted, pools), path, { ...HOSTED, ...options }).map((hop) => {
    const { reason, effect } = conditionOf(hop, 'HostedSkew');
    return `${reason} ${effect}`;
  });
}

const TO_4_22 = ['4.18.10', '4.19.5', '4.20.5', '4.21.5', '4.22.5'];
const guest = aHostedCluster();

describe('the skew of node pools', () => {
  it('allows three minors, and the plan updates the pools before a fourth', () => {
    const pools = [aNodePool('a', '4.18.10'), aNodePool('b', '4.18.10')];
    expect(skewOf(guest, pools, TO_4_22.slice(0, 4))).toEqual(Array(3).fill('AsExpected ok'));
    expect(skewOf(guest, pools, TO_4_22)).toEqual(Array(4).fill('AsExpected ok'));
    const [, , , last] = evaluate(hostedFacts(guest, pools), TO_4_22, HOSTED);
    expect(conditionOf(last!, 'HostedSkew').message).toBe(
      'The plan updates node pools a (4.18.10) and b (4.18.10) to 4.21.5 before this hop',
    );
  });

  it('does not count on a pool that is paused', () => {
    const paused = aNodePool('a', '4.18.10', { pausedUntil: 'true' });
    expect(skewOf(guest, [paused], TO_4_22).at(-1)).toBe('NodePoolTooOldAfterHop inform');
    const over = aNodePool('a', '4.18.10', { pausedUntil: minutesAgo(5) });
    expect(skewOf(guest, [over], TO_4_22).at(-1)).toBe('AsExpected ok');
  });

  it.each([
    ['one patch newer than the control plane', '4.18.10', '4.18.11', '4.19.5', 'NodePoolNewer block'],
    ['newer, for a patch', '4.18.10', '4.18.11', '4.18.12', 'NodePoolNewer warn'],
    ['of the same version', '4.18.10', '4.18.10', '4.19.5', 'AsExpected ok'],
    ['three minors behind 5.0', '5.0.1', '4.20.5', '5.0.2', 'AsExpected ok'],
    ['four minors behind 5.0, for a patch', '5.0.1', '4.19.5', '5.0.2', 'NodePoolTooOld warn'],
    ['four minors behind 5.0', '5.0.1', '4.19.5', '5.1.2', 'NodePoolTooOld block'],
    ['three minors behind before the hop', '4.21.5', '4.18.10', '4.22.5', 'NodePoolTooOldAfterHop block'],
    ['too old, between two names of a release', '4.23.1', '4.20.5', '5.0.1', 'AsExpected ok'],
  ])('judges a pool %s', (_, version, pool, to, expected) => {
    expect(skewOf(aHostedCluster({}, version), [aNodePool('a', pool)], [version, to])).toEqual([expected]);
  });

  it.each([
    ['4.17.5', 'AsExpected ok'],
    ['4.16.5', 'NodePoolTooOld warn'],
    ['4.19.6', 'AsExpected ok'],
    ['4.19.7', 'NodePoolNewer warn'],
  ])('of %s is judged by every version of a control plane that may run', (pool, expected) => {
    const hosted = withControlPlane('4.20.1 P', '4.19.19 P', '4.19.6 C', '4.18.2 C');
    expect(skewOf(hosted, [aNodePool('a', pool)], ['4.20.1', '4.20.5'])).toEqual([expected]);
  });

  it('has advice that fits every version that may run', () => {
    const hosted = withControlPlane('4.20.1 P', '4.19.6 C');
    const [hop] = evaluate(hostedFacts(hosted, [aNodePool('a', '4.16.5')]), ['4.20.1', '4.20.5'], HOSTED);
    expect(conditionOf(hop!, 'HostedSkew').remediation?.[0]).toBe('Update node pool a (4.16.5) to 4.19.6');
  });

  it('counts the oldest and the newest nodes during a rollout', () => {
    const nodeVersions = ['4.17.5', '4.21.5'].map((version) => ({ version, ready: 1, unready: 0 }));
    const pool = aNodePool('a', '4.21.5', { nodeVersions });
    expect(skewOf(aHostedCluster({}, '4.21.5'), [pool], ['4.21.5', '4.21.6'])).toEqual([
      'NodePoolTooOld warn',
    ]);
  });

  it('keeps what the operator reports, unless the versions show it', () => {
    const conditions = [aCondition('SupportedVersionSkew', 'False', 'Bad', 'not supported')];
    const [hop] = evaluate(
      hostedFacts(guest, [aNodePool('a', '4.18.10', { conditions })]),
      ['4.18.10', '4.19.5'],
      HOSTED,
    );
    expect(conditionOf(hop!, 'HostedSkew')).toMatchObject({
      reason: 'SupportedVersionSkew',
      origin: 'reported',
      effect: 'block',
      message: 'Node pool a reports: not supported',
    });
    const newer = aNodePool('a', '4.18.11', { conditions });
    expect(skewOf(guest, [newer], ['4.18.10', '4.19.5'])).toEqual(['NodePoolNewer block']);
  });

  it.each([
    ['missing', null, 'InputMissing warn'],
    ['without a version', [aNodePool('a', '', { nodeVersions: [] })], 'InputMissing warn'],
    ['without nodes', [aNodePool('a', '4.12.1', { replicas: 0 })], 'AsExpected ok'],
    ['none', [], 'AsExpected ok'],
  ])('of pools that are %s', (_, pools, expected) => {
    expect(skewOf(guest, pools, ['4.18.10', '4.19.5'])).toEqual([expected]);
  });

  it('follows the policy', () => {
    const pools = [aNodePool('a', '4.18.10')];
    expect(skewOf(aHostedCluster({}, '4.19.5'), pools, ['4.19.5', '4.20.5'], { policy: 'n-1' })).toEqual([
      'NodePoolTooOldAfterHop block',
    ]);
  });

  it('replaces the skew of kubelets, which are not known', () => {
    const [hop] = evaluate(hostedFacts(guest, []), ['4.18.10', '4.19.5'], HOSTED);
    expect(conditionOf(hop!, 'KubeletMinorVersionUpgradeable')).toMatchObject({
      reason: 'NotApplicableHosted',
      effect: 'ok',
    });
  });

  it('is no matter of other clusters', () => {
    const types = evaluate(aCluster(), ['4.14.8', '4.15.3']).flatMap(({ conditions }) =>
      conditions.map(({ type }) => type),
    );
    expect(types).not.toContain('HostedSkew');
    expect(types).not.toContain('HostedClusterReady');
  });
});
