import { caveatsOf, type CaveatQuestion } from '@cairn/shared/plan/caveats';
import { simulatePools, type PoolQuestion } from '@cairn/shared/plan/pools';
import { describe, expect, it } from 'vitest';
import { aCluster, aClusterVersion, aPool, minutesAgo, NOW } from '../../../helpers/cluster/clusters.ts';
import { hopsOf, minorHops } from '../../../helpers/plan/paths.ts';

const DAY = 24 * 60;

type Question = PoolQuestion & Omit<CaveatQuestion, 'pools'>;

function caveats(changes: Partial<Question> = {}, version = '4.14.8') {
  const { nodes, pools } = aCluster({}, version);
  const question = {
    nodes,
    pools,
    hops: hopsOf('4.14.8', '4.15.3', '4.16.2'),
    policy: 'openshift',
    strategy: 'control-plane-only',
    pausedSince: new Map<string, string>(),
    clusterVersion: aClusterVersion(),
    now: NOW,
    ...changes,
  } as const;
  return caveatsOf({ ...question, pools: simulatePools(question) });
}

function types(...args: Parameters<typeof caveats>): string[] {
  return caveats(...args).map(({ type }) => type);
}

function textOf(type: string, ...args: Parameters<typeof caveats>): string | undefined {
  return caveats(...args).find((caveat) => caveat.type === type)?.text;
}

const PAUSED = [aPool('master'), aPool('worker', { paused: true })];

describe('caveats', () => {
  it('of paused workers', () => {
    expect(caveats()).toEqual([
      {
        type: 'ControlPlaneNotHeldBack',
        effect: 'info',
        text: 'Pause only worker pools, never the control plane pool',
      },
      {
        type: 'RollingBetweenAllowed',
        effect: 'info',
        text: 'Pausing is optional: you can unpause pool worker after any hop, for one more reboot each time',
      },
      {
        type: 'NoFixesWhilePaused',
        effect: 'info',
        text:
          'Paused pools get no new certificate authorities, no change of the pull secret and no fixes of the ' +
          'operating system; the authority that signs kubelet certificates is renewed 292 days after it was made and ' +
          'removed after 365, so unpause all pools within 60 days',
      },
      {
        type: 'NodeFeaturesSkipped',
        effect: 'info',
        text: 'Nodes do not get the features of 4.15 until their pools update further',
      },
      {
        type: 'EveryHopNeedsContent',
        effect: 'info',
        text: 'A disconnected cluster needs 4.15.3 mirrored too: the control plane updates to every hop',
      },
    ]);
  });

  it.each<[string, Partial<Question>]>([
    ['every pool rolls with every hop', { strategy: 'rolling' }],
    ['there is no hop', { hops: [] }],
    [
      'there is no hop, and the control plane is paused',
      { hops: [], pools: [aPool('master', { paused: true })] },
    ],
  ])('are none when %s', (_, changes) => {
    expect(types(changes)).toEqual([]);
  });

  it('come with one paused pool, whatever the strategy', () => {
    expect(types({ strategy: 'rolling', pools: PAUSED })).toContain('NoFixesWhilePaused');
  });

  it('name minors in order, without those that a pool runs', () => {
    const hops = minorHops('4.8', '4.12');
    expect(textOf('NodeFeaturesSkipped', { hops }, '4.8.0')).toContain('features of 4.9 and 4.11 until');
    expect(textOf('EveryHopNeedsContent', { hops }, '4.8.0')).toContain('4.9.0, 4.10.0 and 4.11.0');
  });

  it.each([
    [10, 'renewed on 2027-03-10 and the old one removed on 2027-05-22'],
    [364, 'renewed on 2026-03-21 and the old one removed on 2026-06-02'],
    [365, 'renewed 292 days after it was made'],
    [-1, 'renewed 292 days after it was made'],
  ])('show when certificates of a cluster of %i days are renewed', (days, expected) => {
    const clusterVersion = aClusterVersion({ createdAt: minutesAgo(days * DAY) });
    expect(textOf('NoFixesWhilePaused', { clusterVersion })).toContain(expected);
  });

  it.each([null, 'yesterday', '+275760-09-13T00:00:00Z'])(
    'do without the day of the installation: %s',
    (createdAt) => {
      expect(textOf('NoFixesWhilePaused', { clusterVersion: aClusterVersion({ createdAt }) })).toContain(
        '292 days',
      );
      expect(textOf('NoFixesWhilePaused', { clusterVersion: null })).toContain('292 days');
    },
  );
});

describe('pausing gains nothing', () => {
  it.each<[string, Partial<PoolQuestion>, string]>([
    ['for one hop', { hops: hopsOf('4.14.8', '4.15.3') }, 'only one hop'],
    ['with a skew of one', { policy: 'n-1' }, 'makes them update at every hop'],
  ])('%s', (_, changes, expected) => {
    const [first, ...others] = caveats(changes);
    expect(first).toMatchObject({ type: 'NothingGained', effect: 'warn' });
    expect(first!.text).toContain(expected);
    expect(others.map(({ type }) => type)).not.toContain('RollingBetweenAllowed');
  });
});

describe('a start that is too old', () => {
  it.each([
    [['4.8.13', '4.9.20', '4.10.3'], true],
    [['4.8.14', '4.9.20', '4.10.3'], false],
    [['4.8.2', '4.9.20'], false],
    [['4.8.2', '4.8.40', '4.9.20', '4.10.3'], false],
    [['4.8.2', '4.8.9', '4.9.20', '4.10.3'], true],
    [['4.14.2', '4.15.3', '4.16.2'], false],
  ])('%j: %s', (path, expected) => {
    expect(types({ hops: hopsOf(...path) }, path[0]).includes('StartTooOld')).toBe(expected);
  });
});

describe('a paused pool', () => {
  it.each([
    [
      61,
      PAUSED,
      'Paused for more than 60 days: worker (61 days); certificates of kubelets may expire, so update them soon',
    ],
    [60, PAUSED, undefined],
    [61, [aPool('master'), aPool('worker')], undefined],
  ])('since %i days', (days, pools, expected) => {
    const pausedSince = new Map([['worker', minutesAgo(days * DAY)]]);
    expect(textOf('PoolPausedTooLong', { pools, pausedSince, strategy: 'rolling' })).toBe(expected);
  });

  it('with an unknown start of its pause is not paused too long', () => {
    expect(types({ pools: PAUSED })).not.toContain('PoolPausedTooLong');
    expect(types({ pools: PAUSED, pausedSince: new Map([['worker', '?']]) })).not.toContain(
      'PoolPausedTooLong',
    );
  });

  it('of the control plane stops every hop', () => {
    const pools = [aPool('master', { paused: true }), aPool('worker')];
    expect(textOf('ControlPlanePoolPaused', { pools, strategy: 'rolling' })).toBe(
      'No hop completes while pool master is paused; unpause it first',
    );
  });
});
