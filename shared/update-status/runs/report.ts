import type {
  ClusterCondition,
  ClusterFacts,
  ClusterOperatorFacts,
  ClusterVersionFacts,
  ReportedKind,
} from '../../cluster/facts.ts';
import type { ClusterRecord } from '../../cluster/record.ts';
import type { Forecast, UpdateForecast } from '../answer.ts';
import { operatorCondition, versionCondition } from '../conditions.ts';
import type { FleetDurations } from '../forecast/fleet.ts';
import { updateForecast } from '../forecast/forecast.ts';
import { type StatusFacts, statusInput } from '../input.ts';
import { rankOf } from '../nodes.ts';
import { isBehind, isBlocked, type PoolProgress } from '../pools.ts';
import { lastOperatorProgress } from '../remaining.ts';
import { targetOf } from '../target.ts';
import { transitionOf } from '../times.ts';
import { type AssessedUpdate, assessUpdate } from '../update-status.ts';
import { withoutSkew } from './clock-skew.ts';
import { type MadeForecast, type RunIdentity, type UnusualCondition, USUAL_STATUS } from './run.ts';

/** What one report shows of the update of its cluster. Times are milliseconds since 1970. */
export interface RunReport {
  readonly identity: RunIdentity;
  readonly at: number;
  readonly receivedAt: number;
  /** Start of the update. */
  readonly beganAt: number;
  readonly isUpdating: boolean;
  /** The history entry is completed, and no pool is behind. */
  readonly isComplete: boolean;
  readonly controlPlaneCompletedAt: number | null;
  /** Null if the report had none. */
  readonly operators: OperatorsReport | null;
  readonly pools: readonly PoolReport[] | null;
  /** By this report alone, so that the order of reports does not matter. Null if it is not whole. */
  readonly forecast: MadeForecast | null;
}

interface OperatorsReport {
  readonly total: number;
  readonly updated: readonly string[];
  readonly updating: readonly { readonly name: string; readonly since: number }[];
  readonly lastTransition: number;
  readonly unusual: readonly UnusualCondition[];
}

export interface PoolReport {
  readonly name: string;
  readonly paused: boolean;
  readonly blocked: boolean;
  readonly available: number;
  readonly nodes: readonly { readonly name: string; readonly rank: number; readonly degraded: boolean }[];
}

export interface ReportTimes {
  readonly at: number;
  readonly receivedAt: number;
  /** How far the clock of the cluster is ahead. */
  readonly skewMs: number;
  /** Kinds that were not sent because they have not changed since. */
  readonly unchanged: readonly ReportedKind[];
  readonly fleet: FleetDurations | null;
}

/**
 * Judges a report by its own documents. Kinds that it lacks come from the record, but nodes and operators count only if
 * the report has them. Null if it is of no known update.
 */
export function readRunReport(
  sent: ClusterFacts,
  known: ClusterFacts,
  { at, receivedAt, skewMs, unchanged, fleet }: ReportTimes,
): RunReport | null {
  const has = (kind: ReportedKind): boolean => sent[kind] !== null || unchanged.includes(kind);
  const facts = {
    ...known,
    ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)),
  };
  const moved = withoutSkew(facts, skewMs);
  const { clusterVersion } = moved;
  const entry = facts.clusterVersion?.history[0];
  const startedAt = entry?.startedTime ?? null;
  if (clusterVersion === null || startedAt === null) return null;
  if (versionCondition(clusterVersion, 'Progressing') === undefined) return null;
  // A late part of a report could be of a former update.
  if (!has('clusterVersion') && Date.parse(startedAt) > at + skewMs) return null;
  // Operators can arrive in another part.
  const moment = { ...moved, clusterVersion, clusterOperators: moved.clusterOperators ?? [] };
  const { evidence, isUpdating } = assessReported(moment, at);
  const { update, operators } = evidence;
  const { version, previous, kind } = targetOf(update);
  const pools = evidence.pools.filter(({ nodes }) => nodes.length > 0);
  const hasNodes = has('nodes') && facts.pools !== null && facts.configReleases !== null;
  const isPoolsKnown = hasNodes || facts.nodes === null || facts.pools === null;
  return {
    identity: { startedAt, image: entry!.image, version, previous, kind },
    at,
    receivedAt,
    beganAt: update.begin,
    isUpdating,
    isComplete: entry!.state === 'Completed' && isPoolsKnown && !pools.some(isBehind),
    controlPlaneCompletedAt: update.completed,
    operators: has('clusterOperators')
      ? {
          total: operators.all.length,
          updated: operators.all.filter((one) => !operators.outdated.includes(one)).map(({ name }) => name),
          updating: operators.updating.map((operator) => ({
            name: operator.name,
            since: transitionOf(operatorCondition(operator, 'Progressing')!, at),
          })),
          lastTransition: lastOperatorProgress(operators, update, at),
          unusual: unusualConditions(clusterVersion, operators.all),
        }
      : null,
    pools: hasNodes ? pools.map(poolReport) : null,
    forecast:
      isUpdating && has('clusterVersion') && has('clusterOperators') && hasNodes
        ? madeForecast(at, updateForecast(evidence, moment, { run: null, past: [], fleet }))
        : null,
  };
}

/** Conditions that may have changed in a later report. */
function unusualConditions(
  clusterVersion: ClusterVersionFacts,
  operators: readonly ClusterOperatorFacts[],
): UnusualCondition[] {
  const failing = versionCondition(clusterVersion, 'Failing');
  const conditions: readonly (readonly [string | null, ClusterCondition | undefined])[] = [
    [null, failing],
    ...operators.flatMap((operator) =>
      ['Available', 'Degraded'].map((type) => [operator.name, operatorCondition(operator, type)] as const),
    ),
  ];
  return conditions.flatMap(([operator, condition]) =>
    condition === undefined || condition.status === USUAL_STATUS[condition.type]
      ? []
      : [{ operator, type: condition.type, status: condition.status }],
  );
}

function madeForecast(at: number, { controlPlane, whole }: UpdateForecast): MadeForecast {
  const endOf = (forecast: Forecast | null) => (forecast === null ? null : Date.parse(forecast.likelyAt));
  return { at, controlPlane: endOf(controlPlane), whole: endOf(whole) };
}

/**
 * The update of a cluster that reports. Without MachineConfigs every node looks outdated, so that only the
 * ClusterVersion counts.
 */
export function assessReported(facts: StatusFacts, at: number): AssessedUpdate {
  const assessed = assessUpdate(facts, at);
  const { isRunning, completed } = assessed.evidence.update;
  const isOver = facts.configReleases === null && !isRunning && completed !== null;
  return isOver ? { ...assessed, isUpdating: false } : assessed;
}

/** As of the last reports. Without what shows nodes and operators only the history counts. */
export function isUpdateInProgress(
  { facts, clockSkewMs }: Pick<ClusterRecord, 'facts' | 'clockSkewMs'>,
  at: number,
): boolean {
  const input = statusInput(withoutSkew(facts, clockSkewMs));
  if (!input.ok) return facts.clusterVersion?.history[0]?.state === 'Partial';
  return assessReported(input.facts, at).isUpdating;
}

function poolReport(pool: PoolProgress): PoolReport {
  return {
    name: pool.pool.name,
    paused: pool.pool.paused,
    blocked: isBlocked(pool),
    available: pool.status.counts.available,
    nodes: pool.nodes.map(({ status }) => ({
      name: status.name,
      rank: rankOf(status),
      degraded: status.degraded,
    })),
  };
}
