import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoteValue, SENT } from '@cairn/shared/text/quote';
import { CompressedContent } from '../http/compressed-content.ts';
import type { Call } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';
import type { HttpResult } from '../http/reply.ts';
import type { SignIn } from './schema.ts';

export interface ConsoleFile {
  /** Beside it lies the same compressed, its name ending in `.gz`. */
  readonly file: string;
  readonly mediaType: string;
  /** Of its content. */
  readonly hash: string;
}

/** `manifest.json` in the folder that the console was built into. */
export interface ConsoleManifest {
  readonly page: ConsoleFile;
  /** Their names have the hash of their content in them. */
  readonly assets: readonly ConsoleFile[];
}

export interface ConsolePage {
  /** The same for every address: what it shows, the page reads from there. */
  page(call: Pick<Call, 'headers'>): HttpResult;
  /** `/assets/{file}` */
  asset(call: Pick<Call, 'headers' | 'path'>): HttpResult;
}

/** What comes from outside is never more than text in the page; this holds should that ever fail. */
function contentSecurityPolicy(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...origins].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const PAGE_HEADERS = {
  // At `/` there is also a list for programs.
  vary: 'Accept, Accept-Encoding',
  'cache-control': 'no-cache',
} as const;

const ASSET_HEADERS = {
  vary: 'Accept-Encoding',
  'cache-control': 'public, max-age=31536000, immutable',
} as const;

/** Reads all of it at once, a few dozen kilobytes, and keeps it. */
export function readConsolePage(folder: string, signIn: SignIn): ConsolePage {
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
  // Browsers keep the policy that they have when the answer is 304, so another policy is another page.
  const pageTag = origins.map((origin) => `-${origin}`).join('');
  return {
    page: (call) => pageContent.answer(call, page.mediaType, pageTag),
    asset(call) {
      const { file = '' } = call.path;
      const asset = assetContents.get(file);
      // A page that was loaded before an update may ask for files of former ones.
      if (!asset) throw new Problem('not-found', `the console has no file ${quoteValue(file, SENT)}`);
      return asset.content.answer(call, asset.mediaType);
    },
  };
}

/** Where the page goes with requests of its own to sign a person in. */
function signInOrigins(signIn: SignIn): string[] {
  if (signIn.kind !== 'oidc') return [];
  return [new URL(signIn.tokenEndpoint ?? signIn.issuer).origin];
}
