import * as z from 'zod/mini';
import { lazy } from '../runtime/lazy.ts';
import { ReadInput } from '../plans/schema.ts';
import { KEPT_FOR } from '@cairn/shared/prune/images/values';

/** Why there are no commands. */
export const BLOCKERS = ['InvalidReferences', 'IncompleteInUse', 'NoImageStreams', 'NoImages'] as const;

const text = /* @__PURE__ */ lazy(() => z.string());
const textOrNull = /* @__PURE__ */ lazy(() => z.nullable(text()));
const texts = /* @__PURE__ */ lazy(() => z.array(text()));
const Digest = /* @__PURE__ */ lazy(() => text().check(z.describe('Such as `sha256:…`')));
const Time = /* @__PURE__ */ lazy(() => ({
  createdAt: textOrNull(),
  age: textOrNull().check(z.describe('Such as `41d3h`')),
}));
const KindCount = /* @__PURE__ */ lazy(() =>
  z.object({
    kind: text(),
    objects: z.int(),
    ended: z.int().check(z.describe('Pods that ended long ago, which use nothing')),
    references: z.int(),
  }),
);

export const ImageEvaluation = /* @__PURE__ */ lazy(() =>
  z
    .object({
      policy: z
        .object({
          keepTagRevisions: z.int(),
          keepYoungerThan: text(),
          all: z.boolean(),
          ignoreInvalidReferences: z.boolean(),
          namespace: textOrNull(),
          collected: texts(),
          now: text(),
        })
        .check(z.describe('As it was understood, with what was not given')),
      blockers: z
        .array(
          z.object({
            reason: z.enum(BLOCKERS),
            message: text(),
          }),
        )
        .check(z.describe('Why there are no commands; empty when there may be some')),
      examined: z.object({ imageStreams: z.int(), tagItems: z.int(), images: z.int() }),
      tagItemsTotal: z.int(),
      tagItems: z
        .array(
          z.object({
            repository: text().check(z.describe('namespace/name of the ImageStream')),
            tag: text(),
            revision: z.int().check(z.describe('From 0 for the newest')),
            digest: Digest(),
            ...Time(),
            reason: text(),
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
            reason: text(),
          }),
        )
        .check(z.describe('Images that would go, oldest first, up to 1,000')),
      manifestLinksTotal: z.int(),
      layerLinksTotal: z.int(),
      links: z
        .array(z.object({ repository: text(), manifests: texts(), layers: texts() }))
        .check(z.describe('What repositories in the registry would no longer link to, up to 1,000 in all')),
      blobsTotal: z.int().check(z.describe('Layers, configurations and manifests that no Image would need')),
      protectedTotal: z.int(),
      protected: z
        .array(
          z.object({
            object: text().check(z.describe('A tag, as `namespace/name:tag`, or `Image`')),
            digest: Digest(),
            reason: text(),
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
            object: text(),
            place: text(),
            reference: text(),
            why: text(),
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
