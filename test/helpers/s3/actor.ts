import type { IncomingMessage } from 'node:http';

/** User agent by which the proxies recognize a client. */
export function userAgentOf(actor: string): [string, string][] {
  return [['actor', actor]];
}

export function actorOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const agents = `${headers['user-agent'] ?? ''} ${String(headers['x-amz-user-agent'] ?? '')}`;
  return /\bactor\/([\w-]+)/.exec(agents)?.[1] ?? '';
}
