import { ARCHES } from '@cairn/shared/version/arch';
import * as z from 'zod/mini';
import { inWords, MatchingRules } from '../http/schema-fields.ts';
import { lazy } from '../runtime/lazy.ts';
/** Errors show these patterns, so they keep the spelling of the update protocol. */
// oxlint-disable-next-line no-useless-escape
export const GRAPH_CHANNEL = /^[0-9a-z\-\.]+$/;
export const GRAPH_ARCH = /^[0-9a-z]+$/;
export const GRAPH_TRIM = /^reachable$/;

export const graphQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    channel: z.string().check(z.regex(GRAPH_CHANNEL), z.describe('The channel, such as stable-4.14')),
    arch: z.optional(
      z
        .string()
        .check(
          z.regex(GRAPH_ARCH),
          z.describe(
            `amd64 (when not given), ${inWords(ARCHES.filter((name) => name !== 'amd64'))}, which is an architecture of its own`,
          ),
        ),
    ),
    version: z.optional(z.string().check(z.describe('The version of the cluster; ignored without `trim`'))),
    trim: z.optional(
      z
        .string()
        .check(
          z.regex(GRAPH_TRIM),
          z.describe(
            '`reachable`: only what can be reached from `version`, conditional updates included. An addition to the protocol',
          ),
        ),
    ),
    id: z.optional(z.string().check(z.describe('The identifier of the cluster; ignored'))),
  }),
);

const ConditionalUpdate = /* @__PURE__ */ lazy(() => z.object({ from: z.string(), to: z.string() }));

const UpdateRisk = /* @__PURE__ */ lazy(() =>
  z.object({
    name: z.string(),
    message: z.string(),
    url: z.string(),
    matchingRules: MatchingRules(),
  }),
);

export const UpdateGraph = /* @__PURE__ */ lazy(() =>
  z
    .object({
      version: z.literal(1),
      nodes: z.array(
        z.object({ version: z.string(), payload: z.string(), metadata: z.record(z.string(), z.string()) }),
      ),
      edges: z
        .array(z.array(z.int()).check(z.length(2)))
        .check(z.describe('From and to of each update, as positions in `nodes` counted from 0')),
      conditionalEdges: z.array(
        z.object({ edges: z.array(ConditionalUpdate()), risks: z.array(UpdateRisk()) }),
      ),
    })
    .check(z.meta({ id: 'UpdateGraph', description: 'Releases and the updates between them' })),
);
