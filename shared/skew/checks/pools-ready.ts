import type { NodeFacts, PoolFacts } from '../../cluster/facts.ts';
import { apiServerMinors } from '../api-servers.ts';
import type { ConditionObject, Finding } from '../condition.ts';
import { asExpected, finding } from '../findings.ts';
import { inputMissing } from '../input-missing.ts';
import type { Check } from '../hop.ts';
import { countInWords, listInWords } from '../../text/in-words.ts';
import { kubeletMinorOf } from '../kubelet-version.ts';
import { isControlPlanePool, nodesByPool } from '../node-pools.ts';
import { brokenNodes, isDegraded, isUpdating, waysToRoll } from '../pool-state.ts';

const TYPE = 'PoolsReady';

interface PoolState {
  readonly pool: PoolFacts;
  readonly nodes: readonly NodeFacts[];
  /** Machines without the configuration that is wanted of them, or with a kubelet older than the API server. */
  readonly outdated: number;
}

/** Says which pools have to be rolled, unpaused or repaired. It never holds a hop back: what matters of it is skew. */
export const poolsReady: Check = ({ facts, hops, hop }) => {
  const { pools } = facts;
  if (pools === null) {
    return [inputMissing(TYPE, 'the machine config pools were', ['oc get machineconfigpools -o json'])];
  }
  const { newest } = apiServerMinors(facts, hops[0] ?? hop);
  const members = nodesByPool(facts);
  const states = pools
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((pool): PoolState => {
      const nodes = members.get(pool.name) ?? [];
      return { pool, nodes, outdated: outdatedMachines(pool, nodes, newest) };
    });
  const findings = [
    ...told('PoolDegraded', states, ({ pool }) => isDegraded(pool), degradedText),
    ...told('ControlPlanePoolPaused', states, isPausedControlPlane, controlPlaneText),
    ...told('PoolPausedOutdated', states, isPausedOutdated, pausedText),
    ...told('PoolUpdating', states, ({ pool }) => isUpdating(pool) && !pool.paused, updatingText),
  ];
  const condition = findings.length === 0 ? [asExpected(TYPE, readyText(states))] : findings;
  return [...condition, ...pausedUpToDate(states)];
};

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
  all: readonly PoolState[],
  applies: (state: PoolState) => boolean,
  text: (state: PoolState) => string,
): Finding[] {
  const states = all.filter(applies);
  if (states.length === 0) return [];
  return [
    {
      ...finding(TYPE, 'False', reason, states.map(text).join('; '), 'warn'),
      objects: states.map(objectOf),
      remediation: states.flatMap(({ pool, nodes }) => waysToRoll(pool, nodes)),
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
  const reported = pool.conditions.find(({ type, status }) => type === 'Degraded' && status === 'True');
  const { degraded, total } = pool.machines;
  const causes = brokenNodes(nodes);
  const why = causes.length > 0 ? listInWords(causes) : (reported?.message ?? '');
  return `Pool ${pool.name} is degraded, ${degraded} of ${countInWords(total, 'machine')}${why === '' ? '' : `: ${why}`}`;
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
  if (states.length === 0) return 'The cluster has no machine config pools';
  return `None of ${countInWords(states.length, 'pool')} is degraded, being rolled, or paused with outdated machines`;
}

function pausedUpToDate(states: readonly PoolState[]): Finding[] {
  const paused = states.filter(
    ({ pool, outdated }) => pool.paused && outdated === 0 && !isControlPlanePool(pool),
  );
  if (paused.length === 0) return [];
  const names = paused.map(({ pool }) => pool.name);
  const message = `Paused and up to date, to stay behind from here on until unpaused: ${names.length === 1 ? 'pool' : 'pools'} ${listInWords(names)}`;
  return [{ ...finding(TYPE, 'True', 'PoolPaused', message, 'info'), objects: paused.map(objectOf) }];
}

function objectOf({ pool, outdated }: PoolState): ConditionObject {
  const { total, updated, degraded } = pool.machines;
  return {
    kind: 'MachineConfigPool',
    name: pool.name,
    detail: { paused: pool.paused, machines: total, updated, outdated, degraded },
  };
}
