import * as z from 'zod/mini';
import { oneOf } from '../http/schema-fields.ts';
import { lazy, type Output } from '../runtime/lazy.ts';
import { WEBHOOK_FORMATS } from '@cairn/shared/notifications/message';
import { TAKERS } from './state.ts';
import { EVENT_TRIGGERS, SKIP_REASONS } from '../store/leases.ts';

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
    .check(z.meta({ id: 'WebhookRequest' })),
);

export type WebhookRequest = Output<typeof webhookRequest>;

const At = /* @__PURE__ */ lazy(() => z.string().check(z.describe('Time in ISO 8601, UTC')));

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

/** Of any job. */
export const SkippedJobRun = /* @__PURE__ */ lazy(() =>
  z
    .object({
      slot: z.string().check(z.describe('The time the run was scheduled for')),
      trigger: z.enum(EVENT_TRIGGERS),
      reason: z
        .enum(SKIP_REASONS)
        .check(
          z.describe(
            '`Missed`: it came too late. `Duplicate`: this slot or a later one is done or under way. `Concurrent`: another run was under way. `Superseded`: a later run took over. `Suspended`: the pruner is suspended. `Stopped`: stopped by hand.',
          ),
        ),
    })
    .check(z.meta({ id: 'SkippedJobRun', description: 'A run that did nothing, and why' })),
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
    .check(z.meta({ id: 'News' })),
);
