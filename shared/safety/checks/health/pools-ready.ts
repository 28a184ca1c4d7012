import type { NodeFacts, PoolFacts } from '../../../cluster/facts.ts';
import { CONTROL_PLANE_POOL } from '../../../cluster/pools.ts';
import { excerpt, shellWord } from '../../../text/quote.ts';
import { countInWords, listInWords } from '../../../text/words.ts';
import {
  type ConditionObject,
  type Finding,
  asExpected,
  finding,
  inputMissing,
  type Check,
} from '../../condition.ts';
import { isHosted } from '../../evidence/hosted.ts';
import { apiServerMinors, kubeletMinorOf } from '../../evidence/kubelets.ts';
import {
  isControlPlanePool,
  nodesByPool,
  brokenNodes,
  isDegraded,
  isSilent,
  isUpdating,
  rolloutChoices,
} from '../../evidence/pools.ts';
import type { Hop, PlannedPool } from '../../hop.ts';

const TYPE = 'PoolsReady';
const COMMAND = 'oc get machineconfigpools -o json';

interface PoolState {
  readonly pool: PoolFacts;
  readonly nodes: readonly NodeFacts[];
  /** Machines without the desired configuration, or with a kubelet older than the API server. */
  readonly outdated: number;
}

/**
 * A degraded pool, or a control plane that cannot roll out, blocks the next minor. Only the first hop is checked, since
 * pool status is of now; on later hops only a pause counts.
 */
