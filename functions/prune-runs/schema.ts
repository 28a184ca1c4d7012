import {
  PRUNE_OUTCOMES,
  PRUNE_PHASES,
  PRUNE_TRIGGERS,
  DELETION_KINDS,
} from '@cairn/shared/prune/images/values';
import * as z from 'zod/mini';
import { At, oneOf, text, TEXT_FORMATS, booleanField, wholeNumber } from '../http/schema-fields.ts';
import { SkippedJobRun } from '../jobs/schema.ts';
import { PrunerSpecView } from '../pruners/schema.ts';
import { lazy } from '../runtime/lazy.ts';

export const imagePrunerRunRequest = /* @__PURE__ */ lazy(() =>
  z
    .strictObject({
      dryRun: booleanField(
        'Only report what would go, whatever the pruner says; false is accepted where the pruner is no dry run',
      ),
      agree: z.optional(
        text(
          /^[0-9a-f]{16}$/,
          'the planHash of a report is accepted, 16 digits and letters from a to f',
          'The `planHash` of a plan that may be carried out although it is larger than what a run may delete',
        ),
      ),
    })
    .check(z.meta({ id: 'ImagePrunerRunRequest', description: 'How to run an image pruner' })),
);

export const imagePrunerRunQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    format: z.optional(oneOf(TEXT_FORMATS, '`json` when not given')),
    examples: z.optional(
      wholeNumber(
        /^(0|[1-9]\d{0,2}|1000)$/,
        [0, 1000],
        'a number from 0 to 1000 is accepted',
        'How many of each kind are listed; 100 when not given, in a text 20',
      ),
    ),
  }),
);

/** The time of a run. A day beyond the end of its month is of the next month. */
export const RUN_ID =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{3})?)?Z$/;

const ACTIVE_STATES = ['running', 'paused'] as const;

const Total = /* @__PURE__ */ lazy(() =>
  z
    .object({ count: z.int(), bytes: z.int() })
    .check(z.meta({ id: 'PruneTotal', description: 'Number and size of objects' })),
);
const Kind = /* @__PURE__ */ lazy(() => z.enum(DELETION_KINDS));
const byKind = <Schema extends z.ZodMiniType>(schema: Schema) => z.record(z.string(), schema);

const id = /* @__PURE__ */ lazy(() => z.string().check(z.describe('The time it was scheduled for')));
const begun = /* @__PURE__ */ lazy(() => ({
  id: id(),
  trigger: z.enum(PRUNE_TRIGGERS),
  dryRun: z.boolean(),
}));
const counts = /* @__PURE__ */ lazy(() => ({
  listed: z.int().check(z.describe('Objects of the storage that were listed')),
  planned: z.int().check(z.describe('Objects that go in this run')),
  deleted: byKind(Total()).check(z.describe('By kind; none in a dry run')),
}));

const ActiveRun = /* @__PURE__ */ lazy(() =>
  z
    .object({
      ...begun(),
      state: z.enum(ACTIVE_STATES).check(z.describe('`paused` until the next invocation goes on')),
      startedAt: At(),
      phase: z.enum(PRUNE_PHASES),
      ...counts(),
      percent: z.nullable(z.int()).check(z.describe('Of the deletions; null in other phases')),
    })
    .check(z.meta({ id: 'ActivePruneRun', description: 'A run that is under way' })),
);

const SkippedRun = /* @__PURE__ */ lazy(() =>
  z
    .object({
      id: id(),
      state: z.literal('skipped'),
      trigger: z.enum(PRUNE_TRIGGERS),
      message: z.string().check(z.describe('Why it did nothing')),
    })
    .check(z.meta({ id: 'SkippedPruneRun', description: 'A run that did nothing' })),
);

const finished = /* @__PURE__ */ lazy(() => ({
  ...begun(),
  state: z.literal('finished'),
  outcome: z.enum(PRUNE_OUTCOMES),
  reason: z.string().check(z.describe('In one word, such as `Pruned`, `DryRun` or `TooMuch`')),
  message: z.string(),
  ...counts(),
  revived: z.int().check(z.describe('Objects that were brought back, as they came into use meanwhile')),
}));

export const ImagePrunerRuns = /* @__PURE__ */ lazy(() =>
  z
    .object({
      pruner: z.string(),
      runs: z
        .array(
          z.union([
            ActiveRun(),
            SkippedRun(),
            z
              .object({ ...finished(), durationMs: z.int() })
              .check(z.meta({ id: 'FinishedPruneRun', description: 'A run that has ended' })),
          ]),
        )
        .check(z.describe('Newest first')),
      lastSkipped: z
        .nullable(SkippedJobRun())
        .check(z.describe('The last event that started no run, and why; null when none was skipped')),
    })
    .check(z.meta({ id: 'ImagePrunerRuns', description: 'Runs of a pruner' })),
);

