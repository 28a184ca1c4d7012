import { CONTROL_PLANE_POOL } from '../../cluster/pools.ts';
import type { Insight } from '../answer.ts';
import type { NodeProgress } from '../nodes.ts';
import type { PoolProgress } from '../pools.ts';
import { unavailableSince } from '../unavailable.ts';
import { withDefaults } from './references.ts';

/** Insights of the nodes of a pool, then of the pool. */
export function nodeInsights({ pool, nodes }: PoolProgress): Insight[] {
  const scope = pool.name === CONTROL_PLANE_POOL ? 'ControlPlane' : 'WorkerPool';
  const isHeld = pool.paused && nodes.some(({ status }) => status.phase === 'Paused');
  return [
    ...nodes.flatMap((node) => [
      ...(node.causes.some(({ isSerious }) => isSerious) && !node.isUpdating
        ? [unavailable(node, scope)]
        : []),
      ...(node.status.degraded ? [degraded(node, scope)] : []),
    ]),
    ...(isHeld ? [poolPaused(pool.name)] : []),
  ];
}

function unavailable({ node, causes }: NodeProgress, scope: Insight['scope']): Insight {
  const messages = causes.map(({ message }) => message).filter((message) => message !== '');
  return withDefaults({
    type: 'NodeUnavailable',
    level: 'Warning',
    impact: 'Update Speed',
    scope,
    since: unavailableSince(causes),
    message: `Node ${node.name} is unavailable: ${causes.map(({ text }) => text).join(' | ')}`,
    description: messages.join(' | '),
    reason: null,
    resources: [nodeResource(node.name)],
  });
}

function degraded({ node }: NodeProgress, scope: Insight['scope']): Insight {
  return withDefaults({
    type: 'NodeDegraded',
    level: 'Error',
    impact: 'Update Stalled',
    scope,
    since: null,
    message: `Node ${node.name} is degraded`,
    description: node.machineConfig.reason,
    reason: null,
    resources: [nodeResource(node.name)],
  });
}

function poolPaused(name: string): Insight {
  return withDefaults({
    type: 'PoolPaused',
    level: 'Warning',
    impact: 'Update Stalled',
    scope: 'WorkerPool',
    since: null,
    message: `Machine config pool ${name} is paused; its outdated nodes are not updated`,
    description: 'A paused pool changes none of its nodes. Its nodes update after you unpause it.',
    reason: null,
    resources: [poolResource(name)],
  });
}

export function poolResource(name: string): Insight['resources'][number] {
  return { group: 'machineconfiguration.openshift.io', kind: 'MachineConfigPool', namespace: null, name };
}

function nodeResource(name: string): Insight['resources'][number] {
  return { group: '', kind: 'Node', namespace: null, name };
}
