import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { messageOf } from '@cairn/shared/text/quote';
import { hostName, isLoopback } from '../../functions/outbound/address.ts';

/** Single message of an engine process to its parent. */
export type EngineMessage =
  | { readonly ready: true; readonly url: string }
  | { readonly ready: false; readonly error: string };

/** Reads the options from `startEngine`. */
export async function readOptions<Options>(): Promise<Options> {
  return JSON.parse(await text(process.stdin)) as Options;
}

/** Ends the engine with its parent. */
export function reportReady(url: string, close: () => Promise<void>): void {
  const end = (): void => {
    void close().finally(() => process.exit());
  };
  // The channel also closes if the parent is killed, so that no engine keeps the port.
  process.once('disconnect', end);
  process.once('SIGTERM', end);
  // Ctrl-C reaches every process of the terminal; a connected parent still needs the engine to finish its work.
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

function report(message: EngineMessage, onNobody = (): void => {}): void {
  if (!process.send) console.log(JSON.stringify(message));
  else process.send(message, (error: Error | null) => error && onNobody());
}

/** Reason to reject a request before its signature is checked. */
export function objectionToCaller({ method, headers: { host, origin } }: IncomingMessage): string | null {
  // Only browsers send these, and no web page can use an engine.
  if (origin !== undefined) return `pages of ${JSON.stringify(origin.slice(0, 100))} may not call this`;
  if (method === 'OPTIONS') return 'OPTIONS is not served, pages may not call this';
  // A web page can resolve its host name to 127.0.0.1; the Host header still has that name.
  const name = hostName(host);
  if (isLoopback(name.toLowerCase())) return null;
  return `host ${JSON.stringify(name.slice(0, 100))} is not served, localhost and 127.0.0.1 are`;
}
