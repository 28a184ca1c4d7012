import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen, type Listening } from '../listen.ts';
import type { AskedRequest, GuardedService } from './asked-request.ts';
import type { Demand, RolePolicy } from './role-policy.ts';

export interface GuardOptions {
  /** Engine behind the guard. */
  readonly target: string;
  readonly service: GuardedService;
  readonly policy: RolePolicy;
  readonly onDenial: (denial: string) => void;
  /**
   * Requests that are forwarded twice and get the second response, like a retry after a lost response.
   * @default none
   */
  readonly repeats?: (request: AskedRequest) => boolean;
}

/** Adds permissions to an engine without them: rejects like AWS whatever a role does not allow. */
export async function startPolicyGuard(options: GuardOptions): Promise<Listening> {
  const server = createServer((incoming, outgoing) => {
    answer(options, incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error));
  });
  return listen(server);
}

async function answer(options: GuardOptions, incoming: IncomingMessage, outgoing: ServerResponse) {
  const { target, service, repeats } = options;
  const request: AskedRequest = {
    method: incoming.method ?? '',
    url: new URL(incoming.url ?? '', target),
    headers: incoming.headers,
    body: await buffer(incoming),
  };
  const demands = service.demandsOf(request);
  const denial =
    demands === null ? `${request.method} ${incoming.url} is not understood` : firstDenial(options, demands);
  if (denial !== null) return refuse(options, outgoing, denial);

  const first = await passOn(target, incoming, request);
  const isRepeated = first.status < 300 && (repeats?.(request) ?? false);
  const { status, headers, body } = isRepeated ? await passOn(target, incoming, request) : first;
  const needed = status === 404 ? (service.demandOfAbsence?.(request) ?? null) : null;
  const absenceDenial = needed === null ? null : firstDenial(options, [needed]);
  if (absenceDenial !== null) return refuse(options, outgoing, absenceDenial);
  outgoing.writeHead(status, headers).end(body);
}

function firstDenial({ policy }: GuardOptions, demands: readonly Demand[]): string | null {
  const denied = demands.find((demand) => !policy.allows(demand));
  if (!denied) return null;
  const { action, resource, context } = denied;
  return `${action} on ${resource} with ${JSON.stringify(context)} is not allowed`;
}

function refuse({ service, onDenial }: GuardOptions, outgoing: ServerResponse, denial: string): void {
  onDenial(denial);
  const { status, type, body } = service.refuse(denial);
  outgoing.writeHead(status, { 'content-type': type }).end(body);
}

/** Forwards the request unchanged, with its host name: the signature covers it. */
async function passOn(target: string, { url: path, headers }: IncomingMessage, request: AskedRequest) {
  const { hostname, port } = new URL(target);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  httpRequest({ hostname, port, method: request.method, path, headers }, resolve)
    .once('error', reject)
    .end(request.body);
  const response = await promise;
  return { status: response.statusCode ?? 502, headers: response.headers, body: await buffer(response) };
}
