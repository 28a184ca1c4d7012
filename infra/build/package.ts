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
/** Holds what is packed, only while it is being packed. */
const DIST = join(SHARED, 'dist');
const LICENSE = join(SHARED, 'LICENSE');
const CONFIG = 'infra/build/tsconfig.build.json';
const MANIFEST = join(SHARED, 'package.json');
/** The package.json of the sources, while that of the tarball is in its place. */
const SAVED = join(DIST, 'package.json.saved');

/** Of use to those who work on the sources only. */
const LEFT_OUT = ['scripts', 'devDependencies'];

/** Called by npm: prepack before it makes the tarball, postpack after. */
const steps: Readonly<Record<string, () => void>> = {
  prepack() {
    const wasKilled = restoreManifest() === 'restored';
    if (wasKilled) console.error('prepack: brought back the package.json of a packing that was killed');
    build();
    swapManifest();
  },
  postpack() {
    restoreManifest();
    cleanUp();
  },
};

/** Fills `dist` with JavaScript and declarations, which Node needs of a package: it strips no types below node_modules. */
function build(): void {
  cleanUp();
  compile();
  for (const path of declarations()) {
    const file = join(DIST, path);
    writeFileSync(file, withBuiltNames(readFileSync(file, 'utf8')));
  }
  copyFileSync(join(ROOT, 'LICENSE'), LICENSE);
}

/** The sources are used as they are: nothing but a tarball shall ever see what was built from them. */
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

/** The compiler leaves `./minor.ts` in declarations, though there is only a minor.js and a minor.d.ts. */
function withBuiltNames(text: string): string {
  return text.replaceAll(/(\bfrom |\bimport\()(['"]\.\.?\/[^'"]+)\.ts(['"])/g, '$1$2.js$3');
}

/** Puts the package.json of the tarball in place of the other one, which is whole in one of two places at any time. */
function swapManifest(): void {
  const next = join(DIST, 'package.json.next');
  mkdirSync(DIST, { recursive: true });
  writeFileSync(next, publishedText(readFileSync(MANIFEST, 'utf8')));
  copyFileSync(MANIFEST, `${SAVED}.part`);
  renameSync(`${SAVED}.part`, SAVED);
  renameSync(next, MANIFEST);
}

/**
 * Undoes the swap, of this packing or of one that was killed. A package.json that somebody has changed or brought back
 * since stays as it is; throws when it is not that of the sources.
 */
function restoreManifest(): 'restored' | 'not-swapped' {
  const text = readFileSync(MANIFEST, 'utf8');
  if (existsSync(SAVED) && text === publishedText(readFileSync(SAVED, 'utf8'))) {
    renameSync(SAVED, MANIFEST);
    return 'restored';
  }
  publishedText(text);
  return 'not-swapped';
}

function publishedText(source: string): string {
  return `${JSON.stringify(publishedManifest(JSON.parse(source) as Manifest), null, 2)}\n`;
}

/**
 * The package.json of the tarball: that of the sources, where `./*.ts` is exported, with the JavaScript and the
 * declarations that are built from them in `dist`.
 */
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
  // Standard output stays empty: that of `npm pack --json` is read by programs.
  try {
    const step = steps[name];
    if (!step) throw new Error(`"${name}" is no step of packing, prepack and postpack are`);
    step();
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
