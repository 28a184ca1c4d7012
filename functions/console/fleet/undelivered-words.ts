import { joinInWords } from '@cairn/shared/text/words';
import type { NewsAnswer } from '../data/responses.ts';

/** Who has not taken messages yet: `the webhook at hooks.example.com and the event bus`. */
export function missingTakers({ webhook, undelivered }: Pick<NewsAnswer, 'webhook' | 'undelivered'>): string {
  const left = new Set(undelivered.flatMap((message) => message.left));
  return joinInWords([
    ...(left.has('webhook') ? [webhook ? `the webhook at ${webhook.host}` : 'the webhook'] : []),
    ...(left.has('events') ? ['the event bus'] : []),
  ]);
}
