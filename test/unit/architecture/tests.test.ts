import { describe, expect, it } from 'vitest';
import { exists, readSourceFiles } from './source-files.ts';

const tests = readSourceFiles().filter(({ path }) => path.startsWith('test/'));
const pathsWith = (pattern: RegExp) => tests.filter(({ code }) => pattern.test(code)).map(({ path }) => path);

describe('tests', () => {
  it('have their sizes from sized()', () => {
    // One draw is a way to make a value.
    expect(pathsWith(/\bnumRuns:\s*(?!1\b)\d/)).toEqual([]);
  });

  it('have no time-out but the hang guard of all', () => {
    const own = tests.filter(({ path }) => path.endsWith('.test.ts'));
    const isTimed = /\btimeout:\s*\d|^\s*\}, [\d_]+\);/m;
    expect(own.filter(({ code }) => isTimed.test(code)).map(({ path }) => path)).toEqual([]);
  });

  it('are of a tier', () => {
    const folders = ['unit', 'system', 'campaign'].map((tier) => `test/${tier}/`);
    const others = tests.filter(
      ({ path }) => path.endsWith('.test.ts') && !folders.some((folder) => path.startsWith(folder)),
    );
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  it('of units are in the folder that their unit has in the product', () => {
    const ofUnits = tests.map(
      ({ path }) => /^test\/unit\/((?:shared|functions|infra)\b.*)\//.exec(path)?.[1],
    );
    const folders = new Set(ofUnits.filter((folder) => folder !== undefined));
    expect([...folders].filter((folder) => !exists(folder))).toEqual([]);
  });
});
