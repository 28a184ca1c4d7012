import { REPORTED_KINDS, HISTORY_STATES } from '@cairn/shared/cluster/facts';
import { MOST_WINDOWS } from '@cairn/shared/plan/values';
import { HISTORY_CLASSES } from '@cairn/shared/prune/history/values';
import { SKEW_POLICIES, STRATEGIES } from '@cairn/shared/safety/values';
import { STALLED_AFTER_RANGE } from '@cairn/shared/update-status/answer';
import * as z from 'zod/mini';
import { collectedAt, hosted } from '../documents/schema.ts';
import { bodyObject } from '../http/aliases.ts';
import {
  oneOf,
  TEXT_FORMATS,
  channels,
  names,
  target,
  flag,
  At,
  booleanField,
} from '../http/schema-fields.ts';
import { lazy, type Output } from '../runtime/lazy.ts';

/** 1 to 100 characters, but not `.` and `..`, which URLs resolve. */
export const CLUSTER_ID =
  /^([A-Za-z0-9_-][A-Za-z0-9._-]{0,99}|\.[A-Za-z0-9_-][A-Za-z0-9._-]{0,98}|\.\.[A-Za-z0-9._-]{1,98})$/;

/** The first is the default. */
const CLUSTER_HISTORIES = ['version', 'control-plane'] as const;

const reportFields = () => ({
  collected_at: collectedAt(),
  hosted: hosted('HostedCluster to store'),
  usernames: booleanField('Keep the names of people who use APIs that go away'),
  replace: booleanField(
    'Forget the kinds that are not in the documents, and take these even if they are of another cluster',
  ),
  unchanged: z.optional(
    z
      .array(oneOf(REPORTED_KINDS, ''), { error: `a list is accepted, of ${REPORTED_KINDS.join(', ')}` })
      .check(
        z.maxLength(REPORTED_KINDS.length),
        z.describe(
          'Kinds that are still as they were last reported and so are not in the documents; best with `If-Match`',
        ),
      ),
  ),
});

export const clusterReportQuery = /* @__PURE__ */ lazy(() => z.strictObject(reportFields()));

/** Fields next to the documents of a cluster. */
export const clusterReport = /* @__PURE__ */ lazy(() => bodyObject(reportFields()));

export const clusterQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    usernames: flag('Tell who uses APIs that go away, as far as that is stored'),
    digests: flag(
      'Tell a digest of each kind, by which a reporter knows what has changed, and whether an update is in progress',
    ),
  }),
);

export const clusterHistoryQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    explain: flag('Tell how each entry ranks: the lowest goes first when there are more than are kept'),
    history: z.optional(
      oneOf(
        CLUSTER_HISTORIES,
        '`version`, the default: the updates of the cluster; `control-plane`: those of the control plane of a hosted cluster, if its HostedCluster shows them',
      ),
    ),
    format: z.optional(oneOf(TEXT_FORMATS, '`json` when not given')),
  }),
);

export const summary = /* @__PURE__ */ lazy(() => ({
  id: z.string().check(z.describe('As chosen by who reports it')),
  clusterId: z.nullable(z.string()).check(z.describe('`spec.clusterID` of its ClusterVersion')),
  version: z.nullable(z.string()).check(z.describe('What it runs, or is being updated to')),
  updating: z.boolean().check(z.describe('The update to that version is under way')),
  channel: z.nullable(z.string()),
  nodes: z.nullable(z.int()).check(z.describe('Null when nodes were never reported')),
  arches: z.array(z.string()).check(z.describe('Architectures of its nodes')),
  pausedPools: z.int(),
  historyEntries: z.int().check(z.describe('Updates of its history that are kept')),
  firstSeenAt: At(),
  updatedAt: At().check(z.describe('When it last reported')),
  collectedAt: z
    .nullable(At())
    .check(z.describe('When the oldest of its facts was collected, but for those that never change')),
}));

const Names = /* @__PURE__ */ lazy(() => z.array(z.string()));

