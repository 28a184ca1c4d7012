import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { ENTRY_POINTS, type FunctionName, bundle } from '../../infra/aws/bundling/options.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-bundles-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
const NOT_FOR_API = ['undici', '@aws-sdk/client-s3', 'ajv', 'aws-xray-sdk-core'];

/** Most bytes of the code, and the packages that must not be in it. */
const BUDGETS: Readonly<
  Record<FunctionName, { readonly bytes: number; readonly forbidden: readonly string[] }>
> = {
  query: {
    bytes: 360_000,
    forbidden: [
      ...CREDENTIAL_CHAIN,
      ...NOT_FOR_API,
      '@aws-sdk/client-scheduler',
      '@aws-sdk/client-eventbridge',
    ],
  },
  manage: { bytes: 360_000, forbidden: [...CREDENTIAL_CHAIN, ...NOT_FOR_API, '@aws-sdk/client-eventbridge'] },
  'sync-releases': {
    bytes: 1_200_000,
    forbidden: [...CREDENTIAL_CHAIN, '@aws-sdk/client-scheduler', 'ajv', 'aws-xray-sdk-core'],
  },
};

function codeOf(metafile: Metafile) {
  const [, output] = Object.entries(metafile.outputs).find(([path]) => path.endsWith('index.mjs'))!;
  const inputs = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return { ...output, paths: inputs.map(([path]) => path), read: Object.keys(metafile.inputs) };
}

function isOfPackage(path: string, name: string): boolean {
  return path.includes(`node_modules/${name}/`);
}

describe.each(Object.keys(ENTRY_POINTS) as FunctionName[])('the bundle of %s', (name) => {
  const { bytes, paths, read, imports, exports } = codeOf(bundle(name, join(folder, name)));
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

  it('has the stand-ins for the credential chain and node:http', () => {
    expect(read).toContain('infra/aws/bundling/env-credentials.ts');
    expect(read).toContain('infra/aws/bundling/http-builtin.cjs');
    expect(imports.filter(({ path }) => path === 'node:http' || path === 'http')).toEqual([]);
  });

  it('leaves nothing to be found at run time but built-in modules and files beside it', () => {
    const external = imports.filter((other) => other.external && !other.path.startsWith('node:'));
    expect(external.filter(({ path }) => !existsSync(join(folder, name, path)))).toEqual([]);
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
