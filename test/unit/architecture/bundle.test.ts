import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { ENV } from '../../../functions/runtime/env.ts';
import { filesOf } from '../../../infra/aws/bundling/join-start.ts';
import { ENTRY_POINTS, type FunctionName } from '../../../infra/aws/bundling/options.ts';
import { builtBundle, metafileOf } from '../../helpers/lambda/built.ts';

const runFile = promisify(execFile);

const CREDENTIAL_CHAIN = [
  '@aws-sdk/credential-provider-node',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-login',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@aws-sdk/nested-clients',
  '@smithy/credential-provider-imds',
];
const NOT_FOR_API = ['undici', 'ajv', 'aws-xray-sdk-core'];

/** Most bytes of the code that is loaded at every start, and the packages that must not be in it. */
const BUDGETS: Readonly<
  Record<FunctionName, { readonly bytes: number; readonly forbidden: readonly string[] }>
> = {
  query: {
    bytes: 360_000,
    forbidden: [
      ...CREDENTIAL_CHAIN,
      ...NOT_FOR_API,
      '@aws-sdk/client-s3',
      '@aws-sdk/client-scheduler',
      '@aws-sdk/client-eventbridge',
    ],
  },
  manage: { bytes: 376_000, forbidden: [...CREDENTIAL_CHAIN, ...NOT_FOR_API, '@aws-sdk/client-eventbridge'] },
  'sync-releases': {
    bytes: 1_200_000,
    forbidden: [...CREDENTIAL_CHAIN, '@aws-sdk/client-scheduler', 'ajv', 'aws-xray-sdk-core'],
  },
  watch: { bytes: 332_000, forbidden: [...CREDENTIAL_CHAIN, ...NOT_FOR_API, '@aws-sdk/client-eventbridge'] },
  'follow-fleet': {
    // Reads and judges every kind of documents, the status of updates for the news of them, and evaluates risks.
    bytes: 660_000,
    forbidden: [
      ...CREDENTIAL_CHAIN,
      '@aws-sdk/client-s3',
      '@aws-sdk/client-scheduler',
      'ajv',
      'aws-xray-sdk-core',
    ],
  },
  'run-pruner': {
    bytes: 700_000,
    forbidden: [
      ...CREDENTIAL_CHAIN,
      ...NOT_FOR_API,
      '@aws-sdk/client-scheduler',
      '@aws-sdk/client-eventbridge',
    ],
  },
};

function codeOf(metafile: Metafile) {
  const outputsOf = (files: readonly string[]) => files.map((file) => metafile.outputs[file]!);
  const [index, ...others] = outputsOf(filesOf(metafile, ['import-statement']));
  const all = outputsOf(filesOf(metafile, ['import-statement', 'dynamic-import']));
  const inputs = all.flatMap((output) => Object.entries(output.inputs));
  return {
    exports: index!.exports,
    /** Of what is loaded at every start. */
    bytes: [index!, ...others].reduce((sum, output) => sum + output.bytes, 0),
    imports: all.flatMap((output) => output.imports),
    paths: inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path),
    atStart: [index!, ...others].flatMap((output) => Object.keys(output.inputs)),
    read: Object.keys(metafile.inputs),
  };
}

function isOfPackage(path: string, name: string): boolean {
  return path.includes(`node_modules/${name}/`);
}

