import type { Minor } from '@cairn/shared/version/minor';
import { describe, expect, test } from 'vitest';
import { lanesOf, layOutLanes, openMinors } from '../../../../../functions/console/lanes/layout.ts';
import { channel } from '../../../../helpers/path/channels.ts';

const graph = channel('x', '4.13.0', '4.13.2', '4.14.0-rc.1', '4.14.0-rc.0', '4.14.1', '4.14.30', '4.15.3');
const lanes = lanesOf(graph);

function laidOut(open: readonly Minor[], width = 600) {
  const layout = layOutLanes(graph, lanes, new Set(open), width);
  const at = (version: string) => {
    const place = graph.index.get(version)!;
    return { x: layout.x[place]!, y: layout.y[place]! };
  };
  return { layout, at };
}

test('a lane per minor, newest first, pre-releases before the others', () => {
  const shown = lanes.map(({ minor, places, prereleases }) => [
    minor,
    places.map((place) => graph.nodes[place]!.version).join(' '),
    prereleases,
  ]);
  expect(shown).toEqual([
    ['4.15', '4.15.3', 0],
    ['4.14', '4.14.0-rc.0 4.14.0-rc.1 4.14.1 4.14.30', 2],
    ['4.13', '4.13.0 4.13.2', 0],
  ]);
});

describe('x', () => {
  test('is the patch number, the same in every lane, with holes where nothing was shipped', () => {
    const { layout, at } = laidOut(['4.15', '4.14', '4.13']);
    const zero = at('4.13.0').x;
    expect(at('4.13.2').x).toBeCloseTo(zero + 2 * layout.pitch);
    expect(at('4.15.3').x).toBeCloseTo(zero + 3 * layout.pitch);
    expect(at('4.14.30').x).toBeCloseTo(zero + 30 * layout.pitch);
  });

  test('pre-releases stand left of .0, in order', () => {
    const { layout, at } = laidOut(['4.15', '4.14', '4.13']);
    expect(at('4.14.0-rc.0').x).toBeLessThan(at('4.14.0-rc.1').x);
    expect(at('4.14.0-rc.1').x).toBeLessThan(layout.prereleaseEnd);
    expect(layout.prereleaseEnd).toBeLessThan(at('4.13.0').x);
  });

  test('without open pre-releases nothing is kept free for them', () => {
    expect(laidOut(['4.15']).layout.prereleaseEnd).toBe(0);
  });

  test('the patches share the width, up to a limit, and scroll when they would be too close', () => {
    expect(laidOut(['4.14', '4.13'], 600).layout.width).toBe(600);
    expect(laidOut(['4.13'], 600).layout.pitch).toBe(26);
    const narrow = laidOut(['4.14'], 120).layout;
    expect(narrow.pitch).toBe(9);
    expect(narrow.width).toBeGreaterThan(30 * 9);
  });

  test('releases of folded lanes stay inside the picture', () => {
    const { layout, at } = laidOut(['4.13'], 200);
    expect(at('4.14.30').x).toBeLessThan(layout.width);
    expect(at('4.14.0-rc.0').x).toBeGreaterThan(0);
  });

  test('numbers beyond all patches do not make the picture endless', () => {
    const wild = channel('x', '4.14.0', '4.14.7', '4.14.2000000');
    const layout = layOutLanes(wild, lanesOf(wild), new Set<Minor>(['4.14']), 300);
    expect(layout.width).toBe(300);
    expect([...layout.x]).toEqual([...layout.x].toSorted((a, b) => a - b));
    expect(new Set(layout.x).size).toBe(3);
    expect(layout.rows[0]!.ticks.map(({ text }) => text)).toEqual(['.0']);
  });
});

describe('rows', () => {
  test('an open lane is higher than a folded one; together they are the height', () => {
    const { layout } = laidOut(['4.14']);
    expect(layout.rows.map(({ top, isOpen }) => [top, isOpen])).toEqual([
      [0, false],
      [40, true],
      [158, false],
    ]);
    expect(layout.height).toBe(198);
    expect(laidOut(['4.14']).at('4.14.1').y).toBe(layout.rows[1]!.y);
  });

  test('every tenth patch is labelled, as far as the lane goes', () => {
    const { layout } = laidOut(['4.15', '4.14']);
    expect(layout.rows.map(({ ticks }) => ticks.map(({ text }) => text).join(' '))).toEqual([
      '.0',
      '.0 .10 .20 .30',
      '',
    ]);
  });
});

describe('lanes that are open', () => {
  const six = channel('x', '4.11.0', '4.12.0', '4.13.0', '4.14.0', '4.15.0', '4.16.0');
  test.each<[string, readonly Minor[] | null, string[], string]>([
    ['those asked for', ['4.12'], ['4.13.0', '4.14.0'], '4.12'],
    ['none when none is asked for', [], ['4.13.0'], ''],
    ['those from start to target', null, ['4.13.0', '4.15.0'], '4.15 4.14 4.13'],
    ['those towards an end that is not there', null, ['4.10.7', '4.12.0'], '4.12 4.11'],
    ['that of the target where no release is the start', null, ['', '4.13.0'], '4.13'],
    ['the newest four without a plan', null, [], '4.16 4.15 4.14 4.13'],
  ])('%s', (_, asked, ends, expected) => {
    expect([...openMinors(six, lanesOf(six), asked, ends)].join(' ')).toBe(expected);
  });
});

test('an empty graph has no lanes and no height', () => {
  const empty = channel('x');
  expect(layOutLanes(empty, lanesOf(empty), new Set(), 400)).toMatchObject({
    rows: [],
    width: 400,
    height: 0,
  });
});
