import { checkUpstreamUrl, DEFAULT_UPSTREAM, hostOf } from '../../functions/upstream/egress.ts';
import { VERSION } from '../../functions/runtime/version.ts';
import { createCincinnati, type Cincinnati } from '../../functions/upstream/cincinnati.ts';

/** The person at this machine chose the service, so it may also be one on this machine. */
const LOCAL_POLICY = { allowLoopbackHttp: true };

/** An update service to follow. Live and demo data are kept apart by the kind. */
export interface UpstreamChoice {
  readonly kind: 'live' | 'demo';
  readonly url: string;
}

/** The public service names images of one registry only; another service may name images of any. */
export function payloadHostsOf(url: string): readonly string[] | undefined {
  return url === DEFAULT_UPSTREAM ? ['quay.io'] : undefined;
}

/** Why the URL that a person gave can never be followed, told before anything is started. */
export function objectionTo(choice: string): string | null {
  const url = URL.parse(choice);
  if (url === null) return null;
  const verdict = checkUpstreamUrl(choice, { ...LOCAL_POLICY, allowedHosts: [hostOf(url)] });
  return verdict.ok ? null : verdict.detail;
}

export function openUpstream(url: string): Cincinnati {
  return createCincinnati({ version: VERSION, url, policy: LOCAL_POLICY });
}

/** Whether the service answers one small question; tells why not. */
export async function probe(url: string): Promise<string | null> {
  const client = createCincinnati({
    version: VERSION,
    url,
    policy: LOCAL_POLICY,
    limits: { attempts: 1, totalMs: 5000 },
  });
  try {
    const result = await client.fetchGraph('stable-4.1', 'amd64');
    return result.ok ? null : result.detail;
  } finally {
    await client.close();
  }
}
