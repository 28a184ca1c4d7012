import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import {
  type Cincinnati,
  type CincinnatiOptions,
  createCincinnati,
} from '../../../../functions/outbound/cincinnati.ts';
import type { FetchLimits } from '../../../../functions/outbound/limits.ts';

export const GRAPH = '{"version":1,"nodes":[],"edges":[]}';
/** For waits that end as soon as something happens, however busy the machine is. */

const QUICK: Partial<FetchLimits> = { backoffBaseMs: 1, backoffCapMs: 1, totalMs: 20_000 };
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** Answers the nth request with the nth listener, the last one from then on. Ends with the test. */
export async function serve(
  ...listeners: RequestListener[]
): Promise<{ url: string; requests: () => number; server: Server }> {
  let requests = 0;
  const server = createServer((request, response) => {
    const listener = listeners[Math.min(requests, listeners.length - 1)]!;
    requests++;
    listener(request, response);
  });
  return { url: `http://127.0.0.1:${await listen(server)}/graph`, requests: () => requests, server };
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export type Options = Omit<CincinnatiOptions, 'version'>;

/** A client that may use loopback, hardly waits between attempts and ends with the test. */
export function open(options: Options): Cincinnati {
  const limits = { ...QUICK, ...options.limits };
  const policy = { allowLoopbackHttp: true };
  const client = createCincinnati({ version: '1.2.3', policy, ...options, limits });
  cleanUps.push(() => client.close());
  return client;
}

export const good: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(GRAPH);
};
export const reset: RequestListener = (request) => void request.socket.resetAndDestroy();
export const silent: RequestListener = () => {};

export function status(code: number, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) => void response.writeHead(code, headers).end('{}');
}
