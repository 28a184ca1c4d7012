import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHECKSUM_ALGORITHMS, createChecksum } from '../../../../../infra/local/s3/checksum.ts';
import {
  afterMarker,
  byteName,
  keyOfByteName,
  listPage,
  markerOf,
  type Page,
  SortedIndex,
} from '../../../../../infra/local/s3/listing.ts';
import { parseRange } from '../../../../../infra/local/s3/object-operations.ts';
import { leaf, parseXml } from '../../../../../infra/local/s3/xml.ts';
import { sized } from '../../../../helpers/size.ts';

describe('sorted index', () => {
  it('agrees with a plain map through many blocks', () => {
    const index = new SortedIndex<number>();
    const model = new Map<string, number>();
    // A fixed shuffle: 40,503 is coprime to 10,007, so every name comes once per pass.
    for (let step = 0; step < 30_021; step++) {
      const name = String((step * 40_503) % 10_007);
      if (step >= 10_007 && step < 20_014 && step % 3 !== 0) {
        if (index.delete(name) !== model.delete(name)) throw new Error(`delete of ${name} disagrees`);
      } else {
        index.set(name, step);
        model.set(name, step);
      }
    }
    for (const name of [...model.keys()].slice(0, 9000)) {
      index.delete(name);
      model.delete(name);
    }
    const listed: [string, number][] = [];
    for (let found = index.ceiling(''); found !== undefined; found = index.ceiling(`${found.name}\0`)) {
      listed.push([found.name, found.value]);
    }
    expect(listed).toEqual([...model].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    expect(index.get(listed[0]![0])).toBe(listed[0]![1]);
    expect(index.delete('absent')).toBe(false);
  });
});

describe('listing', () => {
  const key = fc.string({
    unit: fc.constantFrom('a', 'b', '/', '-', 'é', '～', '\u{1f600}'),
    minLength: 1,
    maxLength: 5,
  });

  it('orders byte names as the bytes of their keys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        const expected = Buffer.compare(Buffer.from(a), Buffer.from(b));
        const [nameA, nameB] = [byteName(a), byteName(b)];
        expect(nameA < nameB ? -1 : nameA > nameB ? 1 : 0).toBe(expected);
        expect(keyOfByteName(nameA)).toBe(a);
      }),
    );
  });

  const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

  it.each([
    // A token says where a page ended; a name is all that version 1 of the API has.
    ['tokens', (next: string) => next, (place: string) => place, false],
    ['names', (next: string) => byteName(keyOfByteName(markerOf(next))), afterMarker, true],
  ] as const)('pages by %s through what a filter of all keys gives', (_, nextOf, afterOf, isByName) => {
    fc.assert(
      fc.property(
        fc.uniqueArray(key, { maxLength: 40 }),
        fc.oneof(fc.constant(''), key),
        fc.oneof(fc.constant(''), key),
        fc.constantFrom('', '/', '-', 'a/', 'é'),
        fc.integer({ min: 1, max: 5 }),
        (keys, prefix, start, delimiter, limit) => {
          const index = new SortedIndex<string>();
          for (const one of keys) index.set(byteName(one), one);
          const filter = { prefix: byteName(prefix), delimiter: byteName(delimiter) };
          const found: string[] = [];
          const folders: string[] = [];
          let place: string | null = byteName(start);
          while (place !== null) {
            const page: Page<string> = listPage(index, { ...filter, after: afterOf(place, filter), limit });
            expect(page.entries.length + page.commonPrefixes.length).toBeLessThanOrEqual(limit);
            found.push(...page.entries);
            folders.push(...page.commonPrefixes.map(keyOfByteName));
            // A listing that does not advance would never end.
            expect(found.length + folders.length).toBeLessThanOrEqual(keys.length);
            place = page.next === null ? null : nextOf(page.next);
          }

          const folderOf = (one: string): string | null => {
            const cut = delimiter === '' ? -1 : one.indexOf(delimiter, prefix.length);
            return cut === -1 ? null : one.slice(0, cut + delimiter.length);
          };
          const isPast = (one: string): boolean => {
            const folder = folderOf(one);
            return byBytes(one, start) > 0 && !(isByName && folder !== null && start.startsWith(folder));
          };
          const matching = keys.filter((one) => one.startsWith(prefix) && isPast(one)).toSorted(byBytes);
          expect(found).toEqual(matching.filter((one) => folderOf(one) === null));
          expect(folders).toEqual([...new Set(matching.map(folderOf).filter((one) => one !== null))]);
        },
      ),
      { numRuns: sized(100, 500) },
    );
  });
});

describe('xml', () => {
  it('reads back every text it writes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseXml(leaf('Key', text))).toEqual({ name: 'Key', text, children: [] });
      }),
    );
  });

  it('reads a declaration, attributes, nesting and empty elements', () => {
    const source =
      '<?xml version="1.0"?>\n<Delete xmlns="http://x/"><Object><Key> a </Key><E/></Object></Delete>\n';
    const parsed = parseXml(source);
    expect(parsed.children[0]?.children).toEqual([
      { name: 'Key', text: ' a ', children: [] },
      { name: 'E', text: '', children: [] },
    ]);
  });

  it.each([
    '',
    'text',
    '<a>',
    '</a>',
    '<a></b>',
    '<a/><b/>',
    '<a>&nbsp;</a>',
    '<a>&#xD800;</a>',
    '<a>&#x110000;</a>',
    '<a>& b</a>',
    '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    '<a><![CDATA[b]]></a>',
    '<a><a><a><a><a><a><a><a><a></a></a></a></a></a></a></a></a></a>',
  ])('refuses %j', (source) => {
    expect(() => parseXml(source)).toThrow(expect.objectContaining({ code: 'MalformedXML' }));
  });
});

describe('checksums', () => {
  // The check values of the published catalogues: each algorithm over the digits 1 to 9.
  const checks = {
    crc32: 'cbf43926',
    crc32c: 'e3069283',
    crc64nvme: 'ae8b14860a799888',
    sha1: 'f7c3bc1d808e04732adf679965ccc34ca7ae3441',
    sha256: '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225',
  };
  it.each(CHECKSUM_ALGORITHMS)('%s over several chunks', (algorithm) => {
    const checksum = createChecksum(algorithm);
    for (const chunk of ['1234', '', '56789']) checksum.update(Buffer.from(chunk));
    expect(Buffer.from(checksum.digest(), 'base64').toString('hex')).toBe(checks[algorithm]);
  });
});

describe('ranges', () => {
  it.each([
    [undefined, { start: 0, length: 10, isPartial: false }],
    ['bytes=0-9', { start: 0, length: 10, isPartial: true }],
    ['bytes=-20', { start: 0, length: 10, isPartial: true }],
    ['bytes=3-1', { start: 0, length: 10, isPartial: false }],
    ['bytes=0-1,4-5', { start: 0, length: 10, isPartial: false }],
    ['lines=0-1', { start: 0, length: 10, isPartial: false }],
    ['bytes=-', { start: 0, length: 10, isPartial: false }],
  ])('%s of ten bytes', (header, expected) => {
    expect(parseRange(header, 10)).toEqual(expected);
  });

  it.each([
    ['bytes=10-', 10],
    ['bytes=-0', 10],
    ['bytes=0-', 0],
    ['bytes=-5', 0],
  ])('%s of %i bytes is refused', (header, size) => {
    expect(() => parseRange(header, size)).toThrow(expect.objectContaining({ code: 'InvalidRange' }));
  });
});
