import {
  compareVersions,
  isPrerelease,
  parseVersion,
  versionSortKey,
} from '@cairn/shared/version/release-version';
import fc from 'fast-check';
import { compare, parse } from 'semver';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../helpers/size.ts';

const part = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const identifier = fc.oneof(part.map(String), fc.stringMatching(/^[0-9]{0,3}[A-Za-z-][0-9A-Za-z-]{0,6}$/));
const version = fc
  .tuple(part, part, part, fc.array(identifier, { maxLength: 4 }))
  .map(([a, b, c, pre]) => `${a}.${b}.${c}${pre.length > 0 ? `-${pre.join('.')}` : ''}`)
  .filter((text) => text.length <= 64);

describe('parseVersion', () => {
  const accepted = [
    '4.14.3',
    '4.14.0-rc.1',
    '4.2.0-0.hotfix-2020-09-19-234758',
    '4.2.10-s390x',
    '5.0.0-ec.1',
    '0.0.0',
  ];
  it.each(accepted)('accepts %s', (raw) => {
    expect(parseVersion(raw)?.raw).toBe(raw);
  });

  const refused = [
    'v4.12.1',
    '4.12',
    '04.12.1',
    '4.12.1+b',
    ' 4.12.1',
    '4.12.1\n',
    '4.12.01',
    '4.12.1-',
    '4.12.1-01',
  ];
  const tooLarge = [
    '4.12.2147483648',
    '4.12.99999999999999999999',
    `4.12.1-${'a'.repeat(64)}`,
    '4.12.1-2147483648',
  ];
  it.each([...refused, ...tooLarge, '', '=4.12.1', '4.12.1\u200b', '__proto__'])('refuses %j', (raw) => {
    expect(parseVersion(raw)).toBeNull();
  });
});

describe('the grammar', () => {
  const nearly = fc
    .tuple(
      version,
      fc.nat(70),
      fc.constantFrom('', '.', '-', '+', '0', '01', 'v', ' ', 'é', '-0.', '..', '99999999'),
    )
    .map(([text, at, noise]) => text.slice(0, at) + noise + text.slice(at))
    .filter((text) => text.length <= 64);

  it('is that of semver, less what it forgives and numbers that are too large', () => {
    fc.assert(
      fc.property(fc.oneof(version, nearly), (raw) => {
        const known = parse(raw);
        const isPlain = known !== null && known.version === raw;
        const numbers = isPlain ? [known.major, known.minor, known.patch, ...known.prerelease] : [];
        const isSmall = numbers.every((number) => !/^\d+$/.test(String(number)) || Number(number) < 2 ** 31);
        const expected =
          isPlain && isSmall ? [known.major, known.minor, known.patch, known.prerelease] : null;
        const parsed = parseVersion(raw);
        expect(parsed && [parsed.major, parsed.minor, parsed.patch, parsed.prerelease]).toEqual(expected);
      }),
      { numRuns: sized(400, 2000) },
    );
  });
});

describe('order', () => {
  it('agrees with semver, and so does the plain order of the sort keys', () => {
    fc.assert(
      fc.property(version, version, (left, right) => {
        const [a, b] = [parseVersion(left)!, parseVersion(right)!];
        const expected = compare(left, right);
        expect(Math.sign(compareVersions(a, b))).toBe(expected);
        const [keyA, keyB] = [versionSortKey(a), versionSortKey(b)];
        expect(keyA < keyB ? -1 : keyA > keyB ? 1 : 0).toBe(expected);
      }),
      { numRuns: sized(1000, 5000) },
    );
  });

  it('puts pre-releases before their release and compares numbers as numbers', () => {
    const sorted = [
      '4.9.0-ec.2',
      '4.9.0-rc',
      '4.9.0-rc.1',
      '4.9.0-rc.2',
      '4.9.0-rc.10',
      '4.9.0',
      '4.9.2',
      '4.10.0',
      '5.0.0',
    ];
    const byKey = sorted.toReversed().toSorted((a, b) => {
      const [keyA, keyB] = [versionSortKey(parseVersion(a)!), versionSortKey(parseVersion(b)!)];
      return keyA < keyB ? -1 : 1;
    });
    expect(byKey).toEqual(sorted);
    expect(isPrerelease(parseVersion('4.9.0')!)).toBe(false);
  });
});
