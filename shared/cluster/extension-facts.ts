import type { Labels, LabelSelector } from './labels.ts';

/** Version limit of an operator, as written: `4.10`, not 4.1. */
export interface DeclaredProperty {
  readonly type: string;
  readonly value: string;
}

/** The reason if they are unreadable; null if absent. */
export type DeclaredProperties = readonly DeclaredProperty[] | { readonly unreadable: string } | null;

/** ClusterExtension: an operator that OLM v1 installs. */
export interface ExtensionFacts {
  readonly name: string;
  readonly package: string;
  /** Empty for all channels of the package. */
  readonly channels: readonly string[];
  /** Wanted version or range, as written; empty for the newest. */
  readonly version: string;
  /** Selects catalogs by their labels; an empty selector selects all. */
  readonly catalogSelector: LabelSelector;
  /** Null if nothing is installed. */
  readonly installed: { readonly name: string; readonly version: string } | null;
  /** Conditions of a failed or deprecated extension. */
  readonly problems: readonly ExtensionProblem[];
}

export interface ExtensionProblem {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export interface CatalogFacts {
  readonly name: string;
  readonly labels: Labels;
  /** `registry.redhat.io/redhat/redhat-operator-index:v4.20` */
  readonly image: string;
  /** The highest wins if several catalogs have a package. */
  readonly priority: number;
  readonly isAvailable: boolean;
}

/** ClusterObjectSet: a revision of what a ClusterExtension installs. */
export interface ObjectSetFacts {
  readonly name: string;
  readonly extension: string;
  readonly revision: number;
  readonly bundle: string;
  readonly version: string;
  /** Of the bundle. */
  readonly properties: DeclaredProperties;
}
