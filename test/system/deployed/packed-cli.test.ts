import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleCli } from '../../../infra/build/cli.ts';
import { drawnSource } from '../../helpers/upstream/drawn-upstream.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-cli-'));
const program = join(folder, 'cairn.mjs');
const guard = join(folder, 'no-network.cjs');
const graph = join(folder, 'stable-4.14.json');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Packages that would not run everywhere, or are never called. */
const FORBIDDEN = ['undici', '@aws-sdk/client-dynamodb', '@aws-sdk/client-s3'];
/** The grammar of queries takes 70 kB of it. */
const MOST_BYTES = 1_320_000;

let inputs: readonly string[];
let bytes: number;
beforeAll(() => {
  const [output] = Object.values(bundleCli(program).outputs);
  bytes = output!.bytes;
  inputs = Object.entries(output!.inputs).flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [path] : [],
  );
  const source = drawnSource({ amd64: { 'stable-4.14': ['4.14.8 > 4.14.30'] } });
  writeFileSync(graph, JSON.stringify(source('stable-4.14', 'amd64')));
  // Every connection and every look-up of a name comes by here.
  writeFileSync(
    guard,
    `const refuse = () => { throw new Error('a connection was tried'); };
require('node:net').Socket.prototype.connect = refuse;
require('node:dns').lookup = refuse;
require('node:dgram').Socket.prototype.send = refuse;
`,
  );
});

function run(...argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    // These tests may themselves run in a cluster.
    const env = { ...process.env, KUBERNETES_SERVICE_HOST: '' };
    execFile(process.execPath, ['--require', guard, program, ...argv], { env }, (error, out, err) => {
      resolve({ code: Number(error?.code ?? 0), out, err });
    });
  });
}

describe('the packed command', () => {
  it('is one file of a bearable size, with nothing in it that needs a later Node', () => {
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
    const found = inputs.filter((path) => FORBIDDEN.some((name) => path.includes(`node_modules/${name}/`)));
    expect(found).toEqual([]);
  });

  it('makes no connection when it works with a saved graph', async () => {
    const { code, out, err } = await run('paths', '4.14.8', '4.14.30', '--graph', graph);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^4\.14\.8 to 4\.14\.30 on amd64: 1 hop\n/);
  });

  it('would be seen doing so', async () => {
    const { code, err } = await run(
      'paths',
      '4.14.8',
      '--channel',
      'stable-4.14',
      '--upstream',
      'http://127.0.0.1:49151/',
    );
    expect(code).toBe(3);
    expect(err).toContain('a connection was tried');
  });

  it('knows whether it runs in a cluster', async () => {
    const { code, err } = await run('report', '--in-cluster', '--cluster', 'a', '--dry-run');
    expect(code).toBe(64);
    expect(err).toMatch(
      /^cairn: --in-cluster is for a pod of the cluster: KUBERNETES_SERVICE_HOST is not set/,
    );
  });

  it('prints mistakes on standard error and exits with 64', async () => {
    expect(await run('plan', '--graph', graph, join(folder, 'no.json'))).toMatchObject({ code: 64, out: '' });
  });
});
