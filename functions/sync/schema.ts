import * as z from 'zod/mini';
import { At } from '../http/schema-fields.ts';
import { SkippedJobRun } from '../jobs/schema.ts';
import { UPSTREAM_KINDS } from '../releases/sync-state.ts';
import { lazy } from '../runtime/lazy.ts';
import { RUN_TRIGGERS, RUN_OUTCOMES } from '../store/run-records.ts';

export const syncRunRequest = /* @__PURE__ */ lazy(() =>
  z
    .strictObject({
      accept: z.optional(
        z
          .array(
            z.string().check(
              z.regex(/^[a-z]{2,16}-[0-9]{1,2}\.[0-9]{1,3}\/[a-z0-9]{2,10}$/, {
                error: 'a pair such as stable-4.12/amd64 is accepted',
              }),
            ),
            { error: 'a list of pairs such as ["stable-4.12/amd64"] is accepted' },
          )
          .check(
            z.maxLength(100, { error: 'at most 100 pairs are accepted' }),
            z.describe('Held answers of these pairs are taken as true'),
          ),
      ),
    })
    .check(z.meta({ id: 'SyncRunRequest', description: 'How to run the sync' })),
);

export const SyncRun = /* @__PURE__ */ lazy(() =>
  z
    .object({
      slot: z.string().check(z.describe('The time the run was scheduled for; identifies it')),
      trigger: z.enum(RUN_TRIGGERS),
      outcome: z.enum(RUN_OUTCOMES),
      durationMs: z.number(),
      pairs: z.object({
        published: z.int(),
        unchanged: z.int().check(z.describe('Graphs that upstream had not changed')),
        held: z.int(),
        failed: z.int(),
        skipped: z.int(),
      }),
      versionsAdded: z.int(),
      notes: z.array(z.string()),
    })
    .check(z.meta({ id: 'SyncRun', description: 'One run of the sync' })),
);

export const PAIR_STATES = ['Current', 'Held', 'Failing', 'Skipped', 'Unknown'] as const;

export const SyncPair = /* @__PURE__ */ lazy(() =>
  z
    .object({
      channel: z.string(),
      arch: z.string(),
      state: z
        .enum(PAIR_STATES)
        .check(z.describe('`Unknown` when the time of the last good answer is in the future')),
      stale: z
        .boolean()
        .check(z.describe('No good answer for more than two intervals, or its time is in the future')),
      lastAttemptAt: z.nullable(At()),
      lastSuccessAt: z.nullable(At()),
      lastChangeAt: z.nullable(At()),
      nodes: z.int(),
      edges: z.int(),
      error: z.nullable(z.object({ code: z.string(), detail: z.string() })),
      held: z.nullable(z.object({ reason: z.string(), detail: z.string(), since: At(), rounds: z.int() })),
      missing: z.array(z.object({ version: z.string(), since: At(), withdrawn: z.boolean() })),
      repairs: z.array(z.object({ code: z.string(), count: z.int(), examples: z.array(z.string()) })),
      payloadConflicts: z.array(z.string()),
    })
    .check(z.meta({ id: 'SyncPair', description: 'A followed channel on one architecture' })),
);

export const SyncStatus = /* @__PURE__ */ lazy(() =>
  z
    .object({
      upstream: z.nullable(z.object({ kind: z.enum(UPSTREAM_KINDS), url: z.string() })),
      running: z.boolean(),
      lastRun: z.nullable(SyncRun()),
      lastSkipped: z
        .nullable(SkippedJobRun())
        .check(z.describe('The last run of the sync that did nothing, and why; null when none was skipped')),
      watch: z
        .object({
          lastSlot: z
            .nullable(z.string())
            .check(z.describe('The last run that began; null before the first')),
          lastSkipped: z.nullable(SkippedJobRun()),
        })
        .check(z.describe('The job that keeps histories, run records and pruners in order')),
      futureTimes: z
        .nullable(
          z.object({
            count: z.int(),
            times: z.array(z.object({ field: z.string(), at: At() })).check(z.describe('At most 20 of them')),
            note: z.string(),
          }),
        )
        .check(
          z.describe(
            'Stored times of a clock that was wrong; null when there are none. The next run replaces them',
          ),
        ),
      runs: z.array(SyncRun()),
      retiredMinors: z.array(
        z.object({
          minor: z.string(),
          since: At(),
          rowsDeletedAfter: At(),
          heldBecause: z.nullable(z.string()),
        }),
      ),
      pairs: z.array(SyncPair()),
    })
    .check(z.meta({ id: 'SyncStatus', description: 'State of the sync and of every followed channel' })),
);

export const SyncRunAccepted = /* @__PURE__ */ lazy(() =>
  z
    .object({ slot: z.string(), status: z.string().check(z.describe('Where the outcome will be found')) })
    .check(z.meta({ id: 'SyncRunAccepted', description: 'The sync run that was started' })),
);
