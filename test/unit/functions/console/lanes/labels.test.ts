import { expect, test } from 'vitest';
import { stackLabels, type WantedLabel } from '../../../../../functions/console/lanes/labels.tsx';

function wanted(x: number, more: Partial<WantedLabel> = {}): WantedLabel {
  return { x, y: 100, width: 50, side: 0, isFixed: false, ...more };
}

test('a label without a conflict is above its release', () => {
  expect(stackLabels([wanted(200), wanted(400)], 600)).toEqual([
    { x: 200, level: 0 },
    { x: 400, level: 0 },
  ]);
});

test('one that would touch another goes up', () => {
  expect(stackLabels([wanted(200), wanted(210)], 600).map(({ level }) => level)).toEqual([0, 1]);
});

test('labels of different lanes do not touch', () => {
  expect(stackLabels([wanted(200), wanted(210, { y: 218 })], 600).map(({ level }) => level)).toEqual([0, 0]);
});

test('it is on the side that it prefers', () => {
  const [left, right] = stackLabels([wanted(200, { side: -1 }), wanted(400, { side: 1 })], 600);
  expect(left!.x).toBeLessThan(200 - 25);
  expect(right!.x).toBeGreaterThan(400 + 25);
});

test('it never leaves the picture', () => {
  expect(stackLabels([wanted(3), wanted(598)], 600).map(({ x }) => x)).toEqual([25, 575]);
});

test('a badge stays over its release', () => {
  const badges = [0, 10, 20, 30].map((x) => wanted(200 + x, { width: 20, isFixed: true }));
  expect(stackLabels(badges, 600).map(({ x }) => x)).toEqual([200, 210, 220, 230]);
});

test('five releases side by side, each with a badge: no two texts touch', () => {
  const all = [0, 1, 2, 3, 4].flatMap((at) => wanted(200 + at * 14, { width: 17, isFixed: true }));
  all.push(wanted(200), wanted(214), wanted(228));
  const placed = stackLabels(all, 600);
  for (const [at, label] of placed.entries()) {
    for (const [before, other] of placed.slice(0, at).entries()) {
      const room = (all[at]!.width + all[before]!.width) / 2;
      const isApart = label.level !== other.level || Math.abs(label.x - other.x) >= room;
      expect(isApart, `${before} and ${at}`).toBe(true);
    }
  }
});
