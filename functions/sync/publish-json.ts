import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import {
  type DocumentHead,
  isOfLaterRun,
  publishDocument,
  readDocument,
  type StoredDocument,
} from '../store/published.ts';
import { LeaseLostError, type SyncRun } from './job.ts';

const PUBLISH_ATTEMPTS = 3;

/**
 * Publishes a JSON document over the one that was read, or over what an older run that had stalled has put in its place
 * since. A newer run that came first ends this one.
 */
export async function publishJson(
  run: SyncRun,
  document: Pick<DocumentHead, 'name' | 'summary'> & { readonly text: string },
  stored: StoredDocument,
): Promise<DocumentHead> {
  const { table } = run.dependencies;
  const { name, summary, text } = document;
  const content = { name, etag: sha256(text), publishedAt: run.slot, summary, body: gzipSync(text) };
  let current = stored;
  for (let attempt = 1; ; attempt++) {
    const outcome = await publishDocument(table, { ...content, revision: run.nextRevision() }, current);
    if (outcome.published) return outcome.head;
    if (outcome.head && isOfLaterRun(outcome.head, run.token)) {
      throw new LeaseLostError(`${name} is of a later run, at revision ${outcome.head.revision}`);
    }
    if (attempt === PUBLISH_ATTEMPTS) throw new Error(`${name} kept changing while it was published`);
    current = await readDocument(table, name);
  }
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
