import { CompressedContent } from '../http/compressed-content.ts';
import type { Call } from '../http/endpoint.ts';
import { JSON_TYPE } from '../http/reply.ts';
import { type CachedDocument, contentHash, type Documents } from '../store/publication-cache.ts';
import { DOCUMENT } from '../store/keys.ts';
import { notSyncedYet } from '../releases/release-reader.ts';
import { archParameter } from '../releases/followed-channels.ts';
import { releaseDataHeaders } from '../releases/release-data.ts';

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
