import { HISTORY_STATES } from '@cairn/shared/cluster/facts';
import { HISTORY_MODES, HISTORY_WEIGHTS, HISTORY_CLASSES } from '@cairn/shared/prune/history/values';
import { FAILED_RULES, type StrategyName } from '@cairn/shared/prune/objects/values';
import * as z from 'zod/mini';
import { ReadInput } from '../documents/schema.ts';
import { bodyObject, listedNames } from '../http/aliases.ts';
import { unknownName } from '../http/request.ts';
import { oneOf, text, TEXT_FORMATS } from '../http/schema-fields.ts';
import type { ErrorDetail } from '../runtime/errors.ts';
import { lazy, type Output } from '../runtime/lazy.ts';

export const format = () => z.optional(oneOf(TEXT_FORMATS, '`json` when not given'));

export const count = (least: number, most: number, description: string) => {
  const error = `a whole number from ${least} to ${most} is accepted`;
  return z
    .int({ error })
    .check(z.minimum(least, { error }), z.maximum(most, { error }), z.describe(description));
};

export const time = () =>
  text(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/,
    'a time such as 2026-11-16T08:00:00Z is accepted',
    'The time by which objects are so old; when it is, when not given',
  );

/** Nested object: lists the accepted names for an unknown one. */
export const strict = <Shape extends Record<string, z.ZodMiniType>>(shape: Shape, error: string) =>
  z.strictObject(shape, {
    error: ({ code, keys }) => {
      if (code !== 'unrecognized_keys') return error;
      const [name, ...others] = keys;
      const known = listedNames(shape);
      // zod calls this once for all unknown keys.
      return others.length === 0
        ? unknownName(name!, known)
        : `is not known, accepted are ${known.join(', ')}`;
    },
  });

export const HISTORY_LIMITS = { entries: 1000, histories: 10_000, entriesInAll: 200_000 } as const;

/** Number of rules that have to match. */
export const MATCHES = ['any', 'all'] as const;

/** Entries are validated when they are read: one fault in thousands of histories then takes one line. */
const list = (error: string, description: string, maxItems: number, items: object) =>
  z.array(z.unknown(), { error }).check(z.meta({ description, maxItems, items }));

const ENTRY = {
  type: 'object',
  description: 'As in `status.history` of a ClusterVersion. What is not read comes back as it was sent',
  properties: {
    state: { enum: [...HISTORY_STATES, ''], description: 'The same as empty when not given' },
    version: { type: 'string', description: 'Empty, or left out, for an image without a version' },
  },
} as const;
const ENTRIES = { type: 'array', items: ENTRY, maxItems: HISTORY_LIMITS.entries } as const;

const weight = () => {
  const error = 'a number from -1000000 to 1000000 is accepted';
  return z.optional(z.number({ error }).check(z.minimum(-1e6, { error }), z.maximum(1e6, { error })));
};

export const historyEvaluationRequest = /* @__PURE__ */ lazy(() =>
  z
    .strictObject({
      history: z.optional(
        list(
          'a list of entries is accepted, as in status.history of a ClusterVersion',
          'A history, newest entry first: `status.history` of a ClusterVersion as it is',
          HISTORY_LIMITS.entries,
          ENTRY,
        ),
      ),
      histories: z.optional(
        list(
          'a list of histories is accepted, or of {"name": …, "history": […]}',
          `In the place of \`history\`: several, with up to ${HISTORY_LIMITS.entriesInAll} entries in all`,
          HISTORY_LIMITS.histories,
          {
            anyOf: [
              ENTRIES,
              {
                type: 'object',
                required: ['history'],
                properties: { name: { type: 'string', maxLength: 200 }, history: ENTRIES },
              },
            ],
          },
        ),
      ),
      max: z.optional(count(8, 1000, 'How many entries a history may have; 100 when not given')),
      mode: z.optional(
        oneOf(
          HISTORY_MODES,
          '`cvo`: what the cluster itself does, which removes one entry at a time; `fleet`: what the archive of clusters does. `cvo` when not given',
        ),
      ),
      weights: z.optional(
        strict(
          Object.fromEntries(HISTORY_WEIGHTS.map((name) => [name, weight()])) as Record<
            (typeof HISTORY_WEIGHTS)[number],
            ReturnType<typeof weight>
          >,
          'weights by name such as {"minorEdge": 50} are accepted',
        ).check(z.describe('In the place of those of the mode, by the name of the term')),
      ),
      format: format(),
    })
    .check(
      z.meta({
        id: 'HistoryEvaluationRequest',
        description: 'Histories to evaluate, and how many entries to keep',
      }),
    ),
);

const POLICY_ERROR = 'a policy such as {"keep_newest": 5, "older_than": "7d"} is accepted';

