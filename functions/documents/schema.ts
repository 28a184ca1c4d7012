import * as z from 'zod/mini';
import { text } from '../http/schema-fields.ts';
import { lazy } from '../runtime/lazy.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const TIME_ACCEPTED = 'a time such as 2026-11-01T12:00:00Z is accepted';
export const UPLOAD_ID = /^[A-Za-z0-9_-]{22}$/;
const KIND_ACCEPTED = 'what `oc get` calls a kind, such as pods, rc or deployments.apps, is accepted';

export const moment = (description: string) =>
  z.optional(
    z.string({ error: TIME_ACCEPTED }).check(
      z.refine((value) => TIME.test(value) && !Number.isNaN(Date.parse(value)), { error: TIME_ACCEPTED }),
      z.describe(description),
      z.meta({ pattern: TIME.source }),
    ),
  );

export const collectedAt = () => moment('When the documents were collected; now when not given');

export const hosted = (what: string) =>
  z.optional(
    text(
      /^[a-z0-9.-]{1,253}\/[a-z0-9.-]{1,253}$/,
      'a namespace and a name such as clusters/guest are accepted',
      `${what}, in documents of its management cluster: \`clusters/guest\`. When not given, the cluster itself, or the only HostedCluster in documents without a ClusterVersion`,
    ),
  );

/** Kinds by their names in `oc get`. */
export const kindNames = (description: string) =>
  z.optional(
    z
      .array(text(/^[A-Za-z0-9.-]{1,253}$/, KIND_ACCEPTED, ''), {
        error: `a list is accepted: ${KIND_ACCEPTED}`,
      })
      .check(z.maxLength(200, { error: 'at most 200 kinds are accepted' }), z.describe(description)),
  );

/** Objects of a kind among documents that show which images are in use. */
export const KindCount = /* @__PURE__ */ lazy(() =>
  z
    .object({
      kind: z.string(),
      objects: z.int(),
      ended: z.int().check(z.describe('Pods that ended long ago, which use nothing')),
      references: z.int(),
    })
    .check(z.meta({ id: 'KindCount', description: 'Objects of a kind and the images that they reference' })),
);

export const ReadInput = /* @__PURE__ */ lazy(() =>
  z
    .object({
      documents: z.int(),
      objects: z.int(),
      emptyLists: z.int(),
      ignored: z
        .array(
          z
            .object({ kind: z.string(), count: z.int() })
            .check(z.meta({ id: 'IgnoredKind', description: 'Objects of a kind that were not used' })),
        )
        .check(z.describe('Objects of kinds that are not read, the most frequent first')),
    })
    .check(z.meta({ id: 'ReadInput', description: 'What was read of the documents' })),
);
