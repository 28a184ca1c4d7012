import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DIST, ROOT, SHARED } from './paths.ts';

const CONFIG = 'infra/build/tsconfig.build.json';
const LICENSE = join(SHARED, 'LICENSE');

/** Fills `dist` with JavaScript and declarations, which Node needs of a package: it strips no types below node_modules. */
export function build(): void {
  cleanUp();
  compile();
  for (const path of declarations()) {
    const file = join(DIST, path);
    writeFileSync(file, withBuiltNames(readFileSync(file, 'utf8')));
  }
  copyFileSync(join(ROOT, 'LICENSE'), LICENSE);
}

/** The sources are used as they are: nothing but a tarball shall ever see what was built from them. */
export function cleanUp(): void {
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
