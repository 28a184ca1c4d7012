import { diffGraphs } from '@cairn/shared/graph/diff';
import { normalizeGraph } from '@cairn/shared/graph/normalize';
import { expect, it } from 'vitest';
import { changeEvent, changeOf } from '../../../../functions/sync/report-change.ts';
import { at, chainGraph, series } from '../../../helpers/upstream/sync-harness.ts';

const PAIR = { channel: 'stable-4.14', arch: 'amd64', minor: '4.14' } as const;

function graphOf(answer: unknown) {
  const normalized = normalizeGraph(answer, { arch: 'amd64' });
  if (!normalized.ok) throw new Error(normalized.detail);
  return normalized.graph;
}

it('keeps records and events of the largest changes within what an item and a call may hold, with true counts', () => {
  const versions = series('4.14', 200);
  const before = graphOf(chainGraph(versions));
  const risk = (index: number) => ({
    name: `Risk${index}${'x'.repeat(200)}`,
    message: 'm',
    url: 'https://example.com/risk',
    matchingRules: [{ type: 'Always' }],
  });
  const conditionalEdges = versions.slice(1).map((to, index) => ({
    edges: versions.slice(0, index + 1).map((from) => ({ from, to })),
    risks: Array.from({ length: 20 }, (_, n) => risk(index * 20 + n)),
  }));
  const after = graphOf({
    ...chainGraph([...versions, ...series('4.15', 2000)]),
    edges: [],
    conditionalEdges,
  });
  const change = changeOf(PAIR, at(0), '1-1', diffGraphs(before, after));
  expect(change.counts).toMatchObject({ versionsAdded: 2000, turnedConditional: 19_900 });
  expect(change.versionsAdded[0]).toBe('4.15.0');
  expect(JSON.stringify(change).length).toBeLessThan(128 * 1024);
  const event = changeEvent(change);
  expect(JSON.stringify(event).length * 10).toBeLessThan(256 * 1024);
  expect(event.detail).toMatchObject({ channel: 'stable-4.14', arch: 'amd64', counts: change.counts });
});
