import * as z from 'zod/mini';

const At = z.string().check(z.describe('Time in ISO 8601, UTC'));

export const SyncRun = z
  .object({
    slot: z.string().check(z.describe('The time the run was scheduled for; identifies it')),
    trigger: z.enum(['schedule', 'manual']),
    outcome: z.enum(['Succeeded', 'PartiallySucceeded', 'Failed']),
    durationMs: z.number(),
    pairs: z.object({
      published: z.int(),
      unchanged: z.int(),
      held: z.int(),
      failed: z.int(),
      skipped: z.int(),
    }),
    versionsAdded: z.int(),
    notes: z.array(z.string()),
  })
  .check(z.meta({ id: 'SyncRun', description: 'One run of the sync' }));

export const SyncPair = z
  .object({
    channel: z.string(),
    arch: z.string(),
    state: z.enum(['Current', 'Held', 'Failing', 'Skipped']),
    stale: z.boolean().check(z.describe('No good answer for more than two intervals')),
    lastAttemptAt: z.nullable(At),
    lastSuccessAt: z.nullable(At),
    lastChangeAt: z.nullable(At),
    nodes: z.int(),
    edges: z.int(),
    error: z.nullable(z.object({ code: z.string(), detail: z.string() })),
    held: z.nullable(z.object({ reason: z.string(), detail: z.string(), since: At, rounds: z.int() })),
    missing: z.array(z.object({ version: z.string(), since: At, withdrawn: z.boolean() })),
    repairs: z.array(z.object({ code: z.string(), count: z.int(), examples: z.array(z.string()) })),
    payloadConflicts: z.array(z.string()),
  })
  .check(z.meta({ id: 'SyncPair', description: 'A followed channel on one architecture' }));

export const SyncStatus = z
  .object({
    upstream: z.nullable(z.object({ kind: z.enum(['live', 'demo']), url: z.string() })),
    running: z.boolean(),
    lastRun: z.nullable(SyncRun),
    lastSkipped: z.nullable(
      z.object({ slot: z.string(), reason: z.enum(['Missed', 'Concurrent', 'Superseded']) }),
    ),
    runs: z.array(SyncRun),
    retiredMinors: z.array(
      z.object({ minor: z.string(), since: At, rowsDeletedAfter: At, heldBecause: z.nullable(z.string()) }),
    ),
    pairs: z.array(SyncPair),
  })
  .check(z.meta({ id: 'SyncStatus', description: 'State of the sync and of every followed channel' }));

export const SyncRunRequest = z
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
  .check(z.meta({ id: 'SyncRunRequest' }));

export const SyncRunAccepted = z
  .object({ slot: z.string(), status: z.string().check(z.describe('Where the outcome will be found')) })
  .check(z.meta({ id: 'SyncRunAccepted' }));
