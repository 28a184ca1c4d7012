import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { startsLikeGzip, MAX_UPLOAD_BYTES } from '../http/body.ts';
import { Problem } from '../http/problem.ts';
import type { Uploads } from '../uploads/store.ts';
const CHUNK_BYTES = 256 * 1024;

/** Streams an upload; inflates it if it starts like gzip. */
export async function* inflatedUpload(
  uploads: Uploads,
  id: string,
  maxBytes = MAX_UPLOAD_BYTES,
): AsyncGenerator<Uint8Array> {
  const stored = await uploads.open(id);
  if (stored === null) {
    const detail = 'is not there: nothing was sent to its address yet, or it is older than a day';
    throw new Problem('unknown-upload', `upload ${JSON.stringify(id)} ${detail}`, {
      errors: [{ pointer: '/upload', value: id, detail }],
    });
  }
  let length = 0;
  try {
    for await (const piece of inflated(stored)) {
      length += piece.length;
      if (length > maxBytes) {
        throw new Problem(
          'body-too-large',
          `the upload holds more than ${maxBytes} bytes, which is the most that is accepted, inflated`,
        );
      }
      yield piece;
    }
  } finally {
    // A reader stops at its first fault; close the connection instead of waiting for it.
    stored.destroy();
  }
}

async function* inflated(stored: Readable): AsyncGenerator<Uint8Array> {
  const pieces = stored[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  let head = Buffer.alloc(0);
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    head = Buffer.concat([head, next.value]);
    if (head.length >= 2) break;
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  if (!startsLikeGzip(head)) {
    yield* whole();
    return;
  }
  try {
    const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
    // The reader receives the errors.
    yield* pipeline(whole(), gunzip, () => {}) as AsyncIterable<Uint8Array>;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!code.startsWith('Z_')) throw error;
    throw new Problem('invalid-documents', `the upload is not whole gzip: ${message}`);
  }
}
