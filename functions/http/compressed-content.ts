import { gunzipSync } from 'node:zlib';
import type { Call } from './endpoint.ts';
import { GZIP_TAG, isNotModified, prefersGzip } from './negotiation.ts';
import type { HttpResult } from './reply.ts';

type Headers = Readonly<Record<string, string>>;

/** One encoding: its bytes and constant headers. */
interface Form {
  readonly headers: Headers;
  /** Headers of a 304 response. */
  readonly validators: Headers;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

interface TypeForms {
  readonly tags: readonly [identity: string, gzip: string];
  gzip?: Form;
  identity?: Form;
}

/**
 * Stores content as gzip and sends it unchanged to clients that accept gzip. Builds each form on first use and keeps
 * it.
 */
export class CompressedContent {
  readonly #hash: string;
  readonly #gzip: Uint8Array;
  readonly #headers: Headers;
  readonly #forms = new Map<string, TypeForms>();
  #base64: string | undefined;
  #identity: string | undefined;

  /** Entity tags start with `hash`; every response has `headers`, including 304. */
  constructor(hash: string, gzip: Uint8Array, headers: Headers) {
    this.#hash = hash;
    this.#gzip = gzip;
    this.#headers = headers;
  }

  /**
   * Returns 200 or 304 in the negotiated encoding. Content with several types needs a `tag` per type: an entity tag
   * identifies a representation, including its type.
   */
  answer({ headers }: Pick<Call, 'headers'>, type: string, tag = ''): HttpResult {
    const forms = this.#formsOf(type, tag);
    const form = prefersGzip(headers['accept-encoding'])
      ? (forms.gzip ??= this.#makeForm(type, forms.tags[1], true))
      : (forms.identity ??= this.#makeForm(type, forms.tags[0], false));
    if (isNotModified(headers, forms.tags, this.#headers['last-modified'])) {
      return { statusCode: 304, headers: form.validators, body: '' };
    }
    const { body, isBase64Encoded } = form;
    return { statusCode: 200, headers: form.headers, body, isBase64Encoded };
  }

  #formsOf(type: string, tag: string): TypeForms {
    const known = this.#forms.get(type);
    if (known) return known;
    const start = `${this.#hash}${tag}`;
    const forms: TypeForms = { tags: [`"${start}"`, `"${start}${GZIP_TAG}"`] };
    this.#forms.set(type, forms);
    return forms;
  }

  #makeForm(type: string, etag: string, isGzip: boolean): Form {
    const validators = { ...this.#headers, etag };
    const isFont = type.startsWith('font/');
    return {
      validators,
      headers: {
        ...validators,
        'content-type': type,
        'x-content-type-options': 'nosniff',
        ...(isGzip && { 'content-encoding': 'gzip' }),
      },
      // API Gateway requires base64 for binary bodies.
      body: isGzip
        ? (this.#base64 ??= Buffer.from(this.#gzip).toString('base64'))
        : (this.#identity ??= gunzipSync(this.#gzip).toString(isFont ? 'base64' : 'utf8')),
      isBase64Encoded: isGzip || isFont,
    };
  }
}
