import { KEPT_FOR } from '@cairn/shared/prune/images/values';
import * as z from 'zod/mini';
import { KindCount, kindNames, ReadInput } from '../documents/schema.ts';
import { bodyObject } from '../http/aliases.ts';
import { text, booleanField } from '../http/schema-fields.ts';
import { lazy, type Output } from '../runtime/lazy.ts';
import { count, format, strict, time } from './schema.ts';

const policyFields = () => ({
  keep_tag_revisions: z.optional(
    count(0, 100_000, 'So many of the newest revisions of each tag stay; 3 when not given'),
  ),
  keep_younger_than: z.optional(
    text(
      /^[A-Za-z0-9.]{1,40}$/,
      'a duration such as 60m, 36h or 7d is accepted',
      'What is not older stays: `60m`, `36h`, `7d`; `60m` when not given',
    ),
  ),
  all: booleanField(
    'Whether images that were imported go as well as those that were pushed; true when not given',
  ),
  ignore_invalid_refs: booleanField(
    'Whether there are commands although a reference is not valid; the repository that it seems to name stays as it is',
  ),
  namespace: z.optional(
    text(
      /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
      'a namespace of small letters, digits and hyphens is accepted',
      'Only streams of this one; then no Images go, as other namespaces may use them',
    ),
  ),
  collected: kindNames(
    'The kinds that `oc get` was asked for: one that the cluster has none of does not show in a list of many',
  ),
  now: z.optional(time()),
});

const policy = () =>
  bodyObject(policyFields(), {}, (fields) =>
    strict(fields, 'a policy such as {"keep_tag_revisions": 3, "keep_younger_than": "60m"} is accepted'),
  );

/** The fields of the policy as query parameters. */
export const imageEvaluationQuery = /* @__PURE__ */ lazy(() =>
  z.strictObject({ ...policyFields(), format: format() }),
);

/** The policy as one member of the body, beside the documents. */
export const imageEvaluationBody = /* @__PURE__ */ lazy(() =>
  z.strictObject({
    policy: z.optional(policy().check(z.describe('What may go; or its fields in the query'))),
    format: format(),
  }),
);

export type ImagePolicyFields = Output<typeof policy>;

/** Reasons for an evaluation without commands. */
export const BLOCKERS = ['InvalidReferences', 'IncompleteInUse', 'NoImageStreams', 'NoImages'] as const;

const textOrNull = /* @__PURE__ */ lazy(() => z.nullable(z.string()));
const texts = /* @__PURE__ */ lazy(() => z.array(z.string()));
const Digest = /* @__PURE__ */ lazy(() => z.string().check(z.describe('Such as `sha256:…`')));
const Time = /* @__PURE__ */ lazy(() => ({
  createdAt: textOrNull(),
  age: textOrNull().check(z.describe('Such as `41d3h`')),
}));
export const ImageEvaluation = /* @__PURE__ */ lazy(() =>
  z
    .object({
      policy: z
        .object({
          keepTagRevisions: z.int(),
          keepYoungerThan: z.string(),
          all: z.boolean(),
          ignoreInvalidReferences: z.boolean(),
          namespace: textOrNull(),
          collected: texts(),
          now: z.string(),
        })
        .check(z.describe('As it was understood, with what was not given')),
      blockers: z
        .array(
          z.object({
            reason: z.enum(BLOCKERS),
            message: z.string(),
          }),
        )
        .check(z.describe('Why there are no commands; empty when there may be some')),
      examined: z.object({ imageStreams: z.int(), tagItems: z.int(), images: z.int() }),
      tagItemsTotal: z.int(),
      tagItems: z
        .array(
          z.object({
            repository: z.string().check(z.describe('namespace/name of the ImageStream')),
            tag: z.string(),
            revision: z.int().check(z.describe('From 0 for the newest')),
            digest: Digest(),
            ...Time(),
            reason: z.string(),
          }),
        )
        .check(z.describe('Revisions of tags that would go, up to 1,000')),
      emptiedTagsTotal: z.int(),
      emptiedTags: texts().check(z.describe('Tags of which nothing would be left, up to 1,000')),
      imagesTotal: z.int(),
      images: z
        .array(
          z.object({
            digest: Digest(),
            ...Time(),
            pushed: z.boolean().check(z.describe('To the registry of the cluster; else it was imported')),
            reason: z.string(),
          }),
        )
        .check(z.describe('Images that would go, oldest first, up to 1,000')),
      manifestLinksTotal: z.int(),
      layerLinksTotal: z.int(),
      links: z
        .array(z.object({ repository: z.string(), manifests: texts(), layers: texts() }))
        .check(z.describe('What repositories in the registry would no longer link to, up to 1,000 in all')),
      blobsTotal: z.int().check(z.describe('Layers, configurations and manifests that no Image would need')),
      protectedTotal: z.int(),
      protected: z
        .array(
          z.object({
            object: z.string().check(z.describe('A tag, as `namespace/name:tag`, or `Image`')),
            digest: Digest(),
            reason: z.string(),
          }),
        )
        .check(z.describe('What stays because something uses it, or seems to, up to 1,000')),
      kept: z
        .array(
          z.object({
            for: z.enum(KEPT_FOR),
            tagItems: z.int(),
            images: z.int(),
          }),
        )
        .check(z.describe('How many stay for what, the most first')),
      inUse: z.object({
        complete: z
          .boolean()
          .check(z.describe('Whether every kind that uses images was among the documents')),
        missing: texts().check(z.describe('Kinds that were not')),
        kinds: z.array(KindCount()),
        otherKinds: z.array(KindCount()).check(z.describe('Kinds that were searched for digests')),
        images: z.int(),
        tags: z.int(),
        digests: z.int(),
        protectedRepositories: texts().check(
          z.describe('Those that references which are not valid seem to name, up to 1,000'),
        ),
      }),
      invalidReferencesTotal: z.int(),
      invalidReferences: z
        .array(
          z.object({
            object: z.string(),
            place: z.string(),
            reference: z.string(),
            why: z.string(),
            protects: texts().check(z.describe('Repositories that it seems to name, which stay as they are')),
          }),
        )
        .check(z.describe('Up to 1,000')),
      inCommands: z
        .object({ tagItems: z.int(), images: z.int() })
        .check(z.describe('How many the commands remove: 5,000 of each at most')),
      commands: texts().check(
        z.describe(
          'To be pasted into a shell, in this order, after a look at them. Streams come before Images',
        ),
      ),
      input: ReadInput(),
    })
    .check(
      z.meta({
        id: 'ImageEvaluation',
        description: 'What would go of ImageStreams and Images, what uses the others, and why',
      }),
    ),
);
