import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';
import { sha256Hex } from '../../functions/runtime/hash.ts';
import type { ConsoleFile, ConsoleManifest } from '../../functions/site/page.ts';

const SOURCE = fileURLToPath(new URL('../../functions/console', import.meta.url));

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

const NAMED = /"\/assets\/main(\.\w+)"/g;

const OPTIONS = {
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'error',
  write: false,
  metafile: true,
  loader: { '.woff2': 'file', '.lazy.css': 'text' },
  assetNames: '[name]-[hash]',
} as const satisfies BuildOptions;

/** Content by file name. */
type PageFiles = Map<string, string>;

interface Bundle {
  readonly files: PageFiles;
  /** Fonts, as they are. Their names contain their own hash. */
  readonly copied: readonly { readonly name: string; readonly content: Uint8Array }[];
}

/**
 * Builds the page, its script, style sheet and lazy chunks, each with a gzip copy, and the `manifest.json` that lists
 * them. `source` is the folder of `index.html` and `main.tsx`.
 */
export function buildConsole(outdir: string, source = SOURCE): void {
  mkdirSync(outdir, { recursive: true });
  const write = (file: string, content: Uint8Array): ConsoleFile => {
    const mediaType = MEDIA_TYPES[extname(file)];
    if (mediaType === undefined) throw new Error(`${file} of the console has a type that nobody serves`);
    writeFileSync(join(outdir, file), content);
    writeFileSync(join(outdir, `${file}.gz`), gzipSync(content, { level: 9 }));
    const hash = sha256Hex(content).slice(0, 32);
    return { file, mediaType, hash };
  };
  const { files, copied } = bundlePage(source);
  const assets = [
    ...[...files].map(([name, text]) => write(name, Buffer.from(text))),
    ...copied.map(({ name, content }) => write(name, content)),
    ...licensesOf(source).map((file) => write(basename(file), readFileSync(file))),
  ];
  const html = readFileSync(join(source, 'index.html'), 'utf8');
  const page = write('index.html', Buffer.from(withHashedNames(html, assets)));
  const manifest: ConsoleManifest = { page, assets };
  writeFileSync(join(outdir, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Fonts are distributed with their license. */
function licensesOf(source: string): string[] {
  const fonts = join(source, 'fonts');
  const names = existsSync(fonts) ? readdirSync(fonts) : [];
  return names.filter((name) => name.endsWith('.txt')).map((name) => join(fonts, name));
}

/**
 * The page must name `/assets/main.js` and `/assets/main.css` exactly as often as they exist; otherwise it would load
 * without them.
 */
function withHashedNames(html: string, assets: readonly ConsoleFile[]): string {
  const mains = assets.filter(({ file }) => file.startsWith('main-'));
  const wanted = mains.map(({ file }) => extname(file)).toSorted();
  const named = [...html.matchAll(NAMED)].map(([, extension = '']) => extension).toSorted();
  if (named.join() !== wanted.join()) {
    throw new Error(
      `index.html of the console names main${named.join(' and main')}, built were main${wanted.join(' and main')}`,
    );
  }
  return html.replaceAll(NAMED, (_match, extension: string) => {
    const { file } = mains.find((asset) => extname(asset.file) === extension)!;
    return `"/assets/${file}"`;
  });
}

/**
 * Bundles `main.js`, `main.css` and lazy chunks. All names share one hash of all content: the files import each other,
 * so files of different builds do not fit together.
 */
function bundlePage(source: string): Bundle {
  const { outputFiles, metafile } = buildSync({
    ...OPTIONS,
    // Makes names independent of the build location.
    absWorkingDir: source,
    entryPoints: { main: 'main.tsx' },
    outdir: source,
    splitting: true,
    chunkNames: '[name]-[hash]',
  });
  const isCode = (path: string): boolean => /\.(js|css)$/.test(path);
  const code = outputFiles.filter(({ path }) => isCode(path));
  const files = new Map(code.map(({ path, text }) => [basename(path), text]));
  return {
    files: withBuildHash(joinStart(files, metafile)),
    copied: outputFiles
      .filter(({ path }) => !isCode(path))
      .map(({ path, contents }) => ({ name: basename(path), content: contents })),
  };
}

/**
 * esbuild puts code that the start and lazy chunks share into separate files, thirty by now. Merges them into
 * `main.js`, from which the lazy chunks then import.
 */
function joinStart(files: PageFiles, metafile: Metafile): PageFiles {
  const start = startOf(metafile);
  const onDemand = [...files].filter(([name]) => name.endsWith('.js') && !start.has(name));
  const handedOut = new HandedOut(start);
  const joined = new Map([...files].filter(([name]) => name.endsWith('.css')));
  for (const [name, text] of onDemand) joined.set(name, handedOut.redirect(text));
  joined.set('main.js', joinedText(files, start, handedOut.statements()));
  return joined;
}

/** Files loaded together with `main.js`. */
function startOf({ outputs }: Metafile): Set<string> {
  const byName = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]));
  const start = new Set(['main.js']);
  // Iterating a Set includes entries added meanwhile.
  for (const name of start) {
    for (const { path, kind } of byName.get(name)!.imports) {
      if (kind === 'import-statement') start.add(basename(path));
    }
  }
  return start;
}

