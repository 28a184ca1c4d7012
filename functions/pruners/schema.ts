import * as z from 'zod/mini';
import { page } from '../channels/schema.ts';
import { lazy } from '../runtime/lazy.ts';
import { LOG_LEVELS, MANAGEMENT_STATES } from '@cairn/shared/prune/images/values';

export const imagePrunersQuery = /* @__PURE__ */ lazy(() => z.object(page()));

const described = <Schema extends z.ZodMiniType>(schema: Schema, description: string) =>
  z.optional(z.nullable(schema.check(z.describe(description))));
const flag = (description: string) => described(z.boolean(), description);
const count = (description: string) => described(z.int(), description);
const words = (description: string) => described(z.string(), description);
const PLACED = 'Of a pod: stored and told back, without effect';

/** What a pruner shall do, for the interface document only: `readPrunerSpec` checks it. */
export const imagePrunerSpec = /* @__PURE__ */ lazy(() =>
  z
    .strictObject({
      schedule: words('Cron as Kubernetes takes it: five fields or a macro; `0 0 * * *` when not given'),
      timeZone: words('IANA name; `UTC` when not given'),
      suspend: flag('Keep the schedule, but do not run by it; false when not given'),
      keepTagRevisions: count('How many revisions of a tag stay; 3 when not given'),
      keepYoungerThan: described(
        z.union([z.string(), z.int()]),
        'What is younger stays; `60m` when not given. A number is nanoseconds, as older clusters have it',
      ),
      keepYoungerThanDuration: words('The same by the name that clusters have for it; it wins'),
      startingDeadlineSeconds: count('How late a run may start; 60 to 86400, 3600 when not given'),
      history: described(
        z.strictObject({
          successfulJobsHistoryLimit: count('Runs that succeeded and are kept; 1 to 100, 3 when not given'),
          failedJobsHistoryLimit: count('Runs that failed and are kept; 1 to 100, 3 when not given'),
        }),
        'How many runs stay to be read',
      ),
      successfulJobsHistoryLimit: count('As in `history`'),
      failedJobsHistoryLimit: count('As in `history`'),
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
      protectedTags: described(z.array(z.string()), 'Tags that stay: `v*`, `shop/*:stable`'),
      protectedRepositories: described(z.array(z.string()), 'Repositories in which all stays: `shop/*`'),
      grace: words('Between condemning and deleting; `24h` when not given, none by `0s`'),
      requireInUse: flag('Delete nothing without a fresh list of the images in use; false when not given'),
      maxDeletes: count('Objects that a run may delete; no limit when not given'),
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
    .check(z.meta({ id: 'ImagePrunerSpec' })),
);

export const imagePruner = /* @__PURE__ */ lazy(() =>
  z
    .strictObject({
      apiVersion: z.optional(z.string()),
      kind: z.optional(z.literal('ImagePruner')),
      metadata: z.optional(
        z
          .looseObject({ name: z.optional(z.string()) })
          .check(z.describe('`name` must be that of the path; the rest is ignored')),
      ),
      spec: imagePrunerSpec(),
      status: z.optional(z.unknown().check(z.describe('Ignored'))),
    })
    .check(
      z.meta({ id: 'ImagePrunerRequest', description: 'An ImagePruner; its spec may also stand alone' }),
    ),
);
