import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import type { ConsoleManifest } from '../../../functions/site/page.ts';
import { builtConsole } from '../../helpers/lambda/built.ts';

const folder = builtConsole();
const { page, assets } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as ConsoleManifest;

/** Most bytes as they are sent. */
const BUDGETS = { 'main-*.js': 45_000, 'main-*.css': 10_000 };

const sentBytes = (file: string): number => readFileSync(join(folder, `${file}.gz`)).length;
const scripts = assets.map(({ file }) => file).filter((file) => file.endsWith('.js'));
const main = scripts.find((file) => file.startsWith('main-'))!;

describe('the console', () => {
  it.each(Object.entries(BUDGETS))('keeps %s, which comes with the page, within %d bytes', (name, most) => {
    const [start, end] = name.split('*') as [string, string];
    const files = assets.filter(({ file }) => file.startsWith(start) && file.endsWith(end));
    expect(files.map(({ file }) => sentBytes(file))).toEqual([expect.toSatisfy((bytes) => bytes <= most)]);
  });

  it('keeps its fonts within 24 kB, and has their license beside them', () => {
    const fonts = assets.filter(({ mediaType }) => mediaType === 'font/woff2');
    expect(fonts).toHaveLength(2);
    const bytes = fonts.reduce((sum, { file }) => sum + readFileSync(join(folder, file)).length, 0);
    expect(bytes).toBeLessThanOrEqual(24_000);
    expect(readFileSync(join(folder, 'geist-OFL.txt'), 'utf8')).toContain('SIL Open Font License');
  });

  it('loads one script, which finds all others', () => {
    const text = (file: string): string => readFileSync(join(folder, file), 'utf8');
    expect(text(main)).not.toMatch(/import(\{[^}]*\}from)?"/);
    const found = new Set([main]);
    for (const file of found) {
      for (const [, name] of text(file).matchAll(/"\.\/([\w-]+\.js)"/g)) found.add(name!);
    }
    expect([...found].toSorted()).toEqual(scripts.toSorted());
  });

  it('opens no view with more than 14 kB beside it', () => {
    const later = scripts.filter((file) => file !== main);
    expect(later.filter((file) => sentBytes(file) > 14_000)).toEqual([]);
  });

  it('has no code that evaluates or parses queries of risks: the service does', () => {
    const { inputs } = buildSync({
      entryPoints: [fileURLToPath(new URL('../../../functions/console/main.tsx', import.meta.url))],
      bundle: true,
      write: false,
      metafile: true,
      outdir: folder,
      format: 'esm',
      splitting: true,
      jsx: 'automatic',
      jsxImportSource: 'preact',
      loader: { '.css': 'empty', '.lazy.css': 'empty' },
    }).metafile;
    const read = Object.keys(inputs);
    expect(read.filter((path) => path.endsWith('shared/risk/rule-in-words.ts'))).toHaveLength(1);
    const isForbidden = (path: string) =>
      /shared\/risk\/(?:(?:derive|evaluate|promql)\/|(?:cluster-risks|live-answer|verdict)\.ts)|lezer/.test(
        path,
      );
    expect(read.filter(isForbidden)).toEqual([]);
  });

  it('opens the list of risks with at most 6 kB more than its view had before', () => {
    const text = (file: string): string => readFileSync(join(folder, file), 'utf8');
    const opened = new Set(scripts.filter((file) => /^(risks|fleet-risks)-/.test(file)));
    expect(opened.size).toBe(2);
    for (const file of opened) {
      for (const [, name] of text(file).matchAll(/from"\.\/([\w-]+\.js)"/g)) {
        if (name !== main) opened.add(name!);
      }
    }
    const bytes = [...opened].reduce((sum, file) => sum + sentBytes(file), 0);
    expect(bytes).toBeLessThanOrEqual(4500 + 6000);
  });

  it('names nothing of another host in the page, and has nothing inline that the policy forbids', () => {
    const html = readFileSync(join(folder, page.file), 'utf8');
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
  });
});
