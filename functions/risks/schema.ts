import { APPLIES } from '@cairn/shared/path/values';
import { RISK_RULES } from '@cairn/shared/risk/values';
import * as z from 'zod/mini';
import { collectedAt, hosted } from '../documents/schema.ts';
import { bodyObject } from '../http/aliases.ts';
import {
  Arch,
  archName,
  At,
  channelList,
  channelName,
  Cursor,
  oneOf,
  page,
  riskAnswer,
  text,
  version,
} from '../http/schema-fields.ts';
import { lazy, type Output } from '../runtime/lazy.ts';

const evaluationFields = () => ({
  channel: z.optional(channelName("Channel whose risks to evaluate; the cluster's own when not given")),
  arch: z.optional(archName('Architecture of the release image; when not given, as the documents show')),
  from: z.optional(version('Keep the risks of the updates from this version')),
  to: z.optional(version('Keep the risks of the updates to this version')),
  hosted: hosted('HostedCluster to evaluate'),
  collected_at: collectedAt(),
});

export const riskEvaluationQuery = /* @__PURE__ */ lazy(() => z.strictObject(evaluationFields()));

export const riskEvaluationBody = /* @__PURE__ */ lazy(() => bodyObject(evaluationFields()));

export const clusterRisksQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    channel: z.optional(
      channelList(
        "Channels whose risks to evaluate; the cluster's own and those of its planned path when not given",
      ),
    ),
  }),
);

const place = () => ({
  channel: z.optional(channelName('Keep the risks of this channel')),
  arch: z.optional(archName('Keep the risks of this architecture')),
});

export const risksQuery = /* @__PURE__ */ lazy(() => z.object(place()));

export const riskQueriesQuery = /* @__PURE__ */ lazy(() =>
  z.object({ ...place(), channel: z.optional(channelList('Keep the queries of these channels')) }),
);

const APPLY = APPLIES.join('|');

/** The first is the default. */
const LIST_FORMATS = ['json', 'csv'] as const;

export const riskClustersQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    applies: z.optional(
      text(
        new RegExp(`^(${APPLY})(,(${APPLY})){0,2}$`),
        'yes, no or unknown is accepted, with commas between them',
        'Keep the clusters with one of these answers. With commas, or repeated',
      ),
    ),
    format: z.optional(oneOf(LIST_FORMATS, '`csv`: a sheet of up to 10,000 rows; `json` when not given')),
    ...page(),
  }),
);

export type RiskClustersQuery = Output<typeof riskClustersQuery>;

const EvaluatedRisk = /* @__PURE__ */ lazy(() =>
  z
    .object({
      name: z.string(),
      url: z.string(),
      message: z.string(),
      ...riskAnswer(),
      edges: z.int().check(z.describe('How many of the updates have it')),
    })
    .check(z.meta({ id: 'EvaluatedRisk', description: 'A risk, and whether it applies to a cluster' })),
);

export const RiskEvaluation = /* @__PURE__ */ lazy(() =>
  z
    .object({
      channel: z.nullable(z.string()).check(z.describe('Null if there are several or none')),
      channels: z.array(z.string()),
      arch: Arch(),
      collectedAt: z.nullable(At()).check(z.describe('When the documents were collected, if they show it')),
      risks: z.array(EvaluatedRisk()).check(z.describe('By name')),
      updates: z
        .array(
          z
            .object({
              to: z.string(),
              recommended: z.boolean().check(z.describe('Without known risks')),
              applies: z
                .enum(APPLIES)
                .check(z.describe('`yes`: a risk applies; `unknown`: one may apply; `no`: none does')),
              risks: z.array(z.string()),
            })
            .check(z.meta({ id: 'EvaluatedUpdate', description: 'An update, and whether its risks apply' })),
        )
        .check(z.describe('From the version of the cluster, newest first; empty if the channels lack it')),
    })
    .check(z.meta({ id: 'RiskEvaluation', description: 'Which risks apply to a cluster' })),
);

const Count = /* @__PURE__ */ lazy(() => z.int());

export const Risks = /* @__PURE__ */ lazy(() =>
  z
    .object({
      risks: z.array(
        z
          .object({
            name: z.string(),
            url: z.string(),
            message: z.string(),
            firstSeen: At().check(z.describe('When the sync first found it')),
            channels: z.array(z.string()).check(z.describe('As `stable-4.14/amd64`')),
            rule: z
              .enum(RISK_RULES)
              .check(z.describe('`always`: it applies to every cluster; `query`: a query decides')),
            clusters: z
              .object({
                yes: Count(),
                no: Count(),
                unknown: Count(),
                accepted: Count().check(z.describe('Accepted, so not among `yes` and `unknown`')),
              })
              .check(z.describe('Clusters that have it in one of their channels')),
          })
          .check(z.meta({ id: 'FleetRisk', description: 'A risk, and how many clusters it applies to' })),
      ),
    })
    .check(z.meta({ id: 'FleetRisks', description: 'Risks of the followed channels' })),
);

export const RiskClusters = /* @__PURE__ */ lazy(() =>
  z
    .object({
      clusters: z.array(
        z
          .object({
            id: z.string(),
            version: z.nullable(z.string()),
            ...riskAnswer(),
            onPlannedPath: z.boolean().check(z.describe('An update of its planned path has the risk')),
          })
          .check(z.meta({ id: 'RiskCluster', description: 'Whether a risk applies to a cluster' })),
      ),
      nextCursor: Cursor(),
    })
    .check(z.meta({ id: 'RiskClusters', description: 'Clusters that have a risk in their channels' })),
);

export const RiskQueries = /* @__PURE__ */ lazy(() =>
  z
    .object({
      queries: z.array(
        z
          .object({
            promql: z.string(),
            digest: z.string().check(z.describe('SHA-256 of the text')),
            risks: z.array(z.string()).check(z.describe('Names of the risks with it')),
          })
          .check(z.meta({ id: 'RiskQuery', description: 'A query that decides whether risks apply' })),
      ),
      resources: z
        .array(z.string())
        .check(z.describe('Resources whose objects the queries count, as `egressips.k8s.ovn.org`')),
    })
    .check(z.meta({ id: 'RiskQueries', description: 'Queries of risks' })),
);
