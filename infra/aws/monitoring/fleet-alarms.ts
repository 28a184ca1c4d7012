import { Duration } from 'aws-cdk-lib';
import type { NodeFunction } from '../node-function.ts';
import { type AlarmDefinition, atLeast, type Intervals, lessThan, MISSING } from './alarm-definition.ts';
import { cairnMetric } from './cairn-metric.ts';
import { invocationsOf } from './lambda-alarms.ts';

/** Whether clusters are looked at again, and people are told of what changed. */
export function fleetAlarms(followFleet: NodeFunction, { fleet }: Intervals): AlarmDefinition[] {
  // A period has at least one run in it, so that its value is told.
  const quarterOrInterval = Math.max(15, fleet.toMinutes());
  const hourOrInterval = Math.max(60, fleet.toMinutes());
  return [
    {
      name: 'fleet-not-running',
      severity: 'medium',
      meaning:
        'The fleet was not followed for three of its intervals: verdicts are old, and nobody is told of changes.',
      metric: invocationsOf(followFleet, fleet),
      condition: lessThan(1, { periods: 3 }),
      missing: MISSING.isBad,
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
      missing: MISSING.isFine,
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
      missing: MISSING.isFine,
    },
  ];
}
