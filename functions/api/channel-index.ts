import { CompressedContent } from '../runtime/compressed-content.ts';
import type { Call } from '../runtime/responder.ts';
import { JSON_TYPE } from '../runtime/media-types.ts';
import { type CachedDocument, contentHash, type Documents } from '../store/document-cache.ts';
import { DOCUMENT } from '../store/keys.ts';
import { notSyncedYet } from '../planning/not-synced-yet.ts';
import { archParameter } from './followed-channels.ts';
import { releaseDataHeaders } from './release-data.ts';

const servable = new WeakMap<CachedDocument<unknown>, CompressedContent>();

/** `GET /v1/channel-index/{arch}` */
export function getChannelIndex(documents: Documents) {
  return async (call: Call<'getChannelIndex'>) => {
    const document = await documents.get(DOCUMENT.channelIndex(archParameter(call.path['arch'] ?? '')));
    if (!document) throw notSyncedYet();
    return { answer: servableIndex(document).answer(call, JSON_TYPE) };
  };
}

/** The same one for as long as the cache holds this revision. */
function servableIndex(document: CachedDocument<unknown>): CompressedContent {
  const known = servable.get(document);
  if (known) return known;
  const headers = releaseDataHeaders('Accept-Encoding', document.head.publishedAt);
  const index = new CompressedContent(contentHash(document), document.body, headers);
  servable.set(document, index);
  return index;
}
