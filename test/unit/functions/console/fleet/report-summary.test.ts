import { expect, it } from 'vitest';
import type { NotificationsAnswer } from '../../../../../functions/console/data/responses.ts';
import { missingTakers } from '../../../../../functions/console/fleet/report-summary.tsx';

const WEBHOOK = { host: 'hooks.example.com', format: 'slack', since: '', by: 'me' } as const;
type Left = NotificationsAnswer['undelivered'][number]['left'];

it.each<[NotificationsAnswer['webhook'], Left[], words: string]>([
  [WEBHOOK, [['webhook'], ['webhook']], 'the webhook at hooks.example.com'],
  [WEBHOOK, [['events'], ['webhook']], 'the webhook at hooks.example.com and the event bus'],
  [null, [['events']], 'the event bus'],
  // Taken away since.
  [null, [['webhook']], 'the webhook'],
])('names who has not taken messages %#', (webhook, lefts, words) => {
  const undelivered = lefts.map((left) => ({ id: '', at: '', count: 1, text: '', left }));
  expect(missingTakers({ webhook, undelivered })).toBe(words);
});
