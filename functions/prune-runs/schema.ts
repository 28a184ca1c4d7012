import * as z from 'zod/mini';
import { oneOf, text, TEXT_FORMATS } from '../http/schema-fields.ts';
import { lazy } from '../runtime/lazy.ts';

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
