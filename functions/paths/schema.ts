import { PREFERENCES, REASON_CODES } from '@cairn/shared/path/values';
import * as z from 'zod/mini';
import { aliasedObject, bodyObject } from '../http/aliases.ts';
import {
  Arch,
  archName,
  At,
  channelList,
  channels,
  flag,
  MatchingRules,
  nameList,
  names,
  oneOf,
  pathRiskMode,
  RiskyUpdate,
  target,
  text,
  version,
  wholeNumber,
} from '../http/schema-fields.ts';
import { lazy, type Output } from '../runtime/lazy.ts';

const MAX_CLUSTERS = 500;

/** The first is the default. */
export const PATH_FORMATS = ['json', 'text', 'imageset'] as const;

const CHANNEL_TEXT =
  'Channels to search, joined when there are several; when not given, the best that leads there is chosen';
const PREFER_TEXT =
  '`safest`: fewest risky hops first; `shortest`: fewest hops first. `safest` when not given';
const PRERELEASE_TEXT =
  'Whether steps may be pre-releases; when not given, if an end is one or a candidate channel is searched';
const ALTERNATIVES_TEXT = 'How many more paths to list, up to 3; 0 when not given';
const SOURCE_TEXT = 'Put the present release into the mirror list as well';
const FORMAT_TEXT =
  '`text`: one image per line, without the signature images that nodes require from 4.21 on (see header `Cairn-Note`); `imageset`: a file for oc-mirror v2; `json` when not given';
const ARCH_TEXT = 'Architecture of the cluster; amd64 when not given';
const FILE_ACCEPTED = 'a whole number from 1 is accepted';
/** No response has as many files; beyond it, numbers are not exact. */
const MAX_FILE = 999_999_999_999_999;
const FILE_TEXT =
  'With `format=imageset`: which file, in the order to mirror. The header `Cairn-Files` has their number; 1 when not given';

/** Number of an ImageSetConfiguration in a query. */
export const fileNumber = () =>
  z.optional(wholeNumber(/^[1-9]\d{0,14}$/, [1, MAX_FILE], FILE_ACCEPTED, FILE_TEXT));

/** The same in a body. */
export const fileInBody = () =>
  z.optional(
    z
      .int({ error: FILE_ACCEPTED })
      .check(
        z.minimum(1, { error: FILE_ACCEPTED }),
        z.maximum(MAX_FILE, { error: FILE_ACCEPTED }),
        z.describe(FILE_TEXT),
      ),
  );

const ALIASES = { to: { name: 'target', isPreferred: false } } as const;

export const upgradePathQuery = /* @__PURE__ */ lazy(() =>
  aliasedObject(
    {
      from: version('The version of the cluster'),
      to: z.optional(target()),
      channel: z.optional(channelList(CHANNEL_TEXT)),
      arch: z.optional(archName(ARCH_TEXT)),
      risk: z.optional(pathRiskMode()),
      accept_risk: z.optional(
        nameList('Names of risks to accept, with commas or repeated; means `risk=accept`'),
      ),
      prefer: z.optional(oneOf(PREFERENCES, PREFER_TEXT)),
      prerelease: flag(PRERELEASE_TEXT),
      alternatives: z.optional(wholeNumber(/^[0-3]$/, [0, 3], '0, 1, 2 or 3 is accepted', ALTERNATIVES_TEXT)),
      include_source: flag(SOURCE_TEXT),
      format: z.optional(oneOf(PATH_FORMATS, FORMAT_TEXT)),
      file: fileNumber(),
    },
    ALIASES,
    z.object,
  ),
);

const ends = () => ({
  to: z.optional(target()),
  channel: z.optional(channels(CHANNEL_TEXT)),
  arch: z.optional(archName(ARCH_TEXT)),
});

