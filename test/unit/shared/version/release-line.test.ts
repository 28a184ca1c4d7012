import {
  isExtendedSupport,
  kubernetesMinorOf,
  ordinalOf,
  updateTypeOf,
  type UpdateType,
} from '@cairn/shared/version/release-line';
import { mustParseVersion } from '@cairn/shared/version/release-version';
import { describe, expect, it } from 'vitest';

function minor(text: string): { major: number; minor: number } {
  return mustParseVersion(`${text}.0`);
}

/** OpenShift minors, their place in the line, the Kubernetes they are built on. */
const LINE: readonly (readonly [string, number, number])[] = [
  ['4.1', 1, 13],
  ['4.2', 2, 14],
  ['4.3', 3, 16],
  ['4.4', 4, 17],
  ['4.5', 5, 18],
  ['4.6', 6, 19],
  ['4.7', 7, 20],
  ['4.8', 8, 21],
  ['4.9', 9, 22],
  ['4.10', 10, 23],
  ['4.11', 11, 24],
  ['4.12', 12, 25],
  ['4.13', 13, 26],
  ['4.14', 14, 27],
  ['4.15', 15, 28],
  ['4.16', 16, 29],
  ['4.17', 17, 30],
  ['4.18', 18, 31],
  ['4.19', 19, 32],
  ['4.20', 20, 33],
  ['4.21', 21, 34],
  ['4.22', 22, 35],
  ['4.23', 23, 36],
  ['5.0', 23, 36],
  ['5.1', 24, 37],
  ['5.2', 25, 38],
];

describe('the line of minors', () => {
  it.each(LINE)('%s stands at %i and is built on Kubernetes 1.%i', (text, ordinal, kubernetes) => {
    expect(ordinalOf(minor(text))).toBe(ordinal);
    expect(kubernetesMinorOf(minor(text)).minor).toBe(kubernetes);
  });

  it('says which Kubernetes minors are only expected', () => {
    const assumed = LINE.map(([text]) => text).filter((text) => kubernetesMinorOf(minor(text)).assumed);
    expect(assumed).toEqual(['5.1', '5.2']);
    expect(kubernetesMinorOf(minor('5.5'))).toEqual({ minor: 41, assumed: true });
  });

  it('gives extended support to even minors of 4 from 4.6 on, to 4.23, and to every third of 5', () => {
    const five = Array.from({ length: 9 }, (_, index) => `5.${index}`);
    const supported = [...LINE.map(([text]) => text).filter((text) => text.startsWith('4')), ...five].filter(
      (text) => isExtendedSupport(minor(text)),
    );
    expect(supported).toEqual([
      '4.6',
      '4.8',
      '4.10',
      '4.12',
      '4.14',
      '4.16',
      '4.18',
      '4.20',
      '4.22',
      '4.23',
      '5.2',
      '5.5',
      '5.8',
    ]);
  });
});

describe('updateTypeOf', () => {
  const cases: readonly (readonly [string, string, UpdateType])[] = [
    ['4.14.3', '4.15.0', 'minor'],
    ['4.14.3', '4.16.0', 'minor'],
    ['4.14.3', '4.14.4', 'patch'],
    ['4.14.0-rc.1', '4.14.0', 'patch'],
    ['4.14.0-ec.3', '4.14.0-rc.0', 'patch'],
    ['4.17.0-0.test-2024-10-07-173400-ci-ln-pwn9ngk-latest', '4.17.0-rc.1', 'patch'],
    ['4.14.3', '4.14.3', 'same'],
    ['4.14.4', '4.14.3', 'rollback'],
    ['4.14.0', '4.14.0-rc.1', 'rollback'],
    ['4.15.0', '4.14.9', 'rollback'],
    ['5.0.0', '4.23.1', 'rollback'],
    ['4.22.9', '5.0.0', 'major'],
    ['4.23.1', '5.0.0', 'major'],
    ['4.23.1', '5.1.0', 'major'],
    ['5.0.1', '5.1.0', 'minor'],
  ];
  it.each(cases)('%s to %s is %s', (from, to, type) => {
    expect(updateTypeOf(mustParseVersion(from), mustParseVersion(to))).toBe(type);
  });
});
