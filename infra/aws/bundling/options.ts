import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, type Metafile, buildSync } from 'esbuild';

/** Every Lambda of the stack and its entry point; each exports `handler`. */
export const ENTRY_POINTS = {
  query: 'functions/api/query.ts',
  manage: 'functions/api/manage.ts',
  'sync-releases': 'functions/jobs/sync-releases.ts',
} as const;

export type FunctionName = keyof typeof ENTRY_POINTS;

export const PROJECT_ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const besideThisFile = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Data that code imports when it is asked for. It stays a file of its own: in the code it would be compiled at every start. */
const DATA_FILES: Readonly<Record<string, string>> = { './openapi.json': 'functions/api/openapi.json' };

/** The one set of options: the stack, the tests and the bench all run what this makes. */
export const BUNDLE_OPTIONS = {
  absWorkingDir: PROJECT_ROOT,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // Without `module` first the SDK comes in its CommonJS form: 521 instead of 326 kB.
  mainFields: ['module', 'main'],
  minify: true,
  sourcemap: 'linked',
  sourcesContent: false,
  metafile: true,
  logLevel: 'error',
  external: Object.keys(DATA_FILES),
  // CommonJS dependencies ask for built-in modules by `require`, which an ES module does not have.
  banner: { js: 'const require=process.getBuiltinModule;' },
  // Undici leaves its second, experimental HTTP parser (166 kB) out of bundles that say they are one.
  define: { esbuildDetection: 'true' },
  alias: {
    // A Lambda has its credentials in the environment; the whole chain is 134 kB more to load.
    '@aws-sdk/credential-provider-node': besideThisFile('env-credentials.ts'),
    // The SDK loads it on demand, for which esbuild wraps half of the SDK in lazy modules.
    '@smithy/core/event-streams': besideThisFile('no-event-streams.ts'),
    // Brings a cache of 8 kB for what is off unless a client turns it on.
    '@aws-sdk/endpoint-cache': besideThisFile('no-endpoint-cache.ts'),
    // Importing node:http as an ES module reads all its exports, which loads the built-in undici: a fifth of a cold start.
    'node:http': besideThisFile('http-builtin.cjs'),
  },
} as const satisfies BuildOptions;

/** Writes `index.mjs`, its source map and its data files into `outdir`; the metafile tells what went in. */
export function bundle(name: FunctionName, outdir: string): Metafile {
  const { metafile } = buildSync({
    ...BUNDLE_OPTIONS,
    entryPoints: { index: ENTRY_POINTS[name] },
    outdir,
    outExtension: { '.js': '.mjs' },
  });
  for (const { path } of Object.values(metafile.outputs).flatMap(({ imports }) => imports)) {
    const file = DATA_FILES[path];
    if (file !== undefined) copyFileSync(join(PROJECT_ROOT, file), join(outdir, path));
  }
  return metafile;
}
