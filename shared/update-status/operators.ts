import type { ClusterOperatorFacts } from '../cluster/facts.ts';
import type { Completion, ControlPlaneStatus, UpdatingOperator } from './answer.ts';
import { cutMessage, operatorCondition } from './conditions.ts';
import { sinceOf } from './times.ts';

const MACHINE_CONFIG = 'machine-config';

/** ClusterOperators of the release. Operators that were added later have no part in the update. */
export interface OperatorProgress {
  readonly all: readonly ClusterOperatorFacts[];
  readonly updated: number;
  readonly outdated: readonly ClusterOperatorFacts[];
  readonly updating: readonly ClusterOperatorFacts[];
  readonly waiting: readonly ClusterOperatorFacts[];
}

export function operatorProgress(
  operators: readonly ClusterOperatorFacts[],
  desired: string,
  machineConfigImage: string | null,
): OperatorProgress {
  const all = operators.filter(({ platform }) => platform);
  const outdated = all.filter((operator) => !isUpdated(operator, desired, machineConfigImage));
  const progressing = (status: string) =>
    outdated.filter((operator) => operatorCondition(operator, 'Progressing')?.status === status);
  return {
    all,
    updated: all.length - outdated.length,
    outdated,
    updating: progressing('True'),
    waiting: progressing('False'),
  };
}

/** The image shows the end of a migration to multi-arch, in which no version changes. */
function isUpdated(
  operator: ClusterOperatorFacts,
  desired: string,
  machineConfigImage: string | null,
): boolean {
  const image = imageOf(operator);
  if (image !== null && machineConfigImage !== null && image !== machineConfigImage) return false;
  return operator.versions.some(({ name, version }) => name === 'operator' && version === desired);
}

/** Image that the Machine Config Operator reports; null before 4.18, and for every other operator. */
function imageOf({ name, versions }: ClusterOperatorFacts): string | null {
  if (name !== MACHINE_CONFIG) return null;
  return versions.findLast((version) => version.name === 'operator-image')?.version ?? null;
}

/** The Deployment decides whether the Machine Config Operator is updated. */
export function needsDeployment({ all }: OperatorProgress): boolean {
  return all.some((operator) => imageOf(operator) !== null);
}

export function isOnlyMachineConfig({ outdated }: OperatorProgress): boolean {
  return outdated.length === 1 && outdated[0]!.name === MACHINE_CONFIG;
}

export function isUnavailable(operator: ClusterOperatorFacts): boolean {
  return operatorCondition(operator, 'Available')?.status !== 'True';
}

export function isDegraded(operator: ClusterOperatorFacts): boolean {
  return operatorCondition(operator, 'Degraded')?.status === 'True';
}

export function operatorHealth({
  all,
}: OperatorProgress): Pick<ControlPlaneStatus, 'health' | 'unavailableOperators' | 'degradedOperators'> {
  const unavailable = all.filter(isUnavailable);
  const degraded = all.filter((operator) => !isUnavailable(operator) && isDegraded(operator));
  return {
    health: {
      healthy: all.length - unavailable.length - degraded.length,
      unavailable: unavailable.length,
      degraded: degraded.length,
    },
    unavailableOperators: unavailable.map(({ name }) => name),
    degradedOperators: degraded.map(({ name }) => name),
  };
}

export function updatingOperators({ updating }: OperatorProgress, at: number): UpdatingOperator[] {
  return updating.map((operator) => {
    const condition = operatorCondition(operator, 'Progressing')!;
    return {
      name: operator.name,
      since: sinceOf(condition, at),
      reason: cutMessage(condition.reason) || null,
      message: cutMessage(condition.message),
    };
  });
}

export function completionOf(
  { all, updated, updating, waiting }: OperatorProgress,
  uncertain: boolean,
): Completion {
  return {
    percent: percentOf(updated, all.length),
    updated,
    updating: updating.length,
    waiting: waiting.length,
    total: all.length,
    uncertain,
  };
}

/** Exact halves are rounded to even: 1 of 8 is 12. Null without parts. */
export function percentOf(part: number, total: number): number | null {
  if (total === 0) return null;
  const whole = Math.floor((100 * part) / total);
  const rest = 2 * (100 * part - whole * total) - total;
  return rest > 0 || (rest === 0 && whole % 2 === 1) ? whole + 1 : whole;
}
