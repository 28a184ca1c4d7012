import { CHANNEL_ORDER } from '@cairn/shared/releases/values';
import * as z from 'zod/mini';
import {
  inWords,
  archName,
  page,
  since,
  text,
  At,
  Arch,
  Cursor,
  RiskyUpdate,
} from '../http/schema-fields.ts';
import { lazy } from '../runtime/lazy.ts';
export const channelsQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    arch: z.optional(archName('Keep the channels of this architecture')),
    prefix: z.optional(
      text(
        new RegExp(`^(${CHANNEL_ORDER.join('|')})$`),
        `${inWords(CHANNEL_ORDER)} is accepted`,
        'Keep the channels whose name begins with it, such as stable',
      ),
    ),
    minor: z.optional(
      text(
        /^\d{1,2}\.\d{1,3}$/,
        'a minor such as 4.14 is accepted',
        'Keep the channels of this minor, such as 4.14',
      ),
    ),
    ...page(),
  }),
);

export const channelChangesQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    since: since('From when on; 7d when not given'),
    ...page(),
  }),
);

const NewestOfMinor = /* @__PURE__ */ lazy(() =>
  z
    .object({ minor: z.string(), version: z.string() })
    .check(z.meta({ id: 'NewestOfMinor', description: 'The newest version of a minor' })),
);

const UpdateCounts = /* @__PURE__ */ lazy(() =>
  z
    .object({ plain: z.int(), conditional: z.int() })
    .check(z.meta({ id: 'UpdateCounts', description: 'Numbers of updates' })),
);

const channel = /* @__PURE__ */ lazy(() => ({
  channel: z.string(),
  arch: Arch(),
  minor: z.string(),
  publishedAt: z
    .nullable(At())
    .check(z.describe('When its graph last changed; null while nothing was ever published')),
  nodes: z.int(),
  edges: UpdateCounts(),
  oldest: z.nullable(z.string()),
  newest: z.nullable(z.string()),
  newestPerMinor: z.array(NewestOfMinor()),
}));

export const ChannelPage = /* @__PURE__ */ lazy(() =>
  z
    .object({
      channels: z.array(
        z.object({
          ...channel(),
          risks: z.array(z.string()).check(z.describe('Names of the risks of its updates')),
        }),
      ),
      nextCursor: Cursor(),
    })
    .check(
      z.meta({
        id: 'ChannelPage',
        description: 'Followed channels by minor, then stable, eus, fast, candidate',
      }),
    ),
);

const Positions = /* @__PURE__ */ lazy(() =>
  z.array(z.int()).check(z.describe('Positions in `channels`, counted from 0')),
);

export const ChannelIndex = /* @__PURE__ */ lazy(() =>
  z
    .object({
      channels: z.array(
        z.object({
          channel: z.string(),
          publishedAt: channel().publishedAt,
          nodes: z.int(),
          plainEdges: z.int(),
          conditionalEdges: z.int(),
          oldest: z.nullable(z.string()),
          newest: z.nullable(z.string()),
          newestPerMinor: channel().newestPerMinor,
          risks: z.array(z.string()),
        }),
      ),
      versions: z
        .array(
          z.object({
            version: z.string(),
            payload: z.string(),
            url: z.optional(z.string().check(z.describe('Its errata'))),
            channels: Positions(),
            withdrawnIn: z.optional(
              Positions().check(z.describe('Those of them that are lastingly without it upstream')),
            ),
            excluded: z.optional(
              z.literal(true).check(z.describe('`ignored_openshift_versions` has it: no update leads to it')),
            ),
          }),
        )
        .check(z.describe('In release order; more than once only where channels disagree on the payload')),
    })
    .check(
      z.meta({
        id: 'ChannelIndex',
        description: 'The followed channels of one architecture and every version they hold',
      }),
    ),
);

export const Risk = /* @__PURE__ */ lazy(() =>
  z
    .object({
      name: z.string(),
      url: z.string(),
      message: z.string(),
      always: z.boolean().check(z.describe('Applies to every cluster')),
      edges: z.int().check(z.describe('How many updates of the channel it concerns')),
    })
    .check(z.meta({ id: 'ChannelRisk', description: 'Why updates may be wrong for some clusters' })),
);

const HeldGraph = /* @__PURE__ */ lazy(() =>
  z
    .object({ reason: z.string(), detail: z.string(), since: At(), rounds: z.int() })
    .check(z.meta({ id: 'HeldGraph', description: 'An upstream graph that is held for review' })),
);

export const ChannelDetail = /* @__PURE__ */ lazy(() =>
  z
    .object({
      ...channel(),
      freshness: z.object({
        lastSuccessAt: z.nullable(At()).check(z.describe('When upstream last gave a good answer')),
        stale: z.boolean().check(z.describe('No good answer for more than two intervals')),
        held: z
          .nullable(HeldGraph())
          .check(z.describe('A changed answer that is not believed yet; see /v1/sync')),
      }),
      withdrawn: z.array(z.string()).check(z.describe('Versions that upstream lastingly no longer lists')),
      excluded: z
        .array(z.string())
        .check(z.describe('Versions that `ignored_openshift_versions` has: no path leads to them')),
      risks: z.array(Risk()).check(z.describe('Those that concern the most updates first')),
    })
    .check(z.meta({ id: 'ChannelDetail', description: 'A channel on one architecture' })),
);

export const ChannelChangePage = /* @__PURE__ */ lazy(() =>
  z
    .object({
      channel: z.string(),
      arch: Arch(),
      since: At(),
      changes: z.array(
        z.object({
          at: At(),
          versionsAdded: z.array(z.string()),
          versionsWithdrawn: z.array(z.string()),
          turnedConditional: z.array(RiskyUpdate()),
          turnedPlain: z.array(RiskyUpdate()),
          risksNew: z.array(z.string()),
          risksGone: z.array(z.string()),
          counts: z
            .object({
              versionsAdded: z.int(),
              versionsWithdrawn: z.int(),
              turnedConditional: z.int(),
              turnedPlain: z.int(),
              edgesAdded: z.int(),
              edgesRemoved: z.int(),
            })
            .check(z.describe('Always whole, while long lists are cut')),
        }),
      ),
      nextCursor: Cursor(),
    })
    .check(z.meta({ id: 'ChannelChangePage', description: 'What changed in a channel, newest first' })),
);
