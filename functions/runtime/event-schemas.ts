import { writeFileSync } from 'node:fs';
import { TROUBLES } from '@cairn/shared/fleet/assessment';
import type { NotificationType } from '@cairn/shared/notifications/notification';
import { PRUNER_TROUBLES, UPDATE_ALARMS } from '@cairn/shared/notifications/topics';
import { LIFTED_REASONS } from '@cairn/shared/risk/values';
import { STALLED_REASONS, TARGET_KINDS, UPDATE_STATES } from '@cairn/shared/update-status/answer';
import { ARCHES } from '@cairn/shared/version/arch';
import * as z from 'zod/mini';
import { lazy } from './lazy.ts';

/** Schema of each event's `detail`, for the API description and tests; unused at run time. */
export const EVENT_DETAILS = /* @__PURE__ */ lazy(() => {
  const Version = z.string().check(z.describe('A version, such as 4.14.20'));
  const Names = z.array(z.string());
  const id = z.string().check(z.describe('The same when the event comes again'));
  const cluster = {
    id,
    cluster: z.string().check(z.describe('The id under which it reports')),
    version: Version,
  };
  const target = z.string().check(z.describe('Where it is going: a version, or a minor when none fits'));
  const risk = {
    risk: z.string().check(z.describe('Its name')),
    url: z.string(),
    decidedBy: Names.check(z.describe('What the documents show, as `GET /v1/clusters/{id}/risks` has it')),
  };
  const pruner = { id, pruner: z.string() };
  const Count = z.int();
  const time = z.nullable(z.string());
  const update = {
    id,
    cluster: cluster.cluster,
    from: z.nullable(Version).check(z.describe('Null for an installation')),
    to: Version,
  };

  const channelChange = {
    id,
    channel: z.string(),
    arch: z.enum(ARCHES),
    counts: z.object({
      versionsAdded: Count,
      versionsWithdrawn: Count,
      turnedConditional: Count,
      turnedPlain: Count,
      edgesAdded: Count,
      edgesRemoved: Count,
    }),
    versionsAdded: z.array(Version),
    versionsWithdrawn: z.array(Version),
    turnedConditional: z.array(z.object({ from: Version, to: Version, risks: Names })),
    turnedPlain: z.array(z.object({ from: Version, to: Version, risks: Names })),
    risksNew: Names,
    risksGone: Names,
  };

  return {
    ChannelChanged: z.object(channelChange),
    VersionsWithdrawn: z.object(channelChange),
    NewerPatch: z.object({ ...cluster, patch: Version }),
    UpdateAtRisk: z.object({
      ...cluster,
      target,
      hops: z.array(z.object({ from: Version, to: Version, now: z.enum(TROUBLES), risks: Names })),
    }),
    RiskAppliesToCluster: z.object({
      ...cluster,
      ...risk,
      hops: z
        .array(z.object({ from: Version, to: Version }))
        .check(z.describe('Updates with the risk, those of the planned path first; at most 20')),
    }),
    RiskLifted: z.object({
      ...cluster,
      ...risk,
      why: z
        .enum(LIFTED_REASONS)
        .check(z.describe('`withdrawn`: its updates no longer have the risk, whether it applies or not')),
    }),
    PathOpened: z.object({ ...cluster, target, hops: Count }),
    PathClosed: z.object({
      ...cluster,
      target,
      reason: z.string().check(z.describe('A code, as `GET /v1/upgrade-paths` explains it')),
    }),
    ClusterBlocked: z.object({
      ...cluster,
      target,
      blockers: Names.check(z.describe('Types of conditions, see docs/reference/checks.md')),
      upcomingBlockers: z.optional(
        z.array(z.string()).check(z.describe('Types of conditions that will block a later hop')),
      ),
    }),
    ClusterFree: z.object({ ...cluster, target }),
    RemovedApiInUse: z.object({ ...cluster, target: z.optional(target), apis: Names }),
    PrunerFailing: z.object({ ...pruner, reason: z.nullable(z.string()) }),
    PrunerOverdue: z.object(pruner),
    PrunerRecovered: z.object({ ...pruner, from: z.enum(PRUNER_TROUBLES) }),
    AcceptanceEnds: z.object({
      id,
      acceptance: z.string().check(z.describe('ID of the acceptance')),
      risk: z.string(),
      reason: z.string(),
      owner: z.string(),
      until: z.string().check(z.describe('When it ends')),
      clusters: z.nullable(Count).check(z.describe('How many clusters it names; null for all')),
    }),
    UpdateStarted: z.object({
      ...update,
      kind: z.enum(TARGET_KINDS),
      nodes: Count,
      likelyAt: time.check(z.describe('Likely end; null if unknown')),
    }),
    UpdateStalled: z.object({
      ...update,
      since: time,
      reason: z.string().check(z.describe('What to look at first: the node, its budgets or the operator')),
      reasons: z.array(
        z.object({
          reason: z.enum(STALLED_REASONS),
          pool: z.nullable(z.string()),
          since: time,
          message: z.string(),
        }),
      ),
    }),
    UpdateRecovered: z.object({
      ...update,
      was: z.enum(UPDATE_ALARMS),
      minutes: Count.check(z.describe('How long it was so')),
    }),
    NodeStuck: z.object({
      ...update,
      nodes: z
        .array(
          z.object({
            node: z.string(),
            phase: z.string().check(z.describe('A phase, `Degraded` or `NotReady`')),
            since: time,
            message: z.string(),
            advice: z.string(),
          }),
        )
        .check(z.describe('At most 10')),
      count: Count,
    }),
    UpdateSilent: z.object({
      ...update,
      state: z.enum(UPDATE_STATES).check(z.describe('By its last report')),
      lastReportAt: z.string(),
    }),
    UpdateCompleted: z.object({
      ...update,
      minutes: z.object({
        controlPlane: z.nullable(Count),
        whole: z.nullable(Count).check(z.describe('Null while nodes of paused pools are left')),
      }),
      forecastMinutes: z
        .object({ controlPlane: z.nullable(Count), whole: z.nullable(Count) })
        .check(z.describe('As the first report of the update had it; null if nothing was known')),
      heldNodes: Count.check(z.describe('Outdated nodes of paused pools')),
      insights: Names.check(z.describe('Types that are left')),
    }),
    Message: z.object({
      id,
      title: z.string(),
      lines: z.array(z.string()),
      count: Count.check(z.describe('How many news it tells')),
      text: z
        .string()
        .check(z.describe('Title and lines in one line, without double quotes and backslashes')),
    }),
  } as const satisfies Readonly<Record<string, z.ZodMiniObject> & Record<NotificationType, z.ZodMiniObject>>;
});

export function eventSchemas(): Record<string, unknown> {
  const types = Object.entries(EVENT_DETAILS()).map(([type, schema]) => {
    const { $schema: _dialect, ...definition } = z.toJSONSchema(schema);
    return [type, definition];
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Events of Cairn: `detail` by `detail-type`',
    $defs: Object.fromEntries(types),
  };
}

if (import.meta.main) {
  const file = new URL('../../docs/events.schema.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify(eventSchemas(), null, 2)}\n`);
}