export const upgradePathsRequest = /* @__PURE__ */ lazy(() =>
  bodyObject(
    {
      clusters: z
        .array(
          bodyObject(
            {
              name: z.optional(
                text(/^.{1,200}$/, 'a name of up to 200 characters is accepted', 'Repeated in the response'),
              ),
              from: version('The version of the cluster'),
              ...ends(),
            },
            ALIASES,
            (fields) =>
              z.strictObject(fields, {
                error: ({ code }) =>
                  code === 'unrecognized_keys'
                    ? 'is not known, accepted are name, from, to, channel, arch'
                    : undefined,
              }),
          ).check(z.meta({ id: 'ClusterQuestion', description: 'A cluster for which to find a path' })),
          { error: 'a list of clusters such as [{"from": "4.14.20"}] is accepted' },
        )
        .check(
          z.minLength(1, { error: 'at least one cluster is needed' }),
          z.maxLength(MAX_CLUSTERS, { error: `at most ${MAX_CLUSTERS} clusters are accepted at once` }),
          z.describe('What a cluster does not say is taken from beside `clusters`'),
        ),
      ...ends(),
      risk: z.optional(pathRiskMode()),
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
      file: fileInBody(),
    },
    ALIASES,
  ).check(z.meta({ id: 'UpgradePathsRequest', description: 'Clusters for which to find paths' })),
);

export type UpgradePathQuery = Output<typeof upgradePathQuery>;
export type UpgradePathsRequest = Output<typeof upgradePathsRequest>;

const Risk = /* @__PURE__ */ lazy(() =>
  z
    .object({
      name: z.string(),
      url: z.string(),
      message: z.string(),
      always: z.boolean().check(z.describe('Applies to every cluster')),
      matchingRules: MatchingRules().check(
        z.describe('When it applies; the first that can be evaluated decides'),
      ),
    })
    .check(z.meta({ id: 'PathRisk', description: 'Why a conditional update may be wrong for a cluster' })),
);

const ChannelPlanEntry = /* @__PURE__ */ lazy(() =>
  z
    .object({ channel: z.string(), untilVersion: z.string() })
    .check(z.meta({ id: 'ChannelPlanEntry', description: 'Channel to be in up to a version' })),
);

const channelPlan = /* @__PURE__ */ lazy(() =>
  z.array(ChannelPlanEntry()).check(z.describe('Which channel to be in, and up to which version')),
);

const Stats = /* @__PURE__ */ lazy(() =>
  z
    .object({
      hops: z.int(),
      minorsCrossed: z.int(),
      riskyHops: z.int(),
      distinctRisks: z.int(),
      channelSwitches: z.int(),
    })
    .check(z.meta({ id: 'PathStats', description: 'Numbers of a path' })),
);

/** Role of a release on a path. */
export const STEP_ROLES = ['source', 'step', 'target'] as const;

/** Responses with many paths name a risk and describe it once separately. */
interface RiskForm<Risk extends z.ZodMiniType> {
  readonly risk: Risk;
  /** Prefix of schema names that differ by the form. */
  readonly prefix: string;
}

const stepWith = <Risk extends z.ZodMiniType>({ risk, prefix }: RiskForm<Risk>) =>
  z
    .object({
      version: z.string(),
      payload: z.string().check(z.describe('Release image by digest')),
      role: z.enum(STEP_ROLES),
      errata: z.optional(z.string()),
      hop: z.optional(
        z
          .object({
            conditional: z.boolean(),
            risks: z.array(risk),
            crossesMinor: z.boolean(),
            channels: z.array(z.string()).check(z.describe('Those searched that offer the update')),
          })
          .check(z.describe('The update that leads here; the source has none')),
      ),
    })
    .check(z.meta({ id: `${prefix}PathStep`, description: 'A release on a path' }));

const pathWith = <Step extends z.ZodMiniType>(step: Step) => ({
  path: z.array(step),
  stats: Stats(),
  channelPlan: channelPlan(),
});

const VersionOrNull = /* @__PURE__ */ lazy(() => z.nullable(z.string()));
const ChannelNames = /* @__PURE__ */ lazy(() => z.array(z.string()));
const arches = /* @__PURE__ */ lazy(() => z.array(Arch()));

const NearbyPath = /* @__PURE__ */ lazy(() =>
  z
    .object({
      channels: ChannelNames(),
      to: z.string(),
      hops: z.int(),
      riskyHops: z.int(),
      path: z.array(z.string()),
      channelPlan: channelPlan(),
    })
    .check(z.meta({ id: 'NearbyPath', description: 'A path by other channels, or to another target' })),
);

