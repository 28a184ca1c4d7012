import { describe, expect, it } from 'vitest';
import {
  fromFault,
  fromSuggestions,
  toFault,
  toSuggestions,
} from '../../../../../functions/console/plan/suggestions.ts';
import type { Suggestion } from '../../../../../functions/console/ui/combobox.tsx';
import { releases } from '../../../../helpers/path/releases.ts';

const { directory } = releases({
  'stable-4.14': ['4.14.3 > 4.14.30', '4.14.30 > 4.14.31'],
  'stable-4.15': ['4.14.31 > 4.15.2'],
  'candidate-4.15': ['4.15.2 > 4.15.3', '4.15.0-rc.1'],
});

const texts = (suggestions: readonly Suggestion[]): string[] =>
  suggestions.map(({ value, note }) => (note === undefined ? value : `${value}, ${note}`));

describe('suggestions for the start', () => {
  it.each([
    ['', ['4.15.2, newest of stable-4.15', '4.14.31, newest of stable-4.14']],
    ['4.14.3', ['4.14.3', '4.14.31, newest of stable-4.14', '4.14.30']],
    [
      '4.15',
      [
        '4.15.3, newest of candidate-4.15 (not supported for production)',
        '4.15.2, newest of stable-4.15',
        '4.15.0-rc.1',
      ],
    ],
    ['rc', ['4.15.0-rc.1']],
    ['9.9', []],
  ])('%j', (typed, expected) => {
    expect(texts(fromSuggestions(directory, typed))).toEqual(expected);
  });
});

describe('suggestions for the target', () => {
  it.each([
    ['', '4.14.31', ['latest, newest that the channel has', '4.15, newest of the minor']],
    ['4.14', '4.14.3', ['4.14, newest of the minor', '4.14.31, newest of stable-4.14', '4.14.30']],
    ['la', '4.14.3', ['latest, newest that the channel has']],
    ['4.14', '4.15.2', []],
    ['4.15.2', '', ['4.15.2, newest of stable-4.15']],
  ])('%j from %s', (typed, from, expected) => {
    expect(texts(toSuggestions(directory, typed, from))).toEqual(expected);
  });
});

describe('faults', () => {
  it.each([
    ['', null],
    ['4.14.3', null],
    ['4.14', '4.14 is not a version such as 4.14.30'],
    ['4.14.29', '4.14.29 is not a known version; nearest: 4.14.3, 4.14.30, 4.14.31'],
  ])('of the start %j: %s', (from, fault) => {
    expect(fromFault(directory, from)).toBe(fault);
  });

  it.each([
    ['latest', null],
    ['4.15', null],
    ['4.15.3', null],
    ['4.99', 'no release of 4.99 is known; the newest minor is 4.15'],
    ['newest', 'newest is not a version such as 4.16.3, a minor such as 4.16, or latest'],
  ])('of the target %j: %s', (to, fault) => {
    expect(toFault(directory, to)).toBe(fault);
  });

  it('are only those of the text itself while the releases are not known', () => {
    expect([fromFault(null, '4.1.1'), toFault(null, '4.99')]).toEqual([null, null]);
    expect(fromFault(null, 'x')).not.toBeNull();
  });
});
