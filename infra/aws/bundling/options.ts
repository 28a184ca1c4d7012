import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, type Metafile, buildSync } from 'esbuild';
import { joinStart } from './join-start.ts';

/** Every Lambda of the stack and its entry point; each exports `handler`. */
export const ENTRY_POINTS = {
  query: 'functions/query.ts',
  manage: 'functions/manage.ts',
  'sync-releases': 'functions/sync-releases.ts',
  watch: 'functions/housekeeping.ts',
  'follow-fleet': 'functions/reassess-fleet.ts',
  'run-pruner': 'functions/run-pruner.ts',
} as const;

export type FunctionName = keyof typeof ENTRY_POINTS;

export const PROJECT_ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const besideThisFile = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Data that code imports when it is asked for. It stays a file of its own: in the code it would be compiled at every start. */
const DATA_FILES: Readonly<Record<string, string>> = {
  './openapi/openapi.json': 'functions/openapi/openapi.json',
};

/** The one set of options: the stack, the tests and the bench all run what this makes. */
export const BUNDLE_OPTIONS = {
  absWorkingDir: PROJECT_ROOT,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // What code imports on demand becomes a file of its own, so that it is compiled on demand too.
  splitting: true,
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
    // The SDK loads it on demand, and what it shares with the SDK would be one more file to load at every start.
    '@smithy/core/event-streams': besideThisFile('no-event-streams.ts'),
    // Brings a cache of 8 kB for what is off unless a client turns it on.
    '@aws-sdk/endpoint-cache': besideThisFile('no-endpoint-cache.ts'),
    // The SDK looks for profile files before its first call; a Lambda has none.
    'node:fs/promises': besideThisFile('no-profile-files.ts'),
    // Importing a built-in module as an ES module reads all its exports, getters too. That of node:http loads the
    // built-in undici, a fifth of a cold start; the others file streams, the standard streams and web cryptography.
    'node:http': besideThisFile('http-builtin.cjs'),
    'node:https': besideThisFile('https-builtin.cjs'),
    'node:crypto': besideThisFile('crypto-builtin.cjs'),
    'node:fs': besideThisFile('fs-builtin.cjs'),
    'node:process': besideThisFile('process-builtin.cjs'),
    // The YAML parser asks for them by names that could be those of packages.
    process: besideThisFile('process-builtin.cjs'),
    buffer: 'node:buffer',
  },
} as const satisfies BuildOptions;

/**
 * Code that talks to the table alone meets no stream of the web. Asking whether a body is one, as the SDK does, loads
 * what makes them.
 */
const WITHOUT_WEB_STREAMS = { ReadableStream: 'undefined' };
const NEEDS_WEB_STREAMS: readonly FunctionName[] = ['sync-releases', 'run-pruner'];

/**
 * Writes `index.mjs`, what it loads on demand, source maps and data files into `outdir`; the metafile tells what went
 * in, as it was before the start became one file.
 */
export function bundle(name: FunctionName, outdir: string): Metafile {
  const { metafile } = buildSync({
    ...BUNDLE_OPTIONS,
    define: { ...BUNDLE_OPTIONS.define, ...(!NEEDS_WEB_STREAMS.includes(name) && WITHOUT_WEB_STREAMS) },
    entryPoints: { index: ENTRY_POINTS[name] },
    outdir,
    outExtension: { '.js': '.mjs' },
  });
  joinStart(metafile, outdir, BUNDLE_OPTIONS);
  for (const { path } of Object.values(metafile.outputs).flatMap(({ imports }) => imports)) {
    const file = DATA_FILES[path];
    if (file === undefined) continue;
    mkdirSync(join(outdir, dirname(path)), { recursive: true });
    copyFileSync(join(PROJECT_ROOT, file), join(outdir, path));
  }
  return metafile;
}