const Channels = /* @__PURE__ */ lazy(() => ({
  channels: ChannelNames().check(z.describe('Those that hold it')),
}));
const nearestVersions = /* @__PURE__ */ lazy(() => z.array(z.string()));

const PathWarning = /* @__PURE__ */ lazy(() =>
  z
    .object({ code: z.string(), message: z.string() })
    .check(z.meta({ id: 'PathWarning', description: 'A note on the channels or versions asked for' })),
);

const riskNames = (description: string) => z.array(z.string()).check(z.describe(description));

const explanationWith = <Step extends z.ZodMiniType>(step: Step, prefix: string) => {
  const risky = {
    ...pathWith(step),
    risks: z.array(z.string()).check(z.describe('Names of all risks on the path')),
    always: z.array(z.string()).check(z.describe('Those of them that apply to every cluster')),
    firstBlocked: RiskyUpdate(),
  };
  return z
    .object({
      code: z.enum(REASON_CODES),
      message: z.string(),
      suggestion: z.nullable(z.string()),
      sharedChannel: z
        .nullable(z.string())
        .check(z.describe('Most stable channel with the source and the target; null if no channel has both')),
      details: z
        .union([
          z.strictObject({ version: z.string(), nearestVersions: nearestVersions() }),
          z.strictObject({}),
          z.strictObject({
            channels: ChannelNames(),
            publishedAt: z.nullable(At()),
            arches: arches(),
            nearest: ChannelNames(),
          }),
          z.strictObject({ version: z.string(), arches: arches() }),
          z.strictObject({
            ...Channels(),
            newestSibling: VersionOrNull().check(
              z.describe('The newest of its minor in the channel asked for'),
            ),
            through: z
              .nullable(z.object({ channel: z.string(), newest: z.string() }))
              .check(z.describe('A channel that holds it and whose newest release is in the one asked for')),
            nearestVersions: nearestVersions(),
          }),
          z.strictObject({ ...Channels(), nearestVersions: nearestVersions(), onlyPrereleases: z.boolean() }),
          z.strictObject(risky),
          z.strictObject({
            ...risky,
            missing: z.array(z.string()),
            applying: z.optional(riskNames('Of a cluster: those of the missing that apply to it')),
            unknown: z.optional(riskNames('Of a cluster: those of the missing that may apply')),
          }),
          z.strictObject({ isNewest: z.boolean(), withdrawn: z.boolean() }),
          z.strictObject({
            farthest: z.array(z.string()).check(z.describe('The newest that can be reached of each minor')),
            gateways: z
              .array(z.object({ minor: z.string(), oldest: z.string(), newest: z.string(), count: z.int() }))
              .check(z.describe('Versions that do reach the target, per minor')),
            targetWithdrawn: z.boolean(),
          }),
        ])
        .check(z.describe('By code, in the order of the codes')),
      nearestTarget: z
        .object({ below: VersionOrNull(), above: VersionOrNull() })
        .check(z.describe('The versions next to the target that can be reached')),
      alternatives: z
        .array(NearbyPath())
        .check(z.describe('Other paths, the nearest to the requested target first')),
    })
    .check(z.meta({ id: `${prefix}Explanation`, description: 'Why there is no path' }));
};

const answerWith = <Risk extends z.ZodMiniType>(form: RiskForm<Risk>) => {
  const step = stepWith(form);
  const common = {
    from: z.string(),
    channel: z
      .nullable(z.string())
      .check(z.describe('The channel searched; null when there are several or none')),
    channels: ChannelNames(),
    arch: Arch(),
    graphSyncedAt: z
      .nullable(At())
      .check(z.describe('When upstream last returned a valid graph; the oldest of the channels')),
    graphEtag: z.string().check(z.describe('Start of the entity tags of the searched graphs')),
    warnings: z.array(PathWarning()),
  };
  return {
    found: {
      ...common,
      found: z.literal(true),
      to: z.string(),
      ...pathWith(step),
      alternatives: z
        .array(
          z
            .object(pathWith(step))
            .check(z.meta({ id: `${form.prefix}AlternativePath`, description: 'A further path' })),
        )
        .check(z.describe('Further paths, the next best first')),
    },
    notFound: {
      ...common,
      found: z.literal(false),
      to: VersionOrNull().check(z.describe('Version for `latest` or a minor; null when no release matches')),
      explanation: explanationWith(step, form.prefix),
    },
  };
};

