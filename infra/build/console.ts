import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { ConsoleFile, ConsoleManifest } from '../../functions/site/page.ts';
import { bundlePage } from './bundle-page.ts';

const SOURCE = fileURLToPath(new URL('../../functions/console/', import.meta.url));

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/**
 * Makes the console: the page, its script, its style sheet and what it loads on demand, each with a copy in gzip, and
 * `manifest.json`, which names them. `source` is the folder of `index.html` and `main.tsx`.
 */
export function buildConsole(outdir: string, source = SOURCE): void {
  mkdirSync(outdir, { recursive: true });
  const write = (file: string, content: Uint8Array): ConsoleFile => {
    const mediaType = MEDIA_TYPES[extname(file)];
    if (mediaType === undefined) throw new Error(`${file} of the console has a type that nobody serves`);
    writeFileSync(join(outdir, file), content);
    writeFileSync(join(outdir, `${file}.gz`), gzipSync(content, { level: 9 }));
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
    return { file, mediaType, hash };
  };
  const assets = [...bundlePage(source)].map(([name, text]) => write(name, Buffer.from(text)));
  const html = readFileSync(join(source, 'index.html'), 'utf8');
  const page = write('index.html', Buffer.from(withHashedNames(html, assets)));
  const manifest: ConsoleManifest = { page, assets };
  writeFileSync(join(outdir, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

const NAMED = /"\/assets\/main(\.\w+)"/g;

/** The page names `/assets/main.js` and `/assets/main.css`: each as often as there is one, or it would come without it. */
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
