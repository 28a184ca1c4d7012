import { Duration } from 'aws-cdk-lib';
import { MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { ScheduleSurroundings } from '../job-schedule.ts';
import type { NodeFunction } from '../node-function.ts';
import {
  type AlarmDefinition,
  atLeast,
  cairnMetric,
  EMITTED_EACH_PERIOD,
  type Intervals,
  lessThan,
  moreThan,
} from './alarm-definition.ts';

const DAY_IN_MINUTES = 24 * 60;
const LONGEST_RUN = Duration.hours(24);

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
      missing: TreatMissingData.BREACHING,
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
    },
    {
      name: 'sync-skipping',
      severity: 'medium',
      meaning:
        'Runs of the sync were skipped in three intervals in a row, as another one was under way or they came too late.',
      metric: cairnMetric('syncSkipped', sum),
      condition: atLeast(1, { periods: 3 }),
    },
  ];
}

function staleAlarms(intervals: Intervals): AlarmDefinition[] {
  const stalest = cairnMetric('stalestPairSeconds', { statistic: 'Maximum', period: intervals.housekeeping });
  const stale = staleAfter(intervals);
  return [
    {
      name: 'sync-stale',
      severity: 'medium',
      meaning: `A channel has had no good answer for ${stale.look.toHumanString()}; its last good graph is served.`,
      metric: stalest,
      condition: moreThan(stale.look.toSeconds(), EMITTED_EACH_PERIOD),
    },
    {
      name: 'sync-very-stale',
      severity: 'high',
      meaning: `A channel has had no good answer for ${stale.act.toHumanString()}; its last good graph is served.`,
      metric: stalest,
      condition: moreThan(stale.act.toSeconds(), EMITTED_EACH_PERIOD),
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
    },
    {
      name: 'sync-payload-conflict',
      severity: 'high',
      meaning: 'Upstream names another image for a version than before; the first one is still served.',
      metric: cairnMetric('payloadConflicts', most),
      condition: atLeast(1, EMITTED_EACH_PERIOD),
    },
    {
      name: 'risk-query-unsupported',
      severity: 'low',
      meaning:
        'Upstream published a query of a risk that Cairn cannot evaluate, so the risk is unknown on every cluster.',
      metric: cairnMetric('riskQueriesUnsupported', most),
      condition: atLeast(1, EMITTED_EACH_PERIOD),
    },
    {
      name: 'sync-no-new-versions',
      severity: 'low',
      meaning: 'No version was added for seven days.',
      metric: cairnMetric('versionsAdded', { statistic: 'Sum', period: Duration.days(1) }),
      condition: lessThan(1, { periods: 7 }),
    },
    {
      name: 'sync-egress-refused',
      severity: 'medium',
      meaning:
        'The sync refused to connect: the name of the update service led to an address that is not allowed.',
      metric: cairnMetric('egressRefused', sum),
      condition: atLeast(1, EMITTED_EACH_PERIOD),
    },
  ];
}

export function fleetAlarms(reassessFleet: NodeFunction, { fleet }: Intervals): AlarmDefinition[] {
  // Each period includes at least one run, so that it has data.
  const quarterOrInterval = Math.max(15, fleet.toMinutes());
  const hourOrInterval = Math.max(60, fleet.toMinutes());
  return [
    {
      name: 'fleet-not-running',
      severity: 'medium',
      meaning:
        'The fleet was not followed for three of its intervals: verdicts are old, and nobody is told of changes.',
      metric: invocationsOf(reassessFleet, fleet),
      condition: lessThan(1, { periods: 3 }),
      missing: TreatMissingData.BREACHING,
    },
    {
      name: 'fleet-clusters-failing',
      severity: 'medium',
      meaning:
        'Clusters could not be looked at again for an hour; their verdict is the last one that could be made.',
      metric: cairnMetric('clustersNotLookedAt', {
        statistic: 'Maximum',
        period: Duration.minutes(quarterOrInterval),
      }),
      condition: atLeast(1, { periods: Math.ceil(60 / quarterOrInterval) }),
    },
    {
      name: 'updates-stalled',
      severity: 'medium',
      meaning: 'The update of a cluster does not progress any more.',
      metric: cairnMetric('updatesStalled', {
        statistic: 'Maximum',
        period: Duration.minutes(quarterOrInterval),
      }),
      condition: atLeast(1),
    },
    {
      name: 'news-undelivered',
      severity: 'medium',
      meaning: 'Messages have waited for two hours, as the webhook or the event bus does not take them.',
      metric: cairnMetric('messagesUndelivered', {
        statistic: 'Minimum',
        period: Duration.minutes(hourOrInterval),
      }),
      condition: atLeast(1, { periods: Math.ceil(120 / hourOrInterval) }),
    },
  ];
}