export const ClusterDetail = /* @__PURE__ */ lazy(() =>
  z
    .object({
      ...summary(),
      collected: z
        .record(z.string(), At())
        .check(z.describe('When each kind of facts was last collected, of those that were ever reported')),
      platform: z.nullable(z.string()),
      controlPlaneTopology: z.nullable(z.string()),
      networkType: z.nullable(z.string()),
      kubelets: z
        .array(z.object({ version: z.string(), nodes: z.int() }))
        .check(z.describe('The most frequent version first')),
      pools: z
        .nullable(
          z.array(
            z.object({
              name: z.string(),
              paused: z.boolean(),
              pausedSince: z.nullable(At()).check(z.describe('When it was first seen paused')),
              machines: z.object({
                total: z.int(),
                updated: z.int(),
                ready: z.int(),
                unavailable: z.int(),
                degraded: z.int(),
              }),
            }),
          ),
        )
        .check(z.describe('MachineConfigPools; null, as of all kinds below, when never reported')),
      clusterOperators: z.nullable(
        z.object({ total: z.int(), unavailable: Names(), degraded: Names(), notUpgradeable: Names() }),
      ),
      operators: z.nullable(z.int()).check(z.describe('Operators installed beside the release')),
      subscriptions: z
        .nullable(z.int())
        .check(z.describe('Subscriptions, which keep operators installed from a catalog')),
      extensions: z.nullable(z.int()).check(z.describe('ClusterExtensions, the operators of OLM v1')),
      apisGoingAway: z.nullable(
        z.array(
          z.object({
            name: z.string(),
            removedInRelease: z.nullable(z.string()),
            requests: z.int().check(z.describe('In 24 hours')),
            users: z.optional(
              z
                .array(z.object({ username: z.string(), userAgent: z.string(), requests: z.int() }))
                .check(z.describe('Only when asked for; the busiest first, at most 100')),
            ),
          }),
        ),
      ),
      pods: z.nullable(z.int()).check(z.describe('Pods that a drain moves')),
      digests: z.optional(
        z
          .record(z.string(), z.string())
          .check(z.describe('Only when asked for; of each kind that was reported, but for the history')),
      ),
      updateInProgress: z.optional(
        z
          .boolean()
          .check(
            z.describe(
              'Only beside the digests: the ClusterVersion or a worker pool was not done at the last report',
            ),
          ),
      ),
    })
    .check(z.meta({ id: 'ClusterDetail', description: 'What is known of a cluster' })),
);

const release = /* @__PURE__ */ lazy(() => ({
  state: z.enum(HISTORY_STATES),
  version: z.string().check(z.describe('Empty for an image without a version')),
  image: z.string(),
  startedTime: z.nullable(z.string()),
}));
const HistoryClass = /* @__PURE__ */ lazy(() =>
  z
    .enum(HISTORY_CLASSES)
    .check(z.describe('What it is to the history; `minor-edge` is the first or last completed of a minor')),
);
const Rank = /* @__PURE__ */ lazy(() => z.number().check(z.describe('The lowest goes first')));

const RankTerm = /* @__PURE__ */ lazy(() =>
  z
    .object({ name: z.string(), weight: z.number(), counted: z.boolean() })
    .check(z.meta({ id: 'RankTerm', description: 'A term of the rank of a history entry' })),
);

export const ClusterHistory = /* @__PURE__ */ lazy(() =>
  z
    .object({
      id: z.string(),
      limit: z.int().check(z.describe('How many are kept')),
      entries: z
        .array(
          z.object({
            index: z.int(),
            ...release(),
            completionTime: z
              .nullable(z.string())
              .check(z.describe('Of a partial update, when the next one began')),
            verified: z.boolean(),
            acceptedRisks: z.string(),
            removedAfter: z
              .int()
              .check(z.describe('How many are known to be removed between it and the next older one')),
            rank: z.optional(Rank()),
            class: z.optional(HistoryClass()),
            reason: z.optional(z.string()),
            terms: z.optional(
              z
                .array(RankTerm())
                .check(z.describe('What holds for it; of the criteria only the first counts')),
            ),
          }),
        )
        .check(z.describe('Newest first; ranks only when asked for')),
      removed: z.object({
        total: z.int(),
        recent: z
          .array(
            z.object({
              ...release(),
              removedAt: At(),
              rank: Rank(),
              class: HistoryClass(),
              reason: z.string(),
            }),
          )
          .check(z.describe('The last 200, the newest removal first')),
      }),
    })
    .check(z.meta({ id: 'ClusterHistory', description: 'The updates of a cluster' })),
);

