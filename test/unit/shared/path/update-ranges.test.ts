import { prepareGraph, type PreparedGraph } from '@cairn/shared/path/prepared-graph';
import { type UpdateRange, updateRanges } from '@cairn/shared/path/update-ranges';
import { minorOf } from '@cairn/shared/version/minor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aGraph, aGroup, aRisk } from '../../../helpers/path/answers.ts';
import { channel, drawn } from '../../../helpers/path/channels.ts';
import { sized } from '../../../helpers/size.ts';

/** `4.14.12–4.14.66 (3) A,B`, and a single release as it is. */
function shown(ranges: readonly UpdateRange[]): string[] {
  return ranges.map(({ first, last, count, risks }) =>
    [first === last ? first : `${first}–${last} (${count})`, risks.join()].filter(Boolean).join(' '),
  );
}

describe('the updates of a release', () => {
  const graph = channel(
    'eus-4.16',
    '4.14.0 > 4.15.9 Slow',
    '4.14.1 > 4.15.9 Slow',
    '4.14.2 > 4.15.9',
    '4.14.3 > 4.15.9',
    '4.15.0 > 4.15.9',
    '4.15.1',
    '4.15.2 > 4.15.9',
    '4.15.3 > 4.15.9 Slow,Broken',
    '4.15.4 > 4.15.9 Broken,Slow',
    '4.15.9 > 4.15.10',
    '4.15.9 > 4.16.0 Broken',
    '4.15.9 > 4.16.1',
  );

  it('that lead to it are ranges, newest first', () => {
    expect(shown(updateRanges(graph, '4.15.9', 'in'))).toEqual([
      '4.15.3–4.15.4 (2) Broken,Slow',
      // 4.15.1 has no update, and so is not passed over.
      '4.15.2',
      '4.15.0',
      '4.14.2–4.14.3 (2)',
      '4.14.0–4.14.1 (2) Slow',
    ]);
  });

  it('that leave it too', () => {
    expect(updateRanges(graph, '4.15.9', 'out')).toEqual([
      { minor: '4.16', first: '4.16.1', last: '4.16.1', count: 1, risks: [] },
      { minor: '4.16', first: '4.16.0', last: '4.16.0', count: 1, risks: ['Broken'] },
      { minor: '4.15', first: '4.15.10', last: '4.15.10', count: 1, risks: [] },
    ]);
  });

  it.each(['in', 'out'] as const)('are none for one that is not there, or has none: %s', (direction) => {
    expect(updateRanges(graph, '4.13.0', direction)).toEqual([]);
    expect(updateRanges(graph, '4.15.1', direction)).toEqual([]);
  });

  it('order minors as releases, across majors', () => {
    const majors = channel('fast-5.0', '4.22.9 > 5.0.4', '4.22.10 > 5.0.4', '5.0.0 > 5.0.4', '5.0.1 > 5.0.4');
    expect(shown(updateRanges(majors, '5.0.4', 'in'))).toEqual(['5.0.0–5.0.1 (2)', '4.22.9–4.22.10 (2)']);
  });

  it('are one range where risks of one name are worded differently', () => {
    const worded = aGraph(
      ['4.1.0', '4.1.1', '4.1.2'],
      [],
      [
        aGroup([['4.1.0', '4.1.2']], aRisk('A')),
        aGroup([['4.1.1', '4.1.2']], aRisk('A', { message: 'in other words' })),
      ],
    );
    const prepared = prepareGraph([{ channel: 'stable-4.1', graph: worded }]);
    expect(shown(updateRanges(prepared, '4.1.2', 'in'))).toEqual(['4.1.0–4.1.1 (2) A']);
  });
});

/** Each update by itself: `4.15.0 A,B` */
function oneByOne(graph: PreparedGraph, version: string, direction: 'in' | 'out'): string[] {
  const updates: string[] = [];
  graph.nodes.forEach((node, from) => {
    for (let edge = graph.leaving.offsets[from]!; edge < graph.leaving.offsets[from + 1]!; edge++) {
      const target = graph.nodes[graph.leaving.targets[edge]!]!;
      const [here, there] = direction === 'in' ? [target, node] : [node, target];
      const names = graph.riskSets[graph.leaving.risks[edge]!]!.map(({ name }) => name);
      if (here.version === version) updates.push(`${there.version} ${names.join()}`);
    }
  });
  return updates;
}

const VERSIONS = ['4.9.0-rc.1', '4.9.0', '4.9.1', '4.9.2', '4.10.0', '4.10.1', '4.10.2', '4.10.3'];
const edge = fc
  .tuple(fc.nat(7), fc.nat(7), fc.constantFrom('', ' A', ' A,B'))
  .filter(([from, to]) => from < to)
  .map(([from, to, risks]) => `${VERSIONS[from]} > ${VERSIONS[to]}${risks}`);

describe('ranges of any graph', () => {
  it('hold every update once, and could not be longer', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(edge, { maxLength: 28, selector: (text) => text.replace(/ [AB,]+$/, '') }),
        fc.constantFrom(...VERSIONS),
        fc.constantFrom('in' as const, 'out' as const),
        (edges, version, direction) => {
          const graph = prepareGraph([{ channel: 'stable-4.10', graph: drawn(...VERSIONS, ...edges) }]);
          const ranges = updateRanges(graph, version, direction);
          const spread = ranges.toReversed().flatMap(({ first, last, count, risks, minor }) => {
            const [start, end] = [graph.index.get(first)!, graph.index.get(last)!];
            const releases = graph.versions.slice(start, end + 1);
            expect(releases.map(minorOf)).toEqual(Array.from({ length: count }, () => minor));
            return releases.map(({ raw }) => `${raw} ${risks.join()}`);
          });
          expect(spread).toEqual(oneByOne(graph, version, direction));
          for (const [at, newer] of ranges.slice(0, -1).entries()) {
            const older = ranges[at + 1]!;
            const isNext = graph.index.get(newer.first) === graph.index.get(older.last)! + 1;
            const isSame = newer.minor === older.minor && newer.risks.join() === older.risks.join();
            expect(isNext && isSame).toBe(false);
          }
        },
      ),
      { numRuns: sized(100, 500) },
    );
  });
});
