import * as z from 'zod/mini';
import { count, format, strict, time } from './schema.ts';
import { text } from '../http/schema-fields.ts';
import { lazy, type Output } from '../runtime/lazy.ts';

const flag = (description: string) =>
  z.optional(z.boolean({ error: 'true or false is accepted' }).check(z.describe(description)));

const NAME_ERROR = 'what `oc get` calls a kind, such as pods, rc or deployments.apps, is accepted';

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
  all: flag('Whether images that were imported go as well as those that were pushed; true when not given'),
  ignore_invalid_refs: flag(
    'Whether there are commands although a reference is not valid; the repository that it seems to name stays as it is',
  ),
  namespace: z.optional(
    text(
      /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
      'a namespace of small letters, digits and hyphens is accepted',
      'Only streams of this one; then no Images go, as other namespaces may use them',
    ),
  ),
  collected: z.optional(
    z
      .array(text(/^[A-Za-z0-9.-]{1,253}$/, NAME_ERROR, ''), {
        error: `a list is accepted: ${NAME_ERROR}`,
      })
      .check(
        z.maxLength(200, { error: 'at most 200 kinds are accepted' }),
        z.describe(
          'The kinds that `oc get` was asked for: one that the cluster has none of does not show in a list of many',
        ),
      ),
  ),
  now: z.optional(time()),
});

const policy = () =>
  strict(
    policyFields(),
    'a policy such as {"keep_tag_revisions": 3, "keep_younger_than": "60m"} is accepted',
  );

/** In the query, where the policy has no name of its own. */
export const imageEvaluationQuery = /* @__PURE__ */ lazy(() =>
  z.strictObject({ ...policyFields(), format: format() }),
);

/** Beside the documents in the body. */
export const imageEvaluationBody = /* @__PURE__ */ lazy(() =>
  z.strictObject({
    policy: z.optional(policy().check(z.describe('What may go; or its fields in the query'))),
    format: format(),
  }),
);

export type ImagePolicyFields = Output<typeof policy>;
