import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { messageOf } from '@cairn/shared/text/quote';
import { hostName, isLoopback } from '../../functions/outbound/address.ts';

/** What an engine in a child process tells its parent, once. */
export type EngineMessage =
  | { readonly ready: true; readonly url: string }
  | { readonly ready: false; readonly error: string };

/** What the parent sends by `startEngine`. */
export async function readOptions<Options>(): Promise<Options> {
  return JSON.parse(await text(process.stdin)) as Options;
}

/** Says where the engine listens, and ends it with its parent. */
export function reportReady(url: string, close: () => Promise<void>): void {
  const end = (): void => {
    void close().finally(() => process.exit());
  };
  // The channel also closes when the parent is killed, so nobody is left behind holding the port.
  process.once('disconnect', end);
  process.once('SIGTERM', end);
  // Ctrl-C reaches every process of the terminal; a parent that has us still needs the engine to finish its work.
  process.on('SIGINT', () => {
    if (!process.connected) end();
  });
  report({ ready: true, url }, end);
}

export function reportFailure(error: unknown): void {
  report({ ready: false, error: messageOf(error) });
  process.exitCode = 1;
  process.disconnect?.();
}

/** A parent that ended meanwhile cannot be told any more: `onNobody` is called. */
function report(message: EngineMessage, onNobody = (): void => {}): void {
  if (!process.send) console.log(JSON.stringify(message));
  else process.send(message, (error: Error | null) => error && onNobody());
}

/** Why an engine refuses a request before it reads the signature; null where it does not. */
export function objectionToCaller({ method, headers: { host, origin } }: IncomingMessage): string | null {
  // Only browsers send these two, and no page may use an engine.
  if (origin !== undefined) return `pages of ${JSON.stringify(origin.slice(0, 100))} may not call this`;
  if (method === 'OPTIONS') return 'OPTIONS is not served, pages may not call this';
  // A web page can make its host name resolve to 127.0.0.1; the Host header still carries that name.
  const name = hostName(host);
  if (isLoopback(name.toLowerCase())) return null;
  return `host ${JSON.stringify(name.slice(0, 100))} is not served, localhost and 127.0.0.1 are`;
}
