import type { NodeFacts, PoolFacts } from '../cluster/facts.ts';
import { isBroken } from '../cluster/nodes.ts';
import { NODE_ASSESSMENTS, NODE_PHASES, type NodeStatus } from './answer.ts';
import { cutMessage } from './conditions.ts';
import { type Cause, causesOf } from './unavailable.ts';

/** Release that nodes are updated to. */
export interface Rollout {
  readonly target: string;
  /** Release by MachineConfig. */
  readonly releases: ReadonlyMap<string, string>;
  /** To multi-arch: no version changes, so the configuration decides. */
  readonly isMigrating: boolean;
}

/** A node with what the insights about it need. */
export interface NodeProgress {
  readonly node: NodeFacts;
  readonly status: NodeStatus;
  readonly isUpdating: boolean;
  readonly causes: readonly Cause[];
}

export function nodeProgress(node: NodeFacts, pool: PoolFacts, rollout: Rollout, at: number): NodeProgress {
  const isUpdated = hasTarget(node, pool, rollout);
  const isUpdating = !isUpdated && movesToTarget(node, pool, rollout);
  const degraded = node.machineConfig.desired !== '' && isBroken(node);
  const causes = causesOf(node, at);
  const phase = phaseOf(node, pool, { isUpdated, isUpdating });
  const unmoved = isUpdated ? '-' : '?';
  const state = degraded
    ? { assessment: 'Degraded' as const, message: node.machineConfig.reason, estimate: unmoved }
    : causes.length > 0 && !isUpdating
      ? {
          assessment: 'Unavailable' as const,
          message: causes.map(({ text }) => text).join(' | '),
          estimate: unmoved,
        }
      : { ...BY_PHASE[phase], message: '' };
  return {
    node,
    isUpdating,
    causes,
    status: {
      name: node.name,
      phase,
      version: rollout.releases.get(node.machineConfig.current) ?? null,
      unavailable: causes.length > 0,
      degraded,
      ...state,
      message: cutMessage(withoutName(state.message, node.name)),
    },
  };
}

const BY_PHASE: Readonly<
  Record<NodeStatus['phase'], { readonly assessment: NodeStatus['assessment']; readonly estimate: string }>
> = {
  Draining: { assessment: 'Progressing', estimate: '+10m' },
  Rebooting: { assessment: 'Progressing', estimate: '+5m' },
  Updating: { assessment: 'Progressing', estimate: '+5m' },
  Updated: { assessment: 'Completed', estimate: '-' },
  Paused: { assessment: 'Excluded', estimate: '-' },
  Pending: { assessment: 'Outdated', estimate: '?' },
};

function hasTarget({ machineConfig }: NodeFacts, pool: PoolFacts, rollout: Rollout): boolean {
  const { current, desired } = machineConfig;
  if (rollout.releases.get(current) !== rollout.target) return false;
  if (!rollout.isMigrating || desired === '') return true;
  return current === desired && desired === pool.configuration.wanted;
}

function movesToTarget(
  { machineConfig }: NodeFacts,
  pool: PoolFacts,
  { releases, target }: Rollout,
): boolean {
  const { current, desired } = machineConfig;
  return (
    releases.has(current) &&
    releases.get(desired) === target &&
    current !== desired &&
    desired === pool.configuration.wanted
  );
}

function phaseOf(
  node: NodeFacts,
  pool: PoolFacts,
  { isUpdated, isUpdating }: { readonly isUpdated: boolean; readonly isUpdating: boolean },
): NodeStatus['phase'] {
  if (isUpdating) {
    if (isDraining(node)) return 'Draining';
    return node.machineConfig.state === 'Rebooting' ? 'Rebooting' : 'Updating';
  }
  if (isUpdated) return 'Updated';
  return pool.paused ? 'Paused' : 'Pending';
}

/** Of an updating node. A daemon that still reports Done has not begun: the drain comes first. */
function isDraining({ machineConfig }: NodeFacts): boolean {
  const { state, desiredDrain = '', lastAppliedDrain = '' } = machineConfig;
  if (desiredDrain === '' || lastAppliedDrain === '') return false;
  return (desiredDrain !== lastAppliedDrain && desiredDrain.split('-', 1)[0] === 'drain') || state === 'Done';
}

/** A shorter name could be part of another word. */
const SHORTEST_REPLACED_NAME = 8;

function withoutName(message: string, name: string): string {
  return name.length < SHORTEST_REPLACED_NAME ? message : message.replaceAll(name, '<node>');
}

export function compareNodes({ status: a }: NodeProgress, { status: b }: NodeProgress): number {
  return (
    NODE_ASSESSMENTS.indexOf(a.assessment) - NODE_ASSESSMENTS.indexOf(b.assessment) ||
    NODE_PHASES.indexOf(a.phase) - NODE_PHASES.indexOf(b.phase) ||
    (a.name < b.name ? -1 : 1)
  );
}

/** Phases by the number of their rank. */
export const NODE_RANKS = ['Pending', 'Draining', 'Updating', 'Rebooting', 'Updated'] as const;

export function rankOf({ phase }: Pick<NodeStatus, 'phase'>): number {
  return phase === 'Paused' ? 0 : NODE_RANKS.indexOf(phase);
}
