import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, SHARED } from './paths.ts';
import { type Manifest, publishedManifest } from './published-manifest.ts';

const MANIFEST = join(SHARED, 'package.json');
/** The package.json of the sources, while that of the tarball is in its place. */
const SAVED = join(DIST, 'package.json.saved');

/** Puts the package.json of the tarball in place of the other one, which is whole in one of two places at any time. */
export function swapManifest(): void {
  const next = join(DIST, 'package.json.next');
  mkdirSync(DIST, { recursive: true });
  writeFileSync(next, publishedText(readFileSync(MANIFEST, 'utf8')));
  copyFileSync(MANIFEST, `${SAVED}.part`);
  renameSync(`${SAVED}.part`, SAVED);
  renameSync(next, MANIFEST);
}

/**
 * Undoes the swap, of this packing or of one that was killed. A package.json that somebody has changed or brought back
 * since stays as it is; throws when it is not that of the sources.
 */
export function restoreManifest(): 'restored' | 'not-swapped' {
  const text = readFileSync(MANIFEST, 'utf8');
  if (existsSync(SAVED) && text === publishedText(readFileSync(SAVED, 'utf8'))) {
    renameSync(SAVED, MANIFEST);
    return 'restored';
  }
  publishedText(text);
  return 'not-swapped';
}

function publishedText(source: string): string {
  return `${JSON.stringify(publishedManifest(JSON.parse(source) as Manifest), null, 2)}\n`;
}
