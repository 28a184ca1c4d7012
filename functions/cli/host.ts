import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { TrustedAnswer, TrustedRequest } from './machine.ts';

/** One of its own: that of the machine may go through a proxy, which is for whoever is far away. */
const agent = new Agent({ keepAlive: true });

/** `fetch` knows no other authorities than those of the machine. */
export async function getTrusted(
  url: URL,
  { headers, authority, timeoutMs, mostBytes }: TrustedRequest,
): Promise<TrustedAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const asked = request(url, { agent, headers, ca: authority, signal });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  // What fails from here on, reading the answer tells.
  asked.on('error', () => {});
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new Error(`the answer is longer than ${mostBytes} bytes`);
    pieces.push(piece);
  }
  return { status: response.statusCode!, headers: response.headers, body: Buffer.concat(pieces) };
}
