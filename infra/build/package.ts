import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Manifest = Readonly<Record<string, unknown>>;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const SHARED = join(ROOT, 'shared');
/** Exists only while packing. */
const DIST = join(SHARED, 'dist');
const LICENSE = join(SHARED, 'LICENSE');
const CONFIG = 'infra/build/tsconfig.build.json';
const MANIFEST = join(SHARED, 'package.json');
/** The source package.json while the published one is in its place. */
const SAVED = join(DIST, 'package.json.saved');

/** Useful only in the sources. */
const LEFT_OUT = ['scripts', 'devDependencies'];

/** npm calls prepack before and postpack after it creates the tarball. */
const steps: Readonly<Record<string, () => void>> = {
  prepack() {
    if (restoreManifest())
      console.error('prepack: brought back the package.json of a packing that was killed');
    build();
    swapManifest();
  },
  postpack() {
    restoreManifest();
    cleanUp();
  },
};

/** Fills `dist` with JavaScript and declarations: Node strips no types below node_modules. */
function build(): void {
  cleanUp();
  compile();
  for (const path of declarations()) {
    const file = join(DIST, path);
    writeFileSync(file, withBuiltNames(readFileSync(file, 'utf8')));
  }
  copyFileSync(join(ROOT, 'LICENSE'), LICENSE);
}

/** The repository uses the sources directly: only a tarball may contain the build. */
function cleanUp(): void {
  rmSync(DIST, { recursive: true, force: true });
  rmSync(LICENSE, { force: true });
}

function compile(): void {
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [join(typescript, 'bin/tsc'), '-p', CONFIG],
    { cwd: ROOT, encoding: 'utf8' },
  );
  if (status === 0) return;
  throw new Error(`tsc -p ${CONFIG} ended with ${status ?? signal}\n${stdout}${stderr}`.trimEnd());
}

function declarations(): string[] {
  const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' });
  return files.filter((path) => path.endsWith('.d.ts'));
}

/** The compiler keeps `./minor.ts` in declarations, but only minor.js and minor.d.ts exist. */
function withBuiltNames(text: string): string {
  return text.replaceAll(/(\bfrom |\bimport\()(['"]\.\.?\/[^'"]+)\.ts(['"])/g, '$1$2.js$3');
}

/** Replaces the package.json; at any time one of the two files is complete. */
function swapManifest(): void {
  const next = join(DIST, 'package.json.next');
  mkdirSync(DIST, { recursive: true });
  writeFileSync(next, publishedText(readFileSync(MANIFEST, 'utf8')));
  copyFileSync(MANIFEST, `${SAVED}.part`);
  renameSync(`${SAVED}.part`, SAVED);
  renameSync(next, MANIFEST);
}

/**
 * Undoes the swap of this packing or of a killed one, and returns whether there was one. Keeps a package.json that changed since; throws if it is not the
 * source one.
 */
function restoreManifest(): boolean {
  const text = readFileSync(MANIFEST, 'utf8');
  if (existsSync(SAVED) && text === publishedText(readFileSync(SAVED, 'utf8'))) {
    renameSync(SAVED, MANIFEST);
    return true;
  }
  publishedText(text);
  return false;
}

function publishedText(source: string): string {
  return `${JSON.stringify(publishedManifest(JSON.parse(source) as Manifest), null, 2)}\n`;
}

/** Published package.json: exports the built JavaScript and declarations of `dist` instead of `./*.ts`. */
function publishedManifest(source: Manifest): Manifest {
  const published = {
    ...source,
    exports: builtExports(source['exports'] as Readonly<Record<string, string>>),
  };
  return Object.fromEntries(Object.entries(published).filter(([field]) => !LEFT_OUT.includes(field)));
}

function builtExports(exports: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(exports).map(([name, target]) => [name, builtTarget(name, target)]),
  );
}

function builtTarget(name: string, target: unknown): { readonly types: string; readonly default: string } {
  const module = typeof target === 'string' ? /^\.\/(.+)\.ts$/.exec(target)?.[1] : undefined;
  if (module === undefined) {
    throw new Error(
      `shared/package.json exports ${JSON.stringify(target)} as "${name}", only sources such as ./*.ts are accepted; ` +
        'if packing left it like this, `git checkout shared/package.json` brings it back',
    );
  }
  return { types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` };
}

if (import.meta.main) {
  const [name = ''] = process.argv.slice(2);
  // Keeps standard output empty: programs parse that of `npm pack --json`.
  try {
    const step = steps[name];
    if (!step) throw new Error(`"${name}" is no step of packing, prepack and postpack are`);
    step();
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
