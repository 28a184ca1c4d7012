import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { outcomesOf } from '../../../../helpers/risk/oracle.ts';
import { type WrittenFamily, writtenFamilies } from '../../../../helpers/risk/written-families.ts';

interface Case {
  readonly name: string;
  readonly families: Readonly<Record<string, WrittenFamily>>;
  readonly query: string;
  readonly outcomes: readonly string[];
}

const CASES = new URL('../../../../fixtures/risk/evaluations.json', import.meta.url);
const groups = JSON.parse(readFileSync(CASES, 'utf8')) as Readonly<Record<string, readonly Case[]>>;

describe.each(Object.entries(groups))('evaluateQuery, %s', (_, cases) => {
  it.each(cases)('$name', ({ families, query, outcomes }) => {
    expect(outcomesOf(query, writtenFamilies(families))).toEqual(outcomes);
  });
});
