import {
  LOG_LEVELS,
  MANAGEMENT_STATES,
  PRUNE_OUTCOMES,
  PRUNE_TRIGGERS,
  PRUNER_CONDITION_TYPES,
} from '@cairn/shared/prune/images/values';
import { CONDITION_STATUSES } from '@cairn/shared/safety/values';
import * as z from 'zod/mini';
import { collectedAt, KindCount, kindNames, ReadInput } from '../documents/schema.ts';
import { bodyObject } from '../http/aliases.ts';
import { page, Cursor, text, At, booleanField } from '../http/schema-fields.ts';
import { lazy } from '../runtime/lazy.ts';

export const PRUNER_NAME = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/;

export const imagePrunersQuery = /* @__PURE__ */ lazy(() => z.object(page()));

const API_VERSION = /^(imageregistry\.operator\.openshift\.io\/.*)?$/;
/** `90m`, `1.5h`, `P7D` */
const LENGTH = /^(\+?((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h|d|w))+|\+?0|P[\dWDTHMS]+)$/;
const PROTECTED = /^[A-Za-z0-9_.*?/:-]{1,300}$/;
const MOST_PROTECTED = 1000;

const described = <Schema extends z.ZodMiniType>(schema: Schema, description: string) =>
  z.optional(z.nullable(schema.check(z.describe(description))));
const flag = (description: string) => described(z.boolean(), description);
const count = (least: number, most: number, description: string) =>
  described(z.int().check(z.minimum(least), z.maximum(most)), description);
const words = (description: string, pattern?: RegExp) =>
  described(pattern === undefined ? z.string() : z.string().check(z.regex(pattern)), description);
const patterns = (description: string) =>
  described(z.array(z.string().check(z.regex(PROTECTED))).check(z.maxLength(MOST_PROTECTED)), description);
const PLACED = 'Of a pod: stored and told back, without effect';

/** For `openapi.json` only: `readPrunerSpec` validates the body. */
export const imagePrunerSpec = /* @__PURE__ */ lazy(() =>
  z
    .strictObject({
      schedule: words('Cron as Kubernetes takes it: five fields or a macro; `0 0 * * *` when not given'),
      timeZone: words('IANA name; `UTC` when not given', /^[A-Z][A-Za-z0-9_+/-]*$/),
      suspend: flag('Keep the schedule, but do not run by it; false when not given'),
      keepTagRevisions: count(0, 100_000, 'How many revisions of a tag stay; 3 when not given'),
      keepYoungerThan: described(
        z.union([z.string().check(z.regex(LENGTH)), z.int()]),
        'What is younger stays; `60m` when not given. A number is nanoseconds, as older clusters have it',
      ),
      keepYoungerThanDuration: words('The same by the name that clusters have for it; it wins', LENGTH),
      startingDeadlineSeconds: count(60, 86_400, 'How late a run may start; 3600 when not given'),
      history: described(
        z.strictObject({
          successfulJobsHistoryLimit: count(1, 100, 'Runs that succeeded and are kept; 3 when not given'),
          failedJobsHistoryLimit: count(1, 100, 'Runs that failed and are kept; 3 when not given'),
        }),
        'How many runs stay to be read',
      ),
      successfulJobsHistoryLimit: count(1, 100, 'As in `history`'),
      failedJobsHistoryLimit: count(1, 100, 'As in `history`'),
      managementState: described(
        z.enum(MANAGEMENT_STATES),
        '`Managed` prunes the storage of the registry; the others only report commands for what the cluster keeps',
      ),
      target: described(
        z.strictObject({
          bucket: words('One of those in the settings of the deployment; the first when not given'),
          prefix: words('The folder in it, as in the settings'),
        }),
        'Where the registry keeps its storage',
      ),
      dryRun: flag('Report what would go and delete nothing; true when not given'),
      protectedTags: patterns('Tags that stay: `v*`, `shop/*:stable`'),
      protectedRepositories: patterns('Repositories in which all stays: `shop/*`'),
      grace: words('Between condemning and deleting; `24h` when not given, none by `0s`', LENGTH),
      requireInUse: flag('Delete nothing without a fresh list of the images in use; false when not given'),
      maxDeletes: count(1, 1_000_000_000, 'Objects that a run may delete; no limit when not given'),
      acknowledgeUnversioned: flag(
        'Prune a bucket without versioning, which has no undo; false when not given',
      ),
      ignoreInvalidImageReferences: flag(
        'Go on when an image in use cannot be read, and protect the repository it seems to name; false when not given',
      ),
      resources: described(z.record(z.string(), z.unknown()), PLACED),
      affinity: described(z.record(z.string(), z.unknown()), PLACED),
      nodeSelector: described(z.record(z.string(), z.unknown()), PLACED),
      tolerations: described(
        z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]),
        `${PLACED}; a list, or a map as first proposed`,
      ),
      logLevel: described(z.enum(LOG_LEVELS), PLACED),
    })
    .check(z.meta({ id: 'ImagePrunerSpec', description: 'Configuration of an image pruner' })),
);

