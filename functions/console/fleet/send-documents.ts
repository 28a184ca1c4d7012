import { bytesText } from '@cairn/shared/text/words';
import { ApiError } from '../data/api-error.ts';
import { send } from '../data/api.ts';

/** Smaller ones are sent sooner than they are compressed. */
const COMPRESSED_FROM = 1024 * 1024;
/** What a request may hold, as sent. */
const MOST_BYTES = 4 * 1024 * 1024;
/** What the service takes inflated; a browser should not hold more either. */
export const MOST_FILE_BYTES = 64 * 1024 * 1024;

/** Sends documents in a row, as `oc` printed them. */
export async function sendDocuments(
  method: 'POST' | 'PUT',
  path: string,
  texts: readonly string[],
): Promise<Response> {
  const plain = new Blob(texts.map((text) => `${text}\n`));
  const isCompressed = plain.size > COMPRESSED_FROM;
  const body = isCompressed ? await compressed(plain) : plain;
  if (body.size > MOST_BYTES || plain.size > MOST_FILE_BYTES) {
    throw new ApiError(
      `${bytesText(body.size)} would be sent, 4 MiB may be. Leave kinds out, or use POST /v1/uploads with curl.`,
      { status: 413, code: 'body-too-large', title: 'This is too large' },
    );
  }
  return send(path, { method, body, type: isCompressed ? 'application/gzip' : 'application/json' });
}

function compressed(blob: Blob): Promise<Blob> {
  return new Response(blob.stream().pipeThrough(new CompressionStream('gzip'))).blob();
}
