import { Refusal } from './refusal.ts';
import { gunzipMember } from './gzip-member.ts';
import type { FetchLimits } from './limits.ts';

export type Encoding = 'identity' | 'gzip';

export interface Body {
  readonly bytes: Buffer;
  /** As sent, before inflating. */
  readonly wireBytes: number;
}

/** Reads a body to its end, in memory, and gives up the moment it passes a cap. */
export async function readBody(
  source: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  limits: Pick<FetchLimits, 'wireBytes' | 'inflatedBytes' | 'ratio' | 'ratioFreeBytes'>,
): Promise<Body> {
  const parts: Uint8Array[] = [];
  let wireBytes = 0;
  let inflatedBytes = 0;

  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      wireBytes += chunk.length;
      if (wireBytes > limits.wireBytes) throw tooLarge(`is over ${limits.wireBytes} bytes`);
      yield chunk;
    }
  }

  function collect(chunk: Uint8Array): void {
    inflatedBytes += chunk.length;
    if (inflatedBytes > limits.inflatedBytes)
      throw tooLarge(`inflates to over ${limits.inflatedBytes} bytes`);
    if (inflatedBytes > limits.ratioFreeBytes && inflatedBytes > wireBytes * limits.ratio) {
      throw tooLarge(`inflates to over ${limits.ratio} times its size`);
    }
    parts.push(chunk);
  }

  if (encoding === 'gzip') {
    await gunzipMember(counted(), collect);
  } else {
    for await (const chunk of counted()) parts.push(chunk);
  }
  return { bytes: Buffer.concat(parts), wireBytes };
}

/** The one encoding a Content-Encoding header names, or null when it is another, or more than one. */
export function encodingOf(header: string | string[] | undefined): Encoding | null {
  const layers = [header ?? []].flat().join(',').split(',');
  const names = layers.map((layer) => layer.trim().toLowerCase()).filter((name) => name !== '');
  if (names.length > 1) return null;
  const [name = 'identity'] = names;
  if (name === 'gzip' || name === 'x-gzip') return 'gzip';
  return name === 'identity' ? 'identity' : null;
}

const JSON_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/vnd.redhat.cincinnati.v1+json',
]);

export function isJsonType(header: string | string[] | undefined): boolean {
  if (typeof header !== 'string') return false;
  const [type = ''] = header.split(';');
  return JSON_TYPES.has(type.trim().toLowerCase());
}

function tooLarge(what: string): Refusal {
  return new Refusal('TooLarge', `the body ${what}`);
}
