import { type ReadTemplate, templateOf, textsIn } from './template.ts';

/** One metric of an alarm. */
export interface AlarmMetric {
  readonly id: string | null;
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: readonly { readonly Name: string; readonly Value: unknown }[];
  readonly period: number;
  readonly statistic: string;
}

export interface FoundAlarm {
  /** Without the stack name: `sync-stale`. */
  readonly name: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- properties of a template
  readonly properties: any;
  readonly metrics: readonly AlarmMetric[];
  readonly expressions: readonly { readonly id: string; readonly expression: string }[];
}

/** A deployment with every alarm. */
export function templateWithEveryAlarm(): Promise<ReadTemplate> {
  return templateOf({
    registryBuckets: [{ bucket: 'registry', prefix: '' }],
    alarms: { email: ['ops@example.com', 'night@example.com'] },
  });
}

/** Includes alarms on one metric and on math expressions. */
export function alarmsOf({ ofType }: ReadTemplate): FoundAlarm[] {
  return ofType('AWS::CloudWatch::Alarm').map(({ properties }) => {
    const parts: Part[] = properties.Metrics ?? [];
    return {
      name: textsIn(properties.AlarmName).at(-1)!.slice(1),
      properties,
      metrics: properties.Metrics
        ? parts.flatMap(({ Id, MetricStat }) => (MetricStat ? [ofStat(Id, MetricStat)] : []))
        : [ofAlarm(properties)],
      expressions: parts.flatMap(({ Id, Expression }) =>
        Expression === undefined ? [] : [{ id: Id, expression: Expression }],
      ),
    };
  });
}

interface Part {
  readonly Id: string;
  readonly Expression?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- properties of a template
  readonly MetricStat?: any;
}

function ofStat(id: string, { Metric, Period, Stat }: Part['MetricStat']): AlarmMetric {
  return {
    id,
    namespace: textsIn(Metric.Namespace).join(''),
    name: Metric.MetricName,
    dimensions: Metric.Dimensions ?? [],
    period: Period,
    statistic: Stat,
  };
}

function ofAlarm(properties: FoundAlarm['properties']): AlarmMetric {
  const { Namespace, MetricName, Dimensions = [], Period, Statistic, ExtendedStatistic } = properties;
  return {
    id: null,
    namespace: textsIn(Namespace).join(''),
    name: MetricName,
    dimensions: Dimensions,
    period: Period,
    statistic: Statistic ?? ExtendedStatistic,
  };
}