function joinedText(files: PageFiles, start: ReadonlySet<string>, exported: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-page-'));
  try {
    for (const name of start) writeFileSync(join(folder, name), files.get(name)!);
    const { outputFiles } = buildSync({
      ...OPTIONS,
      stdin: { contents: ['import "./main.js";', ...exported].join('\n'), resolveDir: folder },
      external: [...files.keys()].filter((name) => !start.has(name)).map((name) => `./${name}`),
      outfile: join(folder, 'joined.js'),
    });
    return outputFiles[0]!.text;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** esbuild's output: `import{a as b,c}from"./chunk-X.js";` */
const IMPORT = /import(?:\{([^}]*)\}from)?"\.\/([^"]+)";/g;

/** Exports of `main.js` for lazy chunks, under generated names. */
class HandedOut {
  readonly #start: ReadonlySet<string>;
  /** By source file and exported name. */
  readonly #names = new Map<string, string>();

  constructor(start: ReadonlySet<string>) {
    this.#start = start;
  }

  /** Rewrites imports of merged files to `main.js`. */
  redirect(text: string): string {
    return text.replaceAll(IMPORT, (statement, list: string | undefined, file: string) => {
      if (!this.#start.has(file)) return statement;
      const taken = (list ?? '')
        .split(',')
        .filter(Boolean)
        .map((each) => {
          const [own = '', local = own] = each.split(' as ');
          return `${this.#nameOf(`${file} ${own}`)} as ${local}`;
        });
      return taken.length > 0 ? `import{${taken.join(',')}}from"./main.js";` : '';
    });
  }

  statements(): string[] {
    return [...this.#names].map(([key, name]) => {
      const [file, own] = key.split(' ');
      return `export { ${own} as ${name} } from "./${file}";`;
    });
  }

  #nameOf(key: string): string {
    const name = this.#names.get(key) ?? `s${this.#names.size}`;
    this.#names.set(key, name);
    return name;
  }
}

function withBuildHash(files: PageFiles): PageFiles {
  const hash = createHash('sha256');
  for (const [name, text] of files) hash.update(`${name}\n${text}\n`);
  const build = hash.digest('hex').slice(0, 10);
  const named = (name: string): string => name.replace(/(\.\w+)$/, `-${build}$1`);
  const rename = (text: string): string =>
    [...files.keys()].reduce(
      (renamed, name) => renamed.replaceAll(`"./${name}"`, `"./${named(name)}"`),
      text,
    );
  return new Map([...files].map(([name, text]) => [named(name), rename(text)]));
}
