import type { ClusterFacts, HistoryEntry } from '../../cluster/facts.ts';
import { CONTROL_PLANE_POOL } from '../../cluster/pools.ts';
import { clusterSize, DURATION_MODEL, isNetworkSerial, modelMinutes } from '../../plan/duration.ts';
import { countInWords } from '../../text/words.ts';
import { parseVersion } from '../../version/release-version.ts';
import type { Forecast } from '../answer.ts';
import type { UpdateEvidence } from '../insights/insights.ts';
import { isOnlyMachineConfig } from '../operators.ts';
import { lastOperatorProgress, projectionOf } from '../remaining.ts';
import { type Estimate, forecastFrom, medianEstimate, scaled } from './estimate.ts';
import { type FleetDurations, minutesOfMinors } from './fleet.ts';
import { type KnownNodes, nodeEstimate, usedMinutes } from './nodes.ts';
import { kindOf, minorsOf, pastUpdates } from './past-updates.ts';

const FEWEST_OF_KIND = 2;
/** The operator reports itself updated after its last node. */
const AFTER_LAST_NODE_MINUTES = 3;

type Facts = Pick<ClusterFacts, 'nodes' | 'pools' | 'networkType'>;

/** Null if the control plane is updated, or if nothing is known to forecast from. */
export function controlPlaneForecast(
  evidence: UpdateEvidence,
  facts: Facts,
  known: KnownNodes | null,
): Forecast | null {
  const { operators, update, at } = evidence;
  if (operators.outdated.length === 0) return null;
  const nodes = isOnlyMachineConfig(operators) ? nodesEstimate(evidence, known) : null;
  if (nodes !== null) return forecastFrom(at, nodes, at);
  const total = totalEstimate(update.clusterVersion.history, facts, {
    x: operators.updated / operators.all.length,
    toLastSeconds: (lastOperatorProgress(operators, update, at) - update.begin) / 1000,
    fleet: known?.fleet ?? null,
  });
  return total && forecastFrom(update.begin, total, at);
}

/** Minutes of the newest update in the history, from its start to the end of its control plane. */
export function totalEstimate(
  history: readonly HistoryEntry[],
  facts: Facts,
  pace: { readonly x: number; readonly toLastSeconds: number; readonly fleet: FleetDurations | null },
): Estimate | null {
  const usual = usualEstimate(history, facts, pace.fleet);
  const projected = projectionOf(pace.x, pace.toLastSeconds);
  if (projected === null) return usual;
  const weight = Math.min(Math.max(projected.share, 0), 1);
  const minutes = projected.totalSeconds / 60;
  const operators = `${Math.round(pace.x * 100)}% of the operators are updated`;
  if (usual === null) return medianEstimate([minutes], { basis: 'progress', restsOn: operators });
  const joined = scaled(usual, (value) => (1 - weight) * value + weight * minutes * (value / usual.minutes));
  return {
    ...joined,
    basis: weight > 0.5 ? 'progress' : usual.basis,
    restsOn: `${usual.restsOn}, and ${operators}`,
  };
}

/** Median of past updates of the cluster, of the same kind if there are enough; else of the fleet; else the model. */
function usualEstimate(
  history: readonly HistoryEntry[],
  facts: Facts,
  fleet: FleetDurations | null,
): Estimate | null {
  const [current, previous] = history;
  const kind = kindOf(current, previous);
  const past = pastUpdates(history);
  const same = past.filter((one) => one.kind === kind);
  const isEnough = same.length >= FEWEST_OF_KIND;
  const used = isEnough ? same : past;
  const what = `${isEnough ? `${kind} ` : ''}update`;
  const restsOn = `${countInWords(used.length, what)} of this cluster`;
  const own = medianEstimate(
    used.map(({ minutes }) => minutes),
    { basis: 'own', restsOn },
  );
  return own ?? fleetEstimate(current, previous, fleet) ?? modelEstimate(current, kind, facts);
}

function fleetEstimate(
  current: HistoryEntry | undefined,
  previous: HistoryEntry | undefined,
  fleet: FleetDurations | null,
): Estimate | null {
  const minors = minorsOf(current, previous);
  const minutes = minutesOfMinors(fleet, minors);
  const [from, to] = minors?.split(' ') ?? [];
  const restsOn = `${countInWords(minutes.length, 'update')} of other clusters from ${from} to ${to}`;
  return medianEstimate(minutes, { basis: 'fleet', restsOn });
}

function modelEstimate(
  current: HistoryEntry | undefined,
  kind: 'patch' | 'minor',
  facts: Facts,
): Estimate | null {
  const size = clusterSize(facts);
  if ('reason' in size) return null;
  const version = parseVersion(current?.version ?? '');
  const model = modelMinutes(size, version !== null && isNetworkSerial(version, facts.networkType));
  return {
    minutes: model.expected,
    least: model.min * (kind === 'patch' ? DURATION_MODEL.patchMinimum : 1),
    most: model.max,
    basis: 'model',
    samples: 0,
    restsOn: `the usual duration for ${countInWords(size.nodes, 'node')}`,
  };
}

/** Control plane nodes update one after the other; null if none is known. */
function nodesEstimate({ pools, at }: UpdateEvidence, known: KnownNodes | null): Estimate | null {
  const pool = pools.find((one) => one.pool.name === CONTROL_PLANE_POOL);
  if (pool === undefined || pool.nodes.length === 0) return null;
  const left = pool.nodes.filter(({ status }) => status.phase !== 'Updated');
  const perNode = nodeEstimate(pool.pool.name, known, {
    fewestOfRun: 1,
    usual: DURATION_MODEL.perControlPlaneNode,
  });
  const used = usedMinutes(pool, known, at);
  return scaled(
    perNode,
    (minutes) => Math.max(0, left.length * minutes - Math.min(used, minutes)) + AFTER_LAST_NODE_MINUTES,
  );
}
