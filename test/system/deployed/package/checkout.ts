import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const PROJECT = [
  'package.json',
  'tsconfig.json',
  'LICENSE',
  '.npmrc',
  'infra/build/package.ts',
  'infra/build/tsconfig.build.json',
];

const runFile = promisify(execFile);

/** Of a program that ended, by itself or with an error. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function temporaryFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'cairn-package-')));
}

/**
 * What packing needs of the checkout, with all of `shared` or some files and folders of it, to be packed elsewhere: other
 * tests use the sources meanwhile.
 */
export function copyCheckout(ofShared = readdirSync(join(ROOT, 'shared'))): string {
  const copy = temporaryFolder();
  const sources = ofShared.filter((name) => name !== 'dist').map((name) => `shared/${name}`);
  for (const path of [...PROJECT, ...sources]) {
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
  return copy;
}

export function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** For what has to work before there is anything to test. */
export async function done(program: Promise<Ended>): Promise<void> {
  const { code, stdout, stderr } = await program;
  if (code !== 0) throw new Error(`it ended with ${code}: ${stdout}${stderr}`);
}

/** `npm` that reaches for no registry and leaves the cache of the machine alone. */
export function npm(folder: string, ...command: readonly string[]): Promise<Ended> {
  const offline = [
    '--offline',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--cache',
    join(folder, '.npm'),
  ];
  // Windows has npm as a script for its shell.
  return run('npm', [...command, ...offline], folder, { shell: process.platform === 'win32' });
}

export function node(folder: string, ...command: readonly string[]): Promise<Ended> {
  return run(process.execPath, command, folder);
}

export function tsc(folder: string, ...command: readonly string[]): Promise<Ended> {
  return node(folder, join(ROOT, 'node_modules/typescript/bin/tsc'), ...command);
}

async function run(
  file: string,
  command: readonly string[],
  cwd: string,
  options: { readonly shell?: boolean } = {},
): Promise<Ended> {
  // What `npm test` was asked for is not meant for the npm that is tested.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  try {
    return { code: 0, ...(await runFile(file, command, { ...options, cwd, env })) };
  } catch (error) {
    const { code, stdout, stderr } = error as Ended;
    if (typeof code !== 'number') throw error;
    return { code, stdout, stderr };
  }
}
