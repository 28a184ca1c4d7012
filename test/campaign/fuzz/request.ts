import { shellWord, truncate } from '@cairn/shared/text/quote';

/** One request as it goes over the wire. Texts are latin1, so that each character is a byte. */
export interface FuzzRequest {
  readonly method: string;
  readonly target: string;
  /** In order, repeated ones as often as they are sent. Host and the length of the body are added where they are missing. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | null;
}

/** What no HTTP client would send: bytes in pieces, after which the connection may be cut. */
export interface RawExchange {
  readonly name: string;
  readonly pieces: readonly string[];
  /** Do not wait for an answer. */
  readonly isCut: boolean;
}

export type Shot =
  | { readonly kind: 'request'; readonly request: FuzzRequest }
  | { readonly kind: 'raw'; readonly raw: RawExchange };

/** As it can be kept in a file. */
export interface SavedShot {
  readonly kind: 'request' | 'raw';
  readonly request?: Omit<FuzzRequest, 'body'> & { readonly body: string | null };
  readonly raw?: RawExchange;
}

export function savedShot(shot: Shot): SavedShot {
  if (shot.kind === 'raw') return shot;
  const { body, ...rest } = shot.request;
  return {
    kind: 'request',
    request: { ...rest, body: body && Buffer.from(body).toString('base64') },
  };
}

export function openedShot({ kind, request, raw }: SavedShot): Shot {
  if (kind === 'raw') return { kind, raw: raw! };
  const { body, ...rest } = request!;
  return { kind, request: { ...rest, body: body === null ? null : Buffer.from(body, 'base64') } };
}

/** The bytes of a text in UTF-8, one character each: what a header or target has to be made of. */
export function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

const SHOWN_BODY = 2000;

/** The same for a terminal; a body that is no short text goes by a file. */
export function curlOf(shot: Shot, url: string): string {
  if (shot.kind === 'raw') {
    const { port } = new URL(url);
    const bytes = shot.raw.pieces.join('');
    const shown = truncate(bytes, SHOWN_BODY);
    return `printf '%b' ${shellWord(escaped(shown))} | nc 127.0.0.1 ${port}  # ${shot.raw.name}`;
  }
  const { method, target, headers, body } = shot.request;
  const parts = ['curl', '-sS', '-i', '--path-as-is', '-X', shellWord(method)];
  for (const [name, value] of headers) parts.push('-H', shellWord(`${name}: ${value}`));
  const text = body === null ? '' : Buffer.from(body).toString('utf8');
  const isPlain = !/[\p{Cc}\ufffd]/u.test(text) && text.length <= SHOWN_BODY;
  if (body !== null && isPlain) parts.push('--data-binary', shellWord(text));
  const line = [...parts, shellWord(url + target)].join(' ');
  if (body === null || isPlain) return line;
  return `base64 -d <<< ${Buffer.from(body.slice(0, SHOWN_BODY)).toString('base64')} | ${line} --data-binary @-  # ${body.length} bytes in all`;
}

function escaped(bytes: string): string {
  return bytes
    .replaceAll('\\', String.raw`\\`)
    .replaceAll(/[^\x20-\x7e]/g, (byte) => `\\0${byte.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
