import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { NodeFunction } from '../node-function.ts';
import {
  type AlarmDefinition,
  atLeast,
  cairnMetric,
  type Intervals,
  lessThan,
  MISSING,
  moreThan,
  TOLD_EACH_PERIOD,
} from './alarm-definition.ts';
import { invocationsOf } from './lambda-alarms.ts';

/** Ages of the oldest data for a warning and for a page; at least several sync intervals. */
export function staleAfter({ sync }: Pick<Intervals, 'sync'>): {
  readonly look: Duration;
  readonly act: Duration;
} {
  const minutes = sync.toMinutes();
  return {
    look: Duration.minutes(Math.max(60, 3 * minutes)),
    act: Duration.minutes(Math.max(6 * 60, 6 * minutes)),
  };
}

export function syncAlarms(syncReleases: NodeFunction, intervals: Intervals): AlarmDefinition[] {
  return [...runAlarms(syncReleases, intervals), ...staleAlarms(intervals), ...answerAlarms(intervals)];
}

function runAlarms(syncReleases: NodeFunction, { sync: period }: Intervals): AlarmDefinition[] {
  const sum = { statistic: 'Sum', period } as const;
  return [
    {
      name: 'sync-not-running',
      severity: 'high',
      meaning: 'The sync was not started for two of its intervals.',
      metric: invocationsOf(syncReleases, period),
      condition: lessThan(1, { periods: 2 }),
      missing: MISSING.isBad,
    },
    {
      name: 'sync-failing',
      severity: 'high',
      meaning: 'The sync failed in three of four intervals: not one channel could be followed.',
      metric: new MathExpression({
        label: '1 for an interval without a good run',
        expression:
          'IF(FILL(succeeded, 0) + FILL(partly, 0) < 1 AND FILL(failed, 0) + FILL(errors, 0) >= 1, 1, 0)',
        usingMetrics: {
          succeeded: cairnMetric('syncSucceeded', sum),
          partly: cairnMetric('syncPartiallySucceeded', sum),
          failed: cairnMetric('syncFailed', sum),
          errors: syncReleases.metricErrors({ statistic: 'Sum' }),
        },
        period,
      }),
      // Runs end unevenly: an interval in which none ends counts as good.
      condition: atLeast(1, { periods: 4, badPeriods: 3 }),
      missing: MISSING.isFine,
    },
    {
      name: 'sync-skipping',
      severity: 'medium',
      meaning:
        'Runs of the sync were skipped in three intervals in a row, as another one was under way or they came too late.',
      metric: cairnMetric('syncSkipped', sum),
      condition: atLeast(1, { periods: 3 }),
      missing: MISSING.isFine,
    },
  ];
}

function staleAlarms(intervals: Intervals): AlarmDefinition[] {
  const stalest = cairnMetric('stalestPairSeconds', { statistic: 'Maximum', period: intervals.watch });
  const stale = staleAfter(intervals);
  return [
    {
      name: 'sync-stale',
      severity: 'medium',
      meaning: `A channel has had no good answer for ${stale.look.toHumanString()}; its last good graph is served.`,
      metric: stalest,
      condition: moreThan(stale.look.toSeconds(), TOLD_EACH_PERIOD),
      missing: MISSING.isFine,
    },
    {
      name: 'sync-very-stale',
      severity: 'high',
      meaning: `A channel has had no good answer for ${stale.act.toHumanString()}; its last good graph is served.`,
      metric: stalest,
      condition: moreThan(stale.act.toSeconds(), TOLD_EACH_PERIOD),
      missing: MISSING.isFine,
    },
  ];
}

function answerAlarms({ sync: period }: Intervals): AlarmDefinition[] {
  const sum = { statistic: 'Sum', period } as const;
  const most = { statistic: 'Maximum', period } as const;
  return [
    {
      name: 'sync-held',
      severity: 'medium',
      meaning: 'An answer of upstream has not been believed for two rounds: it lost or changed too much.',
      metric: cairnMetric('pairsHeld', most),
      condition: atLeast(1, { periods: 2 }),
      missing: MISSING.isFine,
    },
    {
      name: 'sync-mass-held',
      severity: 'high',
      meaning: 'A quarter of all channels, and at least three, got an answer that was not believed.',
      metric: new MathExpression({
        label: '% of the pairs held',
        expression: 'IF(held >= 3, 100 * held / followed, 0)',
        usingMetrics: {
          held: cairnMetric('pairsHeld', most),
          followed: cairnMetric('pairsFollowed', most),
        },
        period,
      }),
      condition: atLeast(25),
      missing: MISSING.isFine,
    },
    {
      name: 'sync-payload-conflict',
      severity: 'high',
      meaning: 'Upstream names another image for a version than before; the first one is still served.',
      metric: cairnMetric('payloadConflicts', most),
      condition: atLeast(1, TOLD_EACH_PERIOD),
      missing: MISSING.isFine,
    },
    {
      name: 'sync-no-new-versions',
      severity: 'low',
      meaning: 'No version was added for seven days.',
      metric: cairnMetric('versionsAdded', { statistic: 'Sum', period: Duration.days(1) }),
      condition: lessThan(1, { periods: 7 }),
      missing: MISSING.isFine,
    },
    {
      name: 'sync-egress-refused',
      severity: 'medium',
      meaning:
        'The sync refused to connect: the name of the update service led to an address that is not allowed.',
      metric: cairnMetric('egressRefused', sum),
      condition: atLeast(1, TOLD_EACH_PERIOD),
      missing: MISSING.isFine,
    },
  ];
}
