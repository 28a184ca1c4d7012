import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/cairn-tests');
const UNUSED_MS = 7 * 24 * 3600_000;

/** Everything that can change a test build: sources, configuration, the lock file, and the build code. */
const INPUTS = [
  'functions',
  'shared',
  'infra',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'cdk.json',
  'test/global-setup.ts',
  'test/helpers/build-cache.ts',
  'test/helpers/template',
];
/** Leftovers of `npm pack` are no build input. */
const IGNORED = new Set(['node_modules', 'dist']);

export function hashInputs(root: string = ROOT): string {
  const hash = createHash('sha256').update(`${process.version} ${process.platform} ${process.arch}`);
  const add = (path: string): void => {
    const full = join(root, path);
    if (!statSync(full).isDirectory()) {
      const content = readFileSync(full);
      hash.update(`\n${path} ${content.length}\n`).update(content);
      return;
    }
    for (const name of readdirSync(full).toSorted()) {
      if (!IGNORED.has(name)) add(`${path}/${name}`);
    }
  };
  for (const path of INPUTS) add(path);
  return hash.digest('hex').slice(0, 32);
}

/** Opens the folder of one input hash. Removes folders unused for a week. */
export function openBuildCache(hash: string): string {
  mkdirSync(CACHE, { recursive: true });
  const folder = join(CACHE, hash);
  mkdirSync(folder, { recursive: true });
  const now = new Date();
  utimesSync(folder, now, now);
  for (const name of readdirSync(CACHE)) {
    const other = join(CACHE, name);
    if (now.getTime() - statSync(other).mtimeMs > UNUSED_MS) rmSync(other, { recursive: true, force: true });
  }
  return folder;
}

/** Creates a folder once and atomically, for concurrent processes. */
export function folderOnce(folder: string, make: (folder: string) => void): string {
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const staging = mkdtempSync(`${folder}-`);
  make(staging);
  try {
    renameSync(staging, folder);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Creates a JSON file once and atomically. */
export async function jsonOnce<T>(file: string, make: () => Promise<T>): Promise<T> {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as T;
  const made = JSON.stringify(await make());
  mkdirSync(dirname(file), { recursive: true });
  const staging = `${file}.${process.pid}`;
  writeFileSync(staging, made);
  renameSync(staging, file);
  return JSON.parse(made) as T;
}
