import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type DocumentHead, publishDocument, type StoredDocument } from '../../store/documents.ts';
import { LeaseLostError, type SyncRun } from './context.ts';

/** Publishes a JSON document over the one that was read. A newer run that came first ends this one. */
export async function publishJson(
  run: SyncRun,
  document: Pick<DocumentHead, 'name' | 'summary'> & { readonly text: string },
  stored: StoredDocument,
): Promise<DocumentHead> {
  const { name, summary, text } = document;
  const draft = {
    name,
    revision: run.nextRevision(),
    etag: sha256(text),
    publishedAt: run.slot,
    summary,
    body: gzipSync(text),
  };
  const outcome = await publishDocument(run.dependencies.table, draft, stored);
  if (!outcome.published) throw new LeaseLostError(`${name} was published by another run`);
  return outcome.head;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
