import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoteValue, SENT } from '@cairn/shared/text/quote';
import { CompressedContent } from '../http/compressed-content.ts';
import type { Call } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';
import type { HttpResult } from '../http/reply.ts';
import type { SignIn } from './schema.ts';

export interface ConsoleFile {
  /** A compressed copy with the suffix `.gz` is beside it. */
  readonly file: string;
  readonly mediaType: string;
  /** Hash of the content. */
  readonly hash: string;
}

/** `manifest.json` in the build folder of the console. */
export interface ConsoleManifest {
  readonly page: ConsoleFile;
  /** File names contain a content hash. */
  readonly assets: readonly ConsoleFile[];
}

/** The page treats external input as text only; the policy is a second line of defense. */
function contentSecurityPolicy(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...origins].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const PAGE_HEADERS = {
  // `/` also serves a list for programs.
  vary: 'Accept, Accept-Encoding',
  'cache-control': 'no-cache',
} as const;

const ASSET_HEADERS = {
  vary: 'Accept-Encoding',
  'cache-control': 'public, max-age=31536000, immutable',
} as const;

export type ConsolePage = ReturnType<typeof readConsolePage>;

/** Reads a few dozen kilobytes at once and keeps them. */
export function readConsolePage(folder: string, signIn: SignIn) {
  const origins = signInOrigins(signIn);
  const safety = {
    'content-security-policy': contentSecurityPolicy(origins),
    'referrer-policy': 'no-referrer',
  };
  const { page, assets } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as ConsoleManifest;
  const read = ({ file, hash }: ConsoleFile, headers: Readonly<Record<string, string>>) =>
    new CompressedContent(hash, readFileSync(join(folder, `${file}.gz`)), { ...safety, ...headers });
  const pageContent = read(page, PAGE_HEADERS);
  const assetContents = new Map(
    assets.map((asset) => [asset.file, { mediaType: asset.mediaType, content: read(asset, ASSET_HEADERS) }]),
  );
  // Browsers keep the stored policy on a 304, so another policy needs another entity tag.
  const pageTag = origins.map((origin) => `-${origin}`).join('');
  return {
    /** Same content for every URL: the page routes by itself. */
    page: (call: Pick<Call, 'headers'>): HttpResult => pageContent.answer(call, page.mediaType, pageTag),
    /** `/assets/{file}` */
    asset(call: Pick<Call, 'headers' | 'path'>): HttpResult {
      const { file = '' } = call.path;
      const asset = assetContents.get(file);
      // A page loaded before an update may request files of the former build.
      if (!asset) throw new Problem('not-found', `the console has no file ${quoteValue(file, SENT)}`);
      return asset.content.answer(call, asset.mediaType);
    },
  };
}

/** Origins that the page calls during sign-in. */
function signInOrigins(signIn: SignIn): string[] {
  if (signIn.kind !== 'oidc') return [];
  return [new URL(signIn.tokenEndpoint ?? signIn.issuer).origin];
}
