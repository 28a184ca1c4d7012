import * as z from 'zod/mini';
import { oneOf, text, TEXT_FORMATS } from '../http/schema-fields.ts';
import { lazy } from '../runtime/lazy.ts';
import { InUseSummary, PrunerSpecView } from '../pruners/schema.ts';
import { SkippedJobRun } from '../notifications/schema.ts';
import { ReadInput } from '../plans/schema.ts';
import {
  PRUNE_OUTCOMES,
  PRUNE_PHASES,
  PRUNE_TRIGGERS,
  DELETION_KINDS,
} from '@cairn/shared/prune/images/values';

const flag = (description: string) =>
  z.optional(z.boolean({ error: 'true or false is accepted' }).check(z.describe(description)));

export const imagePrunerRunRequest = /* @__PURE__ */ lazy(() =>
  z
    .strictObject({
      dryRun: flag(
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
    .check(z.meta({ id: 'ImagePrunerRunRequest' })),
);

export const imagePrunerRunQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    format: z.optional(oneOf(TEXT_FORMATS, '`json` when not given')),
    examples: z.optional(
      text(
        /^(0|[1-9]\d{0,2}|1000)$/,
        'a number from 0 to 1000 is accepted',
        'How many of each kind are listed; 100 when not given, in a text 20',
      ),
    ),
  }),
);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const TIME_ACCEPTED = 'a time such as 2026-11-01T12:00:00Z is accepted';
const NAME_ACCEPTED = 'what `oc get` calls a kind, such as pods, rc or deployments.apps, is accepted';
const kinds = (description: string) =>
  z.optional(
    z
      .array(text(/^[A-Za-z0-9.-]{1,253}$/, NAME_ACCEPTED, ''), {
        error: `a list is accepted: ${NAME_ACCEPTED}`,
      })
      .check(z.maxLength(200, { error: 'at most 200 kinds are accepted' }), z.describe(description)),
  );

/** What may be said beside the documents that tell what is in use. */
export const inUseReport = /* @__PURE__ */ lazy(() =>
  z
    .strictObject({
      collected_at: z.optional(
        z.string({ error: TIME_ACCEPTED }).check(
          z.refine((value) => TIME.test(value) && !Number.isNaN(Date.parse(value)), { error: TIME_ACCEPTED }),
          z.describe('When the documents were collected; now when not given'),
        ),
      ),
      asked: kinds(
        'The kinds that `oc get` was asked for: one that the cluster has none of does not show in a list of many',
      ),
      missing: kinds(
        'Kinds that could not be read, or not whole: the report is not complete, whatever the documents hold',
      ),
      source: z.optional(
        text(
          /^[A-Za-z0-9._-]{1,100}$/,
          'up to 100 letters, digits, dots, underscores and hyphens are accepted',
          'The cluster that the documents are of. While a report of one cluster is known, that of another is refused; without `source` it takes the place of any',
        ),
      ),
      unchanged: z.optional(
        text(
          /^[0-9a-f]{32}$/,
          'the digest of status.inUse is accepted, 32 digits and letters from a to f',
          'In place of documents: the `digest` of what is known, which is still so; 412 when it is another',
        ),
      ),
      ignore_invalid: flag(
        'Take the documents although a reference to an image in them is not valid, and protect the repository it seems to name; as the pruner has it when not given',
      ),
    })
    .check(z.meta({ id: 'ImagesInUseReport' })),
);

const ACTIVE_STATES = ['running', 'paused'] as const;

const textOfImagePrunerRunResponses = /* @__PURE__ */ lazy(() => z.string());
const At = /* @__PURE__ */ lazy(() =>
  textOfImagePrunerRunResponses().check(z.describe('Time in ISO 8601, UTC')),
);
const Total = /* @__PURE__ */ lazy(() => z.object({ count: z.int(), bytes: z.int() }));
const Kind = /* @__PURE__ */ lazy(() => z.enum(DELETION_KINDS));
const byKind = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.record(textOfImagePrunerRunResponses(), schema);

const id = /* @__PURE__ */ lazy(() =>
  textOfImagePrunerRunResponses().check(z.describe('The time it was scheduled for')),
);
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
      message: textOfImagePrunerRunResponses().check(z.describe('Why it did nothing')),
    })
    .check(z.meta({ id: 'SkippedPruneRun', description: 'A run that did nothing' })),
);

const finished = /* @__PURE__ */ lazy(() => ({
  ...begun(),
  state: z.literal('finished'),
  outcome: z.enum(PRUNE_OUTCOMES),
  reason: textOfImagePrunerRunResponses().check(
    z.describe('In one word, such as `Pruned`, `DryRun` or `TooMuch`'),
  ),
  message: textOfImagePrunerRunResponses(),
  ...counts(),
  revived: z.int().check(z.describe('Objects that were brought back, as they came into use meanwhile')),
}));

