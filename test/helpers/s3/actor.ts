import type { IncomingMessage } from 'node:http';

/** What a client is told to call itself, so that the proxies know whose calls they are. */
export function userAgentOf(actor: string): [string, string][] {
  return [['actor', actor]];
}

export function actorOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const agents = `${headers['user-agent'] ?? ''} ${String(headers['x-amz-user-agent'] ?? '')}`;
  return /\bactor\/([\w-]+)/.exec(agents)?.[1] ?? '';
}
