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

/** All that can change what the tests build: sources, configuration, the tools by the lock file, and the code that builds. */
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
/** What `npm pack` leaves behind goes into no build. */
const IGNORED = new Set(['node_modules', 'dist']);

/** The hash of every input. */
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

/** The folder for one hash of the inputs. Folders that no run has used for a week go. */
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

/** Makes a folder once: it is there whole or not at all, however many processes ask for it. */
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

/** Makes a JSON file once, in the same way. */
export async function jsonOnce<T>(file: string, make: () => Promise<T>): Promise<T> {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as T;
  const made = JSON.stringify(await make());
  mkdirSync(dirname(file), { recursive: true });
  const staging = `${file}.${process.pid}`;
  writeFileSync(staging, made);
  renameSync(staging, file);
  return JSON.parse(made) as T;
}