const MirrorEntry = /* @__PURE__ */ lazy(() =>
  z
    .object({
      version: z.string(),
      payload: z.string(),
      digest: z.string(),
      arch: Arch(),
      signatureTag: z.optional(
        z
          .string()
          .check(
            z.describe(
              'Tag of the signature image beside the release image. Nodes from 4.21 on require it; oc-mirror v2 copies it, other tools do not',
            ),
          ),
      ),
    })
    .check(z.meta({ id: 'MirrorEntry', description: 'A release image to mirror' })),
);

const ImageSet = /* @__PURE__ */ lazy(() =>
  z
    .object({
      file: z.int().check(z.describe('From 1, in the order to mirror')),
      channel: VersionOrNull().check(z.describe('Null for the operators')),
      version: VersionOrNull().check(z.describe('Null for the operators')),
      text: z.string().check(z.describe('The file in YAML')),
    })
    .check(z.meta({ id: 'ImageSet', description: 'An ImageSetConfiguration for oc-mirror v2' })),
);

export const MirrorEntries = /* @__PURE__ */ lazy(() => ({
  mirror: z
    .array(MirrorEntry())
    .check(z.describe('What a disconnected cluster needs in its mirror, each image once')),
  imageSets: z
    .array(ImageSet())
    .check(
      z.describe(
        'ImageSetConfigurations for oc-mirror v2, one release each; operators are last. Empty if a warning `not_in_channels` names releases that oc-mirror cannot find',
      ),
    ),
  graphDataImageNeeded: z
    .boolean()
    .check(z.describe('An update service in the disconnected network needs graph data beside the images')),
}));

const single = /* @__PURE__ */ lazy(() => answerWith({ risk: Risk(), prefix: '' }));
export const PathAnswer = /* @__PURE__ */ lazy(() =>
  z
    .discriminatedUnion('found', [
      z.object(single().found).check(z.meta({ id: 'FoundPath', description: 'An upgrade path' })),
      z
        .object(single().notFound)
        .check(z.meta({ id: 'NoPath', description: 'The reason why there is no path' })),
    ])
    .check(z.meta({ id: 'PathAnswer', description: 'The path, or why there is none' })),
);

export const UpgradePathAnswer = /* @__PURE__ */ lazy(() =>
  z
    .discriminatedUnion('found', [
      z
        .object({ ...single().found, ...MirrorEntries() })
        .check(z.meta({ id: 'FoundUpgradePath', description: 'An upgrade path and what to mirror' })),
      z.object({ ...single().notFound, ...MirrorEntries() }).check(
        z.meta({
          id: 'NoUpgradePath',
          description: 'The reason why there is no path, and nothing to mirror',
        }),
      ),
    ])
    .check(z.meta({ id: 'UpgradePath', description: 'The same, with what to mirror' })),
);

const named = /* @__PURE__ */ lazy(() => ({ name: z.optional(z.string()) }));
const fleet = /* @__PURE__ */ lazy(() => answerWith({ risk: z.string(), prefix: 'Fleet' }));
export const UpgradePathsAnswer = /* @__PURE__ */ lazy(() =>
  z
    .object({
      found: z.int(),
      notFound: z.int(),
      clusters: z.array(
        z.discriminatedUnion('found', [
          z
            .object({ ...named(), ...fleet().found })
            .check(z.meta({ id: 'FoundClusterPath', description: 'The path of a cluster' })),
          z
            .object({ ...named(), ...fleet().notFound })
            .check(z.meta({ id: 'NoClusterPath', description: 'The reason why a cluster has no path' })),
        ]),
      ),
      risks: z.array(Risk()).check(z.describe('Those named on the paths')),
      ...MirrorEntries(),
    })
    .check(
      z.meta({ id: 'UpgradePaths', description: 'Paths of many clusters, and one mirror list for all' }),
    ),
);
