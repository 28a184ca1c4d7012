export interface ClusterCondition {
  readonly type: string;
  /** `True`, `False`, `Unknown`, or any other text. */
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly since: string | null;
}

export interface HistoryEntry {
  readonly state: 'Completed' | 'Partial';
  /** Empty for an image without a version. */
  readonly version: string;
  readonly image: string;
  readonly startedTime: string | null;
  readonly completionTime: string | null;
  readonly verified: boolean;
  readonly acceptedRisks: string;
}

export interface ClusterVersionFacts {
  readonly clusterId: string | null;
  readonly createdAt: string | null;
  readonly channel: string | null;
  readonly upstream: string | null;
  readonly desiredUpdate: {
    readonly version: string;
    readonly image: string;
    readonly force: boolean;
    /** `Multi`; absent unless it was requested. */
    readonly architecture?: string;
  } | null;
  /** Components with `unmanaged: true`. */
  readonly unmanagedOverrides: readonly {
    readonly kind: string;
    readonly group: string;
    readonly namespace: string;
    readonly name: string;
  }[];
  /** Release being reconciled, which can differ from the last completed one. */
  readonly desired: {
    readonly version: string;
    readonly image: string;
    readonly channels: readonly string[];
    /** `Multi`; absent for a single architecture, and in older releases. */
    readonly architecture?: string;
  };
  /** Newest first. */
  readonly history: readonly HistoryEntry[];
  readonly conditions: readonly ClusterCondition[];
  readonly availableUpdates: readonly string[];
  /** `None`, `v4.12`, `vCurrent`; absent for the default. */
  readonly baselineCapabilitySet?: string;
  /** Sorted names; absent in releases without capabilities. */
  readonly capabilities?: { readonly known: readonly string[]; readonly enabled: readonly string[] };
  /** Of the history that the cluster reports, which can be shorter than a stored one; absent if it is empty. */
  readonly milestones?: {
    readonly initial: string;
    /** Versions of the last completed updates, newest first, two at most. */
    readonly completed: readonly string[];
    /** Null unless the newest entry is not completed. */
    readonly updating: string | null;
  };
  readonly conditionalUpdates: readonly {
    readonly version: string;
    /** Names from `risks` and `riskNames`; newer clusters may fill only the second. */
    readonly risks: readonly string[];
    /** Links of the risks that have one; absent if none has. */
    readonly links?: readonly { readonly name: string; readonly url: string }[];
    readonly recommended: ClusterCondition | null;
  }[];
  /** `spec.desiredUpdate.acceptRisks`, sorted; null if the cluster has no such field. */
  readonly acceptedRisks: readonly string[] | null;
  /** `status.conditionalUpdateRisks`: each risk once for all updates; null if the cluster has no such field. */
  readonly knownRisks: readonly KnownRisk[] | null;
}

export interface KnownRisk {
  readonly name: string;
  readonly url: string;
  readonly message: string;
  /** Condition `Applies`: whether the risk applies to this cluster; null if absent. */
  readonly applies: ClusterCondition | null;
}
