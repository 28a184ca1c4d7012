import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, type Metafile, buildSync } from 'esbuild';
import { joinStart } from './join-start.ts';

/** Each entry point exports `handler`. */
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

/** CommonJS module that is the built-in one. */
const builtinModule = (name: string) =>
  `data:text/javascript,module.exports=process.getBuiltinModule('${name}')`;

/** Data imported on demand. It stays a separate file: inside the code it would be compiled at every cold start. */
const DATA_FILES: Readonly<Record<string, string>> = {
  './openapi/openapi.json': 'functions/openapi/openapi.json',
};

/** Shared by the stack, the tests and the benchmark. */
export const BUNDLE_OPTIONS = {
  absWorkingDir: PROJECT_ROOT,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // Splits on-demand imports into files that are compiled on demand too.
  splitting: true,
  // Without `module` first, the SDK is bundled as CommonJS: 521 instead of 326 kB.
  mainFields: ['module', 'main'],
  minify: true,
  sourcemap: 'linked',
  sourcesContent: false,
  metafile: true,
  logLevel: 'error',
  external: Object.keys(DATA_FILES),
  // CommonJS dependencies load built-in modules with `require`, which ES modules lack.
  banner: { js: 'const require=process.getBuiltinModule;' },
  // Makes Undici omit its second, experimental HTTP parser (166 kB).
  define: { esbuildDetection: 'true' },
  alias: {
    // A Lambda function has its credentials in the environment; the full provider chain is 134 kB.
    '@aws-sdk/credential-provider-node': besideThisFile('env-credentials.ts'),
    // The SDK loads it on demand, and the code it shares with the SDK would be one more file at every cold start.
    '@smithy/core/event-streams': besideThisFile('no-event-streams.ts'),
    // Adds an 8 kB cache for a feature that is off by default.
    '@aws-sdk/endpoint-cache': besideThisFile('no-endpoint-cache.ts'),
    // The SDK searches for profile files before its first call; a Lambda function has none.
    'node:fs/promises': besideThisFile('no-profile-files.ts'),
    // Importing a built-in as an ES module evaluates all exports, getters too. For node:http that loads the built-in
    // undici, a fifth of a cold start; for the others file streams, standard streams and web cryptography.
    'node:http': builtinModule('node:http'),
    'node:https': builtinModule('node:https'),
    'node:crypto': builtinModule('node:crypto'),
    'node:fs': builtinModule('node:fs'),
    'node:process': builtinModule('node:process'),
    // The YAML parser imports them by names that could be packages.
    process: builtinModule('node:process'),
    buffer: 'node:buffer',
  },
} as const satisfies BuildOptions;

/** Functions that use only the table meet no web streams. The SDK's check for them would load their implementation. */
const WITHOUT_WEB_STREAMS = { ReadableStream: 'undefined' };
const NEEDS_WEB_STREAMS: readonly FunctionName[] = ['sync-releases', 'run-pruner'];

/** Writes `index.mjs`, on-demand files, source maps and data. The metafile predates `joinStart`. */
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