/**
 * One alarm over all pruners, because pruners are created at run time. Each uses the worst value that housekeeping has
 * seen and clears itself. Metrics with the dimension `Pruner` identify the pruner.
 */
export function pruneAlarms({ housekeeping: period }: Intervals): AlarmDefinition[] {
  return [
    {
      name: 'prune-not-scheduled',
      severity: 'low',
      meaning: 'A pruner is suspended, or its schedule is not what it should be and could not be repaired.',
      metric: cairnMetric('installStatus', { statistic: 'Minimum', period }),
      condition: lessThan(2, EMITTED_EACH_PERIOD),
    },
    {
      name: 'prune-last-run-failed',
      severity: 'medium',
      meaning: 'The last run of a pruner failed.',
      metric: cairnMetric('lastRunFailed', { statistic: 'Maximum', period }),
      condition: atLeast(1, EMITTED_EACH_PERIOD),
    },
    {
      name: 'prune-blocked',
      severity: 'high',
      meaning: 'The last run of a pruner deleted nothing, as what it found was not to be trusted.',
      metric: cairnMetric('lastRunBlocked', { statistic: 'Maximum', period }),
      condition: atLeast(1, EMITTED_EACH_PERIOD),
    },
    {
      name: 'prune-run-too-long',
      severity: 'medium',
      meaning: 'A run of a pruner has been under way for more than 24 hours.',
      metric: cairnMetric('activeRunAgeSeconds', { statistic: 'Maximum', period }),
      condition: moreThan(LONGEST_RUN.toSeconds(), EMITTED_EACH_PERIOD),
    },
    {
      name: 'prune-overdue',
      severity: 'medium',
      meaning: 'No run of a pruner has finished within two periods of its schedule.',
      metric: cairnMetric('prunerOverdue', { statistic: 'Maximum', period }),
      condition: atLeast(1, EMITTED_EACH_PERIOD),
    },
  ];
}

export function jobAlarms(
  housekeeping: NodeFunction,
  { deliveryQueue, runQueue }: ScheduleSurroundings,
  intervals: Intervals,
): AlarmDefinition[] {
  const messages = { statistic: 'Maximum', period: Duration.minutes(5) };
  const hourOrInterval = Math.max(60, intervals.housekeeping.toMinutes());
  return [
    {
      name: 'watch-not-running',
      severity: 'high',
      meaning:
        'The watch was not started for two of its intervals, so that nothing tells how fresh the data is.',
      metric: invocationsOf(housekeeping, intervals.housekeeping),
      condition: lessThan(1, { periods: 2 }),
      missing: TreatMissingData.BREACHING,
    },
    {
      name: 'jobs-undelivered',
      severity: 'medium',
      meaning: 'A schedule could not start its function; the messages of the queue tell which.',
      metric: deliveryQueue.metricApproximateNumberOfMessagesVisible(messages),
      condition: atLeast(1),
    },
    {
      name: 'jobs-failed-runs',
      severity: 'medium',
      meaning: 'A run of a job threw twice; the messages of the queue tell which.',
      metric: runQueue.metricApproximateNumberOfMessagesVisible(messages),
      condition: atLeast(1),
    },
    {
      name: 'clock-ahead',
      severity: 'medium',
      meaning:
        'A job found stored times in the future, which a wrong clock wrote; the next run replaces them.',
      metric: cairnMetric('futureTimes', { statistic: 'Sum', period: intervals.housekeeping }),
      condition: atLeast(1, EMITTED_EACH_PERIOD),
    },
    {
      name: 'switch-stopped',
      severity: 'low',
      meaning: 'Something has been stopped by hand for a day.',
      metric: cairnMetric('switchesStopped', {
        statistic: 'Minimum',
        period: Duration.minutes(hourOrInterval),
      }),
      condition: atLeast(1, { periods: Math.floor(DAY_IN_MINUTES / hourOrInterval) }),
    },
  ];
}

/** Fills missing data with zero: otherwise CloudWatch uses good values of earlier periods. */
function invocationsOf(job: NodeFunction, period: Duration): MathExpression {
  return new MathExpression({
    label: 'invocations',
    expression: 'FILL(invocations, 0)',
    usingMetrics: { invocations: job.metricInvocations({ statistic: 'Sum' }) },
    period,
  });
}
