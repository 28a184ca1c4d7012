import { countInWords } from '@cairn/shared/text/words';
import type { NewsAnswer } from '../data/responses.ts';
import { getJson } from '../data/api.ts';
import { useResource } from '../data/resource.ts';
import { When } from './parts.tsx';
import { missingTakers } from './undelivered-words.ts';

/** Says that people were not told of changes, and nothing otherwise. Who may not read that has the list all the same. */
export function UndeliveredNote() {
  const news = useResource('news', (signal) => getJson<NewsAnswer>('/v1/news', signal)).value;
  const [oldest] = news?.undelivered.map(({ at }) => at).toSorted() ?? [];
  if (!news || oldest === undefined) return null;
  return (
    <p class="note cond">
      Undelivered: {countInWords(news.undelivered.length, 'message')}, the oldest of <When at={oldest} />. Not
      taken yet by {missingTakers(news)}; tried again for a day.
    </p>
  );
}
