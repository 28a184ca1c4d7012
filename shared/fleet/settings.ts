import type { MaintenanceWindows } from '../plan/windows/maintenance-windows.ts';
import type { SkewPolicy, Strategy } from '../safety/hop.ts';

/** What people have said of a cluster: where it is to go, by which way, and when that may be. */
export interface ClusterSettings {
  /** A version, a minor, or `latest`. */
  readonly target?: string;
  readonly channels?: readonly string[];
  /** Names of the risks that are accepted on the way. */
  readonly acceptRisks?: readonly string[];
  /** Types of the conditions that are accepted. */
  readonly accept?: readonly string[];
  readonly policy?: SkewPolicy;
  readonly strategy?: Strategy;
  /** When the cluster may be worked on. */
  readonly windows?: MaintenanceWindows;
}
