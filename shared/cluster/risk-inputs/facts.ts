/** ConfigMap that the installer left; null for a key that it has not. */
export interface InstallerFacts {
  readonly version: string | null;
  readonly invoker: string | null;
}

/** Only what is set, never the URLs. */
export interface ProxyFacts {
  readonly http: boolean;
  readonly https: boolean;
  readonly trustedCa: boolean;
}

/** How many objects the cluster has, and which of those that risks ask for. */
export interface ObjectCountsFacts {
  /** By resource, such as `egressips.k8s.ovn.org`; null if the cluster does not serve it. */
  readonly counts: Readonly<Record<string, number | null>>;
  /** All names in a namespace. */
  readonly names: readonly ObjectNames[];
  /** Objects that were asked for and do not exist. */
  readonly absent: readonly AbsentObject[];
}

export interface ObjectNames {
  readonly resource: string;
  readonly namespace: string;
  readonly names: readonly string[];
}

export interface AbsentObject {
  readonly resource: string;
  /** Absent for an object of the cluster. */
  readonly namespace?: string;
  readonly name: string;
}

/** Distinct images of containers. */
export interface ContainerImagesFacts {
  readonly images: readonly string[];
  /** The cluster has no others. */
  readonly isComplete: boolean;
}

export const OUTCOMES = ['yes', 'no', 'fails'] as const;

/** What the metrics of the cluster answered to a query. */
export interface RiskAnswerFacts {
  /** Byte for byte. */
  readonly promql: string;
  readonly at: string;
  /** `fails` stands for all that a cluster takes for an error. */
  readonly outcome: (typeof OUTCOMES)[number];
}
