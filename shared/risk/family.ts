import type { ReportedKind } from '../cluster/facts.ts';

/** One series of a metric, without the labels that a cluster's documents cannot show. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  /** Null if the documents do not show it. */
  readonly value: number | null;
}

/** Values of one label: those listed, or all but those listed. */
export type LabelValues = { readonly in: readonly string[] } | { readonly notIn: readonly string[] };

/** Series whose labels all have these values. */
export type Region = Readonly<Record<string, LabelValues>>;

/**
 * What the metric depends on. `birth` never changes, `configuration` changes at any time, `version` with
 * every update.
 */
export type Horizon = 'birth' | 'configuration' | 'version';

/** What is known of one metric of a cluster. */
export interface Family {
  /** Proven by the documents. */
  readonly series: readonly Series[];
  /** Where `series` is all there is: everywhere, or only in these regions, which can be none. */
  readonly covered: 'all' | readonly Region[];
  /** Labels that are modelled, by name and by prefix. A selector on another label is unknown. */
  readonly labels: { readonly names: readonly string[]; readonly prefix?: string };
  /** The metric has at least one series, whatever else is known. */
  readonly exists: boolean;
  /** The cluster has several series for what is one here, so that sums and counts are unknown. */
  readonly isRepeated?: true;
  readonly horizon: Horizon;
  /** Facts that the series come from. */
  readonly readFrom: readonly ReportedKind[];
  /** Documents to send so that the metric is known: `clusteroperators`, as in `oc get`. Empty for live metrics. */
  readonly documents: readonly string[];
}

/** Null for a metric that no document shows. */
export type Families = (metric: string) => Family | null;