export const poolsReady: Check = ({ facts, hops, hop, pools: planned }) => {
  const { pools } = facts;
  if (isHosted(facts)) return [notApplicable()];
  if (pools === null) {
    return [inputMissing(TYPE, 'the machine config pools were', [COMMAND])];
  }
  if (pools.length === 0) return [noPools()];
  const { newest } = apiServerMinors(facts, hops[0] ?? hop);
  const members = nodesByPool(facts);
  const caughtUp = rolledByThen(hop, planned);
  const states = pools
    .filter(({ name }) => !caughtUp.has(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((pool): PoolState => {
      const nodes = members.get(pool.name) ?? [];
      return { pool, nodes, outdated: outdatedMachines(pool, nodes, newest) };
    });
  const isFirst = hop.index === 0;
  const findings = [
    ...(isFirst ? [...withoutControlPlane(pools), ...healthOf(states)] : []),
    ...told('PoolPausedOutdated', 'warn', states.filter(isPausedOutdated), pausedText),
  ];
  const ready = isFirst
    ? asExpected(TYPE, readyText(states))
    : finding({
        type: TYPE,
        status: 'True',
        reason: 'AfterPreviousHop',
        message: `Check the pools again once ${hop.from.raw} is Completed`,
        effect: 'ok',
      });
  return [...(findings.length === 0 ? [ready] : findings), ...pausedUpToDate(states)];
};

/** Names of pools that the plan itself updates before a later hop. */
function rolledByThen({ index }: Hop, planned: readonly PlannedPool[]): ReadonlySet<string | null> {
  const isBefore = ({ rolls }: PlannedPool) =>
    rolls.some(({ beforeHop }) => beforeHop !== null && beforeHop <= index);
  return new Set(index === 0 ? [] : planned.filter(isBefore).map(({ pool }) => pool));
}

function noPools(): Finding {
  const message = `The list of machine config pools is empty, which it is on no cluster with its own control plane; send what \`${COMMAND}\` prints`;
  return {
    ...finding({ type: TYPE, status: 'Unknown', reason: 'NoPools', message, effect: 'warn' }),
    remediation: [COMMAND],
  };
}

/** The pools of a cluster that were sent one by one. */
function withoutControlPlane(pools: readonly PoolFacts[]): Finding[] {
  if (pools.some(({ name }) => name === CONTROL_PLANE_POOL)) return [];
  const message = `The machine config pools that were supplied do not include ${CONTROL_PLANE_POOL}, which every cluster with its own control plane has; send what \`${COMMAND}\` prints`;
  return [
    {
      ...finding({ type: TYPE, status: 'Unknown', reason: 'NoControlPlanePool', message, effect: 'warn' }),
      remediation: [COMMAND],
    },
  ];
}

function notApplicable(): Finding {
  const message =
    'Hosted clusters have no machine config pools; check the node pools on the management cluster';
  return finding({ type: TYPE, status: 'True', reason: 'NotApplicableHosted', message, effect: 'ok' });
}

function healthOf(states: readonly PoolState[]): Finding[] {
  const degraded = states.filter(({ pool }) => isDegraded(pool));
  const updating = states.filter(({ pool }) => isUpdating(pool) && !pool.paused);
  const isControlPlaneUpdating = updating.some(({ pool }) => isControlPlanePool(pool));
  return [
    ...told('PoolDegraded', 'block', degraded, degradedText),
    ...silent(states.filter(({ pool }) => isSilent(pool))),
    ...told('ControlPlanePoolPaused', 'block', states.filter(isPausedControlPlane), controlPlaneText),
    ...told('PoolUpdating', isControlPlaneUpdating ? 'block' : 'warn', updating, updatingText),
  ];
}

/** Not taken for healthy. */
function silent(states: readonly PoolState[]): Finding[] {
  return told('PoolUnknown', 'warn', states, unknownText).map((found) => ({
    ...found,
    status: 'Unknown',
    remediation: states.flatMap(({ pool: { name } }) => [
      `Find out why pool ${name} does not report whether it is degraded`,
      `oc describe mcp/${shellWord(name)}`,
    ]),
  }));
}

function outdatedMachines(pool: PoolFacts, nodes: readonly NodeFacts[], apiServer: number): number {
  const { total, updated } = pool.machines;
  const behind = nodes.filter(
    ({ kubeletVersion }) => (kubeletMinorOf(kubeletVersion) ?? apiServer) < apiServer,
  );
  const isOldConfiguration = pool.configuration.wanted !== pool.configuration.current;
  return Math.max(total - updated, behind.length, isOldConfiguration && total > 0 ? 1 : 0);
}

function told(
  reason: string,
  effect: 'warn' | 'block',
  states: readonly PoolState[],
  text: (state: PoolState) => string,
): Finding[] {
  if (states.length === 0) return [];
  return [
    {
      ...finding({ type: TYPE, status: 'False', reason, message: states.map(text).join('; '), effect }),
      objects: states.map(objectOf),
      remediation: states.flatMap(({ pool, nodes }) => rolloutChoices(pool, nodes)),
    },
  ];
}

function isPausedControlPlane({ pool }: PoolState): boolean {
  return pool.paused && isControlPlanePool(pool);
}

function isPausedOutdated({ pool, outdated }: PoolState): boolean {
  return pool.paused && outdated > 0 && !isControlPlanePool(pool);
}

function degradedText({ pool, nodes }: PoolState): string {
  const { degraded, total } = pool.machines;
  const why = listInWords(causesOf(pool, nodes));
  return `Pool ${pool.name} is degraded, ${degraded} of ${countInWords(total, 'machine')}${why === '' ? '' : `: ${why}`}`;
}

/** Causes from the nodes, else from the pool; empty if the pool is not degraded. */
function causesOf(pool: PoolFacts, nodes: readonly NodeFacts[]): readonly string[] {
  if (!isDegraded(pool)) return [];
  const broken = brokenNodes(nodes);
  const reported = pool.conditions.find(({ type, status }) => type === 'Degraded' && status === 'True');
  return broken.length > 0 ? broken : [excerpt(reported?.message ?? '')].filter((text) => text !== '');
}

function unknownText({ pool }: PoolState): string {
  return `Pool ${pool.name} does not report whether it is degraded`;
}

function controlPlaneText({ pool }: PoolState): string {
  return `Pool ${pool.name} is paused, and an update of the control plane cannot end before it rolls`;
}

function pausedText({ pool, outdated }: PoolState): string {
  return `Pool ${pool.name} is paused with ${outdated} of ${countInWords(pool.machines.total, 'machine')} outdated`;
}

function updatingText({ pool }: PoolState): string {
  const { total, updated } = pool.machines;
  return `Pool ${pool.name} is being rolled, ${updated} of ${countInWords(total, 'machine')} done`;
}

function readyText(states: readonly PoolState[]): string {
  return `None of ${countInWords(states.length, 'pool')} is degraded, being rolled, or paused with outdated machines`;
}

function pausedUpToDate(states: readonly PoolState[]): Finding[] {
  const paused = states.filter(
    ({ pool, outdated }) => pool.paused && outdated === 0 && !isControlPlanePool(pool),
  );
  if (paused.length === 0) return [];
  const names = paused.map(({ pool }) => pool.name);
  const message = `Paused and up to date, to stay behind from here on until unpaused: ${names.length === 1 ? 'pool' : 'pools'} ${listInWords(names)}`;
  return [
    {
      ...finding({ type: TYPE, status: 'True', reason: 'PoolPaused', message, effect: 'info' }),
      objects: paused.map(objectOf),
    },
  ];
}

function objectOf({ pool, nodes, outdated }: PoolState): ConditionObject {
  const { total, updated, degraded } = pool.machines;
  const causes = causesOf(pool, nodes);
  return {
    kind: 'MachineConfigPool',
    name: pool.name,
    detail: {
      paused: pool.paused,
      machines: total,
      updated,
      outdated,
      degraded,
      maxUnavailable: pool.maxUnavailable,
      ...(causes.length > 0 && { causes }),
    },
  };
}
