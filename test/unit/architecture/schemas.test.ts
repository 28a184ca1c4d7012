import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Route } from '../../../functions/http/route.ts';
import { ERRORS, RESPONSES } from '../../../functions/openapi/responses.ts';
import { routes } from '../../../functions/routes.ts';
import { builtBundle } from '../../helpers/lambda/built.ts';
import { readSourceFiles } from './source-files.ts';

const files = readSourceFiles();
const isSchemaFile = ({ path }: { readonly path: string }) =>
  /^functions\/.*(\/schemas\/[\w-]+|\/schema|\/event-schemas|\/openapi\/responses)\.ts$/.test(path);
const schemaFiles = files.filter(isSchemaFile);

/** Kubernetes objects that pass through: the keys that are read, beside any others. */
const PASSING_OBJECTS = ['functions/pruners/schema.ts'];

const TOP_LEVEL_CONST = /^(?:export )?const (\w+)[^=]*? =\s+(.*(?:\n(?=[\s)\]}]).*)*)/gm;
const LAZY = /^\/\* @__PURE__ \*\/ lazy\(\(\) =>/;
const FUNCTION = /^(<[^>]*(?:<[^>]*>[^>]*)?>)?\([^]*?\)(: [^=]+)? =>/;

/** Names of top-level constants that make schemas when the file is loaded. */
function eagerSchemas(code: string, makers: ReadonlySet<string>): string[] {
  const makesSchema = (text: string) =>
    /\bz\s*\.[a-z]/.test(text) ||
    Array.from(text.matchAll(/\b(\w+)\(/g)).some(([, name]) => makers.has(name!));
  return Array.from(code.matchAll(TOP_LEVEL_CONST))
    .filter(([, , value = '']) => !LAZY.test(value) && !FUNCTION.test(value) && makesSchema(value))
    .map(([, name]) => name!);
}

/** Lazy schemas and functions that make schemas. */
const makers = new Set(
  schemaFiles
    .flatMap(({ path }) => Array.from(sourceOf(path).matchAll(TOP_LEVEL_CONST)))
    .filter(([, , value = '']) => LAZY.test(value) || (FUNCTION.test(value) && /\bz\s*\.[a-z]/.test(value)))
    .map(([, name]) => name!),
);

function sourceOf(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

describe('schemas', () => {
  it('are made when they are first used, in a call that the bundler may leave out', () => {
    expect(makers.size).toBeGreaterThan(100);
    const eager = schemaFiles.flatMap(({ path }) =>
      eagerSchemas(sourceOf(path), makers).map((name) => `${path}: ${name}`),
    );
    expect(eager).toEqual([]);
  });

  it.each([
    ['a schema', 'export const Upload = z.object({ name: z.string() });'],
    ['a schema over several lines', 'export const Upload = z\n  .object({\n    name: At(),\n  });'],
    ['fields of a schema', 'const fields = {\n  name: z.string(),\n};'],
    ['a call of what makes one', 'const format = At();'],
    ['a lazy schema without the mark', 'export const Upload = lazy(() => z.object({}));'],
  ])('%s that is made at once is found', (_what, code) => {
    expect(eagerSchemas(code, new Set(['At']))).toHaveLength(1);
  });

  it('take enums from constants', () => {
    const literal = files.filter(({ code, path }) => !isTest(path) && /z\.enum\(\s*\[/.test(code));
    expect(literal.map(({ path }) => path)).toEqual([]);
  });

  it('take any key only in Kubernetes objects that pass through', () => {
    const loose = files.filter(({ code, path }) => !isTest(path) && /\blooseObject\(/.test(code));
    expect(loose.map(({ path }) => path)).toEqual(PASSING_OBJECTS);
  });
});

function isTest(path: string): boolean {
  return path.startsWith('test/');
}

describe('response schemas', () => {
  const idsMadeBy = (make: () => void): string[] => {
    const { _idmap: ids } = z.globalRegistry;
    const former = new Set(ids.keys());
    make();
    return [...ids.keys()].filter((id) => !former.has(id));
  };
  const requestIds = idsMadeBy(() => {
    for (const route of routes as readonly Route[]) {
      for (const part of ['query', 'body', 'documents', 'documentsBody', 'resource'] as const)
        route[part]?.();
    }
  });
  const responseIds = idsMadeBy(() => {
    for (const make of [...Object.values(RESPONSES), ...Object.values(ERRORS)]) make();
  });

  it.each(['query', 'manage'] as const)('are not in the code of %s', (name) => {
    const code = readdirSync(builtBundle(name))
      .filter((file) => file.endsWith('.mjs'))
      .map((file) => readFileSync(join(builtBundle(name), file), 'utf8'))
      .join('\n');
    const found = new Set(Array.from(code.matchAll(/\bid:"(\w+)"/g), ([, id]) => id!));
    expect(responseIds.length).toBeGreaterThan(40);
    expect(responseIds.filter((id) => found.has(id))).toEqual([]);
    // Those of requests are there, so the search finds what it searches for.
    expect(requestIds.filter((id) => found.has(id))).toContain(
      name === 'manage' ? 'ImagePrunerSpec' : 'UpgradePathsRequest',
    );
  });
});
