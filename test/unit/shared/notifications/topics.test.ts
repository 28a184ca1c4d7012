import type { AssessedUpgrade, TroubledHop } from '@cairn/shared/fleet/assessment';
import { selectNotifications, type NotificationLog } from '@cairn/shared/notifications/log';
import { type ClusterNotification, clusterStandings } from '@cairn/shared/notifications/topics';
import { describe, expect, it } from 'vitest';
import { anOutlook } from '../../../helpers/cluster/outlooks.ts';

const DAY = 24 * 3600_000;

/** What is told of a cluster that these lie ahead of, one after the other, a week apart. */
function newsOf(
  outlooks: readonly AssessedUpgrade[],
  troubles: readonly TroubledHop[] = [],
): readonly (readonly ClusterNotification[])[] {
  let told: NotificationLog = {};
  return outlooks.map((outlook, week) => {
    const statusOf = (hop: { from: string; to: string }) =>
      troubles.find(({ from, to }) => from === hop.from && to === hop.to) ?? null;
    const standings = clusterStandings(told, outlook, statusOf);
    const telling = selectNotifications(told, standings, { now: week * 7 * DAY, windowMs: DAY });
    told = telling.told;
    return telling.news;
  });
}

const blocked = anOutlook({ verdict: 'blocked', blockers: ['PoolsReady'] });
const closed = anOutlook({ verdict: 'blocked', path: null, noPath: 'unreachable' });

describe('a cluster that is new', () => {
  it.each([
    ['ready', anOutlook()],
    ['blocked', blocked],
    ['without a way', closed],
    ['behind its patches', anOutlook({ newerPatch: '4.14.30' })],
    ['using APIs that go away', anOutlook({ removedApis: ['flowschemas.v1beta3'] })],
  ])('causes no notification when it is %s', (_what, outlook) => {
    expect(newsOf([outlook, outlook])).toEqual([[], []]);
  });
});

describe('the notification of a cluster', () => {
  it.each<[string, AssessedUpgrade, AssessedUpgrade, readonly ClusterNotification[]]>([
    [
      'a newer patch',
      anOutlook(),
      anOutlook({ newerPatch: '4.14.30' }),
      [{ type: 'NewerPatch', version: '4.14.20', patch: '4.14.30' }],
    ],
    [
      'one newer than that',
      anOutlook({ newerPatch: '4.14.9' }),
      anOutlook({ newerPatch: '4.14.30' }),
      [{ type: 'NewerPatch', version: '4.14.20', patch: '4.14.30' }],
    ],
    [
      'no patch that is older',
      anOutlook({ newerPatch: '4.14.30' }),
      anOutlook({ newerPatch: '4.14.29' }),
      [],
    ],
    ['no patch that was taken', anOutlook({ newerPatch: '4.14.30' }), anOutlook({ from: '4.14.30' }), []],
    [
      'a cluster that is blocked',
      anOutlook(),
      blocked,
      [
        {
          type: 'ClusterBlocked',
          version: '4.14.20',
          target: '4.15.7',
          blockers: ['PoolsReady'],
          upcomingBlockers: [],
        },
      ],
    ],
    [
      'nothing for a blocker of a later hop alone',
      anOutlook(),
      anOutlook({ verdict: 'action-required', upcomingBlockers: ['AdminAcksCompleted'] }),
      [],
    ],
    [
      'a cluster that is free again',
      blocked,
      anOutlook({ verdict: 'action-required' }),
      [{ type: 'ClusterFree', version: '4.14.20', target: '4.15.7' }],
    ],
    ['nothing that is not known', blocked, anOutlook({ verdict: 'unknown' }), []],
    [
      'a way that is gone, and not also that it is blocked',
      anOutlook(),
      closed,
      [{ type: 'PathClosed', version: '4.14.20', target: '4.15.7', reason: 'unreachable' }],
    ],
    [
      'a way that is there now',
      closed,
      anOutlook(),
      [{ type: 'PathOpened', version: '4.14.20', target: '4.15.7', hops: 1 }],
    ],
    ['no way to another target', closed, anOutlook({ question: '4.16' }), []],
    ['not blocked on the way to another target', anOutlook({ question: '4.16' }), blocked, []],
    [
      'an API that is newly used',
      anOutlook({ removedApis: ['a'] }),
      anOutlook({ removedApis: ['a', 'b c'] }),
      [{ type: 'RemovedApiInUse', version: '4.14.20', target: '4.15.7', apis: ['b c'] }],
    ],
    [
      'no API that is no longer used',
      anOutlook({ removedApis: ['a', 'b'] }),
      anOutlook({ removedApis: ['a'] }),
      [],
    ],
  ])('is %s', (_what, before, after, expected) => {
    expect(newsOf([before, after, after])).toEqual([[], expected, []]);
  });

  it('is sent again for an API that was gone and is back', () => {
    const [used, unused] = [anOutlook({ removedApis: ['a'] }), anOutlook()];
    expect(newsOf([used, unused, used])[2]).toEqual([
      { type: 'RemovedApiInUse', version: '4.14.20', target: '4.15.7', apis: ['a'] },
    ]);
  });
});

describe('a planned update', () => {
  const far = anOutlook({
    question: '4.16',
    target: '4.16.5',
    path: [
      { from: '4.14.20', to: '4.15.7', risks: [] },
      { from: '4.15.7', to: '4.16.5', risks: ['Known'] },
    ],
  });
  const conditional: TroubledHop = { from: '4.14.20', to: '4.15.7', now: 'conditional', risks: ['SlowBoot'] };
  const around = { ...far, path: [{ from: '4.14.20', to: '4.15.9', risks: [] }] };

  it('is notified when it has risks now, although there is another path', () => {
    expect(newsOf([far, around, around], [conditional])).toEqual([
      [],
      [{ type: 'UpdateAtRisk', version: '4.14.20', target: '4.16.5', hops: [conditional] }],
      [],
    ]);
  });

  it('is notified when it was withdrawn', () => {
    const withdrawn: TroubledHop = { ...conditional, now: 'withdrawn', risks: [] };
    const [, news] = newsOf([far, around], [withdrawn]);
    expect(news).toMatchObject([{ type: 'UpdateAtRisk', hops: [{ now: 'withdrawn' }] }]);
  });

  it('causes no notification when its risks were known', () => {
    const known: TroubledHop = { from: '4.15.7', to: '4.16.5', now: 'conditional', risks: ['Known'] };
    expect(newsOf([far, far], [known])).toEqual([[], []]);
  });

  it('causes no notification once the cluster is past it', () => {
    const past = { ...far, from: '4.15.7', path: far.path!.slice(1) };
    expect(newsOf([far, past], [conditional])).toEqual([[], []]);
  });

  it('causes no notification for a cluster that has left the path', () => {
    expect(newsOf([far, { ...around, from: '4.14.21' }], [conditional])).toEqual([[], []]);
  });
});
