import * as z from 'zod/mini';
import { archName } from '../channels/schema.ts';
import {
  channelList,
  channels,
  nameList,
  names,
  oneOf,
  riskMode,
  target,
  text,
} from '../http/schema-fields.ts';
import { lazy, type Output } from '../runtime/lazy.ts';
import { flag } from '../graph/schema.ts';
import { API_REMOVALS, SKEW_POLICIES, STRATEGIES } from '@cairn/shared/safety/values';

/** The first is what is answered when none is given. */
export const PLAN_FORMATS = ['json', 'text', 'markdown', 'imageset'] as const;

const CHANNEL_TEXT =
  "Channels to search; when not given, the cluster's own for `latest`, else the best that leads there";
const ARCH_TEXT = 'Architecture of the release image; when not given, as the nodes say';
const ACCEPT_TEXT =
  'Reasons or types of findings that are accepted: they stay listed and no longer drive the verdict; never skew or an incomplete update';
const STRICT_TEXT = 'What was not supplied stands in the way';
const WINDOWS_TEXT =
  'Maintenance windows of every week, up to 50: the plan tells which hop fits in which one. A window is a day or a span of days and its times, such as `Sat 22:00-04:00` or `Mon-Fri 01:00-03:30`';
const WINDOWS_ACCEPTED =
  'windows such as Sat 22:00-04:00 are accepted, also in a list, there as {"day": "Sat", "start": "22:00", "end": "04:00"} as well';
const TIME_ZONE_TEXT = 'Time zone of the windows, such as `Europe/Berlin`; `UTC` when not given';

/** How hops are judged. */
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
      '`rolling`: workers follow every hop; `control-plane-only`: they are held back as long as skew allows. `rolling` when not given',
    ),
  ),
});

const common = () => ({
  ...planOptions(),
  risk: z.optional(riskMode()),
  api_removals: z.optional(
    oneOf(
      API_REMOVALS,
      '`block`: an API in use that goes away holds the hop; `ack`: only warns once its gate is acknowledged. `block` when not given',
    ),
  ),
  time_zone: timeZone(),
  format: z.optional(
    oneOf(
      PLAN_FORMATS,
      '`imageset`: configuration for oc-mirror v2, with the operators that are known; `json` when not given',
    ),
  ),
});

export const timeZone = () =>
  z.optional(
    z.string({ error: 'UTC and names such as Europe/Berlin are accepted' }).check(z.describe(TIME_ZONE_TEXT)),
  );

/** What is in them is read elsewhere. */
export const windows = () =>
  z
    .union(
      [
        z.string(),
        z.array(
          z.union([z.string(), z.strictObject({ day: z.string(), start: z.string(), end: z.string() })]),
        ),
      ],
      { error: WINDOWS_ACCEPTED },
    )
    .check(z.describe(WINDOWS_TEXT));

const arch = () => z.optional(archName(ARCH_TEXT));

/** Beside the documents, in the body or in the query. */
export const upgradePlanFields = /* @__PURE__ */ lazy(() =>
  z.strictObject({
    target: z.optional(target()),
    channel: z.optional(channels(CHANNEL_TEXT)),
    arch: arch(),
    accept_risk: z.optional(names('Names of risks to accept; means `"risk": "accept"`')),
    accept: z.optional(names(ACCEPT_TEXT)),
    strict: z.optional(z.boolean().check(z.describe(STRICT_TEXT))),
    windows: z.optional(windows()),
    usernames: z.optional(
      z.boolean().check(z.describe('Name the people who use APIs that go away; else only service accounts')),
    ),
    collected_at: z.optional(
      text(
        /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/,
        'a time such as 2026-11-16T08:00:00Z is accepted',
        'When the documents were collected; the newest time in them when not given',
      ),
    ),
    ...common(),
  }),
);

export const clusterPlanQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    to: z.optional(target()),
    channel: z.optional(channelList(CHANNEL_TEXT)),
    arch: arch(),
    accept_risk: z.optional(
      nameList('Names of risks to accept, with commas or repeated; means `risk=accept`'),
    ),
    accept: z.optional(nameList(ACCEPT_TEXT)),
    strict: flag(STRICT_TEXT),
    windows: z.optional(z.string().check(z.describe(`${WINDOWS_TEXT}. With commas, or repeated`))),
    ...common(),
  }),
);

export type UpgradePlanFields = Output<typeof upgradePlanFields>;
export type ClusterPlanQuery = Output<typeof clusterPlanQuery>;
