import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type PruneHarness, PRUNER, startPruneHarness } from '../../../helpers/registry/prune-harness.ts';
import { tableEngines } from '../../../helpers/table/table.ts';
import type { Invocation } from './invocation.ts';

const PROGRAM = fileURLToPath(new URL('invocation.ts', import.meta.url));
/** The lease of a process that was killed has run out. */
const LEASE_MS = 17 * 60_000;
const KILLS = 8;
/** Each gets a little further than the one before. */
const STEP_MS = 60;

let harness: PruneHarness;
beforeEach(async () => {
  harness = await startPruneHarness();
});
afterEach(() => harness.close());

/** What it said last; killed so long after it began, or never. */
function invoke(invocation: Invocation, killAfterMs: number | null): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(invocation)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (text: Buffer) => {
    const isFirst = said === '';
    said += text.toString();
    if (isFirst && killAfterMs !== null) void sleep(killAfterMs).then(() => child.kill('SIGKILL'));
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(said.trim().split('\n').at(-1) ?? ''));
  });
}

it('a run whose processes are killed has the same result', async () => {
  const { registry } = harness;
  const ballast = Array.from({ length: 20 }, (_, layer) => `${layer}`.repeat(1000));
  await registry.push('ballast', 'stays', ballast);
  const old: string[] = [];
  for (let number = 0; number < 5; number++) {
    old.push(await registry.push('app', 'latest', ['base', `layer ${number}`]));
    await registry.push(`team/${number}`, 'v1', ['base', `other ${number}`]);
  }
  await harness.put({
    keepYoungerThan: '0s',
    grace: '0s',
    keepTagRevisions: 1,
    startingDeadlineSeconds: 86_400,
  });
  const slot = new Date(Math.floor((Date.now() + 3600_000) / 60_000) * 60_000).toISOString();
  const said: string[] = [];
  // One that is killed when all is done cannot say so any more: the next one finds its slot taken.
  const isOver = () => ['Done', 'Skipped'].includes(said.at(-1) ?? '');
  for (let attempt = 0; !isOver() && attempt <= KILLS; attempt++) {
    const invocation: Invocation = {
      s3Url: harness.url,
      tableUrl: tableEngines[0]!.url,
      table: harness.table.name,
      bucket: harness.dependencies.bucket.name,
      pruner: PRUNER,
      slot,
      aheadMs: attempt * LEASE_MS,
    };
    said.push(await invoke(invocation, attempt === KILLS ? null : attempt * STEP_MS));
  }
  expect(isOver()).toBe(true);
  expect(said.length).toBeGreaterThan(1);
  for (const [repository, tag] of [
    ['ballast', 'stays'],
    ['app', 'latest'],
    ...old.map((_, number) => [`team/${number}`, 'v1'] as const),
  ] as const) {
    expect(await registry.faultOfPull(repository, tag)).toBeNull();
  }
  for (const digest of old.slice(0, -1)) expect(await registry.hasBlob(digest)).toBe(false);
});