const Plan = /* @__PURE__ */ lazy(() =>
  z.object({
    planHash: z.string().check(z.describe('Names what goes and is condemned; to be agreed to')),
    breaker: z
      .nullable(z.object({ reason: z.string(), message: z.string() }))
      .check(z.describe('Why nothing may be deleted')),
    keptManifests: z.int(),
    frozenTotal: z.int(),
    frozen: z
      .array(z.object({ repository: z.string(), reason: z.string() }))
      .check(z.describe('Repositories in which nothing is touched, up to 1,000')),
    totals: byKind(byKind(Total())).check(
      z.describe(
        'Of all that was listed, by kind and by what becomes of it: `kept`, `in-use`, `protected`, `young`, `frozen`, `condemned` for a later run, `unlinked` or `swept` in this one',
      ),
    ),
    reasons: z.array(z.object({ kind: Kind(), reason: z.string(), count: z.int(), bytes: z.int() })),
    blobs: z.object({ all: Total(), condemned: Total() }),
    examplesTotal: z.int().check(z.describe('What goes or is condemned')),
    examples: z.array(
      z.object({
        kind: Kind(),
        key: z.string(),
        bytes: z.int(),
        reason: z.string(),
        since: z.nullable(At()).check(z.describe('Since when it is condemned; null of a blob with links')),
        goes: z.boolean().check(z.describe('In this run')),
      }),
    ),
  }),
);

const Cluster = /* @__PURE__ */ lazy(() =>
  z.object({
    collectedAt: At(),
    examined: z.object({ imageStreams: z.int(), tagItems: z.int(), images: z.int() }),
    tagItemsTotal: z.int(),
    tagItems: z.array(
      z.object({
        repository: z.string(),
        tag: z.string(),
        revision: z.int(),
        digest: z.string(),
        createdAt: z.nullable(At()),
        reason: z.string(),
      }),
    ),
    emptiedTagsTotal: z.int(),
    emptiedTags: z.array(z.string()),
    imagesTotal: z.int(),
    images: z.array(
      z.object({
        digest: z.string(),
        createdAt: z.nullable(At()),
        reason: z.string(),
      }),
    ),
    kept: z.array(z.object({ for: z.string(), tagItems: z.int(), images: z.int() })),
    inCommands: z.object({ tagItems: z.int(), images: z.int() }),
    commands: z.array(z.object({ command: z.string(), about: z.string() })),
  }),
);

const FinishedRun = /* @__PURE__ */ lazy(() =>
  z
    .object({
      ...finished(),
      pruner: z.string(),
      startedAt: At(),
      finishedAt: At(),
      // As it was when the run began.
      spec: PrunerSpecView(),
      plan: z.nullable(Plan()).check(z.describe('Null when it did not come so far')),
      refused: z
        .array(z.object({ key: z.string(), code: z.string() }))
        .check(z.describe('What could not be deleted; nothing after it was')),
      revivedKeys: z.array(z.string()).check(z.describe('Up to 1,000')),
      lostKeys: z
        .array(z.string())
        .check(z.describe('Came into use meanwhile and could not be brought back, up to 1,000')),
      cluster: z
        .nullable(Cluster())
        .check(z.describe('Of a registry that is not Managed: what would go of the objects of the cluster')),
    })
    .check(z.meta({ id: 'PruneReport', description: 'What a run came to' })),
);

const WaitingRun = /* @__PURE__ */ lazy(() =>
  z
    .object({ id: id(), state: z.literal('waiting'), message: z.string() })
    .check(z.meta({ id: 'WaitingPruneRun', description: 'A run that has not begun yet' })),
);

export const ImagePrunerRun = /* @__PURE__ */ lazy(() =>
  z
    .union([ActiveRun(), SkippedRun(), WaitingRun(), FinishedRun()])
    .check(
      z.meta({ id: 'ImagePrunerRun', description: 'A run of an image pruner: active, skipped or finished' }),
    ),
);

export const ImagePrunerRunAccepted = /* @__PURE__ */ lazy(() =>
  z
    .object({
      id: id(),
      run: id().check(z.meta({ description: 'Same as `id`', deprecated: true })),
      status: z.string().check(z.describe('Where its progress and then its report are found')),
    })
    .check(z.meta({ id: 'ImagePrunerRunAccepted', description: 'The run that was started' })),
);
