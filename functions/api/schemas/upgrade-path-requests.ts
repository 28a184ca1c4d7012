import * as z from 'zod/mini';
import { ARCH, ARCH_ACCEPTED } from './channel-requests.ts';
import { once } from './once.ts';
import { flag } from './requests.ts';

export const MAX_CLUSTERS = 500;
const MAX_CHANNELS = 100;

const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z.-]{1,48})?$/;
const TARGET = /^(latest|\d{1,2}\.\d{1,3}|\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z.-]{1,48})?)$/;
const CHANNEL = /^[0-9a-z.-]{1,64}$/;
const CHANNELS = /^[0-9a-z.-]{1,64}(,[0-9a-z.-]{1,64}){0,99}$/;
const RISK_MODE = ['none', 'accept', 'non-always', 'all'] as const;
const PREFERENCE = ['safest', 'shortest'] as const;
const FORMAT = ['json', 'text', 'imageset'] as const;

const text = (pattern: RegExp, error: string, description: string) =>
  z.string({ error }).check(z.regex(pattern, { error }), z.describe(description));
const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names, description: string) =>
  z
    .enum(names, { error: `${names.slice(0, -1).join(', ')} or ${names.at(-1)} is accepted` })
    .check(z.describe(description));

const from = (description: string) =>
  text(VERSION, 'a version such as 4.14.20 or 4.15.0-rc.1 is accepted', description);
const to = () =>
  text(
    TARGET,
    'a version such as 4.16.9, a minor such as 4.16, or latest is accepted',
    'A version, a minor for its newest release, or `latest` for the newest of the channels; `latest` when not given',
  );
const CHANNEL_TEXT =
  'Channels to search, joined when there are several; when not given, the best that leads there is chosen';
const RISK_TEXT =
  '`none`: no conditional updates; `accept`: those whose every risk is accepted; `non-always`: all but those with a risk that applies to every cluster; `all`. `none` when not given';
const PREFER_TEXT =
  '`safest`: fewest risky hops first; `shortest`: fewest hops first. `safest` when not given';
const PRERELEASE_TEXT =
  'Whether steps may be pre-releases; when not given, if an end is one or a candidate channel is searched';
const ALTERNATIVES_TEXT = 'How many further paths to give, up to 3; 0 when not given';
const SOURCE_TEXT = 'Put the present release into the mirror list as well';
const FORMAT_TEXT =
  '`text`: one image per line; `imageset`: configuration for oc-mirror v2; `json` when not given';
const ARCH_TEXT = 'Architecture of the cluster; amd64 when not given';

export const upgradePathQuery = once(() =>
  z.object({
    from: from('The version of the cluster'),
    to: z.optional(to()),
    channel: z.optional(
      text(
        CHANNELS,
        'channels such as stable-4.14 are accepted, up to 100 with commas between them',
        `${CHANNEL_TEXT}. With commas, or repeated`,
      ),
    ),
    arch: z.optional(text(ARCH, ARCH_ACCEPTED, ARCH_TEXT)),
    risk: z.optional(oneOf(RISK_MODE, RISK_TEXT)),
    accept_risk: z.optional(
      text(
        /^[^,]{1,128}(,[^,]{1,128}){0,99}$/,
        'names of risks are accepted, up to 100 with commas between them',
        'Names of risks to accept, with commas or repeated; means `risk=accept`',
      ),
    ),
    prefer: z.optional(oneOf(PREFERENCE, PREFER_TEXT)),
    prerelease: flag(PRERELEASE_TEXT),
    alternatives: z.optional(text(/^[0-3]$/, '0, 1, 2 or 3 is accepted', ALTERNATIVES_TEXT)),
    include_source: flag(SOURCE_TEXT),
    format: z.optional(oneOf(FORMAT, FORMAT_TEXT)),
    file: z.optional(
      text(
        /^[1-9]\d{0,2}$/,
        'the number of a file is accepted',
        'With `format=imageset`: only this file, when the releases do not fit into one',
      ),
    ),
  }),
);

const channels = () =>
  z
    .union(
      [
        text(CHANNEL, 'a channel such as stable-4.14 is accepted', ''),
        z
          .array(text(CHANNEL, 'a channel such as stable-4.14 is accepted', ''))
          .check(z.maxLength(MAX_CHANNELS)),
      ],
      { error: `a channel such as stable-4.14 is accepted, or a list of up to ${MAX_CHANNELS}` },
    )
    .check(z.describe(CHANNEL_TEXT));

const ends = () => ({
  to: z.optional(to()),
  channel: z.optional(channels()),
  arch: z.optional(text(ARCH, ARCH_ACCEPTED, ARCH_TEXT)),
});

export const upgradePathsRequest = once(() =>
  z
    .strictObject({
      clusters: z
        .array(
          z.strictObject(
            {
              name: z.optional(
                text(/^.{1,200}$/, 'a name of up to 200 characters is accepted', 'Repeated in the answer'),
              ),
              from: from('The version of the cluster'),
              ...ends(),
            },
            {
              error: ({ code }) =>
                code === 'unrecognized_keys'
                  ? 'is not known, accepted are name, from, to, channel, arch'
                  : undefined,
            },
          ),
          { error: 'a list of clusters such as [{"from": "4.14.20"}] is accepted' },
        )
        .check(
          z.minLength(1, { error: 'at least one cluster is needed' }),
          z.maxLength(MAX_CLUSTERS, { error: `at most ${MAX_CLUSTERS} clusters are accepted at once` }),
          z.describe('What a cluster does not say is taken from beside `clusters`'),
        ),
      ...ends(),
      risk: z.optional(oneOf(RISK_MODE, RISK_TEXT)),
      accept_risk: z.optional(
        z
          .array(text(/^.{1,128}$/, 'a name of up to 128 characters is accepted', ''), {
            error: 'a list of names such as ["NameOfRisk"] is accepted',
          })
          .check(z.maxLength(100), z.describe('Names of risks to accept; means `"risk": "accept"`')),
      ),
      prefer: z.optional(oneOf(PREFERENCE, PREFER_TEXT)),
      prerelease: z.optional(z.boolean().check(z.describe(PRERELEASE_TEXT))),
      alternatives: z.optional(
        z
          .int({ error: '0, 1, 2 or 3 is accepted' })
          .check(
            z.minimum(0, { error: '0, 1, 2 or 3 is accepted' }),
            z.maximum(3, { error: '0, 1, 2 or 3 is accepted' }),
            z.describe(ALTERNATIVES_TEXT),
          ),
      ),
      include_source: z.optional(z.boolean().check(z.describe(SOURCE_TEXT))),
      format: z.optional(oneOf(FORMAT, FORMAT_TEXT)),
    })
    .check(z.meta({ id: 'UpgradePathsRequest' })),
);

export type UpgradePathQuery = z.output<ReturnType<typeof upgradePathQuery>>;
export type UpgradePathsRequest = z.output<ReturnType<typeof upgradePathsRequest>>;
