import { isBuiltin } from 'node:module';
import { describe, expect, it } from 'vitest';
import { ENTRY_POINTS } from '../../../infra/aws/bundling/options.ts';
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

describe('folders', () => {
  it('are read at all', () => {
    for (const folder of ['shared', 'functions', 'functions/console', 'infra/aws', 'test']) {
      expect(below(folder).some(({ imports }) => imports.length > 0)).toBe(true);
    }
  });

  it('shared imports itself and semver by file, nothing else', () => {
    const isAllowed = (imported: Import) =>
      isBelow(imported, 'shared') || /^semver\/.+\.js$/.test(imported.specifier);
    expect(broken(below('shared'), isAllowed)).toEqual([]);
  });

  it('functions imports itself, shared and the version of the project', () => {
    const isAllowed = (imported: Import) =>
      !isOurs(imported) || isBelow(imported, 'functions', 'shared') || imported.target === 'package.json';
    expect(broken(below('functions'), isAllowed)).toEqual([]);
  });

  it('routes and jobs run nothing of each other', () => {
    const avoids = (folder: string) => (imported: Import) =>
      imported.isTypeOnly || !isBelow(imported, folder);
    expect(broken(below('functions/api'), avoids('functions/jobs'))).toEqual([]);
    expect(broken(below('functions/jobs'), avoids('functions/api'))).toEqual([]);
  });

  it('the console imports itself, shared and preact, and only types of schemas of what it asks', () => {
    const isAllowed = (imported: Import) =>
      isBelow(imported, 'functions/console', 'shared') ||
      packageOf(imported.specifier) === 'preact' ||
      (imported.isTypeOnly &&
        (isBelow(imported, 'functions/api/schemas') || packageOf(imported.specifier) === 'zod'));
    expect(broken(below('functions/console'), isAllowed)).toEqual([]);
    const others = files.filter(({ path }) => !/^(functions\/console|test)\//.test(path));
    expect(broken(others, (imported) => !isBelow(imported, 'functions/console'))).toEqual([]);
  });

  it('the console runs nothing of shared that reads documents of a cluster', () => {
    const isAllowed = (imported: Import) => imported.isTypeOnly || !isBelow(imported, 'shared/cluster');
    expect(broken(below('functions/console'), isAllowed)).toEqual([]);
  });

  it('infra/console names the page by path only, and runs esbuild', () => {
    const isAllowed = (imported: Import) =>
      isBuiltin(imported.specifier) ||
      imported.specifier === 'esbuild' ||
      imported.isTypeOnly ||
      isBelow(imported, 'infra/console');
    expect(broken(below('infra/console'), isAllowed)).toEqual([]);
  });

  it('infra/aws imports definitions and constants of functions, and names handlers by path only', () => {
    const definitions = [
      'functions/releases/cache-headers.ts',
      'functions/routes.ts',
      'functions/site/sign-in.ts',
      'functions/runtime/env.ts',
      'functions/runtime/names.ts',
      'functions/runtime/names.ts',
      'functions/http/route.ts',
      'functions/store/keys.ts',
      'functions/store/table.ts',
      'functions/outbound/egress.ts',
    ];
    const isAllowed = (imported: Import) =>
      !isOurs(imported) ||
      isBelow(imported, 'infra/aws', 'infra/console', 'shared') ||
      definitions.includes(imported.target!);
    expect(broken(below('infra/aws'), isAllowed)).toEqual([]);
    expect(Object.values(ENTRY_POINTS).filter((path) => !exists(path))).toEqual([]);
  });

  it('infra/local imports functions, the console and shared, and of infra/aws only the bundling', () => {
    const isAllowed = (imported: Import) =>
      !isOurs(imported) ||
      isBelow(imported, 'infra/local', 'infra/console', 'functions', 'shared', 'infra/aws/bundling') ||
      imported.target === 'package.json';
    expect(broken(below('infra/local'), isAllowed)).toEqual([]);
  });

  it('infra/package imports itself and built-in modules, so that it runs anywhere the sources are', () => {
    const isAllowed = (imported: Import) =>
      isBuiltin(imported.specifier) || isBelow(imported, 'infra/package');
    expect(broken(below('infra/package'), isAllowed)).toEqual([]);
  });

  it('infra/cli names the command by path only, and runs esbuild', () => {
    const isAllowed = (imported: Import) =>
      isBuiltin(imported.specifier) || imported.specifier === 'esbuild' || isBelow(imported, 'infra/cli');
    expect(broken(below('infra/cli'), isAllowed)).toEqual([]);
  });

  it('nothing but the command and what signs for the console runs what is of the command', () => {
    const others = below('functions', 'infra').filter(({ path }) => !path.startsWith('functions/cli/'));
    const isAllowed = (imported: Import) =>
      !isBelow(imported, 'functions/cli') ||
      imported.target === 'functions/outbound/signing.ts' ||
      imported.target === 'functions/outbound/signing.ts' ||
      imported.target === 'functions/outbound/signing.ts';
    expect(broken(others, isAllowed)).toEqual([]);
  });

  it('infra/template imports itself, shared and the stack', () => {
    const isAllowed = (imported: Import) =>
      !isOurs(imported) || isBelow(imported, 'infra/template', 'infra/aws', 'shared');
    expect(broken(below('infra/template'), isAllowed)).toEqual([]);
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

  it('are of names, never of a default of ours', () => {
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
    expect(pathsWith(ours, /['"`](?:SYNC|DOC|RELEASE|CHANGES|CLUSTER|BODY|WATCH|RUN|PRUNER)#/)).toEqual([
      'functions/store/keys.ts',
    ]);
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
