import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyCheckout, done, node, npm, remove, temporaryFolder, tsc } from './checkout.ts';

const WRONG_USES = fileURLToPath(new URL('wrong-uses.ts', import.meta.url));

const checkout = copyCheckout();
const project = temporaryFolder();
const installed = join(project, 'node_modules/@cairn/shared');
const manifestBefore = textOf(join(checkout, 'shared/package.json'));
const dependencies = Object.keys(
  (JSON.parse(manifestBefore) as { readonly dependencies: Readonly<Record<string, string>> }).dependencies,
);
const sources = filesIn(join(checkout, 'shared')).filter((path) => path.endsWith('.ts'));
const modules = sources.map((path) => path.slice(0, -'.ts'.length));
/** The import paths that the README and the docs name, with something of each. They outlive moves of files. */
const DOCUMENTED = {
  prune: 'createPruner',
  'prune/history': 'pruneHistory',
  'path/find-upgrade': 'findUpgrade',
  'path/channel-directory': 'ChannelDirectory',
  'path/prepared-graph': 'prepareGraph',
  'graph/channel-index': 'buildChannelIndex',
  'graph/normalize': 'normalizeGraph',
};

beforeAll(async () => {
  await Promise.all([
    done(npm(checkout, 'pack', '--workspace=shared', `--pack-destination=${project}`)),
    ...dependencies.map((name) =>
      done(npm(project, 'pack', join(checkout, 'node_modules', name), '--ignore-scripts')),
    ),
  ]);
  writeFileSync(join(project, 'package.json'), '{"name": "empty", "private": true, "type": "module"}');
  const tarballs = readdirSync(project).filter((name) => name.endsWith('.tgz'));
  await done(npm(project, 'install', ...tarballs.map((name) => `./${name}`)));
});

afterAll(() => {
  remove(checkout);
  remove(project);
});

describe('packing', () => {
  it('leaves the checkout as it was', () => {
    expect(textOf(join(checkout, 'shared/package.json'))).toBe(manifestBefore);
    expect(filesIn(join(checkout, 'shared')).filter((path) => !path.endsWith('.ts'))).toEqual([
      'README.md',
      'package.json',
    ]);
  });
});

describe('the tarball', () => {
  it('has JavaScript and declarations of every module, and nothing else but what a package needs', () => {
    const built = modules.flatMap((module) => [`dist/${module}.d.ts`, `dist/${module}.js`]);
    const expected = ['LICENSE', 'README.md', 'package.json', ...built];
    expect(filesIn(installed)).toEqual(expected.toSorted());
  });

  it('says in package.json what those who install it need', () => {
    const { version, dependencies, description } = JSON.parse(manifestBefore) as Record<string, unknown>;
    expect(JSON.parse(textOf(join(installed, 'package.json')))).toEqual({
      name: '@cairn/shared',
      version,
      description,
      license: 'Apache-2.0',
      type: 'module',
      sideEffects: false,
      exports: {
        './prune': { types: './dist/prune/index.d.ts', default: './dist/prune/index.js' },
        './prune/history': {
          types: './dist/prune/history/prune-history.d.ts',
          default: './dist/prune/history/prune-history.js',
        },
        './path/find-upgrade': { types: './dist/path/find-path.d.ts', default: './dist/path/find-path.js' },
        './*': { types: './dist/*.d.ts', default: './dist/*.js' },
      },
      files: ['dist/**/*.js', 'dist/**/*.d.ts'],
      engines: { node: '>=20' },
      dependencies,
    });
  });

  it('has the licence of the project', () => {
    expect(textOf(join(installed, 'LICENSE'))).toBe(textOf(join(checkout, 'LICENSE')));
  });

  it('names files that are there', () => {
    const files = filesIn(join(installed, 'dist')).map((path) => join(installed, 'dist', path));
    const named = files.flatMap((file) =>
      Array.from(textOf(file).matchAll(/(?:\bfrom |\bimport\()['"](\.[^'"]+)['"]/g), ([, path = '']) =>
        join(dirname(file), path),
      ),
    );
    expect(named.length).toBeGreaterThan(modules.length);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe('in an empty project', () => {
  it('every module can be imported', async () => {
    writeFileSync(
      join(project, 'every.js'),
      `${modules.map((module) => `await import(${JSON.stringify(`@cairn/shared/${module}`)});`).join('\n')}
      console.log('all');`,
    );
    expect(await node(project, 'every.js')).toEqual({ code: 0, stdout: 'all\n', stderr: '' });
  });

  it.each(Object.entries(DOCUMENTED))('%s has %s', async (path, name) => {
    const code = `import { ${name} } from '@cairn/shared/${path}'; console.log(typeof ${name});`;
    expect(await node(project, '--input-type=module', '-e', code)).toEqual({
      code: 0,
      stdout: 'function\n',
      stderr: '',
    });
  });
});

describe('the examples of its README', () => {
  const examples = examplesIn(textOf(join(checkout, 'shared/README.md')));

  it('are about pruning and paths', () => {
    expect(examples.map(({ code }) => /\b(createPruner|findPath)\(/.exec(code)?.[1])).toEqual([
      'createPruner',
      'findPath',
    ]);
  });

  it.each(examples)('print what it says: $output', async ({ code, output }) => {
    expect(await node(project, '--input-type=module', '-e', code)).toEqual({
      code: 0,
      stdout: output,
      stderr: '',
    });
  });

  it.each([
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ])(
    'and every module have types by resolution %s, and wrong uses are found',
    async (moduleResolution, module) => {
      const files = [
        ...examples.map(({ code }) => code),
        [...modules, ...Object.keys(DOCUMENTED)]
          .map((path, at) => `export * as module${at} from '@cairn/shared/${path}';`)
          .join('\n'),
        textOf(WRONG_USES),
      ].map((code, at) => {
        const file = `${moduleResolution}-${at}.ts`;
        writeFileSync(join(project, file), code);
        return file;
      });
      const compilerOptions = {
        target: 'es2022',
        module,
        moduleResolution,
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        types: [],
        noEmit: true,
      };
      const config = `tsconfig.${moduleResolution}.json`;
      writeFileSync(join(project, config), JSON.stringify({ compilerOptions, files }));
      expect(await tsc(project, '-p', config)).toEqual({ code: 0, stdout: '', stderr: '' });
    },
  );
});

function examplesIn(readme: string): { readonly code: string; readonly output: string }[] {
  return Array.from(
    readme.matchAll(/^```js\n([^]*?)^```\n\n```text\n([^]*?)^```$/gm),
    ([, code = '', output = '']) => ({ code, output }),
  );
}

function textOf(file: string): string {
  return readFileSync(file, 'utf8');
}

/** Paths of all files below a folder, with slashes, in order. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll(sep, '/'),
    )
    .toSorted();
}
