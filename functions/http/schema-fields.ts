import { APPLIES, PATH_RISK_MODES } from '@cairn/shared/path/values';
import { ANSWER_SOURCES, OUTCOMES, RISK_NOTES, UNKNOWN_REASONS } from '@cairn/shared/risk/values';
import { parseSince, SINCE } from '@cairn/shared/text/duration';
import { ARCH_NAMES, ARCHES } from '@cairn/shared/version/arch';
import * as z from 'zod/mini';
import { lazy } from '../runtime/lazy.ts';

/** Shared request fields, as text in a query and typed in a body; built on use, like all schemas. */

export const text = (pattern: RegExp, error: string, description: string) =>
  z.string({ error }).check(z.regex(pattern, { error }), z.describe(description));

export const TEXT_FORMATS = ['json', 'text'] as const;

/** `a, b or c` */
export const inWords = (names: readonly string[]): string =>
  `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

export const oneOf = <const Names extends readonly [string, ...string[]]>(
  names: Names,
  description: string,
) => z.enum(names, { error: `${inWords(names)} is accepted` }).check(z.describe(description));

const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z.-]{1,48})?$/;
const TARGET = /^(latest|\d{1,2}\.\d{1,3}|\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z.-]{1,48})?)$/;
const CHANNEL = /^[0-9a-z.-]{1,64}$/;
const CHANNELS = /^[0-9a-z.-]{1,64}(,[0-9a-z.-]{1,64}){0,99}$/;
const MAX_CHANNELS = 100;

export const version = (description: string) =>
  text(VERSION, 'a version such as 4.14.20 or 4.15.0-rc.1 is accepted', description);

export const target = (
  description = 'A version, a minor for its newest release, or `latest` for the newest of the channels; `latest` when not given',
) => text(TARGET, 'a version such as 4.16.9, a minor such as 4.16, or latest is accepted', description);

const channelError = 'a channel such as stable-4.14 is accepted';

/** `stable-4.14` */
export const channelName = (description: string) => text(CHANNEL, channelError, description);

/** `stable-4.14,stable-4.16` */
export const channelList = (description: string) =>
  text(
    CHANNELS,
    `channels such as stable-4.14 are accepted, up to ${MAX_CHANNELS} with commas between them`,
    `${description}. With commas, or repeated`,
  );

/** `"stable-4.14"` or `["stable-4.14", "stable-4.16"]` */
export const channels = (description: string) =>
  z
    .union([channelName(''), z.array(channelName('')).check(z.maxLength(MAX_CHANNELS))], {
      error: `${channelError}, or a list of up to ${MAX_CHANNELS}`,
    })
    .check(z.describe(description));

export const pathRiskMode = () =>
  oneOf(
    PATH_RISK_MODES,
    '`none`: no conditional updates; `accept`: those whose every risk is accepted; `non-always`: all but those with a risk that applies to every cluster; `all`. `none` when not given',
  );

/** `A,B` */
export const nameList = (description: string) =>
  text(
    /^[^,]{1,128}(,[^,]{1,128}){0,99}$/,
    'names are accepted, up to 100 with commas between them',
    description,
  );

/** `["A", "B"]` */
export const names = (description: string) =>
  z
    .array(text(/^.{1,128}$/, 'a name of up to 128 characters is accepted', ''), {
      error: 'a list of names such as ["Name"] is accepted',
    })
    .check(z.maxLength(100), z.describe(description));

export const ARCH_ACCEPTED = `${inWords(ARCH_NAMES)} is accepted`;

/** Accepts `Multi`, as release image tags write it. */
export const archName = (description: string) =>
  text(
    new RegExp(`^(${ARCH_NAMES.map((name) => name.replace('multi', '[mM]ulti')).join('|')})$`),
    ARCH_ACCEPTED,
    description,
  );

/** Whole number as text in a query, which `openapi.json` describes as a number. */
export const wholeNumber = (
  pattern: RegExp,
  [minimum, maximum]: readonly [number, number],
  error: string,
  description: string,
) =>
  text(pattern, error, description).check(z.meta({ type: 'integer', pattern: undefined, minimum, maximum }));

export const page = () => ({
  limit: z.optional(
    wholeNumber(
      /^([1-9][0-9]{0,2}|1000)$/,
      [1, 1000],
      'a number from 1 to 1000 is accepted',
      'How many at most; 100 when not given',
    ),
  ),
  cursor: z.optional(
    text(
      /^[A-Za-z0-9_-]{1,400}$/,
      'the nextCursor of the page before is accepted',
      '`nextCursor` of the page before',
    ),
  ),
});

/** Read with `parseSince`. */
export const since = (description: string) =>
  z.optional(
    z.string().check(
      z.refine((text) => parseSince(text, 0) !== null, {
        error: 'a time such as 2026-11-01T00:00:00Z or a duration such as 24h or 7d is accepted',
      }),
      z.describe(
        `${description}. A time, a day, or how long before now in minutes, hours, days or weeks (90m, 24h, 7d, 2w)`,
      ),
      z.meta({ pattern: SINCE.source }),
    ),
  );

const MatchingRule = /* @__PURE__ */ lazy(() =>
  z
    .union([
      z
        .object({ type: z.literal('Always') })
        .check(z.meta({ id: 'AlwaysRule', description: 'The risk applies to every cluster' })),
      z
        .object({ type: z.literal('PromQL'), promql: z.object({ promql: z.string() }) })
        .check(
          z.meta({ id: 'PromqlRule', description: 'The risk applies if the query returns 1 on the cluster' }),
        ),
    ])
    .check(z.meta({ id: 'MatchingRule', description: 'When a risk applies to a cluster' })),
);

export const MatchingRules = /* @__PURE__ */ lazy(() => z.array(MatchingRule()));

export const RiskyUpdate = /* @__PURE__ */ lazy(() =>
  z
    .object({ from: z.string(), to: z.string(), risks: z.array(z.string()) })
    .check(z.meta({ id: 'RiskyUpdate', description: 'An update and the names of its risks' })),
);

export const At = /* @__PURE__ */ lazy(() => z.string().check(z.describe('Time in ISO 8601, UTC')));

/** Whether a risk applies to a cluster, and why. */
export const riskAnswer = /* @__PURE__ */ lazy(() => ({
  applies: z.enum(APPLIES),
  decidedBy: z
    .array(z.string())
    .check(z.describe('Series that the documents prove; `→ none` behind a selector without any')),
  asOf: z.nullable(At()).check(z.describe('Collection time of the oldest document used; null without any')),
  source: z
    .enum(ANSWER_SOURCES)
    .check(
      z.describe(
        '`facts`: documents; `cluster`: what its operator reports of its next update; `live`: its metrics',
      ),
    ),
  assumes: z.optional(
    z.literal('unchanged').check(z.describe('Holds if nobody changes the configuration before')),
  ),
  possible: z.optional(
    z
      .array(z.enum(OUTCOMES))
      .check(z.describe('Of an unknown one; `fails`: the cluster cannot evaluate its query')),
  ),
  reason: z.optional(z.enum(UNKNOWN_REASONS).check(z.describe('Why it is unknown'))),
  unsupported: z.optional(z.string().check(z.describe('What in the query is not supported'))),
  missing: z.optional(
    z
      .array(
        z.object({
          metric: z.string(),
          documents: z
            .array(z.string())
            .check(z.describe('To send, as in `oc get`; empty if only the metrics of the cluster show it')),
        }),
      )
      .check(z.describe('What would decide')),
  ),
  askedTooLongAgo: z.optional(
    z.literal(true).check(z.describe('The cluster answered the query more than a day ago')),
  ),
  notes: z.optional(z.array(z.enum(RISK_NOTES)).check(z.describe('For people: a note changes no answer'))),
  accepted: z.optional(
    z
      .object({
        reason: z.nullable(z.string()),
        owner: z.nullable(z.string()),
        until: z.nullable(At()),
        source: z.optional(z.literal('cluster').check(z.describe('Accepted in the ClusterVersion'))),
      })
      .check(z.describe('Null members: accepted by name only')),
  ),
}));

export const Arch = /* @__PURE__ */ lazy(() =>
  z.enum(ARCHES).check(z.meta({ id: 'Arch', description: 'Architecture, as the update service names it' })),
);

export const Cursor = /* @__PURE__ */ lazy(() =>
  z.nullable(z.string()).check(z.describe('Give it as `cursor` for the next page; null on the last')),
);

/** Typed, for bodies. */
export const booleanField = (description: string) =>
  z.optional(z.boolean({ error: 'true or false is accepted' }).check(z.describe(description)));

/**
 * `?only_latest` without a value means true, as the original proposal specifies. `openapi.json` describes it as a
 * boolean.
 */
export const flag = (description: string) =>
  z.optional(
    text(/^(true|false|1|0|)$/i, 'true, false, 1, 0 or no value is accepted', description).check(
      z.meta({ type: 'boolean', pattern: undefined }),
    ),
  );

export const isFlagSet = (text: string | undefined): boolean =>
  text !== undefined && /^(true|1|)$/i.test(text);
