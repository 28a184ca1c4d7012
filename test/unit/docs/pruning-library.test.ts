import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PruneReport } from '@cairn/shared/prune';
import type { PrunerOptions } from '@cairn/shared/prune/objects/options';
import * as strategies from '@cairn/shared/prune/objects/strategies';
import { describe, expect, it, vi } from 'vitest';

const folder = new URL('../../../docs/examples/prune/', import.meta.url);
const page = readFileSync(new URL('../../../docs/pruning-library.md', import.meta.url), 'utf8');

/** By name, so that they are type-checked as well. */
const EXAMPLES = {
  'run-records': async () => import('../../../docs/examples/prune/run-records.ts'),
  'story-1-completed-jobs': async () => import('../../../docs/examples/prune/story-1-completed-jobs.ts'),
  'story-2-failed-pods-stay': async () => import('../../../docs/examples/prune/story-2-failed-pods-stay.ts'),
  'story-3-own-heuristic': async () => import('../../../docs/examples/prune/story-3-own-heuristic.ts'),
  'story-4-custom-resource': async () => import('../../../docs/examples/prune/story-4-custom-resource.ts'),
  'story-5-jobs-and-pods': async () => import('../../../docs/examples/prune/story-5-jobs-and-pods.ts'),
  'story-6-custom-strategy': async () => import('../../../docs/examples/prune/story-6-custom-strategy.ts'),
};

function codeOf(name: string): string {
  return `\`\`\`ts\n${readFileSync(new URL(`${name}.ts`, folder), 'utf8')}\`\`\`\n`;
}

/** What the page says that the example prints. */
function outputOf(name: string): string | undefined {
  const [, after] = page.split(codeOf(name));
  return /^\n```text\n([^]*?)```/.exec(after ?? '')?.[1];
}

/** The first cells of the rows below a heading. */
function rowsBelow(heading: string): string[] {
  const section = page.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  return Array.from(section.matchAll(/^\| `(\w+)/gm), ([, name]) => name!);
}

describe('docs/pruning-library.md', () => {
  it('has every example, as it is', () => {
    const names = readdirSync(folder).map((file) => file.replace(/\.ts$/, ''));
    expect(names.toSorted()).toEqual(['cluster-store', ...Object.keys(EXAMPLES)].toSorted());
    for (const name of names) expect(page).toContain(codeOf(name));
  });

  it.each(Object.entries(EXAMPLES))('says what %s prints', async (name, load) => {
    const printed: string[] = [];
    const log = vi
      .spyOn(console, 'log')
      .mockImplementation((...parts) => void printed.push(`${parts.join(' ')}\n`));
    try {
      await load();
    } finally {
      log.mockRestore();
    }
    expect(printed.join('')).toBe(outputOf(name));
  });

  it('has examples that Node runs as they are', async () => {
    const [, command] = /`node (docs\/examples\/prune\/[\w-]+\.ts)`/.exec(page)!;
    const path = fileURLToPath(new URL(`../../../${command}`, import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [path]);
    expect(stdout).toBe(outputOf('run-records'));
  });

  it('has every strategy, option and field of the report, and no others', () => {
    expect(rowsBelow('Strategies').toSorted()).toEqual(Object.keys(strategies).toSorted());
    const options: Record<keyof PrunerOptions<unknown>, true> = {
      store: true,
      kinds: true,
      strategy: true,
      now: true,
      registry: true,
      allowUnregistered: true,
      across: true,
      namespaces: true,
      labels: true,
      owner: true,
      countUnprunable: true,
      dryRun: true,
      concurrency: true,
      maxDeletes: true,
      onError: true,
      hooks: true,
      logger: true,
      describe: true,
    };
    expect(rowsBelow('Options').toSorted()).toEqual(Object.keys(options).toSorted());
    const fields: Record<keyof PruneReport<unknown>, true> = {
      outcome: true,
      dryRun: true,
      examined: true,
      filtered: true,
      skipped: true,
      kept: true,
      selected: true,
      deleted: true,
      absent: true,
      notTried: true,
      failed: true,
      problems: true,
    };
    expect(rowsBelow('The report').toSorted()).toEqual(Object.keys(fields).toSorted());
  });

  it('leads nowhere that is not there', () => {
    const anchors = Array.from(page.matchAll(/^## (.+)$/gm), ([, heading]) =>
      heading!.toLowerCase().replaceAll(' ', '-'),
    );
    const links = Array.from(page.matchAll(/\]\(#([^)]+)\)/g), ([, anchor]) => anchor!);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(anchors).toContain(link);
  });
});