const settingsFields = () => {
  const { policy, strategy } = planOptions();
  return {
    target: z.optional(
      target().check(
        z.describe(
          'Where it is to go: a version, a minor or `latest`. When not given, the default target of a plan',
        ),
      ),
    ),
    channel: z.optional(channels('Channels to go by; the best that lead there when not given')),
    accept_risk: z.optional(names('Names of risks that are accepted on the way')),
    accept: z.optional(names('Reasons or types of findings that are accepted')),
    policy,
    strategy,
    windows: z.optional(windows()),
    time_zone: timeZone(),
    updates: z.optional(
      z.strictObject({
        stalledAfterMinutes: z.optional(
          z
            .strictObject({ operators: minutes(), controlPlaneNodes: minutes(), workers: minutes() })
            .check(
              z.describe(
                'Minutes without progress after which an update is stalled. When not given, those of the service: 30, 40 and 60 by default',
              ),
            ),
        ),
      }),
    ),
  };
};

const minutes = () => {
  const [least, most] = STALLED_AFTER_RANGE;
  const error = `whole minutes from ${least} to ${most} are accepted`;
  return z.optional(z.int({ error }).check(z.minimum(least, { error }), z.maximum(most, { error })));
};

export const clusterSettingsRequest = /* @__PURE__ */ lazy(() =>
  bodyObject(settingsFields(), { target: { name: 'to', isPreferred: false } }).check(
    z.meta({ id: 'ClusterSettingsRequest', description: 'Settings to store for the plans of a cluster' }),
  ),
);

/** Stored settings under their established response names. */
export const ClusterSettings = /* @__PURE__ */ lazy(() =>
  z
    .strictObject(settingsFields())
    .check(z.meta({ id: 'ClusterSettings', description: 'Settings for the plans of a cluster' })),
);

export type ClusterSettingsRequest = Output<typeof clusterSettingsRequest>;

export const WINDOWS_TEXT =
  'Maintenance windows of every week, up to 50: the plan tells which hop fits in which one. A window is a day or a span of days and its times, such as `Sat 22:00-04:00` or `Mon-Fri 01:00-03:30`';

const WINDOWS_ACCEPTED =
  'windows such as Sat 22:00-04:00 are accepted, also in a list, there as {"day": "Sat", "start": "22:00", "end": "04:00"} as well';

const TIME_ZONE_TEXT = 'Time zone of the windows, such as `Europe/Berlin`; `UTC` when not given';

/** Options of the safety checks. */
export const planOptions = () => ({
  policy: z.optional(
    oneOf(
      SKEW_POLICIES,
      'How far kubelets may be behind; `openshift`, as the platform guards it, when not given',
    ),
  ),
  strategy: z.optional(
    oneOf(
      STRATEGIES,
      '`rolling`: workers follow every hop; `control-plane-only`: they are paused as long as skew allows. When not given, `control-plane-only` for a default target from one EUS minor to another, else `rolling`',
    ),
  ),
});

export const timeZone = () =>
  z.optional(
    z
      .string({ error: 'UTC and names such as Europe/Berlin are accepted' })
      .check(z.describe(TIME_ZONE_TEXT), z.meta({ pattern: '^[A-Z][A-Za-z0-9_+/-]*$' })),
  );

const MaintenanceWindow = /* @__PURE__ */ lazy(() =>
  z
    .strictObject({
      day: z.string().check(z.meta({ pattern: '^[A-Za-z]{3,9}$' })),
      start: z.string().check(z.meta({ pattern: String.raw`^([01]\d|2[0-3]):[0-5]\d$` })),
      end: z.string().check(z.meta({ pattern: String.raw`^(([01]\d|2[0-3]):[0-5]\d|24:00)$` })),
    })
    .check(z.meta({ id: 'MaintenanceWindow', description: 'Weekly window of a day or a span of days' })),
);

/** `readWindows` validates the content. */
export const windowsText = () => z.string().check(z.meta({ pattern: String.raw`^[A-Za-z0-9:,\s-]+$` }));

export const windows = () =>
  z
    .union(
      [
        windowsText(),
        z
          .array(z.union([windowsText(), MaintenanceWindow()]))
          .check(z.meta({ minItems: 1, maxItems: MOST_WINDOWS })),
      ],
      { error: WINDOWS_ACCEPTED },
    )
    .check(z.describe(WINDOWS_TEXT));
