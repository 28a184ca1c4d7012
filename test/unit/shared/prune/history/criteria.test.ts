import {
  HISTORY_RULES,
  isFinal,
  isInitial,
  isMinorEdge,
  isMinorEdgeOfOperator,
  isMinorPartial,
  isNewestCompleted,
  isZPartial,
  isZPartialOfOperator,
  readDottedVersion,
  readSemanticVersion,
} from '@cairn/shared/prune/history/criteria';
import fc from 'fast-check';
import eq from 'semver/functions/eq.js';
import valid from 'semver/functions/valid.js';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../../helpers/size.ts';
import { viewOf } from './short-histories.ts';

const A = 'C4.3.3 C4.3.2 C4.3.1 C4.2.1 P4.2.1 P4.2.1 P4.2.1 C4.1.1';
const A_BEGUN = 'P4.3.3 C4.3.2 C4.3.1 C4.2.1 P4.2.1 P4.2.1 P4.2.1 C4.1.1';
const A_PARTIAL_LAST = 'C4.3.3 C4.3.2 C4.3.1 C4.2.1 P4.2.1 P4.2.1 P4.2.1 P4.1.1';
const A_PARTIAL_ENDS = 'P4.3.3 C4.3.2 C4.3.1 C4.2.1 P4.2.1 P4.2.1 P4.2.1 P4.1.1';
const Z = 'C4.3.3 C4.3.2 C4.3.1 C4.2.2 P4.2.2 P4.2.2 P4.2.2 C4.2.1';

type Case = readonly [text: string, max: number, index: number, holds: boolean];

describe('the criteria of the operator', () => {
  it.each([
    [4, 4, true],
    [3, 4, false],
  ])('index %i is that of the installed release with max %i: %s', (index, max, holds) => {
    expect(isInitial(index, { initial: HISTORY_RULES.cvo.initialIndex(9, max) })).toBe(holds);
  });

  it('has five final entries', () => {
    expect([0, 1, 2, 3, 4, 5].filter(isFinal)).toEqual([0, 1, 2, 3, 4]);
  });

  it('finds the newest completed entry', () => {
    const history = viewOf('P4.3.0 C4.2.0 P4.2.0 C4.1.0 P4.1.0 P4.1.0');
    expect([0, 1, 2, 3, 4, 5].filter((index) => isNewestCompleted(index, history))).toEqual([1]);
    expect(viewOf('P4.3.0 P4.2.0').newestCompleted).toBe(-1);
  });

  it.each<Case>([
    [A, 7, 3, true],
    [A, 7, 7, true],
    [A, 7, 0, true],
    [A, 7, 4, false],
    [A_BEGUN, 7, 1, true],
    ['C4.3.3 C4.3.2 P4.4.1 C4.3.1 C4.2.1 P4.2.1 P4.2.1 P4.2.1 C4.1.1', 8, 1, false],
    // The ends of the list hold whatever is beside them.
    ['C4.3.3 C4.3.2 C4.3.1', 2, 0, true],
    ['C4.3.3 C4.3.2 C4.3.1 C4.3.0', 2, 2, true],
    ['C4.3.3 C4.3.2 C4.3.1 C4.3.0', 3, 2, false],
  ])('first or last completed of a minor: %s, max %i, index %i: %s', (text, max, index, holds) => {
    expect(isMinorEdgeOfOperator(index, viewOf(text, { max }))).toBe(holds);
  });

  const notBetween: readonly Case[] = [
    [A_PARTIAL_LAST, 7, 7, false],
    [A_PARTIAL_ENDS, 7, 0, false],
    [A, 7, 3, false],
  ];

  it.each<Case>([
    [A, 7, 6, true],
    ['C4.3.3 C4.3.2 C4.3.1 P4.2.1 C4.1.1', 5, 3, true],
    ['C4.3.3 C4.3.2 C4.3.1 P4.2.1 C4.2.1', 5, 3, true],
    ...notBetween,
    // What is looked for as the installed release is not between others.
    ['C4.3.3 C4.3.2 C4.3.1 P4.2.1 C4.1.1', 3, 3, false],
  ])('partial portion of a minor transition: %s, max %i, index %i: %s', (text, max, index, holds) => {
    expect(isMinorPartial(index, viewOf(text, { max }))).toBe(holds);
  });

  it.each<Case>([
    [Z, 7, 6, true],
    ['C4.3.3 C4.3.2 C4.2.3 P4.2.2 C4.2.1', 5, 3, true],
    ['C4.3.3 C4.3.2 C4.2.2 P4.2.1 C4.2.1', 5, 3, true],
    ...notBetween,
    ['C4.3.3 C4.3.2 C4.2.3 P4.2.2 C4.2.1', 3, 3, false],
    // Tried and rolled back.
    ['C4.3.3 C4.3.2 C4.2.1 P4.2.2 C4.2.1', 5, 3, false],
  ])('partial within a z-stream: %s, max %i, index %i: %s', (text, max, index, holds) => {
    expect(isZPartialOfOperator(index, viewOf(text, { max }))).toBe(holds);
  });

  it('takes a minor transition for one of the z-stream as well, when asked for that alone', () => {
    expect(isZPartialOfOperator(6, viewOf(A, { max: 7 }))).toBe(true);
    expect(isZPartial(6, viewOf(A, { max: 7, mode: 'fleet' }))).toBe(false);
  });

  it('takes an empty state for completed, for partial and for neither', () => {
    const history = viewOf('C4.4.0 C4.3.0 -4.2.5 C4.2.1 C4.2.0 -4.2.0 -4.1.0 C4.0.0');
    expect(isMinorEdgeOfOperator(2, history)).toBe(true);
    expect(isMinorPartial(2, history)).toBe(true);
    expect(isZPartialOfOperator(2, history)).toBe(true);
    // 4.2.0 at index 4 is the oldest completed of its minor, although two without a state come between.
    expect(history.olderCompleted(4)).toBe(7);
    expect(history.newerCompleted(7)).toBe(4);
  });

  it.each([
    ['4.3.3', '4.3.2', true],
    ['4.3.3', '.3.2', true],
    ['4.3.3', '4.3', true],
    ['4.3.3', '5.3.3', true],
    ['4.4.3', '4.3.2', false],
    ['4.4.3', '', false],
    ['4.3.3', '432', false],
  ])('%s and "%s" are of the same minor: %s', (one, other, holds) => {
    expect(viewOf(`C${one} C${other}`).sameMinor(0, 1)).toBe(holds);
  });

  it.each([
    ['4.3.3', '4.3.3', true],
    ['4.3.3', '.3.3', true],
    ['4.3', '4.3.', true],
    ['4.4.3', '4.4.2', false],
    ['4.3.3', '4..3', false],
    ['4.4.3', '4.3.3', false],
    ['4.3.3', '', false],
    ['4.3.3', '432', false],
    // Pieces must not run into each other.
    ['4.1.23', '4.12.3', false],
    ['4.12.0-rc.1', '4.12.0-rc.2', true],
    ['4.12.0-rc.3', '4.12.0', false],
    ['4.12.0-0.nightly-2022-10-05-053337', '4.12.0-0.nightly-2022-10-06-111111', true],
  ])('%s and "%s" are of the same z-stream: %s', (one, other, holds) => {
    expect(viewOf(`C${one} C${other}`).sameRelease(0, 1)).toBe(holds);
  });

  it.each([
    ['', '', ''],
    ['something@very-differe', '', ''],
    ['v4.7.12.3+foo', '7', '12'],
    ['v4.7', '7', ''],
    ['4.x', 'x', ''],
    ['4.12.0-rc.3', '12', '0-rc'],
    ['4.12.0-ec.1', '12', '0-ec'],
    ['4.12.0-0.nightly-2022-10-05-053337', '12', '0-0'],
  ])('"%s" is minor "%s", patch "%s"', (version, minor, patch) => {
    expect(readDottedVersion(version)).toEqual({ minor, patch });
  });
});

