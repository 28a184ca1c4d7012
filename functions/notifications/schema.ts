import { WEBHOOK_FORMATS } from '@cairn/shared/notifications/message';
import * as z from 'zod/mini';
import { oneOf, At } from '../http/schema-fields.ts';
import { SkippedJobRun } from '../jobs/schema.ts';
import { lazy } from '../runtime/lazy.ts';
import { TAKERS } from './store.ts';

const URL_ACCEPTED = 'an https address of a webhook is accepted';

export const webhookRequest = /* @__PURE__ */ lazy(() =>
  z
    .strictObject({
      url: z
        .string({ error: URL_ACCEPTED })
        .check(
          z.maxLength(2000, { error: 'at most 2000 characters are accepted' }),
          z.regex(/^https?:\/\/\S+$/, { error: URL_ACCEPTED }),
          z.describe('Where messages are posted; it is kept, and never told again but for its host'),
        ),
      format: oneOf(
        WEBHOOK_FORMATS,
        '`slack` for an incoming webhook of Slack or Mattermost, `teams` for a workflow of Teams that posts a card, `json` for a program',
      ),
    })
    .check(z.meta({ id: 'WebhookRequest', description: 'Webhook for notifications' })),
);

export const NewsWebhook = /* @__PURE__ */ lazy(() =>
  z
    .object({
      host: z.string(),
      format: z.enum(WEBHOOK_FORMATS),
      since: At(),
      by: z.string().check(z.describe('Who set it')),
    })
    .check(z.meta({ id: 'NewsWebhook', description: 'Where messages are posted' })),
);
export const News = /* @__PURE__ */ lazy(() =>
  z
    .object({
      webhook: z.nullable(NewsWebhook()),
      lastRun: z
        .nullable(
          z.object({
            slot: At(),
            clusters: z.int().check(z.describe('Clusters that were looked at again')),
            news: z.int().check(z.describe('News that was told')),
          }),
        )
        .check(z.describe('When the fleet was last followed; null before the first time')),
      lastSkipped: z
        .nullable(SkippedJobRun())
        .check(z.describe('The last run that did nothing, and why; null when none was skipped')),
      undelivered: z
        .array(
          z.object({
            id: z.string(),
            at: At(),
            count: z.int(),
            text: z.string(),
            left: z.array(z.enum(TAKERS)).check(z.describe('Who has not taken it yet')),
          }),
        )
        .check(z.describe('Messages that are tried again with every run, for a day')),
    })
    .check(z.meta({ id: 'News', description: 'State of notifications' })),
);
