import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDERS = ['shared', 'functions', 'infra', 'test'];
const SOURCE = /\.(ts|mts|cts|js|mjs|cjs|tsx|jsx)$/;
const SKIPPED = /(^|\/)(node_modules|cdk\.out|\.cairn|shared\/dist|test\/fixtures)(\/|$)/;
const SHARED_EXPORTS = readJsonFile('shared/package.json')['exports'] as Readonly<Record<string, string>>;

export interface SourceFile {
  /** From the root of the project, with slashes: `shared/version/minor.ts`. */
  readonly path: string;
  /** Without comments, so that a rule may be explained where it is kept. */
  readonly code: string;
  readonly imports: readonly Import[];
}

export interface Import {
  readonly specifier: string;
  /** Gone when the code runs. */
  readonly isTypeOnly: boolean;
  /** The file of ours that it names; undefined for packages and built-in modules. */
  readonly target?: string;
}

export function readSourceFiles(): SourceFile[] {
  return FOLDERS.flatMap((folder) =>
    listFiles(folder)
      .filter((path) => SOURCE.test(path))
      .map(readSourceFile),
  );
}

/** Every file below a folder. */
export function listFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((path) => !SKIPPED.test(path));
}

/** Of the files and folders right in a folder. */
export function namesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder));
}

export function exists(path: string): boolean {
  return existsSync(join(ROOT, path));
}

export function readJsonFile(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Record<string, unknown>;
}

function readSourceFile(path: string): SourceFile {
  const code = withoutComments(readFileSync(join(ROOT, path), 'utf8'));
  return { path, code, imports: importsIn(path, code) };
}

// Texts are matched first, so that `//` inside a URL is none.
const TEXT_OR_COMMENT =
  /('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|\/\*[^]*?\*\/|\/\/[^\n]*/g;

function withoutComments(code: string): string {
  return code.replaceAll(TEXT_OR_COMMENT, (_match, text: string | undefined) => text ?? '');
}

/** Each with its file, for a message. */
export function commentsIn(path: string): string[] {
  const code = readFileSync(join(ROOT, path), 'utf8');
  return Array.from(code.matchAll(TEXT_OR_COMMENT))
    .filter(([, text]) => text === undefined)
    .map(([comment]) => `${path}: ${comment}`);
}

const FROM = /^\s*(?:import|export)\s+(type\b)?[^'"`;=]*?\bfrom\s*['"]([^'"]+)['"]/gm;
const SIDE_EFFECT_OR_CALL = /^\s*import\s*['"]([^'"]+)['"]|\b(?:import|require)\(\s*['"]([^'"]+)['"]/gm;

function importsIn(path: string, code: string): Import[] {
  const named = Array.from(code.matchAll(FROM), ([, type, specifier = '']) => ({
    ...importOf(path, specifier),
    isTypeOnly: type !== undefined,
  }));
  const others = Array.from(code.matchAll(SIDE_EFFECT_OR_CALL), ([, imported, called = '']) => ({
    ...importOf(path, imported ?? called),
    isTypeOnly: false,
  }));
  return [...named, ...others];
}

function importOf(path: string, specifier: string): Omit<Import, 'isTypeOnly'> {
  if (specifier.startsWith('.')) return { specifier, target: posix.join(dirname(path), specifier) };
  const shared = /^@cairn\/shared\/(.+)$/.exec(specifier)?.[1];
  if (shared === undefined) return { specifier };
  return { specifier, target: posix.join('shared', SHARED_EXPORTS[`./${shared}`] ?? `${shared}.ts`) };
}