export const ImagePrunerRuns = /* @__PURE__ */ lazy(() =>
  z
    .object({
      pruner: textOfImagePrunerRunResponses(),
      runs: z
        .array(
          z.union([
            ActiveRun(),
            SkippedRun(),
            z.object({ ...finished(), durationMs: z.int() }).check(z.meta({ id: 'FinishedPruneRun' })),
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
    planHash: textOfImagePrunerRunResponses().check(
      z.describe('Names what goes and is condemned; to be agreed to'),
    ),
    breaker: z
      .nullable(
        z.object({ reason: textOfImagePrunerRunResponses(), message: textOfImagePrunerRunResponses() }),
      )
      .check(z.describe('Why nothing may be deleted')),
    keptManifests: z.int(),
    frozenTotal: z.int(),
    frozen: z
      .array(
        z.object({ repository: textOfImagePrunerRunResponses(), reason: textOfImagePrunerRunResponses() }),
      )
      .check(z.describe('Repositories in which nothing is touched, up to 1,000')),
    totals: byKind(byKind(Total())).check(
      z.describe(
        'Of all that was listed, by kind and by what becomes of it: `kept`, `in-use`, `protected`, `young`, `frozen`, `condemned` for a later run, `unlinked` or `swept` in this one',
      ),
    ),
    reasons: z.array(
      z.object({ kind: Kind(), reason: textOfImagePrunerRunResponses(), count: z.int(), bytes: z.int() }),
    ),
    blobs: z.object({ all: Total(), condemned: Total() }),
    examplesTotal: z.int().check(z.describe('What goes or is condemned')),
    examples: z.array(
      z.object({
        kind: Kind(),
        key: textOfImagePrunerRunResponses(),
        bytes: z.int(),
        reason: textOfImagePrunerRunResponses(),
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
        repository: textOfImagePrunerRunResponses(),
        tag: textOfImagePrunerRunResponses(),
        revision: z.int(),
        digest: textOfImagePrunerRunResponses(),
        createdAt: z.nullable(At()),
        reason: textOfImagePrunerRunResponses(),
      }),
    ),
    emptiedTagsTotal: z.int(),
    emptiedTags: z.array(textOfImagePrunerRunResponses()),
    imagesTotal: z.int(),
    images: z.array(
      z.object({
        digest: textOfImagePrunerRunResponses(),
        createdAt: z.nullable(At()),
        reason: textOfImagePrunerRunResponses(),
      }),
    ),
    kept: z.array(z.object({ for: textOfImagePrunerRunResponses(), tagItems: z.int(), images: z.int() })),
    inCommands: z.object({ tagItems: z.int(), images: z.int() }),
    commands: z.array(
      z.object({ command: textOfImagePrunerRunResponses(), about: textOfImagePrunerRunResponses() }),
    ),
  }),
);

const FinishedRun = /* @__PURE__ */ lazy(() =>
  z
    .object({
      ...finished(),
      pruner: textOfImagePrunerRunResponses(),
      startedAt: At(),
      finishedAt: At(),
      spec: PrunerSpecView().check(z.describe('As it was when the run began')),
      plan: z.nullable(Plan()).check(z.describe('Null when it did not come so far')),
      refused: z
        .array(z.object({ key: textOfImagePrunerRunResponses(), code: textOfImagePrunerRunResponses() }))
        .check(z.describe('What could not be deleted; nothing after it was')),
      revivedKeys: z.array(textOfImagePrunerRunResponses()).check(z.describe('Up to 1,000')),
      lostKeys: z
        .array(textOfImagePrunerRunResponses())
        .check(z.describe('Came into use meanwhile and could not be brought back, up to 1,000')),
      cluster: z
        .nullable(Cluster())
        .check(z.describe('Of a registry that is not Managed: what would go of the objects of the cluster')),
    })
    .check(z.meta({ id: 'PruneReport', description: 'What a run came to' })),
);

const WaitingRun = /* @__PURE__ */ lazy(() =>
  z
    .object({ id: id(), state: z.literal('waiting'), message: textOfImagePrunerRunResponses() })
    .check(z.meta({ id: 'WaitingPruneRun', description: 'A run that has not begun yet' })),
);

export const ImagePrunerRun = /* @__PURE__ */ lazy(() =>
  z.union([ActiveRun(), SkippedRun(), WaitingRun(), FinishedRun()]).check(z.meta({ id: 'ImagePrunerRun' })),
);

export const ImagePrunerRunAccepted = /* @__PURE__ */ lazy(() =>
  z
    .object({
      run: id(),
      status: textOfImagePrunerRunResponses().check(
        z.describe('Where its progress and then its report are found'),
      ),
    })
    .check(z.meta({ id: 'ImagePrunerRunAccepted' })),
);

const KindCount = /* @__PURE__ */ lazy(() =>
  z.object({
    kind: textOfImagePrunerRunResponses(),
    objects: z.int(),
    ended: z.int().check(z.describe('Pods that ended long ago, which use nothing')),
    references: z.int(),
  }),
);

export const ImagesInUse = /* @__PURE__ */ lazy(() =>
  z
    .object({
      inUse: InUseSummary(),
      kinds: z.array(KindCount()),
      otherKinds: z.array(KindCount()).check(z.describe('Kinds that were searched for digests')),
      imagesKept: z
        .nullable(z.int())
        .check(z.describe('Images that are kept for the commands of a registry that is not Managed')),
      invalidReferences: z
        .array(
          z.object({
            object: textOfImagePrunerRunResponses(),
            place: textOfImagePrunerRunResponses(),
            reference: textOfImagePrunerRunResponses(),
            why: textOfImagePrunerRunResponses(),
            protects: z.array(textOfImagePrunerRunResponses()),
          }),
        )
        .check(z.describe('Up to 1,000')),
      input: ReadInput(),
    })
    .check(z.meta({ id: 'ImagesInUse', description: 'What is in use, as it was understood' })),
);
