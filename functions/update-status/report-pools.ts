import type { Block } from '@cairn/shared/text/blocks';
import type { NodeCounts, NodeStatus, PoolStatus } from '@cairn/shared/update-status/answer';
import { countNodes, isInProgress } from '@cairn/shared/update-status/pools';

/** Nothing if no worker pool has a node. */
export function poolsBlocks(pools: readonly PoolStatus[], isWhole: boolean): Block[] {
  if (pools.every(({ counts }) => counts.total === 0)) return [];
  return [
    { kind: 'heading', text: 'Worker pools' },
    {
      kind: 'table',
      header: ['WORKER POOL', 'ASSESSMENT', 'COMPLETION', 'STATUS'],
      rows: pools.map((pool) => [pool.name, pool.assessment, completionText(pool), statusText(pool.counts)]),
      whole: [0],
    },
    ...pools.flatMap((pool) => nodeBlocks(pool, isWhole)),
  ];
}

function completionText({ completion: { percent }, counts }: PoolStatus): string {
  return percent === null ? '' : `${percent}% (${counts.updated}/${counts.total})`;
}

function statusText(counts: NodeCounts): string {
  if (counts.total === 0) return '0 Total';
  return [
    `${counts.available} Available`,
    `${counts.progressing} Progressing`,
    `${counts.draining} Draining`,
    ...(counts.excluded > 0 ? [`${counts.excluded} Excluded`] : []),
    ...(counts.degraded > 0 ? [`${counts.degraded} Degraded`] : []),
  ].join(', ');
}

/** Nodes of a pool without details; those in trouble are always shown. */
const MOST_NODES = 10;

export function nodeBlocks(pool: PoolStatus, isWhole: boolean): Block[] {
  const { role, name, nodes, counts } = pool;
  if (counts.total === 0) return [];
  const isControlPlane = role === 'control-plane';
  if (isControlPlane && counts.outdated === 0) {
    return [
      { kind: 'paragraph', text: `All control plane nodes are updated to ${nodes[0]?.version ?? '?'}.` },
    ];
  }
  const shown = nodes.filter((node, index) => isWhole || index < MOST_NODES || isInTrouble(node));
  return [
    { kind: 'subheading', text: isControlPlane ? 'Control plane nodes' : `Worker pool nodes: ${name}` },
    {
      kind: 'table',
      header: ['NAME', 'ASSESSMENT', 'PHASE', 'VERSION', 'EST', 'MESSAGE'],
      rows: shown.map((node) => [
        node.name,
        node.assessment,
        node.phase,
        node.version ?? '?',
        node.estimate,
        node.message,
      ]),
      whole: [0, 5],
    },
    ...omittedBlocks(counts, countNodes(shown)),
  ];
}

function isInTrouble(node: NodeStatus): boolean {
  return node.degraded || (node.unavailable && !isInProgress(node));
}

function omittedBlocks(all: NodeCounts, shown: NodeCounts): Block[] {
  const left = (count: keyof NodeCounts): number => all[count] - shown[count];
  if (left('total') === 0) return [];
  const counts = [
    `${left('updated')} completed`,
    `${left('available')} available`,
    `${left('progressing')} progressing`,
    `${left('outdated')} outdated`,
    `${left('draining')} draining`,
    `${left('excluded')} excluded`,
  ];
  const text = `${left('total')} nodes are not shown: ${counts.join(', ')}. Add --details=nodes for all nodes.`;
  return [{ kind: 'paragraph', text }];
}