describe('the criteria for a fleet', () => {
  const same = (one: string, other: string): { minor: boolean; release: boolean } => {
    const history = viewOf(`C${one} C${other}`, { mode: 'fleet' });
    return { minor: history.sameMinor(0, 1), release: history.sameRelease(0, 1) };
  };

  it.each([
    ['4.3.3', '4.3.2', true, false],
    ['4.3.3', '5.3.3', false, false],
    ['4.12.0-rc.1', '4.12.0-rc.2', true, false],
    ['4.12.0-rc.1', '4.12.0', true, false],
    ['4.12.0-0.nightly-2022-10-05-053337', '4.12.0-0.nightly-2022-10-06-111111', true, false],
    ['v4.12.0', '4.12.0', true, true],
    ['4.12.0+amd64', '4.12.0+s390x', true, true],
    ['v4.12.0-rc.1+amd64', '4.12.0-rc.1', true, true],
    ['', '', true, true],
    ['nonsense', 'nonsense', true, true],
    ['', 'nonsense', false, false],
    ['4.12', '4.12.0', false, false],
    ['4.12', '4.12', true, true],
    ['?4.12', '4.12', false, false],
    ['04.12.0', '4.12.0', false, false],
    ['V4.12.0', '4.12.0', false, false],
    ['4.12.0-RC.1', '4.12.0-rc.1', true, false],
    ['4.12.0-01', '4.12.0-1', false, false],
  ])('"%s" and "%s": same minor %s, same release %s', (one, other, minor, release) => {
    expect(same(one, other)).toEqual({ minor, release });
  });

  it('does not read what is longer than any version', () => {
    const long = `4.12.0-${'a'.repeat(300)}`;
    expect(readSemanticVersion(long)).toEqual({ minor: `?${long}`, patch: '' });
  });

  it('takes the same texts for versions as semver, and the same versions for equal', () => {
    const piece = fc.constantFrom('0', '1', '4', '12', '01', 'rc', 'RC', 'ec-1', '0a', '');
    const separator = fc.constantFrom('.', '.', '.', '-', '+');
    const version = fc
      .tuple(
        fc.constantFrom('', '', 'v', 'V'),
        fc.constantFrom('4.1.0', '4.1.1', '5.1.0', '4.01.0'),
        fc.array(fc.tuple(separator, piece), { maxLength: 4 }),
      )
      .map(([v, core, more]) => v + core + more.flat().join(''));
    fc.assert(
      fc.property(version, version, (one, other) => {
        const isVersion = valid(one) !== null;
        expect(readSemanticVersion(one).minor.startsWith('?')).toBe(!isVersion);
        const isEqual = isVersion && valid(other) !== null ? eq(one, other) : one === other;
        expect(same(one, other).release).toBe(isEqual);
      }),
      { numRuns: sized(400, 2000) },
    );
  });

  it('takes an entry without a state for one that was not completed', () => {
    const history = viewOf('C4.4.0 -4.3.0 C4.3.0 -4.2.5 C4.2.9', { mode: 'fleet' });
    expect(isMinorEdge(1, history)).toBe(false);
    expect(isMinorPartial(1, history)).toBe(true);
    expect(isMinorPartial(3, history)).toBe(true);
  });

  it('find the installed release at the end', () => {
    expect(viewOf('C4.3.0 C4.2.0 C4.1.0', { max: 1, mode: 'fleet' }).initial).toBe(2);
  });
});
