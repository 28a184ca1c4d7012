import {
  ACCEPTANCE_ACTIONS,
  ACCEPTANCE_END,
  ACCEPTANCE_STATES,
  acceptanceEnd,
} from '@cairn/shared/risk/acceptances';
import * as z from 'zod/mini';
import { CLUSTER_ID } from '../clusters/schema.ts';
import { At, Cursor, page, text } from '../http/schema-fields.ts';
import { lazy, type Output } from '../runtime/lazy.ts';

export const ACCEPTANCE_ID = /^[a-z0-9-]{1,64}$/;
const RISK = /^[!-+\--~]{1,128}$/;
const RISK_ACCEPTED = 'the name of a risk is accepted, up to 128 characters without commas and spaces';
const LONGEST_REASON = 500;
const LONGEST_OWNER = 100;
const MOST_CLUSTERS = 1000;
const STATE = ACCEPTANCE_STATES.join('|');

const END_ACCEPTED = 'a day such as 2026-12-31 or a time such as 2026-12-31T12:00:00Z is accepted';

const riskName = (description: string) => text(RISK, RISK_ACCEPTED, description);
const clusterId = (description: string) => text(CLUSTER_ID, 'the id of a cluster is accepted', description);

const sentence = (longest: number, description: string) => {
  const error = `a text of up to ${longest} characters is accepted`;
  return z
    .string({ error })
    .check(z.regex(/\S/, { error }), z.maxLength(longest, { error }), z.describe(description));
};

export const riskAcceptancesQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    risk: z.optional(riskName('Only acceptances of this risk')),
    cluster: z.optional(clusterId('Only acceptances for this cluster, also those for all clusters')),
    state: z.optional(
      text(
        new RegExp(`^(${STATE})(,(${STATE})){0,2}$`),
        `${ACCEPTANCE_STATES.join(', ')} are accepted`,
        'Only acceptances in these states; `active` and `expired` when not given. With commas, or repeated',
      ),
    ),
    ...page(),
  }),
);

const CLUSTERS_ACCEPTED = `a list of 1 to ${MOST_CLUSTERS} cluster ids or "all" is accepted`;

export const riskAcceptanceRequest = /* @__PURE__ */ lazy(() =>
  z
    .strictObject({
      risk: riskName('Name of the risk in the update graph'),
      reason: sentence(LONGEST_REASON, 'Why the risk is accepted'),
      owner: sentence(LONGEST_OWNER, 'Who answers for it: a person or a team'),
      until: z.string({ error: END_ACCEPTED }).check(
        z.refine((value) => acceptanceEnd(value) !== null, { error: END_ACCEPTED }),
        z.describe('When it ends, at most a year ahead. A day counts to its end in UTC'),
        z.meta({ pattern: ACCEPTANCE_END.source }),
      ),
      clusters: z
        .union(
          [
            z.literal('all'),
            z
              .array(clusterId(''))
              .check(
                z.minLength(1, { error: CLUSTERS_ACCEPTED }),
                z.maxLength(MOST_CLUSTERS, { error: CLUSTERS_ACCEPTED }),
              ),
          ],
          { error: CLUSTERS_ACCEPTED },
        )
        .check(z.describe('Clusters for which the risk is accepted; `all` includes later ones')),
    })
    .check(z.meta({ id: 'RiskAcceptanceRequest', description: 'A risk to accept' })),
);

export type RiskAcceptanceRequest = Output<typeof riskAcceptanceRequest>;

const Clusters = /* @__PURE__ */ lazy(() => z.union([z.literal('all'), z.array(z.string())]));

const Changed = /* @__PURE__ */ lazy(() =>
  z
    .object({ at: At(), by: z.string().check(z.describe('Caller')) })
    .check(z.meta({ id: 'ChangeOfAcceptance', description: 'Who changed an acceptance, and when' })),
);

const acceptance = /* @__PURE__ */ lazy(() => ({
  id: z.string(),
  risk: z.string(),
  reason: z.string(),
  owner: z.string(),
  until: At().check(z.describe('From then on, the risk counts again')),
  clusters: Clusters(),
  state: z
    .enum(ACCEPTANCE_STATES)
    .check(z.describe('Only `active` ones count. The others are listed for 90 days')),
  created: Changed(),
  changed: Changed(),
}));

export const RiskAcceptance = /* @__PURE__ */ lazy(() =>
  z
    .object({
      ...acceptance(),
      history: z
        .array(
          z.object({
            at: At(),
            by: z.string(),
            action: z.enum(ACCEPTANCE_ACTIONS),
            set: z
              .object({
                risk: z.optional(z.string()),
                reason: z.optional(z.string()),
                owner: z.optional(z.string()),
                until: z.optional(At()),
                clusters: z.optional(Clusters()),
              })
              .check(z.describe('Fields that the change set, with their new values')),
          }),
        )
        .check(z.describe('Changes, the newest first: at most 50, fewer if they are large')),
    })
    .check(z.meta({ id: 'RiskAcceptance', description: 'A risk that is accepted until a given time' })),
);

export const RiskAcceptancePage = /* @__PURE__ */ lazy(() =>
  z
    .object({
      acceptances: z.array(
        z
          .object(acceptance())
          .check(z.meta({ id: 'ListedRiskAcceptance', description: 'An acceptance without its changes' })),
      ),
      nextCursor: Cursor(),
    })
    .check(z.meta({ id: 'RiskAcceptancePage', description: 'Accepted risks by ID' })),
);