const KIND_ERROR = 'a kind such as Pod, Job or tekton.dev/v1/PipelineRun is accepted';
const NAMESPACE_ERROR = 'a namespace of small letters, digits and hyphens is accepted';

const kind = () => text(/^[A-Za-z0-9./-]{1,400}$/, KIND_ERROR, '');
const kinds = (description: string) =>
  z
    .array(kind(), { error: `a list of kinds is accepted: ${KIND_ERROR}` })
    .check(
      z.minLength(1, { error: 'at least one kind is needed' }),
      z.maxLength(50, { error: 'at most 50 kinds are accepted' }),
      z.describe(description),
    );

const strategyFields = () =>
  ({
    keep_newest: z.optional(count(0, 1_000_000, 'All but so many of the newest of a kind may go')),
    keep_newest_per: z.optional(
      text(
        /^(namespace|owner|label:[^\s]{1,317})$/,
        'namespace, owner or a label such as label:app is accepted',
        '`keep_newest` counts for each `namespace`, for each `owner`, or for each value of a label, as `label:app`, by namespace; 1 when `keep_newest` is not given',
      ),
    ),
    older_than: z.optional(
      text(
        /^[A-Za-z0-9.]{1,40}$/,
        'a duration such as 90m, 36h, 7d or P7D is accepted',
        'Objects older than this may go: `90m`, `36h`, `7d`, `P7D`',
      ),
    ),
  }) satisfies Record<StrategyName, z.ZodMiniType>;

const policyFields = () => ({
  kinds: z.optional(kinds('Kinds to look at, as group/version/Kind; `Pod` and `Job` when not given')),
  namespaces: z.optional(
    z
      .array(text(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, NAMESPACE_ERROR, ''), {
        error: 'a list of namespaces such as ["ci"] is accepted',
      })
      .check(
        z.minLength(1, { error: 'at least one namespace is needed' }),
        z.maxLength(1000, { error: 'at most 1000 namespaces are accepted' }),
        z.describe('Only in these; in all when not given'),
      ),
  ),
  labels: z.optional(
    text(
      /^[\s\S]{1,2000}$/,
      'a label selector such as app=web,tier!=db is accepted',
      'Only objects with these labels: a selector as `oc get -l` takes it',
    ),
  ),
  owner: z.optional(
    text(
      /^[A-Za-z][A-Za-z0-9]{0,62}\/[^/\s]{1,253}$/,
      'a kind and a name such as CronJob/backup is accepted',
      'Only objects that belong to this one, as kind/name',
    ),
  ),
  ...strategyFields(),
  match: z.optional(
    oneOf(
      MATCHES,
      'Whether one of `keep_newest` and `older_than` is enough for an object to go, or `all` have to say so; `any` when not given',
    ),
  ),
  failed: z.optional(oneOf(FAILED_RULES, 'What happens to Pods and Jobs that failed; `keep` when not given')),
  allow_unregistered: z.optional(
    kinds('Of `kinds`, those of which every object may go, as nothing tells whether it is finished'),
  ),
  count_unprunable: z.optional(
    z.boolean().check(z.describe('Objects that are not finished count as some of the newest as well')),
  ),
  max_deletes: z.optional(count(1, 1_000_000, 'At most so many go, the oldest first')),
  now: z.optional(time()),
});

const policy = () => bodyObject(policyFields(), {}, (fields) => strict(fields, POLICY_ERROR));

/** The fields of the policy as query parameters. */
export const resourceEvaluationQuery = /* @__PURE__ */ lazy(() =>
  z.strictObject({ ...policyFields(), format: format() }),
);

/** The policy as one member of the body, beside the documents. */
export const resourceEvaluationBody = /* @__PURE__ */ lazy(() =>
  z.strictObject({
    policy: z.optional(policy().check(z.describe('What may go; or its fields in the query'))),
    format: format(),
  }),
);

export type HistoryEvaluationRequest = Output<typeof historyEvaluationRequest>;
export type ResourcePolicyFields = Output<typeof policy>;

const textOrNull = /* @__PURE__ */ lazy(() => z.nullable(z.string()));
const Index = /* @__PURE__ */ lazy(() =>
  z.int().check(z.describe('In the history as sent, from 0 for the newest')),
);
/** An object: generated clients have a field per class then. */
const countOfClass = () =>
  Object.fromEntries(HISTORY_CLASSES.map((name) => [name, z.int()])) as Record<
    (typeof HISTORY_CLASSES)[number],
    z.ZodMiniInt
  >;

const HistoryClass = /* @__PURE__ */ lazy(() => z.enum(HISTORY_CLASSES));
const Rules = /* @__PURE__ */ lazy(() => ({
  mode: z.enum(HISTORY_MODES),
  max: z.int(),
}));
const Ranked = /* @__PURE__ */ lazy(() => ({
  index: Index(),
  rank: z.number().check(z.describe('The lowest goes first')),
  class: HistoryClass(),
  reason: z.string(),
}));

