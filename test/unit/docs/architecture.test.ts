import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);
const folder = new URL('docs/explanation/', root);
const isThere = (path: string) => existsSync(new URL(path, root));

describe.each(readdirSync(folder))('docs/explanation/%s', (page) => {
  const text = readFileSync(new URL(page, folder), 'utf8');
  const named = [...text.matchAll(/`((?:docs|functions|infra|shared|test)\/[^\s`<*]+)`/g)].map(
    ([, path]) => path!,
  );
  const linked = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(
    ([, path]) => new URL(path!, new URL(page, folder)),
  );

  it('names files and folders that are there', () => {
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  });

  it('links to pages that are there', () => {
    expect(linked.filter((url) => !existsSync(url))).toEqual([]);
  });
});
