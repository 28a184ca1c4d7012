import { basename, parse } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exists, namesIn, readSourceFiles } from './source-files.ts';

const files = readSourceFiles();
const tests = files.filter(({ path }) => path.startsWith('test/'));
const STRICT_PARSER = 'test/helpers/lambda/strict.ts';
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

  it('of units begin with the name of a file or folder of the product', () => {
    const ofUnits = tests.flatMap(
      ({ path }) => /^test\/unit\/((?:shared|functions|infra)\/.*)\.test\.ts$/.exec(path)?.[1] ?? [],
    );
    const isNamed = (unit: string) => {
      const { dir, base } = parse(unit.replace(/\.property$/, ''));
      if (!exists(dir)) return false;
      const names = [basename(dir), ...namesIn(dir).map((name) => parse(name).name)];
      return names.some((name) => base === name || base.startsWith(`${name}-`));
    };
    expect(ofUnits.filter((unit) => !isNamed(unit))).toEqual([]);
  });

  it('of every feature check its responses against their schemas', () => {
    const features = files.flatMap(({ path }) => /^functions\/([^/]+)\/endpoints\.ts$/.exec(path)?.[1] ?? []);
    const checked = features.filter((feature) =>
      tests.some(
        ({ path }) => path.startsWith(`test/unit/functions/${feature}/`) && reaches(path, STRICT_PARSER),
      ),
    );
    expect(features.filter((feature) => !checked.includes(feature))).toEqual([]);
  });
});

/** Whether a test imports a file, itself or by its helpers. */
function reaches(path: string, wanted: string, seen = new Set<string>()): boolean {
  if (path === wanted) return true;
  if (seen.has(path)) return false;
  seen.add(path);
  const file = tests.find((other) => other.path === path);
  return file?.imports.some(({ target }) => target !== undefined && reaches(target, wanted, seen)) ?? false;
}
