/** A series as the monitoring of a cluster has it; `hidden` labels are those that no document shows. */
export interface TrueSeries {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly value: number;
  /** Equal series but for hidden labels: one per API server. */
  readonly copies?: number;
}
