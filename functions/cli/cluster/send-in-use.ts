import { countInWords, joinInWords } from '@cairn/shared/text/words';
import { inUseDigest } from '../../pruners/in-use-digest.ts';
import { sendDocuments } from './send-documents.ts';
import { accepted } from '../service/refusal.ts';
import type { Service } from '../service/service.ts';
import type { CollectedUse } from './report-parts.ts';
import { prunerPath, type ToldPruner } from './told-pruner.ts';

/** Tells a pruner what a cluster uses, unless it knows, and says what came of it. */
export async function sendInUse(
  service: Service,
  pruner: ToldPruner,
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
    // By now it may have been told something else.
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
