import { gunzipSync } from 'node:zlib';
import type { Call } from './endpoint.ts';
import { matchesEntityTag, prefersGzip } from './negotiation.ts';
import type { HttpResult } from './reply.ts';

type Headers = Readonly<Record<string, string>>;

/** One form: its bytes, and the headers that are the same each time it is sent. */
interface Form {
  readonly headers: Headers;
  /** Those of them that a 304 has. */
  readonly validators: Headers;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** Its forms with and without compression, and the entity tags of both. */
interface TypeForms {
  readonly tags: readonly [identity: string, gzip: string];
  gzip?: Form;
  identity?: Form;
}

/**
 * Content that is kept as gzip and sent as it is to whoever takes that. Each form is made when it is first asked for and
 * then kept.
 */
export class CompressedContent {
  readonly #hash: string;
  readonly #gzip: Uint8Array;
  readonly #headers: Headers;
  readonly #forms = new Map<string, TypeForms>();
  #base64: string | undefined;
  #text: string | undefined;

  /** Entity tags begin with `hash`; `headers` go with every answer, also with 304. */
  constructor(hash: string, gzip: Uint8Array, headers: Headers) {
    this.#hash = hash;
    this.#gzip = gzip;
    this.#headers = headers;
  }

  /**
   * 200 or 304, in the encoding that the call asks for. Content that is sent under several types has a `tag` for each: an
   * entity tag names a form, type included, although the bytes are the same.
   */
  answer({ headers }: Pick<Call, 'headers'>, type: string, tag = ''): HttpResult {
    const forms = this.#formsOf(type, tag);
    const form = prefersGzip(headers['accept-encoding'])
      ? (forms.gzip ??= this.#makeForm(type, forms.tags[1], true))
      : (forms.identity ??= this.#makeForm(type, forms.tags[0], false));
    const ifNoneMatch = headers['if-none-match'];
    // Whoever has it compressed has it, and the other way round.
    if (ifNoneMatch !== undefined && matchesEntityTag(ifNoneMatch, forms.tags)) {
      return { statusCode: 304, headers: form.validators, body: '' };
    }
    const { body, isBase64Encoded } = form;
    return { statusCode: 200, headers: form.headers, body, isBase64Encoded };
  }

  #formsOf(type: string, tag: string): TypeForms {
    const known = this.#forms.get(type);
    if (known) return known;
    const start = `${this.#hash}${tag}`;
    const forms: TypeForms = { tags: [`"${start}"`, `"${start}-gzip"`] };
    this.#forms.set(type, forms);
    return forms;
  }

  #makeForm(type: string, etag: string, isGzip: boolean): Form {
    const validators = { ...this.#headers, etag };
    return {
      validators,
      headers: {
        ...validators,
        'content-type': type,
        'x-content-type-options': 'nosniff',
        ...(isGzip && { 'content-encoding': 'gzip' }),
      },
      body: isGzip
        ? // As API Gateway takes bytes.
          (this.#base64 ??= Buffer.from(this.#gzip).toString('base64'))
        : (this.#text ??= gunzipSync(this.#gzip).toString('utf8')),
      isBase64Encoded: isGzip,
    };
  }
}
