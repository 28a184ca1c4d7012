import { Duration } from 'aws-cdk-lib';
import type { NodeFunction } from '../node-function.ts';
import { type AlarmDefinition, atLeast, type Intervals, lessThan, MISSING } from './alarm-definition.ts';
import { cairnMetric } from './cairn-metric.ts';
import { invocationsOf } from './lambda-alarms.ts';

const HOUR = Duration.hours(1);

/** Whether clusters are looked at again, and people are told of what changed. */
export function fleetAlarms(followFleet: NodeFunction, { fleet }: Intervals): AlarmDefinition[] {
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
      metric: cairnMetric('clustersNotLookedAt', { statistic: 'Maximum', period: Duration.minutes(15) }),
      condition: atLeast(1, { periods: 4 }),
      missing: MISSING.isFine,
    },
    {
      name: 'news-undelivered',
      severity: 'medium',
      meaning: 'Messages have waited for two hours, as the webhook or the event bus does not take them.',
      metric: cairnMetric('messagesUndelivered', { statistic: 'Minimum', period: HOUR }),
      condition: atLeast(1, { periods: 2 }),
      missing: MISSING.isFine,
    },
  ];
}
