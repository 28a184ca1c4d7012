import { isBuiltin } from 'node:module';
import { describe, expect, it } from 'vitest';
import { PARTITION_PREFIX } from '../../../functions/store/keys.ts';
import { ENTRY_POINTS } from '../../../infra/aws/bundling/options.ts';
import { LAYERS, WITHOUT_HTTP } from './layers.ts';
import { exists, type Import, readJsonFile, readSourceFiles, type SourceFile } from './source-files.ts';

const files = readSourceFiles();
const below = (...folders: string[]) =>
  files.filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)));

/** The imports of these files that break a rule, as `path -> specifier`. */
function broken(of: readonly SourceFile[], isAllowed: (imported: Import) => boolean): string[] {
  return of.flatMap(({ path, imports }) =>
    imports.filter((imported) => !isAllowed(imported)).map(({ specifier }) => `${path} -> ${specifier}`),
  );
}

function pathsWith(of: readonly SourceFile[], pattern: RegExp): string[] {
  return of.filter(({ code }) => pattern.test(code)).map(({ path }) => path);
}

/** Packages and built-in modules are below no folder. */
function isBelow({ target }: Import, ...folders: string[]): boolean {
  return target !== undefined && folders.some((folder) => target.startsWith(`${folder}/`));
}

function isOurs({ target }: Import): boolean {
  return target !== undefined;
}

/** `@aws-sdk/client-s3/dist` is of the package `@aws-sdk/client-s3`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** The folder of LAYERS that a file is in, the deepest one. */
function rowOf(path: string): string | undefined {
  const around = Object.keys(LAYERS).filter((folder) => path.startsWith(`${folder}/`));
  return around.toSorted((a, b) => b.length - a.length)[0];
}

function isInRow(path: string, { target = '', isTypeOnly }: Import): boolean {
  if (target === 'package.json') return !path.startsWith('shared/');
  const row = rowOf(path);
  const isShared = target.startsWith('shared/') && !path.startsWith('shared/');
  if (isShared || rowOf(target) === row) return true;
  const file = target.replace(/\.\w+$/, '');
  const allows = (name: string) => {
    const [, type, of = ''] = /^(type )?(.*)$/.exec(name)!;
    if (type !== undefined && !isTypeOnly) return false;
    const [top = '', any] = of.split('/*');
    if (any !== undefined) return file.startsWith(`${top}/`) && file.endsWith(any);
    return file === of || file.startsWith(`${of}/`);
  };
  return row !== undefined && LAYERS[row]!.some(allows);
}