describe.each(Object.keys(ENTRY_POINTS) as FunctionName[])('the bundle of %s', (name) => {
  const { bytes, paths, read, imports, exports } = codeOf(metafileOf(name));
  const budget = BUDGETS[name];

  it('exports the handler', () => {
    expect(exports).toEqual(['handler']);
  });

  it('stays within its budget', () => {
    expect(bytes).toBeLessThanOrEqual(budget.bytes);
  });

  it('has none of the packages that do not belong there', () => {
    const found = paths.filter((path) => budget.forbidden.some((other) => isOfPackage(path, other)));
    expect(found).toEqual([]);
  });

  it('has the messages of zod in English only', () => {
    const locales = paths.filter((path) => /node_modules\/zod\/.*\/locales\//.test(path));
    expect(locales.filter((path) => !/\/locales\/en\.\w+$/.test(path))).toEqual([]);
  });

  it('has the stand-ins for the credential chain and for built-in modules', () => {
    expect(read).toContain('infra/aws/bundling/env-credentials.ts');
    expect(read.join()).toContain('<data:text/javascript,module.exports=process.getBuiltinModule(');
    const replaced = /^(node:)?(https?|crypto|fs|fs\/promises|process)$/;
    const imported = imports.filter(({ path, kind }) => kind !== 'require-call' && replaced.test(path));
    expect(imported).toEqual([]);
  });

  it('is one file, and those that are imported on demand', () => {
    const code = readFileSync(join(builtBundle(name), 'index.mjs'), 'utf8');
    expect(code).not.toMatch(/(from|import)"\.\//);
    const onDemand = [...code.matchAll(/import\("\.\/([^"]+)"/g)].map(([, file]) => file!);
    expect(onDemand.filter((file) => !existsSync(join(builtBundle(name), file)))).toEqual([]);
  });

  it('leaves nothing to be found at run time but built-in modules and files beside it', () => {
    const external = imports.filter((other) => other.external && !other.path.startsWith('node:'));
    expect(external.filter(({ path }) => !existsSync(join(builtBundle(name), path)))).toEqual([]);
  });

  it('has no code of another function, of infra or of tests', () => {
    const ownEntry = ENTRY_POINTS[name];
    const foreign = paths.filter(
      (path) =>
        /^(test|infra\/(?!aws\/bundling\/))/.test(path) ||
        Object.values(ENTRY_POINTS).some((entry) => entry === path && entry !== ownEntry),
    );
    expect(foreign).toEqual([]);
  });
});

describe('what query loads on demand', () => {
  const metafile = metafileOf('query');

  it('has the path solver, which no start compiles', () => {
    const { atStart, paths } = codeOf(metafile);
    const isSolver = (path: string) => path.startsWith('shared/path/') && path !== 'shared/path/values.ts';
    expect(atStart.filter(isSolver)).toEqual([]);
    expect(paths.filter(isSolver)).not.toEqual([]);
  });

  it.each([
    ['the routes of the other Lambda', 'functions/manage-routes.ts'],
    ['the console', 'functions/site/page.ts'],
    ['what answers for channels', 'functions/channels/endpoints.ts'],
    ['what answers for paths without a route', 'functions/http/match-path.ts'],
  ])('has %s, which no start compiles', (_what, path) => {
    const { atStart, paths } = codeOf(metafile);
    expect(atStart).not.toContain(path);
    expect(paths).toContain(path);
  });

  it('has no node:util at the start, whose import loads the standard streams', () => {
    const start = filesOf(metafile, ['import-statement']).map((file) => metafile.outputs[file]!);
    const imported = start.flatMap(({ imports }) => imports.map(({ path }) => path));
    expect(imported).toContain('node:zlib');
    expect(imported).not.toContain('node:util');
  });

  it('has no file of the page itself', () => {
    const { read } = codeOf(metafile);
    const isOfPage = (path: string) => path.startsWith('functions/console/') || isOfPackage(path, 'preact');
    expect(read.filter(isOfPage)).toEqual([]);
  });

  it.each([
    ['functions/paths/endpoints.ts', 'upgradePathEndpoints'],
    ['functions/routes.ts', 'routes'],
    ['functions/site/page.ts', 'readConsolePage'],
    ['functions/channels/endpoints.ts', 'channelEndpoints'],
    ['functions/versions/version-detail.ts', 'versionEndpoints'],
  ])('loads %s beside the start', async (path, exported) => {
    const [file] = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === path)!;
    const environment = Object.fromEntries(Object.values(ENV).map((name) => [name, '1']));
    const script = `
      const { handler } = await import(${JSON.stringify(pathToFileURL(join(builtBundle('query'), 'index.mjs')).href)});
      const onDemand = await import(${JSON.stringify(pathToFileURL(join(builtBundle('query'), basename(file))).href)});
      console.log(typeof handler, ${JSON.stringify(exported)} in onDemand);`;
    const { stdout } = await runFile(process.execPath, ['--input-type=module', '-e', script], {
      env: { AWS_REGION: 'eu-west-1', ...environment },
    });
    expect(stdout).toBe('function true\n');
  });
});

describe('what is loaded on demand', () => {
  const isDocumentReader = (path: string) =>
    path.startsWith('shared/cluster/') && path !== 'shared/cluster/facts.ts';
  const isBucketClient = (path: string) => isOfPackage(path, '@aws-sdk/client-s3');

  it.each<[FunctionName, string, (path: string) => boolean]>([
    ['manage', 'the client of the bucket', isBucketClient],
    ['manage', 'what reads documents', isDocumentReader],
    ['watch', 'the client of the bucket', isBucketClient],
    ['watch', 'the client of schedules', (path) => isOfPackage(path, '@aws-sdk/client-scheduler')],
    ['watch', 'what looks after pruners', (path) => path.startsWith('shared/prune/images/')],
  ])('by %s is %s, which no start compiles', (name, _what, isIt) => {
    const { atStart, paths } = codeOf(metafileOf(name));
    expect(atStart.filter(isIt)).toEqual([]);
    expect(paths.filter(isIt)).not.toEqual([]);
  });
});
