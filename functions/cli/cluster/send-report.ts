import { type ClusterFacts, REPORTED_KINDS } from '@cairn/shared/cluster/facts';
import { reducedDocuments } from '@cairn/shared/cluster/reduced-documents';
import { millisecondsOf } from '@cairn/shared/prune/images/pruner/spec';
import { countInWords, joinInWords } from '@cairn/shared/text/words';
import type { ClusterDetail } from '../../clusters/schema.ts';
import { factDigests } from '../../clusters/view.ts';
import { inUseDigest } from '../../pruners/in-use-digest.ts';
import type { ImagePruner } from '../../pruners/schema.ts';
import { notKnown } from '../../runtime/exit.ts';
import type { Output } from '../../runtime/lazy.ts';
import { accepted, jsonOf, type Service } from '../service/service.ts';
import type { CollectedUse, InUsePolicy } from './collect-report.ts';
import { sendDocuments } from './read-documents.ts';

/** Concurrent reports of the same cluster can conflict. */
const ATTEMPTS = 3;
/** A request needs a document. */
const EMPTY_LIST = { kind: 'List', apiVersion: 'v1', items: [] };

/** Pruner with the digest of its last in-use report. */
export interface PrunerStatus extends InUsePolicy {
  readonly name: string;
  readonly digest: string | null;
}

/** Partial: the server can be something else than Cairn. */
type PrunerView = Partial<Output<typeof ImagePruner>>;

/** Sends only changed kinds; returns a summary. */
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
      Buffer.from(textOf(changed.length === 0 ? [EMPTY_LIST] : reducedDocuments(facts, changed))),
      {
        method: 'PUT',
        path,
        query,
        headers: known.etag === null ? { 'if-none-match': '*' } : { 'if-match': known.etag },
      },
      [412],
    );
    if (outcome.status !== 412)
      return `${cluster}: ${changed.join(', ') || 'nothing'} sent, ${unchanged.join(', ') || 'nothing'} unchanged`;
  }
  throw notKnown('others keep reporting of this cluster, nothing was stored; try again');
}

async function knownDigests(service: Service, path: string) {
  const query = new URLSearchParams({ digests: 'true' });
  const answer = await service.ask({ method: 'GET', path, query });
  if (answer.status === 404) return { digests: {}, etag: null };
  const { digests = {} } = jsonOf(accepted(answer)) as Output<typeof ClusterDetail>;
  return { digests, etag: answer.headers['etag'] ?? null };
}

export async function askPruner(service: Service, name: string): Promise<PrunerStatus> {
  const answer = accepted(await service.ask({ method: 'GET', path: prunerPath(name) }));
  const { spec, status } = jsonOf(answer) as PrunerView;
  const keepYoungerThanMs = millisecondsOf(spec?.keepYoungerThan ?? '');
  if (keepYoungerThanMs === null) throw notKnown(`${name} does not tell its keepYoungerThan`);
  return {
    name,
    digest: status?.inUse?.digest ?? null,
    keepYoungerThanMs,
    isManaged: spec?.managementState === 'Managed',
  };
}

/** Sends the in-use report unless it is unchanged; returns a summary. */
export async function sendInUse(
  service: Service,
  pruner: PrunerStatus,
  cluster: string,
  { documents, reading, unseen }: CollectedUse,
): Promise<string> {
  const { inUse, missing } = reading;
  const put = { method: 'PUT', path: `${prunerPath(pruner.name)}/in-use` } as const;
  const about = { collected_at: new Date(inUse.collectedAt).toISOString(), source: cluster };
  const digest = inUseDigest(reading);
  let isKnown = digest === pruner.digest;
  if (isKnown) {
    const query = new URLSearchParams({ ...about, unchanged: digest });
    const answer = await service.ask({ ...put, query });
    // Another report can have replaced it since.
    isKnown = answer.status !== 412;
    if (isKnown) accepted(answer);
  }
  if (!isKnown) {
    const query = new URLSearchParams(about);
    if (unseen.length > 0) query.set('missing', unseen.join(','));
    await sendDocuments(service, Buffer.from(JSON.stringify(documents)), { ...put, query });
  }
  const digests = countInWords(inUse.usedDigests.size, 'digest');
  const tags = countInWords(inUse.usedTags.size, 'tag');
  const lacking =
    missing.length === 0 ? '' : `; not complete without ${joinInWords(missing)}, so it deletes nothing`;
  return `${pruner.name}: ${digests} and ${tags} in use, ${isKnown ? 'unchanged' : 'sent'}${lacking}`;
}

function prunerPath(name: string): string {
  return `/v1/image-pruners/${encodeURIComponent(name)}`;
}

export function textOf(documents: readonly unknown[]): string {
  return documents.map((document) => `${JSON.stringify(document)}\n`).join('');
}
