import type { Applies } from '@cairn/shared/path/question';
import { exposedClusters, exposureOf, packRows, type RiskRow, unpackRows } from '@cairn/shared/risk/exposure';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../helpers/size.ts';

const row = (verdicts: Readonly<Record<string, Applies>>, accepted: readonly string[] = []): RiskRow => ({
  verdicts,
  accepted,
});
const rowsOf = fc
  .dictionary(
    fc.stringMatching(/^[a-z]{1,6}$/),
    fc.record({
      verdicts: fc.dictionary(
        fc.constantFrom('d1', 'd2', 'd3', 'd4'),
        fc.constantFrom<Applies>('yes', 'no', 'unknown'),
      ),
      accepted: fc.array(fc.constantFrom('A', 'B'), { maxLength: 2 }),
    }),
  )
  .map((rows) => new Map(Object.entries(rows)));

describe('rows of the fleet', () => {
  it('are the same after they were packed', () => {
    fc.assert(
      fc.property(rowsOf, (rows) => {
        expect(unpackRows(packRows(rows))).toEqual(rows);
      }),
      { numRuns: sized(200, 2000) },
    );
  });

  it('keep no digest that no cluster has', () => {
    expect(packRows(new Map([['a', row({ d2: 'no' })]])).digests).toEqual(['d2']);
  });
});

describe('exposedClusters', () => {
  const packed = [
    packRows(
      new Map([
        ['both', row({ d1: 'no', d2: 'yes' })],
        ['unsure', row({ d1: 'no', d2: 'unknown' })],
        ['other', row({ d3: 'yes' })],
      ]),
    ),
    packRows(new Map([['named', row({ d2: 'yes' }, ['Risk'])]])),
  ];

  it('has the worst answer of the definitions, and no cluster without one', () => {
    expect(exposedClusters(packed, new Set(['d1', 'd2']))).toEqual([
      { id: 'both', applies: 'yes', accepted: [] },
      { id: 'unsure', applies: 'unknown', accepted: [] },
      { id: 'named', applies: 'yes', accepted: ['Risk'] },
    ]);
    expect(exposedClusters(packed, new Set(['gone']))).toEqual([]);
  });

  it('is counted once per cluster; what does not apply is never counted as accepted', () => {
    const clusters = exposedClusters(packed, new Set(['d1', 'd2']));
    expect(exposureOf(clusters, ({ accepted }) => accepted.includes('Risk'))).toEqual({
      yes: 1,
      no: 0,
      unknown: 1,
      accepted: 1,
    });
    const unexposed = exposedClusters(packed, new Set(['d1']));
    expect(exposureOf(unexposed, () => true)).toEqual({ yes: 0, no: 2, unknown: 0, accepted: 0 });
  });
});
