import { describe, expect, test } from 'vitest';
import { shapePath, updateCurve } from '../../../../../functions/console/lanes/overlay.ts';
import {
  counted,
  countsInWords,
  releaseLabel,
  type ReleaseNotes,
} from '../../../../../functions/console/lanes/model.ts';

test.each([
  [0, '0 releases'],
  [1, '1 release'],
  [9855, '9,855 releases'],
])('%i is %s', (count, text) => {
  expect(counted(count, 'release')).toBe(text);
});

test.each([
  [43, 25, '43 recommended and 25 conditional updates out'],
  [1, 0, '1 recommended update out'],
  [0, 2, '2 conditional updates out'],
  [0, 0, 'no updates out'],
])('%i and %i are %s', (recommended, conditional, text) => {
  expect(countsInWords({ recommended, conditional }, 'out')).toBe(text);
});

describe('the label of a release', () => {
  const counts = { recommended: 43, conditional: 25 };
  const plain: ReleaseNotes = {
    isOnPath: false,
    mark: 'release',
    selected: null,
    direction: 'out',
    frontier: null,
    clusters: 0,
  };
  const frontier = { from: '4.14.1', to: '4.16.2', reachable: new Set(''), reaching: new Set('') };
  const start = '4.15.40, 43 recommended and 25 conditional updates out';
  test.each<[Partial<ReleaseNotes>, string]>([
    [{}, start],
    [{ isOnPath: true }, `${start}, on the planned path`],
    [{ mark: 'conditional', selected: '4.15.1' }, `${start}, conditional from 4.15.1`],
    [{ mark: 'recommended', selected: '4.16.1', direction: 'in' }, `${start}, recommended to 4.16.1`],
    [{ mark: 'reached', frontier }, `${start}, reached from 4.14.1`],
    [{ mark: 'leading', frontier }, `${start}, leads to 4.16.2`],
    [{ isOnPath: true, clusters: 2 }, `${start}, on the planned path, 2 clusters here`],
  ])('%o', (notes, label) => {
    expect(releaseLabel('4.15.40', counts, { ...plain, ...notes })).toBe(label);
  });
});

describe('curves', () => {
  test('within a lane an arc above it, that meets both rims', () => {
    const [startX, startY, , top, endX, endY] = updateCurve({ x: 10, y: 50 }, { x: 210, y: 50 }, 10)
      .split(/[MQ ]/)
      .filter(Boolean)
      .map(Number);
    expect(Math.hypot(startX! - 10, startY! - 50)).toBeCloseTo(10, 0);
    expect(Math.hypot(endX! - 210, endY! - 50)).toBeCloseTo(10, 0);
    expect(top).toBeCloseTo(50 - 38 * 1.6);
  });
  test('between lanes a curve that leaves and arrives upright', () => {
    expect(updateCurve({ x: 10, y: 150 }, { x: 60, y: 50 }, 5)).toBe('M10 145C10 100 60 100 60 55');
    expect(updateCurve({ x: 10, y: 50 }, { x: 60, y: 150 }, 5)).toBe('M10 55C10 100 60 100 60 145');
  });
  test('every shape has an outline of its own', () => {
    expect(new Set([shapePath('circle', 4), shapePath('triangle', 4), shapePath('diamond', 4)]).size).toBe(3);
  });
});
