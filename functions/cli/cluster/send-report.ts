import { type ClusterFacts, REPORTED_KINDS, type ReportedKind } from '@cairn/shared/cluster/facts';
import { reducedDocuments } from '@cairn/shared/cluster/reduced-documents';
import { factDigests } from '../../clusters/view.ts';
import { sendDocuments } from './send-documents.ts';
import { notKnown } from '../failure.ts';
import { accepted, jsonOf } from '../service/refusal.ts';
import type { Service } from '../service/service.ts';
import { textOf } from './text-of.ts';
import type { ClusterDetail } from '../../clusters/schema.ts';
import type { Output } from '../../runtime/lazy.ts';

/** Others may report of the same cluster meanwhile. */
const ATTEMPTS = 3;

/** Sends of the facts of a cluster what a Cairn does not know yet, and says what that was. */
export async function sendFacts(
  service: Service,
  cluster: string,
  facts: ClusterFacts,
  usernames: boolean,
): Promise<string> {
  const path = `/v1/clusters/${encodeURIComponent(cluster)}`;
  const own = factDigests(facts);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const known = await knownDigests(service, path);
    const kinds = REPORTED_KINDS.filter((kind) => facts[kind] !== null);
    const unchanged = kinds.filter((kind) => own[kind] !== undefined && own[kind] === known.digests[kind]);
    const changed = kinds.filter((kind) => !unchanged.includes(kind));
    const query = new URLSearchParams({ collected_at: facts.collectedAt! });
    if (usernames) query.set('usernames', 'true');
    if (unchanged.length > 0) query.set('unchanged', unchanged.join(','));
    const outcome = await sendDocuments(
      service,
      Buffer.from(textOf(reducedDocuments(facts, changed))),
      {
        method: 'PUT',
        path,
        query,
        headers: known.etag === null ? { 'if-none-match': '*' } : { 'if-match': known.etag },
      },
      [412],
    );
    if (outcome.status !== 412)
      return `${cluster}: ${changed.join(', ')} sent, ${unchanged.join(', ') || 'nothing'} unchanged`;
  }
  throw notKnown('others keep reporting of this cluster, nothing was stored; try again');
}

interface Known {
  readonly digests: Partial<Record<ReportedKind, string>>;
  readonly etag: string | null;
}

async function knownDigests(service: Service, path: string): Promise<Known> {
  const query = new URLSearchParams({ digests: 'true' });
  const answer = await service.ask({ method: 'GET', path, query });
  if (answer.status === 404) return { digests: {}, etag: null };
  const { digests = {} } = jsonOf(accepted(answer)) as Output<typeof ClusterDetail>;
  return { digests, etag: answer.headers['etag'] ?? null };
}
