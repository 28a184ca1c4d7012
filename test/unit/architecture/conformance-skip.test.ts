import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** What every shell has, and no tool of a check. */
const BASICS = ['cat', 'dirname', 'mktemp', 'rm', 'sed', 'sh', 'tail'];

let tools: string;
beforeAll(() => {
  tools = mkdtempSync(join(tmpdir(), 'cairn-tools-'));
  for (const name of BASICS) {
    const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
    symlinkSync(found, join(tools, name));
  }
});
afterAll(() => rmSync(tools, { recursive: true, force: true }));

it.each([
  'clients/run-clients.sh',
  'registry/run-registry.sh',
  'run-manifests.sh',
  'run-moto.sh',
  'run-promtool.sh',
  'run-shellcheck.sh',
])('%s is skipped without its tools, and fails in CI', (script) => {
  const run = (ci: string) =>
    spawnSync('/bin/sh', [`test/campaign/conformance/${script}`], {
      encoding: 'utf8',
      env: { PATH: tools, CI: ci, TMPDIR: tmpdir() },
    });
  expect(run('')).toMatchObject({ status: 0, stdout: expect.stringContaining(': skipped, ') as string });
  expect(run('true')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining(': cannot run, ') as string,
  });
});
