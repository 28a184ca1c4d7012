import * as z from 'zod/mini';
import { lazy } from '../runtime/lazy.ts';
import { Cursor } from '../channels/schema.ts';
import { CONDITION_STATUSES } from '@cairn/shared/safety/values';
import {
  MANAGEMENT_STATES,
  PRUNE_OUTCOMES,
  PRUNE_TRIGGERS,
  PRUNER_CONDITION_TYPES,
} from '@cairn/shared/prune/images/values';

const At = /* @__PURE__ */ lazy(() => z.string().check(z.describe('Time in ISO 8601, UTC')));
const ManagementState = /* @__PURE__ */ lazy(() => z.enum(MANAGEMENT_STATES));
const Target = /* @__PURE__ */ lazy(() => z.object({ bucket: z.string(), prefix: z.string() }));
const Outcome = /* @__PURE__ */ lazy(() => z.enum(PRUNE_OUTCOMES));

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
  z.object({
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
  }),
);

export const InUseSummary = /* @__PURE__ */ lazy(() =>
  z.object({
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
  }),
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
      spec: PrunerSpecView().check(z.describe('Whole, with every default; it can be sent back as it is')),
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
