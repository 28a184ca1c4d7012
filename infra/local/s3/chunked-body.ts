import { createHash } from 'node:crypto';
import { S3Error } from './errors.ts';
import type { ChunkSignatures } from './signature.ts';

const MAX_LINE_BYTES = 8192;
const MAX_TRAILERS = 16;

/**
 * Removes the `aws-chunked` framing: `<hex size>[;chunk-signature=…]` lines, then trailers, collected in `trailers`.
 * Expects `signatures` if the chunks are signed.
 */
export async function* decodeChunkedBody(
  source: AsyncIterable<Uint8Array>,
  signatures: ChunkSignatures | null,
  trailers: Map<string, string>,
): AsyncGenerator<Uint8Array> {
  const reader = new ByteReader(source);
  try {
    for (;;) {
      const line = await reader.line();
      const [, size, signature = ''] =
        /^([0-9a-f]{1,8})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(line) ?? [];
      if (size === undefined) {
        throw new S3Error('InvalidRequest', `"${line}" is not the head of an aws-chunked chunk`);
      }
      const hash = signatures === null ? null : createHash('sha256');
      for (let left = Number.parseInt(size, 16); left > 0;) {
        const part = await reader.take(left);
        left -= part.length;
        hash?.update(part);
        yield part;
      }
      if (hash !== null) signatures?.checkChunk(hash.digest('hex'), signature);
      if (Number.parseInt(size, 16) === 0) break;
      if ((await reader.line()) !== '') {
        throw new S3Error('InvalidRequest', 'an aws-chunked chunk is longer than it says');
      }
    }
    await readTrailers(reader, signatures, trailers);
    if (!(await reader.isAtEnd())) {
      throw new S3Error('InvalidRequest', 'the aws-chunked body goes on after its trailers');
    }
  } finally {
    await reader.close();
  }
}

async function readTrailers(
  reader: ByteReader,
  signatures: ChunkSignatures | null,
  trailers: Map<string, string>,
): Promise<void> {
  const lines: string[] = [];
  let isSigned = false;
  for (let line = await reader.line(); line !== ''; line = await reader.line()) {
    const cut = line.indexOf(':');
    const name = line.slice(0, Math.max(cut, 0)).trim().toLowerCase();
    const value = line.slice(cut + 1).trim();
    if (name === '' || lines.length === MAX_TRAILERS) {
      throw new S3Error('InvalidRequest', `"${line}" is not a trailer of an aws-chunked body`);
    }
    if (name === 'x-amz-trailer-signature') {
      signatures?.checkTrailers(lines, value);
      isSigned = true;
    } else {
      lines.push(`${name}:${value}`);
      trailers.set(name, value);
    }
  }
  if (signatures !== null && lines.length > 0 && !isSigned) {
    throw new S3Error('SignatureDoesNotMatch', 'the trailers of the body are not signed');
  }
}

class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Text up to the next CRLF. */
  async line(): Promise<string> {
    let end = this.#buffer.indexOf('\r\n');
    while (end === -1) {
      if (this.#buffer.length > MAX_LINE_BYTES) {
        throw new S3Error('InvalidRequest', `a line of an aws-chunked body is over ${MAX_LINE_BYTES} bytes`);
      }
      this.#buffer = Buffer.concat([this.#buffer, await this.#next()]);
      end = this.#buffer.indexOf('\r\n');
    }
    const line = this.#buffer.toString('latin1', 0, end);
    this.#buffer = this.#buffer.subarray(end + 2);
    return line;
  }

  /** Returns available bytes, at least one and at most `limit`. */
  async take(limit: number): Promise<Uint8Array> {
    while (this.#buffer.length === 0) this.#buffer = await this.#next();
    const taken = this.#buffer.subarray(0, limit);
    this.#buffer = this.#buffer.subarray(taken.length);
    return taken;
  }

  async isAtEnd(): Promise<boolean> {
    return this.#buffer.length === 0 && (await this.#source.next()).done === true;
  }

  /** Releases the source, so that the caller can drain it. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async #next(): Promise<Buffer> {
    const { value, done } = await this.#source.next();
    if (done === true)
      throw new S3Error('IncompleteBody', 'the aws-chunked body ended before its last chunk');
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
}
