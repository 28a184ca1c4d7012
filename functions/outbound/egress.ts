import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { classifyAddress, isInRanges, rangeList } from './address.ts';

export const DEFAULT_UPSTREAM = 'https://api.openshift.com/api/upgrades_info/v1/graph';

/** Allowed destinations, set at deploy or start time, never from a request. */
export interface EgressPolicy {
  /** Exact host names. */
  readonly allowedHosts: readonly string[];
  /** Local mode: http, https and any port, but only to this machine. */
  readonly allowLoopbackHttp: boolean;
  /** Internal update services: the host may resolve into the range and use any port. */
  readonly privateAccess?: readonly { readonly host: string; readonly cidr: string }[];
}

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

type UrlVerdict = { ok: true; url: URL } | { ok: false; detail: string };

export class EgressDeniedError extends Error {}

// Private networks only: a careless 0.0.0.0/0 must not reach a metadata service or this machine.
const PAIRABLE: ReadonlySet<string> = new Set(['private', 'shared', 'unique-local']);

/** Checks a URL before name resolution: scheme, credentials, host, port. */
export function checkUpstreamUrl(text: string, policy: EgressPolicy): UrlVerdict {
  const url = URL.parse(text);
  if (url === null) return denied(`${JSON.stringify(text.slice(0, 200))} is not a URL`);
  const host = hostOf(url);
  const isLocal = policy.allowLoopbackHttp && isLoopbackHost(host);
  const isPaired = policy.privateAccess?.some((access) => access.host.toLowerCase() === host) ?? false;
  if (url.username !== '' || url.password !== '') {
    return denied('the URL holds credentials, use one without a user and password');
  }
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')) {
    return denied(`scheme ${url.protocol} is not allowed, use https:`);
  }
  if (isIP(host) !== 0 && !isLocal) {
    return denied(`${host} is an address, use a host name`);
  }
  if (!policy.allowedHosts.some((allowed) => allowed.toLowerCase() === host)) {
    return denied(`host ${host} is not allowed, allowed: ${policy.allowedHosts.join(', ')}`);
  }
  if (url.port !== '' && !isLocal && !isPaired) {
    return denied(`port ${url.port} is not allowed, use 443`);
  }
  return { ok: true, url };
}

/** Allows webhooks to public addresses, and to this machine if enabled. */
export function webhookPolicy(
  url: string,
  { allowLoopbackHttp }: Pick<EgressPolicy, 'allowLoopbackHttp'>,
): EgressPolicy {
  const parsed = URL.parse(url);
  return { allowedHosts: parsed ? [hostOf(parsed)] : [], allowLoopbackHttp };
}

/**
 * `lookup` for sockets: resolves once, checks every address and returns exactly those. Prevents DNS rebinding, because
 * the socket never resolves by itself.
 */
export function vettedLookup(policy: EgressPolicy, resolve: Resolve = systemResolve): LookupFunction {
  const pairs = (policy.privateAccess ?? []).map(({ host, cidr }) => ({
    host: host.toLowerCase(),
    range: rangeList([cidr]),
  }));

  function objection(hostname: string, address: string): string | null {
    const kind = classifyAddress(address);
    if (policy.allowLoopbackHttp && isLoopbackHost(hostname)) {
      return kind === 'loopback' ? null : `${hostname} resolves to ${address}, which is not this machine`;
    }
    if (kind === 'public') return null;
    const isPaired = pairs.some(({ host, range }) => host === hostname && isInRanges(range, address));
    if (isPaired && PAIRABLE.has(kind)) return null;
    return `${hostname} resolves to ${address} (${kind}), only public addresses are allowed`;
  }

  async function vet(hostname: string, family: number): Promise<readonly LookupAddress[]> {
    const addresses = await resolve(hostname);
    // One denied address rejects the whole response: there is no reason to mix public and internal addresses.
    for (const { address } of addresses) {
      const reason = objection(hostname.toLowerCase(), address);
      if (reason !== null) throw new EgressDeniedError(reason);
    }
    const usable = addresses.filter((entry) => family === 0 || entry.family === family);
    if (usable.length === 0) {
      throw Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
    }
    return usable;
  }

  const vetThen = callbackify(vet);
  return (hostname, options, callback) => {
    vetThen(hostname, familyNumber(options.family), (error, addresses) => {
      if (error !== null) callback(error, '');
      else if (options.all === true) callback(null, [...addresses]);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}

export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

function isLoopbackHost(host: string): boolean {
  if (isIP(host) !== 0) return classifyAddress(host) === 'loopback';
  return host === 'localhost' || host.endsWith('.localhost');
}

function familyNumber(family: LookupOptions['family']): number {
  if (family === 'IPv4') return 4;
  if (family === 'IPv6') return 6;
  return family ?? 0;
}

function systemResolve(hostname: string): Promise<readonly LookupAddress[]> {
  return lookup(hostname, { all: true });
}

function denied(detail: string): UrlVerdict {
  return { ok: false, detail };
}
