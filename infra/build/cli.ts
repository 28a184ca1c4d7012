import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(ROOT, 'dist/cli');

/** One file for Node 20 and later. */
const OPTIONS = {
  absWorkingDir: ROOT,
  entryPoints: ['functions/cli/main.ts'],
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'error',
  banner: {
    // CommonJS dependencies `require` built-in modules, which an ES module lacks.
    js: "#!/usr/bin/env node\nimport{createRequire as cairnRequire}from'node:module';const require=cairnRequire(import.meta.url);",
  },
} as const satisfies BuildOptions;

/** Returns the metafile, which lists the bundled inputs. */
export function bundleCli(outfile: string): Metafile {
  return buildSync({ ...OPTIONS, outfile }).metafile;
}

/** Packs `dist/cairn-cli-<version>.tgz`: one file without dependencies, under three command names. */
function pack(): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const program = join(FOLDER, 'cairn.mjs');
  bundleCli(program);
  chmodSync(program, 0o755);
  const { version, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly license: string;
  };
  const manifest = {
    name: 'cairn-cli',
    version,
    description: 'Looks before, during and after an upgrade of OpenShift clusters',
    license,
    type: 'module',
    // Plugin names of `oc cairn` and `kubectl cairn`.
    bin: {
      cairn: 'cairn.mjs',
      'oc-cairn': 'cairn.mjs',
      'kubectl-cairn': 'cairn.mjs',
      'cairn-cli': 'cairn.mjs',
    },
    files: ['cairn.mjs'],
    engines: { node: '>=20' },
  };
  writeFileSync(join(FOLDER, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(ROOT, 'docs/cli.md'), join(FOLDER, 'README.md'));
  copyFileSync(join(ROOT, 'LICENSE'), join(FOLDER, 'LICENSE'));
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', '..'], {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  console.log(`dist/${packed.trim()}`);
}

if (import.meta.main) pack();
