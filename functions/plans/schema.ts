import { RISK_MODES } from '@cairn/shared/path/values';
import { UPDATE_SERVICES } from '@cairn/shared/plan/values';
import { API_REMOVALS } from '@cairn/shared/safety/values';
import * as z from 'zod/mini';
import { WINDOWS_TEXT, planOptions, timeZone, windows, windowsText } from '../clusters/schema.ts';
import { hosted } from '../documents/schema.ts';
import { aliasedObject, bodyObject } from '../http/aliases.ts';
import {
  channelList,
  channels,
  nameList,
  names,
  oneOf,
  target,
  text,
  wholeNumber,
  archName,
  flag,
} from '../http/schema-fields.ts';
import { fileInBody, fileNumber } from '../paths/schema.ts';
import { lazy } from '../runtime/lazy.ts';

/** The first is the default. */
export const PLAN_FORMATS = ['json', 'text', 'markdown', 'imageset'] as const;

const CHANNEL_TEXT =
  "Channels to search; when not given, the cluster's own for `latest`, else the best that leads there";
const TARGET_TEXT =
  "A version, a minor for its newest release, or `latest` for the newest of the channels. When not given: the minor of the cluster's channel, else the next supported EUS minor of an EUS minor, else the next supported minor, else the newest patch";
const EUS_TEXT =
  'Extended Update Support terms that the cluster has, 0 to 3; those of the deployment when not given';
const EUS_ACCEPTED = '0, 1, 2 or 3 is accepted';
const ARCH_TEXT = 'Architecture of the release image; when not given, as the nodes say';
const ACCEPT_TEXT =
  'Reasons or types of findings that are accepted: they stay listed and no longer drive the verdict; never skew or an incomplete update';
const RISK_TEXT =
  '`applicable`: conditional updates whose risks do not apply to the cluster, or are accepted; `none`: no conditional updates; `accept`: those whose every risk is accepted; `non-always`: all but those with a risk that applies to every cluster; `all`. `applicable` when not given';
const STRICT_TEXT = 'What was not supplied stands in the way';

/** One schema for both names of the field: generated clients have one type for it. */
const apiRemovals = /* @__PURE__ */ lazy(() =>
  oneOf(
    API_REMOVALS,
    '`block`: an API in use that goes away holds the hop; `ack`: only warns once its gate is acknowledged. `block` when not given',
  ).check(z.meta({ id: 'ApiRemovals' })),
);

const common = () => ({
  ...planOptions(),
  risk: z.optional(oneOf(RISK_MODES, RISK_TEXT)),
  api_removals: z.optional(apiRemovals()),
  hosted: hosted('HostedCluster to plan for'),
  update_service: z.optional(
    oneOf(
      UPDATE_SERVICES,
      '`none`: the cluster cannot ask an update service, so it updates by digest; `present`: it can; `auto`, the default, reads it from the ClusterVersion',
    ),
  ),
  time_zone: timeZone(),
  format: z.optional(
    oneOf(
      PLAN_FORMATS,
      '`imageset`: a file for oc-mirror v2, the last with the operators that are known; `json` when not given',
    ),
  ),
});
const arch = () => z.optional(archName(ARCH_TEXT));

const planFields = () => ({
  target: z.optional(target(TARGET_TEXT)),
  eus_terms: z.optional(
    z
      .int({ error: EUS_ACCEPTED })
      .check(z.gte(0, { error: EUS_ACCEPTED }), z.lte(3, { error: EUS_ACCEPTED }), z.describe(EUS_TEXT)),
  ),
  channel: z.optional(channels(CHANNEL_TEXT)),
  arch: arch(),
  accept_risk: z.optional(names('Names of risks to accept; means `"risk": "accept"`')),
  accept: z.optional(names(ACCEPT_TEXT)),
  strict: z.optional(z.boolean().check(z.describe(STRICT_TEXT))),
  windows: z.optional(windows()),
  usernames: z.optional(
    z.boolean().check(z.describe('Name the people who use APIs that go away; else only service accounts')),
  ),
  file: fileInBody(),
  collected_at: z.optional(
    text(
      /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/,
      'a time such as 2026-11-16T08:00:00Z is accepted',
      'When the documents were collected; the newest time in them when not given',
    ),
  ),
  ...common(),
});
const ALIASES = { target: { name: 'to', isPreferred: false } } as const;

export const upgradePlanQuery = /* @__PURE__ */ lazy(() => aliasedObject(planFields(), ALIASES));

export const upgradePlanBody = /* @__PURE__ */ lazy(() => bodyObject(planFields(), ALIASES));

export const clusterPlanQuery = /* @__PURE__ */ lazy(() =>
  aliasedObject(
    {
      to: z.optional(target(TARGET_TEXT)),
      eus_terms: z.optional(wholeNumber(/^[0-3]$/, [0, 3], EUS_ACCEPTED, EUS_TEXT)),
      channel: z.optional(channelList(CHANNEL_TEXT)),
      arch: arch(),
      accept_risk: z.optional(
        nameList('Names of risks to accept, with commas or repeated; means `risk=accept`'),
      ),
      accept: z.optional(nameList(ACCEPT_TEXT)),
      strict: flag(STRICT_TEXT),
      windows: z.optional(windowsText().check(z.describe(`${WINDOWS_TEXT}. With commas, or repeated`))),
      file: fileNumber(),
      ...common(),
    },
    { to: { name: 'target', isPreferred: true } },
    z.object,
  ),
);
