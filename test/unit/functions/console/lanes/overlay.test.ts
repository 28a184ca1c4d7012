import { describe, expect, test } from 'vitest';
import { shapePath, updateCurve } from '../../../../../functions/console/lanes/overlay.ts';

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
  test('every shape has its own outline', () => {
    expect(new Set([shapePath('circle', 4), shapePath('triangle', 4), shapePath('diamond', 4)]).size).toBe(3);
  });
});
