import { describe, expect, it } from 'vitest';
import {
  cellsOf,
  lookOf,
  looksInWords,
  type PoolNode,
} from '../../../../../functions/console/updates/node-cells.ts';

function aNode(name: string, changes: Partial<PoolNode> = {}): PoolNode {
  return {
    name,
    phase: 'Pending',
    assessment: 'Outdated',
    version: null,
    estimate: '?',
    message: '',
    phaseSince: null,
    unavailable: false,
    degraded: false,
    stuck: false,
    ...changes,
  };
}

describe('the cells of a pool', () => {
  it.each<[Partial<PoolNode>, string]>([
    [{ phase: 'Updated', assessment: 'Completed' }, 'updated'],
    [{ phase: 'Draining', assessment: 'Progressing' }, 'draining'],
    [{ phase: 'Draining', assessment: 'Progressing', stuck: true }, 'stuck'],
    [{ phase: 'Draining', assessment: 'Degraded', degraded: true }, 'stuck'],
    [{ phase: 'Pending', assessment: 'Unavailable', unavailable: true }, 'unavailable'],
    [{ phase: 'Updating', assessment: 'Progressing', unavailable: true }, 'updating'],
    [{ phase: 'Rebooting', assessment: 'Progressing' }, 'rebooting'],
    [{ phase: 'Paused', assessment: 'Excluded' }, 'paused'],
    [{}, 'pending'],
  ])('of %o look %s', (changes, look) => {
    expect(lookOf(aNode('a', changes))).toBe(look);
  });

  it('draw any number of nodes with one path per look', () => {
    const nodes = Array.from({ length: 5000 }, (_, at) =>
      aNode(`n-${at}`, at < 4000 ? { phase: 'Updated', assessment: 'Completed' } : { stuck: at === 4500 }),
    );
    const { paths, columns, pitch, width, height } = cellsOf(nodes, false);
    expect(paths.map(({ look }) => look)).toEqual(['updated', 'stuck', 'pending']);
    expect(width).toBe(columns * pitch);
    expect(height).toBe(Math.ceil(5000 / columns) * pitch);
    expect(paths[0]!.cells.match(/M/g)).toHaveLength(4000);
  });

  it('are in the order of the words', () => {
    const nodes = [aNode('a'), aNode('b', { phase: 'Updated' }), aNode('c', { stuck: true }), aNode('d')];
    expect(cellsOf(nodes, true).nodes.map(({ name }) => name)).toEqual(['b', 'c', 'a', 'd']);
    expect(looksInWords(nodes)).toBe('1 updated, 1 stuck, 2 pending');
  });
});
