import { hopSize, invalidDesiredVersion } from '@cairn/shared/safety/checks/compatibility/hop-size';
import { settleFinding } from '@cairn/shared/safety/condition';
import { describe, expect, it } from 'vitest';
import { aCluster, aClusterVersion, context } from '../../../../../helpers/cluster/clusters.ts';

describe('hopSize', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['1.0.0', '1.0.1', 'AsExpected'],
    ['1.0.0', '1.0.0', 'AsExpected'],
    ['1.0.0', '1.1.0', 'AsExpected'],
    ['1.0.0', '1.2.0', 'MultipleMinorVersionsUpdate'],
    ['1.0.0', '2.0.0', 'MajorVersionUpdate'],
    ['4.14.3', '4.15.0', 'AsExpected'],
    ['4.14.3', '4.16.0', 'MultipleMinorVersionsUpdate'],
    ['4.17.0-0.test-2024-10-07-173400-ci-ln-pwn9ngk-latest', '4.17.0-rc.1', 'AsExpected'],
    ['4.22.9', '4.23.0', 'AsExpected'],
    ['4.22.9', '5.0.0', 'AsExpected'],
    ['4.23.1', '5.0.0', 'AsExpected'],
    // Clusters let any 4.y cross to 5.0; here only the last ones do.
    ['4.0.0', '5.0.0', 'MajorVersionUpdate'],
    ['4.10.3', '5.0.0', 'MajorVersionUpdate'],
    ['4.21.3', '5.0.0', 'MajorVersionUpdate'],
    ['4.22.3', '5.1.0', 'MajorVersionUpdate'],
    ['5.0.1', '5.1.0', 'AsExpected'],
    ['5.0.1', '5.2.0', 'MultipleMinorVersionsUpdate'],
    ['5.22.0', '6.0.0', 'MajorVersionUpdate'],
    // Going back is the business of another check.
    ['4.15.0', '4.13.0', 'AsExpected'],
  ];
  it.each(cases)('%s to %s: %s', (from, to, reason) => {
    const found = hopSize(context(aCluster({}, from), [from, to]));
    expect(found).toHaveLength(1);
    const isFine = reason === 'AsExpected';
    expect(found[0]).toMatchObject({
      type: 'HopSizeSupported',
      status: isFine ? 'True' : 'False',
      reason,
      effect: isFine ? 'ok' : 'block',
    });
  });

  it('allows 4.23 to 5.1, and reports that the cluster may refuse it', () => {
    const found = hopSize(context(aCluster({}, '4.23.1'), ['4.23.1', '5.1.0']));
    expect(found.map(({ status, reason, effect }) => [status, reason, effect])).toEqual([
      ['True', 'AsExpected', 'ok'],
      ['True', 'PeerWouldRefuse', 'warn'],
    ]);
  });

  it('says how many minors would be left out, and what to do', () => {
    const [found] = hopSize(context(aCluster(), ['4.14.8', '4.17.2']));
    expect(found).toMatchObject({
      message:
        'A cluster takes one minor at a time, and does not go from 4.14.8 to 4.17.2 at once: 2 minors would be left out',
      remediation: ['Take a path with a stop in every minor between 4.14 and 4.17'],
    });
  });

  it('checks the hop and not the whole path', () => {
    const [found] = hopSize(context(aCluster(), ['4.14.8', '4.15.3', '4.16.1']));
    expect(found).toMatchObject({ status: 'True', message: '4.16 is the next minor after 4.15' });
  });

  it('blocks too large a hop however far away it is', () => {
    const given = context(aCluster(), ['4.14.8', '4.15.3', '4.17.2']);
    expect(hopSize(given).map((each) => settleFinding(each, given.hop, given.options).effect)).toEqual([
      'block',
    ]);
  });

  it('does not trap a cluster that runs no version', () => {
    const facts = aCluster({ clusterVersion: aClusterVersion({}, 'nightly') });
    expect(hopSize(context(facts, ['4.14.8', '4.15.3']))).toMatchObject([
      { status: 'Unknown', reason: 'InvalidCurrentVersion', effect: 'warn' },
    ]);
    // From the second hop on it runs one.
    expect(hopSize(context(facts, ['4.14.8', '4.15.3', '4.16.1']))).toMatchObject([{ status: 'True' }]);
  });

  it('needs no ClusterVersion when the path has its start', () => {
    expect(hopSize(context(aCluster({ clusterVersion: null }), ['4.14.8', '4.15.3']))).toMatchObject([
      { status: 'True' },
    ]);
  });

  it('refuses a target that is no version, for patches too', () => {
    expect(invalidDesiredVersion('4.15')).toMatchObject({
      type: 'HopSizeSupported',
      status: 'False',
      reason: 'InvalidDesiredVersion',
      message: '"4.15" is not a version such as 4.14.3',
      effect: 'block',
      evenForPatches: true,
    });
  });
});
