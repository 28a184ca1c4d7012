import type { ClusterFacts, ListedKind, ReportedKind } from '../../cluster/facts.ts';
import { absentObject, RISK_KINDS } from '../../cluster/risk-inputs/kinds.ts';
import type { Family, Horizon, Region, Series } from '../family.ts';

/** What the facts show of a metric. */
export interface Shown {
  readonly series: readonly Series[];
  readonly covered: Family['covered'];
  /** Labels that are modelled, if the facts decide it. */
  readonly labels?: Family['labels'];
  /** What would show more; by default, what is missing of all that the metric is read from. */
  readonly wanted?: readonly ReportedKind[];
}

/** One metric, and how its series follow from facts. */
export interface Metric {
  readonly labels: Family['labels'];
  readonly horizon: Horizon;
  /** Empty for a metric that only the cluster itself shows. */
  readonly readFrom: readonly ReportedKind[];
  /** Every cluster whose monitoring works has a series. */
  readonly isEverywhere?: true;
  readonly isRepeated?: true;
  readonly show?: (facts: ClusterFacts) => Shown;
}

type SmallKind = (typeof RISK_KINDS)[number]['facts'][0];

export const NOTHING_SHOWN: Shown = { series: [], covered: [] };

export function everything(series: readonly Series[]): Shown {
  return { series, covered: 'all' };
}

export function someOf(series: readonly Series[], ...covered: readonly Region[]): Shown {
  return { series, covered };
}

export function isWhole({ completeLists }: ClusterFacts, kind: ListedKind): boolean {
  return completeLists.includes(kind);
}

/** A report asked for the object, and the cluster does not have it. */
export function isKnownAbsent(kind: SmallKind, { objectCounts }: ClusterFacts): boolean {
  const wanted = absentObject(RISK_KINDS.find(({ facts }) => facts[0] === kind)!);
  return (objectCounts?.absent ?? []).some(
    ({ resource, namespace, name }) =>
      resource === wanted.resource && namespace === wanted.namespace && name === wanted.name,
  );
}

/** Prometheus takes times in seconds. */
export function secondsOf(time: string | null): number | null {
  return time === null ? null : Date.parse(time) / 1000;
}
