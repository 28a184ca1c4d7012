import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { CLI_REQUESTS, type CliRequest, FILES, PROGRAM_ARGUMENTS } from '../../fixtures/golden/commands.ts';
import { runCli } from '../cli/cli.ts';
import { maskChanging } from './masks.ts';
import { jsonOf, type Recording, type Recordings } from './recordings.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const NOW = Date.parse('2026-11-16T09:00:00Z');

const PROGRAM_REQUESTS: ReadonlyMap<string, { readonly script: string; readonly args: string }> = new Map(
  Object.entries(PROGRAM_ARGUMENTS).flatMap(([script, lines]) =>
    lines.map((args) => [`npm run ${script} -- ${args}`, { script, args }] as const),
  ),
);

export const COMMAND_IDS: readonly string[] = [...CLI_REQUESTS.keys(), ...PROGRAM_REQUESTS.keys()];

/** Runs `cairn` in this process without network and files, other programs through their npm scripts. */
export async function runCommands(): Promise<Recordings> {
  const recordings = new Map<string, Recording>();
  for (const [id, request] of CLI_REQUESTS) recordings.set(id, maskChanging(await runCommand(request)));
  const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  for (const [id, { script, args }] of PROGRAM_REQUESTS) {
    recordings.set(id, maskChanging(await runProgram(`${scripts[script]} ${args}`)));
  }
  return recordings;
}

async function runCommand({ argv, options }: CliRequest): Promise<Recording> {
  const { code, out, err, written, ran, asked } = await runCli(argv, {
    files: FILES,
    clock: () => NOW,
    ...options,
  });
  const files = Object.entries(written).map(([name, bytes]) => {
    const content = name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
    return `== ${name}\n${Buffer.from(content).toString()}\n`;
  });
  const calls = [...ran, ...asked].map((call) => `== called ${call}\n`);
  return outputOf(code, out, [...files, ...calls, err].join(''));
}

async function runProgram(line: string): Promise<Recording> {
  const [, ...args] = line.split(' ');
  const { AUTH_TOKEN: _token, AWS_REGION: _region, ...variables } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: variables,
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? -1));
  });
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return outputOf(code, out.replaceAll(ROOT, ''), err.replaceAll(ROOT, ''));
}

/** Keeps JSON as JSON, so that its texts can be masked. */
function outputOf(code: number, out: string, rest: string): Recording {
  const isJson = rest === '' && jsonOf(out) !== undefined;
  return {
    status: code,
    headers: { 'content-type': isJson ? 'application/json' : 'text/plain' },
    body: rest === '' ? out : `${out}== standard error\n${rest}`,
  };
}
