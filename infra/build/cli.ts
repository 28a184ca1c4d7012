import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

const PROJECT_ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Everything in one file, for whatever Node from 20 on is there. */
const OPTIONS = {
  absWorkingDir: PROJECT_ROOT,
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
    // CommonJS dependencies ask for built-in modules by `require`, which an ES module does not have.
    js: "#!/usr/bin/env node\nimport{createRequire as cairnRequire}from'node:module';const require=cairnRequire(import.meta.url);",
  },
} as const satisfies BuildOptions;

/** Writes the program; the metafile tells what went in. */
export function bundleCli(outfile: string): Metafile {
  return buildSync({ ...OPTIONS, outfile }).metafile;
}
