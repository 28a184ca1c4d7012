import type { IncomingMessage } from 'node:http';

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The name in a Host header, without port and brackets. */
export function hostName(header = ''): string {
  return header.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
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