describe('folders', () => {
  it('are read at all', () => {
    for (const folder of ['shared', 'functions', 'functions/console', 'infra/aws', 'test']) {
      expect(below(folder).some(({ imports }) => imports.length > 0)).toBe(true);
    }
  });

  it('are all in LAYERS', () => {
    const ours = below('shared', 'functions', 'infra').filter(({ path }) => rowOf(path) === undefined);
    expect(ours.map(({ path }) => path)).toEqual([]);
    expect(Object.keys(LAYERS).filter((folder) => below(folder).length === 0)).toEqual([]);
  });

  it('import what their row of LAYERS allows', () => {
    const wrong = below('shared', 'functions', 'infra').flatMap(({ path, imports }) =>
      imports
        .filter((imported) => isOurs(imported) && !isInRow(path, imported))
        .map(({ target, isTypeOnly }) => `${path} -> ${isTypeOnly ? 'type ' : ''}${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('code that jobs run too imports no HTTP', () => {
    const isWithoutHttp = ({ path }: SourceFile) =>
      WITHOUT_HTTP.some((name) => {
        const [, folder = '', file = folder] = /^functions\/([\w-]+)\/([\w-]+)\.ts$/.exec(path) ?? [];
        return name === folder || name === `${folder}/${file}` || name === `*/${file}`;
      });
    const those = below('functions').filter(isWithoutHttp);
    expect(those.length).toBeGreaterThan(WITHOUT_HTTP.length);
    const isAllowed = (imported: Import) =>
      !isBelow(imported, 'functions/http') || imported.target === 'functions/http/schema-fields.ts';
    expect(broken(those, isAllowed)).toEqual([]);
  });

  it('shared imports no package but semver, by file, and the parser of queries in one place', () => {
    const isParser = ({ specifier }: Import) => specifier === '@prometheus-io/lezer-promql';
    const readers = below('shared').filter(({ imports }) => imports.some(isParser));
    expect(readers.map(({ path }) => path)).toEqual(['shared/risk/promql/parse-query.ts']);
    const isAllowed = (imported: Import) =>
      isOurs(imported) || isParser(imported) || /^semver\/.+\.js$/.test(imported.specifier);
    expect(broken(below('shared'), isAllowed)).toEqual([]);
  });

  it('evaluating queries needs no parser', () => {
    const those = below('shared/risk/evaluate').concat(
      files.filter(({ path }) => path === 'shared/risk/verdict.ts'),
    );
    const isAllowed = (imported: Import) =>
      imported.isTypeOnly || imported.target !== 'shared/risk/promql/parse-query.ts';
    expect(broken(those, isAllowed)).toEqual([]);
  });

  it('the console runs preact and shared, but nothing that reads documents of a cluster', () => {
    const isAllowed = (imported: Import) =>
      imported.isTypeOnly ||
      (isOurs(imported) ? !isBelow(imported, 'shared/cluster') : packageOf(imported.specifier) === 'preact');
    expect(broken(below('functions/console'), isAllowed)).toEqual([]);
  });

  it('what builds runs esbuild and built-in modules; the package is built by these alone', () => {
    const isAllowed = (imported: Import) =>
      isOurs(imported) ||
      isBuiltin(imported.specifier) ||
      ['esbuild', 'aws-cdk-lib'].includes(packageOf(imported.specifier));
    expect(broken(below('infra/build'), isAllowed)).toEqual([]);
    const packaging = files.filter(({ path }) => path === 'infra/build/package.ts');
    expect(broken(packaging, ({ specifier }) => isBuiltin(specifier))).toEqual([]);
  });

  it('handlers are named by path only', () => {
    expect(Object.values(ENTRY_POINTS).filter((path) => !exists(path))).toEqual([]);
  });

  it('nothing but tests imports tests', () => {
    const ours = below('shared', 'functions', 'infra');
    expect(broken(ours, (imported) => !isBelow(imported, 'test'))).toEqual([]);
  });

  it('shared is imported by the name of its package', () => {
    const others = below('functions', 'infra', 'test');
    const isAllowed = (imported: Import) =>
      !isBelow(imported, 'shared') || imported.specifier.startsWith('@cairn/shared/');
    expect(broken(others, isAllowed)).toEqual([]);
  });
});

describe('imports', () => {
  it('name files that are there', () => {
    expect(broken(files, ({ target }) => target === undefined || exists(target))).toEqual([]);
  });

  it('of what runs name declared packages, and never development ones', () => {
    const declared = Object.keys(readJsonFile('package.json')['dependencies'] as object);
    // Run while building only: it writes the document that the function then serves.
    const running = below('functions').filter(({ path }) => path !== 'functions/openapi/write-openapi.ts');
    const isAllowed = (imported: Import) =>
      isOurs(imported) ||
      imported.isTypeOnly ||
      isBuiltin(imported.specifier) ||
      declared.includes(packageOf(imported.specifier));
    expect(broken(running, isAllowed)).toEqual([]);
  });

  it('of built-in modules say node:', () => {
    const isAllowed = ({ specifier }: Import) => specifier.startsWith('node:') || !isBuiltin(specifier);
    expect(broken(files, isAllowed)).toEqual([]);
  });

  it('make no cycle', () => {
    const byPath = new Map(files.map((file) => [file.path, file]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) {
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
        return;
      }
      if (done.has(path)) return;
      for (const { target } of byPath.get(path)?.imports ?? []) {
        if (target !== undefined) visit(target, [...trail, path]);
      }
      done.add(path);
    };
    for (const { path } of files) visit(path, []);
    expect(cycles).toEqual([]);
  });

  it('go to the file that has the thing: there are no barrels but the published face of pruning', () => {
    const ours = below('shared', 'functions', 'infra');
    const barrels = ours.map(({ path }) => path).filter((path) => /(^|\/)index\.\w+$/.test(path));
    expect(barrels).toEqual(['shared/prune/index.ts']);
    expect(pathsWith(below('functions', 'infra'), /['"]@cairn\/shared\/prune['"]/)).toEqual([]);
    expect(pathsWith(ours, /^\s*export\s*\*/m)).toEqual([]);
  });

  it('take zod as a whole, or every language of its messages comes along', () => {
    expect(pathsWith(files, /import\s*(?:type\s*)?\{[^}]*\}\s*from\s*['"]zod/)).toEqual([]);
  });

  it('use names, never one of our files by a default', () => {
    // A declaration file says what somebody else's package exports.
    const ours = below('shared', 'functions', 'infra').filter(({ path }) => !path.endsWith('.d.ts'));
    expect(pathsWith(ours, /^\s*export\s+default\b/m)).toEqual([]);
  });
});

describe('rules for code', () => {
  it('only the environment module and the local run read the environment', () => {
    const readers = pathsWith(below('shared', 'functions', 'infra/aws'), /\bprocess\s*\.\s*env\b/);
    expect(readers).toEqual(['functions/runtime/env.ts']);
  });

  it('only the store names key attributes, and only its keys module makes keys', () => {
    const elsewhere = below('functions', 'infra/aws').filter(
      ({ path }) => !path.startsWith('functions/store/'),
    );
    expect(pathsWith(elsewhere, /\b(?:gsi1)?[ps]k\b/)).toEqual([]);
    const ours = below('functions', 'infra/aws');
    const prefixes = Object.values(PARTITION_PREFIX).join('|');
    expect(pathsWith(ours, new RegExp(`['"\`](?:${prefixes})`))).toEqual(['functions/store/keys.ts']);
  });

  it('only the item primitive catches a failed condition', () => {
    expect(pathsWith(below('functions'), /\bConditionalCheckFailedException\b/)).toEqual([
      'functions/store/item.ts',
    ]);
  });

  it('stored JSON gets its type by a codec or upgradeStored, never by a cast', () => {
    const stores = below('functions').filter(({ path }) =>
      /(?:^|[/-])(?:store|state|progress|settings)\.ts$/.test(path),
    );
    const parsers = stores.filter(({ code }) => code.includes('JSON.parse'));
    expect(parsers.length).toBeGreaterThanOrEqual(6);
    const cast = /JSON\.parse\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s+as\b/;
    expect(pathsWith(parsers, cast)).toEqual([]);
    expect(pathsWith(parsers, /^(?![^]*\b(?:storedCodec|upgradeStored)[<(])/)).toEqual([]);
  });

  it('every client of AWS has time-outs: it is made with the settings of all', () => {
    const all = below('functions').flatMap(({ code }) => code.match(/\bnew \w+Client\([^]{0,24}/g) ?? []);
    const kinds = new Set(all.map((made) => /\w+Client/.exec(made)![0]));
    expect([...kinds].toSorted()).toEqual([
      'DynamoDBClient',
      'EventBridgeClient',
      'S3Client',
      'STSClient',
      'SchedulerClient',
    ]);
    expect(all.filter((made) => !/\((?:\{\s*\.\.\.)?clientSettings\(/.test(made))).toEqual([]);
    const overriders = pathsWith(below('functions'), /\b(?:requestHandler|NodeHttpHandler|requestTimeout)\b/);
    expect(overriders).toEqual(['functions/store/client.ts']);
  });

  it('shared has no clock, no chance and no process', () => {
    expect(
      pathsWith(
        below('shared'),
        /\bDate\.now\b|new Date\(\)|\bMath\.random\b|\bprocess\.|\bBuffer\b|\bfetch\(/,
      ),
    ).toEqual([]);
  });

  it('no pattern is made from outside text', () => {
    expect(pathsWith(below('shared', 'functions', 'infra'), /new RegExp\((?!\s*['"`/])/)).toEqual([]);
  });
});
