import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles } from './source-files.ts';

const root = new URL('../../../', import.meta.url);
const lineCount = (path: string) => readFileSync(new URL(path, root), 'utf8').split('\n').length - 1;

/** A feature that needs more raises it, and its commit says why. */
const MOST_FILES = 820;
const MOST_FILES_IN_A_FOLDER = 20;
const MOST_LINES_OF_STYLES = 450;

const isOurs = (path: string) => !/\.(md|png|svg|ico)$|(^|\/)(openapi|package)\.json$/.test(path);
const product = ['shared', 'functions', 'infra'].flatMap(listFiles).filter(isOurs);

// The caps of code are rules of the linter.
describe('sizes', () => {
  it(`at most ${MOST_FILES} files make the product`, () => {
    const lines = product.reduce((sum, path) => sum + lineCount(path), 0);
    console.log(`the product has ${product.length} files with ${lines} lines`);
    expect(product.length).toBeLessThanOrEqual(MOST_FILES);
  });

  it('no folder has too many files', () => {
    const counts = new Map<string, number>();
    for (const path of [...product, ...listFiles('test')]) {
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > MOST_FILES_IN_A_FOLDER)).toEqual([]);
  });

  it('no style sheet is too long', () => {
    const sheets = product.filter((path) => path.endsWith('.css'));
    expect(sheets.filter((path) => lineCount(path) > MOST_LINES_OF_STYLES)).toEqual([]);
  });
});