export const imagePruner = /* @__PURE__ */ lazy(() =>
  z
    .strictObject({
      apiVersion: z.optional(z.string().check(z.regex(API_VERSION))),
      kind: z.optional(z.literal('ImagePruner')),
      metadata: z.optional(
        z
          .looseObject({ name: z.optional(z.string().check(z.regex(PRUNER_NAME))) })
          .check(z.describe('`name` must be that of the path; the rest is ignored')),
      ),
      spec: imagePrunerSpec(),
      status: z.optional(z.unknown().check(z.describe('Ignored'))),
    })
    .check(
      z.meta({ id: 'ImagePrunerRequest', description: 'An ImagePruner; its spec may also stand alone' }),
    ),
);

const ManagementState = /* @__PURE__ */ lazy(() =>
  z.enum(MANAGEMENT_STATES).check(
    z.meta({
      id: 'ManagementState',
      description: 'Whether the schedule runs the pruner, as in Kubernetes operators',
    }),
  ),
);
const Target = /* @__PURE__ */ lazy(() =>
  z
    .object({ bucket: z.string(), prefix: z.string() })
    .check(z.meta({ id: 'RegistryTarget', description: 'Where the registry stores its objects' })),
);
const Outcome = /* @__PURE__ */ lazy(() =>
  z.enum(PRUNE_OUTCOMES).check(z.meta({ id: 'PruneOutcome', description: 'How a run ended' })),
);

const condition = /* @__PURE__ */ lazy(() => ({
  type: z.enum(PRUNER_CONDITION_TYPES),
  status: z.enum(CONDITION_STATUSES),
  reason: z.string().check(z.describe('In one word, to branch on')),
}));

const run = /* @__PURE__ */ lazy(() => ({
  id: z.string(),
  trigger: z.enum(PRUNE_TRIGGERS),
  dryRun: z.boolean(),
  startedAt: At(),
}));

export const PrunerSpecView = /* @__PURE__ */ lazy(() =>
  z
    .object({
      schedule: z.string(),
      timeZone: z.string(),
      suspend: z.boolean(),
      keepTagRevisions: z.int(),
      keepYoungerThan: z.string(),
      startingDeadlineSeconds: z.int(),
      history: z.object({ successfulJobsHistoryLimit: z.int(), failedJobsHistoryLimit: z.int() }),
      managementState: ManagementState(),
      target: Target(),
      dryRun: z.boolean(),
      protectedTags: z.array(z.string()),
      protectedRepositories: z.array(z.string()),
      grace: z.string(),
      requireInUse: z.boolean(),
      maxDeletes: z.nullable(z.int()),
      acknowledgeUnversioned: z.boolean(),
      ignoreInvalidImageReferences: z.boolean(),
      resources: z.optional(z.unknown()),
      affinity: z.optional(z.unknown()),
      nodeSelector: z.optional(z.unknown()),
      tolerations: z.optional(z.unknown()),
      logLevel: z.optional(z.string()),
    })
    .check(
      z.meta({
        id: 'EffectivePrunerSpec',
        description: 'Spec of an image pruner with every default; it can be sent back',
      }),
    ),
);

