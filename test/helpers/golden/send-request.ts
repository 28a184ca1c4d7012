import { Agent, type IncomingMessage, request as openRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { Recording } from './recordings.ts';

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** One connection, one request at a time. */
export const connections = new Agent({ keepAlive: true, maxSockets: 1 });

/** Sends exactly these headers: `fetch` adds its own and follows redirects. */
export async function sendRequest({ method, url, headers, body }: SentRequest): Promise<Recording> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = openRequest(url, { method, headers, agent: connections }, resolve);
    // A server that rejects a large body closes the connection during the upload.
    let isResponding = false;
    request.once('response', () => (isResponding = true));
    request.on('error', (error) => isResponding || reject(error));
    request.end(body);
  });
  const bytes = await buffer(response);
  const isCompressed = response.headers['content-encoding'] === 'gzip' && bytes.length > 0;
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    ),
    body: (isCompressed ? gunzipSync(bytes) : bytes).toString('utf8'),
  };
}
