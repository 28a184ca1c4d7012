import type { Minor } from '@cairn/shared/version/minor';
import { expect, test } from 'vitest';
import { firstPlace, moveBy } from '../../../../../functions/console/lanes/keyboard.ts';
import { lanesOf, layOutLanes } from '../../../../../functions/console/lanes/layout.ts';
import { channel } from '../../../../helpers/path/channels.ts';

const patches = (minor: string, ...numbers: number[]) => numbers.map((patch) => `${minor}.${patch}`);
const graph = channel(
  'x',
  ...patches('4.13', 0, 3, 5, 20),
  ...patches('4.14', 1),
  ...patches('4.15', 0, 1, 2, 10, 12, 30),
);
const open = new Set<Minor>(['4.13', '4.15']);
const layout = layOutLanes(graph, lanesOf(graph), open, 600);

test.each([
  ['ArrowRight', '4.15.2', '4.15.10'],
  ['ArrowLeft', '4.15.10', '4.15.2'],
  ['ArrowLeft', '4.15.0', '4.15.0'],
  ['ArrowRight', '4.15.30', '4.15.30'],
  ['Home', '4.15.12', '4.15.0'],
  ['End', '4.15.1', '4.15.30'],
  ['PageDown', '4.15.2', '4.15.12'],
  ['PageDown', '4.15.30', '4.15.30'],
  ['PageUp', '4.15.12', '4.15.2'],
  ['PageUp', '4.15.30', '4.15.12'],
  // Down is older; the folded 4.14 is passed over.
  ['ArrowDown', '4.15.2', '4.13.3'],
  ['ArrowDown', '4.15.30', '4.13.20'],
  ['ArrowDown', '4.13.5', '4.13.5'],
  ['ArrowUp', '4.13.5', '4.15.2'],
  ['ArrowUp', '4.15.1', '4.15.1'],
])('%s leads from %s to %s', (key, from, to) => {
  const place = moveBy(key, layout, graph.index.get(from)!);
  expect(graph.nodes[place!]?.version).toBe(to);
});

test('other keys do not move', () => {
  expect(moveBy('x', layout, 0)).toBeNull();
  expect(moveBy('Enter', layout, 0)).toBeNull();
});

test.each([
  ['what comes first and is shown', ['4.13.3', '4.15.2'], '4.13.3'],
  ['not what is in a folded lane', ['4.14.1', '4.15.2'], '4.15.2'],
  ['the newest when nothing is wanted', [undefined], '4.15.30'],
])('the keyboard begins at %s', (_, wanted, version) => {
  const places = wanted.map((name) => (name === undefined ? undefined : graph.index.get(name)));
  expect(graph.nodes[firstPlace(layout, places)!]!.version).toBe(version);
});

test('with all lanes folded there is nowhere to begin', () => {
  expect(firstPlace(layOutLanes(graph, lanesOf(graph), new Set(), 600), [0])).toBeNull();
});