export const InUseSummary = /* @__PURE__ */ lazy(() =>
  z
    .object({
      revision: z.string(),
      collectedAt: At(),
      complete: z.boolean().check(z.describe('Every kind of object that protects images was in it')),
      missing: z.array(z.string()).check(z.describe('Kinds that were not')),
      images: z.int(),
      tags: z.int(),
      digests: z.int(),
      imageStreams: z.nullable(z.int()),
      invalidReferences: z.int(),
      digest: z
        .optional(z.string())
        .check(z.describe('Tells whether another report says the same; sent as `unchanged` where it does')),
      source: z.optional(z.string()).check(z.describe('The cluster that reported it, where it said so')),
    })
    .check(z.meta({ id: 'InUseSummary', description: 'What is known of the images in use' })),
);

export const ImagePruner = /* @__PURE__ */ lazy(() =>
  z
    .object({
      apiVersion: z.string(),
      kind: z.literal('ImagePruner'),
      metadata: z.object({
        name: z.string(),
        uid: z.string().check(z.describe('Another one when it is made anew under its name')),
        generation: z.int().check(z.describe('Counts changes of the spec')),
        creationTimestamp: At(),
      }),
      spec: PrunerSpecView(),
      status: z.object({
        observedGeneration: z
          .int()
          .check(
            z.describe('The generation that the schedule was last brought in line with, or could not be'),
          ),
        conditions: z.array(
          z.object({
            ...condition(),
            lastTransitionTime: At().check(z.describe('When `status` last became another')),
            message: z.string(),
          }),
        ),
        nextRuns: z.array(At()).check(z.describe('The next five; none while it is suspended')),
        lastRun: z.nullable(
          z.object({
            ...run(),
            finishedAt: At(),
            outcome: Outcome(),
            reason: z.string(),
            message: z.string(),
          }),
        ),
        activeRun: z.nullable(z.object(run())),
        inUse: z
          .nullable(InUseSummary())
          .check(z.describe('What is known of the images in use; null when never told')),
        notApplicable: z.array(z.string()).check(z.describe('Pointers to fields that have no effect')),
        dryRun: z.nullable(z.string()).check(z.describe('Says so when it deletes nothing')),
      }),
    })
    .check(z.meta({ id: 'ImagePruner', description: 'A pruner of registry storage' })),
);

export const ImagePrunerPage = /* @__PURE__ */ lazy(() =>
  z
    .object({
      pruners: z.array(
        z.object({
          name: z.string(),
          schedule: z.string(),
          timeZone: z.string(),
          suspend: z.boolean(),
          dryRun: z.boolean(),
          managementState: ManagementState(),
          target: Target(),
          nextRun: z.nullable(At()).check(z.describe('Null while it is suspended')),
          lastRun: z.nullable(
            z.object({ id: z.string(), outcome: Outcome(), dryRun: z.boolean(), finishedAt: At() }),
          ),
          running: z.boolean(),
          conditions: z.array(z.object(condition())),
        }),
      ),
      nextCursor: Cursor(),
    })
    .check(z.meta({ id: 'ImagePrunerPage', description: 'Pruners by name' })),
);

const inUseFields = () => ({
  collected_at: collectedAt(),
  asked: kindNames(
    'The kinds that `oc get` was asked for: one that the cluster has none of does not show in a list of many',
  ),
  missing: kindNames(
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
  ignore_invalid: booleanField(
    'Take the documents although a reference to an image in them is not valid, and protect the repository it seems to name; as the pruner has it when not given',
  ),
});

export const inUseReportQuery = /* @__PURE__ */ lazy(() => z.strictObject(inUseFields()));

/** Fields beside the workload documents. */
export const inUseReport = /* @__PURE__ */ lazy(() => bodyObject(inUseFields()));

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
            object: z.string(),
            place: z.string(),
            reference: z.string(),
            why: z.string(),
            protects: z.array(z.string()),
          }),
        )
        .check(z.describe('Up to 1,000')),
      input: ReadInput(),
    })
    .check(z.meta({ id: 'ImagesInUse', description: 'What is in use, as it was understood' })),
);
