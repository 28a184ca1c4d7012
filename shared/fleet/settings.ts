import type { MaintenanceWindows } from '../plan/windows/maintenance-windows.ts';
import type { SkewPolicy, Strategy } from '../safety/hop.ts';

/** User settings for the upgrades of a cluster. */
export interface ClusterSettings {
  /** A version, a minor, or `latest`. */
  readonly target?: string;
  readonly channels?: readonly string[];
  readonly acceptRisks?: readonly string[];
  /** Accepted condition types. */
  readonly accept?: readonly string[];
  readonly policy?: SkewPolicy;
  readonly strategy?: Strategy;
  readonly windows?: MaintenanceWindows;
}
