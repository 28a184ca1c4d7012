import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { Refusal } from './failures.ts';
import type { FetchLimits } from './limits.ts';

type Encoding = 'identity' | 'gzip';

export interface Body {
  readonly bytes: Buffer;
  /** Bytes on the wire, before inflating. */
  readonly wireBytes: number;
}

/** Reads a body into memory and stops as soon as it exceeds a limit. */
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

/** The single encoding of the header; null if unknown or several. */
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

const HEADER_BYTES = 10;
// The header can contain a file name; valid ones stay far below this.
const MAX_HEADER_BYTES = 16 * 1024;
const TRAILER_BYTES = 8;
const FLAG = { headerCrc: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;

/**
 * Inflates exactly one gzip member. Node's Gunzip accepts several members and ignores trailing bytes. `onOutput` may
 * throw to stop at once.
 */
async function gunzipMember(
  wire: AsyncIterable<Uint8Array>,
  onOutput: (chunk: Uint8Array) => void,
): Promise<void> {
  const inflater = createInflateRaw({ chunkSize: 64 * 1024 });
  const frame = { deflatedBytes: 0, trailer: Buffer.alloc(0) };
  let checksum = 0;
  let size = 0;
  await pipeline(deflatedPart(wire, frame), inflater, async (output: AsyncIterable<Buffer>) => {
    for await (const chunk of output) {
      onOutput(chunk);
      checksum = crc32(chunk, checksum);
      size += chunk.length;
    }
  });
  if (inflater.bytesWritten !== frame.deflatedBytes) throw bad('goes on after its end');
  if (frame.trailer.readUInt32LE(0) !== checksum) throw bad('has a wrong checksum');
  if (frame.trailer.readUInt32LE(4) !== size % 2 ** 32) throw bad('has a wrong length');
}

/** Bytes between header and trailer. Always delays eight bytes, because only the end shows which are the trailer. */
async function* deflatedPart(
  wire: AsyncIterable<Uint8Array>,
  frame: { deflatedBytes: number; trailer: Buffer },
): AsyncGenerator<Buffer> {
  let pending: Buffer = Buffer.alloc(0);
  let isInHeader = true;
  for await (const chunk of wire) {
    pending = Buffer.concat([pending, chunk]);
    if (isInHeader) {
      const length = headerLength(pending);
      if (length === null) continue;
      pending = pending.subarray(length);
      isInHeader = false;
    }
    const ready = pending.length - TRAILER_BYTES;
    if (ready <= 0) continue;
    frame.deflatedBytes += ready;
    yield pending.subarray(0, ready);
    pending = pending.subarray(ready);
  }
  if (isInHeader || pending.length < TRAILER_BYTES) throw bad('ends too early');
  frame.trailer = pending;
}

/** Length of the gzip header; null if more bytes are needed. */
function headerLength(bytes: Buffer): number | null {
  if (bytes.length < HEADER_BYTES) return null;
  if (bytes.readUInt16BE(0) !== 0x1f8b || bytes[2] !== 8) throw bad('does not start like one');
  const flags = bytes[3]!;
  if (flags & FLAG.reserved) throw bad('sets reserved flags');
  let length: number | null = HEADER_BYTES;
  if (flags & FLAG.extra) length = afterExtra(bytes, length);
  if (flags & FLAG.name) length = afterZero(bytes, length);
  if (flags & FLAG.comment) length = afterZero(bytes, length);
  if (flags & FLAG.headerCrc && length !== null) length += 2;
  if (length !== null && length <= bytes.length) return length;
  if (bytes.length > MAX_HEADER_BYTES) throw bad(`has a header of more than ${MAX_HEADER_BYTES} bytes`);
  return null;
}

function afterExtra(bytes: Buffer, start: number): number | null {
  return bytes.length < start + 2 ? null : start + 2 + bytes.readUInt16LE(start);
}

function afterZero(bytes: Buffer, start: number | null): number | null {
  if (start === null) return null;
  const zero = bytes.indexOf(0, start);
  return zero < 0 ? null : zero + 1;
}

function bad(what: string): Refusal {
  return new Refusal('BadEncoding', `the gzip body ${what}`);
}
