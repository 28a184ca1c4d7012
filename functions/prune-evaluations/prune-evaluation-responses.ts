import * as z from 'zod/mini';
import { lazy } from '../runtime/lazy.ts';
import { ReadInput } from '../plans/schema.ts';
import { HISTORY_CLASSES, HISTORY_MODES } from '@cairn/shared/prune/history/values';
import { MATCHES } from './prune-evaluation-requests.ts';
import { FAILED_RULES } from '@cairn/shared/prune/objects/report';

const text = /* @__PURE__ */ lazy(() => z.string());
const textOrNull = /* @__PURE__ */ lazy(() => z.nullable(text()));
const Index = /* @__PURE__ */ lazy(() =>
  z.int().check(z.describe('In the history as sent, from 0 for the newest')),
);
const HistoryClass = /* @__PURE__ */ lazy(() => z.enum(HISTORY_CLASSES));
const Rules = /* @__PURE__ */ lazy(() => ({
  mode: z.enum(HISTORY_MODES),
  max: z.int(),
}));
const Ranked = /* @__PURE__ */ lazy(() => ({
  index: Index(),
  rank: z.number().check(z.describe('The lowest goes first')),
  class: HistoryClass(),
  reason: text(),
}));

const HistoryVerdict = /* @__PURE__ */ lazy(() =>
  z.strictObject({
    ...Rules(),
    kept: z.array(z.unknown()).check(z.describe('Entries as sent, in their order')),
    removed: z
      .array(z.object({ ...Ranked(), entry: z.unknown().check(z.describe('As sent')) }))
      .check(z.describe('In the order of their removal; each with its rank at that time')),
    ranks: z
      .array(
        z.object({
          ...Ranked(),
          version: text(),
          state: text(),
          terms: z
            .array(z.object({ name: text(), weight: z.number(), counted: z.boolean() }))
            .check(z.describe('All that hold for the entry; those that count add up to its rank')),
        }),
      )
      .check(z.describe('Of every entry as sent, before any was removed')),
  }),
);

const HistoriesVerdict = /* @__PURE__ */ lazy(() =>
  z.strictObject({
    ...Rules(),
    evaluations: z
      .array(
        z.object({
          name: textOrNull(),
          entries: z.int(),
          keptTotal: z.int(),
          removedTotal: z.int(),
          removed: z
            .array(z.object({ ...Ranked(), version: text(), state: text() }))
            .check(z.describe('In the order of their removal; the first 10,000 of all histories are listed')),
        }),
      )
      .check(z.describe('In the order of `histories`')),
    summary: z.object({
      histories: z.int(),
      entries: z.int(),
      removed: z.int(),
      byClass: z.record(HistoryClass(), z.int()),
    }),
  }),
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
      kind: text().check(z.describe('As group/version/Kind')),
      namespace: textOrNull(),
      name: text(),
      createdAt: textOrNull(),
      age: textOrNull().check(z.describe('Such as `41d3h`')),
      reason: text(),
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
          kinds: z.array(text()),
          namespaces: z.nullable(z.array(text())),
          labels: textOrNull(),
          owner: textOrNull(),
          keepNewest: z.nullable(z.int()),
          keepNewestPer: textOrNull(),
          olderThan: textOrNull(),
          match: z.enum(MATCHES),
          failed: z.enum(FAILED_RULES),
          allowUnregistered: z.array(text()),
          countUnprunable: z.boolean(),
          maxDeletes: z.nullable(z.int()),
          now: text(),
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
      commands: z.array(text()).check(z.describe('To be pasted into a shell, after a look at them')),
      input: ReadInput(),
    })
    .check(z.meta({ id: 'ResourceEvaluation', description: 'What would go by a policy, and why' })),
);