const HistoryVerdict = /* @__PURE__ */ lazy(() =>
  z
    .strictObject({
      ...Rules(),
      kept: z.array(z.unknown()).check(z.describe('Entries as sent, in their order')),
      removed: z
        .array(
          z
            .object({ ...Ranked(), entry: z.unknown().check(z.describe('As sent')) })
            .check(z.meta({ id: 'RemovedEntry', description: 'A history entry to remove' })),
        )
        .check(z.describe('In the order of their removal; each with its rank at that time')),
      ranks: z
        .array(
          z
            .object({
              ...Ranked(),
              version: z.string(),
              state: z.string(),
              terms: z
                .array(z.object({ name: z.string(), weight: z.number(), counted: z.boolean() }))
                .check(z.describe('All that hold for the entry; those that count add up to its rank')),
            })
            .check(z.meta({ id: 'RankedEntry', description: 'A history entry with its rank' })),
        )
        .check(z.describe('Of every entry as sent, before any was removed')),
    })
    .check(z.meta({ id: 'HistoryVerdict', description: 'Decisions on a history' })),
);

const HistoriesVerdict = /* @__PURE__ */ lazy(() =>
  z
    .strictObject({
      ...Rules(),
      evaluations: z
        .array(
          z.object({
            name: textOrNull(),
            entries: z.int(),
            keptTotal: z.int(),
            removedTotal: z.int(),
            removed: z
              .array(
                z.object({ ...Ranked(), version: z.string(), state: z.string() }).check(
                  z.meta({
                    id: 'RemovedUpdate',
                    description: 'A former update to remove from the history',
                  }),
                ),
              )
              .check(
                z.describe('In the order of their removal; the first 10,000 of all histories are listed'),
              ),
          }),
        )
        .check(z.describe('In the order of `histories`')),
      summary: z.object({
        histories: z.int(),
        entries: z.int(),
        removed: z.int(),
        byClass: z.object(countOfClass()),
      }),
    })
    .check(z.meta({ id: 'HistoriesVerdict', description: 'Decisions on several histories' })),
);

export const HistoryEvaluation = /* @__PURE__ */ lazy(() =>
  z.union([HistoryVerdict(), HistoriesVerdict()]).check(
    z.meta({
      id: 'HistoryEvaluation',
      description: 'What a history would lose, or, asked with `histories`, the same of each in short',
    }),
  ),
);

const JudgedResource = /* @__PURE__ */ lazy(() =>
  z
    .object({
      kind: z.string().check(z.describe('As group/version/Kind')),
      namespace: textOrNull(),
      name: z.string(),
      createdAt: textOrNull(),
      age: textOrNull().check(z.describe('Such as `41d3h`')),
      reason: z.string(),
    })
    .check(z.meta({ id: 'JudgedResource', description: 'An object, and why it is where it stands' })),
);
const judged = (description: string) =>
  z.array(JudgedResource()).check(z.describe(`${description}. Oldest first, up to 1,000`));

export const ResourceEvaluation = /* @__PURE__ */ lazy(() =>
  z
    .object({
      policy: z
        .object({
          kinds: z.array(z.string()),
          namespaces: z.nullable(z.array(z.string())),
          labels: textOrNull(),
          owner: textOrNull(),
          keepNewest: z.nullable(z.int()),
          keepNewestPer: textOrNull(),
          olderThan: textOrNull(),
          match: z.enum(MATCHES),
          failed: z.enum(FAILED_RULES),
          allowUnregistered: z.array(z.string()),
          countUnprunable: z.boolean(),
          maxDeletes: z.nullable(z.int()),
          now: z.string(),
        })
        .check(z.describe('As it was understood, with what was not given')),
      examined: z.int(),
      filtered: z
        .int()
        .check(z.describe('Objects of the kinds that are outside of the namespaces, labels or owner')),
      selectedTotal: z.int(),
      selected: judged('What would go'),
      notTriedTotal: z.int(),
      notTried: judged('What `max_deletes` leaves for another time'),
      protectedTotal: z.int(),
      protected: judged('What may not go, whatever the policy'),
      keptTotal: z.int(),
      kept: judged('What may go, but stays by the policy'),
      inCommands: z
        .int()
        .check(z.describe('How many of the selected ones the commands delete: the 10,000 oldest at most')),
      commands: z.array(z.string()).check(z.describe('To be pasted into a shell, after a look at them')),
      input: ReadInput(),
    })
    .check(z.meta({ id: 'ResourceEvaluation', description: 'What would go by a policy, and why' })),
);

/** Place of a policy field in the request. */
export type PlaceOfField = (field: string, index: number | null) => Omit<ErrorDetail, 'detail'>;
