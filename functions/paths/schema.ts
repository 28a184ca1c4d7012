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
  version,
} from '../http/schema-fields.ts';
import { lazy, type Output } from '../runtime/lazy.ts';
import { flag } from '../graph/schema.ts';
import { PREFERENCES } from '@cairn/shared/path/values';

export const MAX_CLUSTERS = 500;

/** The first is what is answered when none is given. */
export const PATH_FORMATS = ['json', 'text', 'imageset'] as const;

const CHANNEL_TEXT =
  'Channels to search, joined when there are several; when not given, the best that leads there is chosen';
const PREFER_TEXT =
  '`safest`: fewest risky hops first; `shortest`: fewest hops first. `safest` when not given';
const PRERELEASE_TEXT =
  'Whether steps may be pre-releases; when not given, if an end is one or a candidate channel is searched';
const ALTERNATIVES_TEXT = 'How many further paths to give, up to 3; 0 when not given';
const SOURCE_TEXT = 'Put the present release into the mirror list as well';
const FORMAT_TEXT =
  '`text`: one image per line; `imageset`: configuration for oc-mirror v2; `json` when not given';
const ARCH_TEXT = 'Architecture of the cluster; amd64 when not given';

export const upgradePathQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    from: version('The version of the cluster'),
    to: z.optional(target()),
    channel: z.optional(channelList(CHANNEL_TEXT)),
    arch: z.optional(archName(ARCH_TEXT)),
    risk: z.optional(riskMode()),
    accept_risk: z.optional(
      nameList('Names of risks to accept, with commas or repeated; means `risk=accept`'),
    ),
    prefer: z.optional(oneOf(PREFERENCES, PREFER_TEXT)),
    prerelease: flag(PRERELEASE_TEXT),
    alternatives: z.optional(text(/^[0-3]$/, '0, 1, 2 or 3 is accepted', ALTERNATIVES_TEXT)),
    include_source: flag(SOURCE_TEXT),
    format: z.optional(oneOf(PATH_FORMATS, FORMAT_TEXT)),
    file: z.optional(
      text(
        /^[1-9]\d{0,2}$/,
        'the number of a file is accepted',
        'With `format=imageset`: only this file, when the releases do not fit into one',
      ),
    ),
  }),
);

const ends = () => ({
  to: z.optional(target()),
  channel: z.optional(channels(CHANNEL_TEXT)),
  arch: z.optional(archName(ARCH_TEXT)),
});

export const upgradePathsRequest = /* @__PURE__ */ lazy(() =>
  z
    .strictObject({
      clusters: z
        .array(
          z.strictObject(
            {
              name: z.optional(
                text(/^.{1,200}$/, 'a name of up to 200 characters is accepted', 'Repeated in the answer'),
              ),
              from: version('The version of the cluster'),
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
      risk: z.optional(riskMode()),
      accept_risk: z.optional(names('Names of risks to accept; means `"risk": "accept"`')),
      prefer: z.optional(oneOf(PREFERENCES, PREFER_TEXT)),
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
      format: z.optional(oneOf(PATH_FORMATS, FORMAT_TEXT)),
    })
    .check(z.meta({ id: 'UpgradePathsRequest' })),
);

export type UpgradePathQuery = Output<typeof upgradePathQuery>;
export type UpgradePathsRequest = Output<typeof upgradePathsRequest>;
