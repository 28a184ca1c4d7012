import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { combineReleaseConfig, type ReleaseConfigReading } from '@cairn/shared/releases/sources';
import { createCincinnati, type Cincinnati } from '../../functions/outbound/cincinnati.ts';
import { checkUpstreamUrl, DEFAULT_UPSTREAM, hostOf } from '../../functions/outbound/egress.ts';
import type { FetchLimits } from '../../functions/outbound/limits.ts';
import { optionalEnv, PEER_VARIABLES } from '../../functions/runtime/env.ts';
import { VERSION } from '../../functions/runtime/version.ts';

export const DEFAULT_RELEASES = fileURLToPath(new URL('../releases.json', import.meta.url));

/** The local user chooses the service, so loopback is allowed. */
const LOCAL_POLICY = { allowLoopbackHttp: true };
const INSIDE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'];

/** The given file, else the assisted-service variables if they name a source, else the default file. */
export function readReleaseConfig(file: string | undefined): ReleaseConfigReading {
  const variables = optionalEnv(PEER_VARIABLES);
  const namesSources = 'RELEASE_SOURCES' in variables || 'DYNAMIC_OPENSHIFT_RELEASES_CONFIG' in variables;
  const path = file ?? (namesSources ? undefined : DEFAULT_RELEASES);
  if (path === undefined) return combineReleaseConfig(variables);
  const text = readText(path);
  return typeof text === 'string' ? combineReleaseConfig({ file: text, ...variables }) : text;
}

function readText(path: string): string | ReleaseConfigReading {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const detail = `${path} cannot be read (${(error as NodeJS.ErrnoException).code})`;
    const mistake = { source: 'file', pointer: '', value: path, detail, accepted: 'a JSON file' };
    return { ok: false, mistakes: [mistake] };
  }
}

export interface UpstreamChoice {
  readonly kind: 'live' | 'demo';
  readonly url: string;
}

/** The public service names images of one registry only; other services can use any. */
export function payloadHostsOf(url: string): readonly string[] | undefined {
  return url === DEFAULT_UPSTREAM ? ['quay.io'] : undefined;
}

export function objectionTo(choice: string): string | null {
  const url = URL.parse(choice);
  if (url === null) return null;
  const verdict = checkUpstreamUrl(choice, { ...LOCAL_POLICY, allowedHosts: [hostOf(url)] });
  return verdict.ok ? null : verdict.detail;
}

export function openUpstream(url: string, limits: Partial<FetchLimits> = {}): Cincinnati {
  const host = hostOf(new URL(url));
  // A private update service is often on an internal network; the public one never is, whatever DNS returns.
  const privateAccess = url === DEFAULT_UPSTREAM ? [] : INSIDE.map((cidr) => ({ host, cidr }));
  return createCincinnati({ version: VERSION, url, policy: { ...LOCAL_POLICY, privateAccess }, limits });
}

/** Fetches one small graph; returns the reason of a failure. */
export async function probe(url: string): Promise<string | null> {
  const client = openUpstream(url, { attempts: 1, totalMs: 5000 });
  try {
    const result = await client.fetchGraph('stable-4.1', 'amd64');
    return result.ok ? null : result.detail;
  } finally {
    await client.close();
  }
}
