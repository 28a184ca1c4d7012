import { SUPPORT_LEVELS } from '@cairn/shared/releases/support';
import {
  ASSISTED_ARCHITECTURES,
  ASSISTED_SOURCE_ARCHITECTURES,
  ASSISTED_CHANNELS,
  SUPPORT_PHASES,
} from '@cairn/shared/releases/values';
import { CPU_ARCHITECTURES } from '@cairn/shared/version/arch';
import * as z from 'zod/mini';
import { Risk } from '../channels/schema.ts';
import { Cursor, flag, Arch, archName, channelName, oneOf, page, text } from '../http/schema-fields.ts';
import { lazy } from '../runtime/lazy.ts';

const VERSION_PATTERN = /^[0-9A-Za-z.+-]*$/;

const VERSION_COMPONENTS =
  /^(\d{1,9}(\.\d{1,9}){0,2}(-multi)?|\d{1,9}(\.\d{1,9})?\.|\d{1,9}\.\d{1,9}\.\d{1,9}-[0-9A-Za-z.-]{1,40})?$/;

/** Shared with the list of `/v1/versions`. */
const versionPattern = () =>
  z.optional(
    text(
      VERSION_COMPONENTS,
      'whole components of a version are accepted: 4, 4.12, 4.12.3 or 4.12.0-rc, each also with -multi',
      'Keep the versions with these components: `4.12` is 4.12.x, `4.1` is not 4.12, `4.12.3` is that version, `4.12.0-rc` its release candidates. `-multi` at the end keeps multi releases only',
    ),
  );

export const openshiftVersionsQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    version: z.optional(
      z.string().check(
        z.maxLength(64, { error: 'at most 64 characters are accepted' }),
        z.regex(VERSION_PATTERN, {
          error:
            'a plain part of a version such as 4.14 is accepted, not a glob or a regular expression; version_pattern matches whole components',
        }),
        z.describe(
          'Keep the versions that contain this text anywhere, as in assisted-service: `4.1` is also in 4.12. To match whole components, use `version_pattern`',
        ),
      ),
    ),
    version_pattern: versionPattern(),
    cpu_architecture: z.optional(
      archName(
        'Keep the versions for this architecture: its own releases, and multi releases that contain it',
      ),
    ),
    only_latest: flag(
      'Keep only the newest version of each minor and architecture that is not beta. An architecture with only beta versions of a minor keeps the newest of them. `cpu_architecture` then narrows this list',
    ),
    exclude_withdrawn: flag('Leave out versions that upstream no longer lists'),
  }),
);

export const versionsQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    version_pattern: versionPattern(),
    channel: z.optional(channelName('Keep the versions that this followed channel has')),
    arch: z.optional(archName('Keep the versions for this architecture')),
    support_level: z.optional(oneOf(SUPPORT_LEVELS, 'Keep the versions of this level')),
    exclude_withdrawn: flag('Leave out versions that upstream no longer lists'),
    ...page(),
  }),
);

const ListedVersion = /* @__PURE__ */ lazy(() =>
  z.object({
    version: z.string(),
    minor: z.string(),
    supportLevel: z
      .enum(SUPPORT_LEVELS)
      .check(
        z.describe(
          '`beta` for pre-releases, and for releases that a followed stable, eus or fast channel of their minor does not have',
        ),
      ),
    default: z.boolean().check(z.describe('Default version of installers')),
    withdrawn: z.boolean().check(z.describe('No followed channel lists it any longer')),
    static: z.boolean().check(z.describe('`release_images` of the configuration has it')),
    arches: z.array(Arch()).check(z.describe('Those of the followed channels and of static releases')),
    channels: z.array(z.string()).check(z.describe('Followed channels that have it, by minor')),
  }),
);

export const VersionPage = /* @__PURE__ */ lazy(() =>
  z
    .object({ versions: z.array(ListedVersion()), nextCursor: Cursor() })
    .check(z.meta({ id: 'VersionPage', description: 'Known versions, newest first' })),
);

export const versionQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    channel: z.optional(
      channelName(
        'Show the updates in this channel; when not given, in the most stable one that holds the version',
      ),
    ),
    arch: z.optional(
      archName(
        'Show the updates on this architecture; when not given, on amd64 or the first that has the version',
      ),
    ),
  }),
);

const CpuArchitectureName = /* @__PURE__ */ lazy(() => z.enum(CPU_ARCHITECTURES));

export const OpenshiftVersion = /* @__PURE__ */ lazy(() =>
  z
    .object({
      display_name: z.string(),
      support_level: z.enum(SUPPORT_LEVELS),
      default: z.optional(z.boolean()),
      cpu_architectures: z.array(CpuArchitectureName()),
    })
    .check(z.meta({ id: 'OpenshiftVersion', description: 'A version that can be installed' })),
);

export const OpenshiftVersions = /* @__PURE__ */ lazy(() =>
  z
    .record(z.string(), OpenshiftVersion())
    .check(z.meta({ id: 'OpenshiftVersions', description: 'Versions by display name, newest first' })),
);

export const ReleaseSources = /* @__PURE__ */ lazy(() =>
  z
    .array(
      z.object({
        openshift_version: z.string(),
        multi_cpu_architectures: z.array(z.enum(ASSISTED_ARCHITECTURES)),
        upgrade_channels: z.array(
          z.object({
            cpu_architecture: z.enum(ASSISTED_SOURCE_ARCHITECTURES),
            channels: z.array(z.enum(ASSISTED_CHANNELS)),
          }),
        ),
      }),
    )
    .check(
      z.meta({
        id: 'ReleaseSources',
        description: 'The release sources in force, by the names of assisted-service',
      }),
    ),
);

const Day = /* @__PURE__ */ lazy(() => z.nullable(z.string()));

const MinorSupport = /* @__PURE__ */ lazy(() =>
  z
    .object({
      minor: z.string(),
      phase: z
        .enum(SUPPORT_PHASES)
        .check(
          z.describe('Today: `eus1` to `eus3` are Extended Update Support terms; `ended` is end of life'),
        ),
      supportedUntil: Day().check(
        z.describe('Last day with the support terms of the deployment; null when no date is known'),
      ),
      restsOn: z.nullable(z.string()).check(z.describe('Phase that ends on that day')),
      supportEnds: Day().check(z.describe('Last day of maintenance, with every subscription')),
      extendedSupportEnds: Day().check(
        z.describe('Last day of the last published Extended Update Support term; null when there is none'),
      ),
      assumed: z
        .boolean()
        .check(z.describe('The dates are computed, or the minor is newer than the life cycle table')),
    })
    .check(z.meta({ id: 'MinorSupport', description: 'Support of a minor today' })),
);

const SupportDates = /* @__PURE__ */ lazy(() =>
  z.object({
    ga: Day().check(z.describe('General availability')),
    maintenance: z.string(),
    eus: z.array(z.string()).check(z.describe('Last days of the Extended Update Support terms')),
  }),
);

export const Support = /* @__PURE__ */ lazy(() =>
  z
    .object({
      eusTerms: z.int().check(z.describe('Extended Update Support terms that the deployment counts')),
      dates: z
        .record(z.string(), SupportDates())
        .check(z.describe('`support_dates` of the configuration, by minor')),
      minors: z.array(MinorSupport()).check(z.describe('Oldest first; older minors have ended')),
    })
    .check(z.meta({ id: 'Support', description: 'Support of the minors' })),
);

const Update = /* @__PURE__ */ lazy(() =>
  z
    .object({
      version: z.string(),
      risks: z
        .array(z.string())
        .check(z.describe('Names; none when the update is recommended to every cluster')),
    })
    .check(z.meta({ id: 'VersionUpdate', description: 'An update from or to a version' })),
);

export const VersionDetail = /* @__PURE__ */ lazy(() =>
  z
    .object({
      version: z.string(),
      withdrawn: z.boolean().check(z.describe('Upstream lastingly no longer lists it anywhere')),
      excluded: z.boolean().check(z.describe('`ignored_openshift_versions` has it: no update leads to it')),
      errata: z.nullable(z.string()),
      releases: z
        .array(
          z.object({
            arch: Arch(),
            url: z.string().check(z.describe('Release image by tag; of a static release as configured')),
            static: z.boolean().check(z.describe('`release_images` of the configuration has it')),
            payload: z.string(),
            digest: z.nullable(z.string()).check(z.describe('Null for a static release by tag')),
            withdrawn: z.boolean(),
            channels: z.array(z.string()),
            withdrawnFrom: z
              .array(z.string())
              .check(z.describe('Those of the channels that no longer list it')),
          }),
        )
        .check(z.describe('One per architecture; more only where channels disagree on the payload')),
      updates: z.object({
        channel: z
          .nullable(z.string())
          .check(z.describe('Null for a static release that no followed channel has')),
        arch: Arch(),
        from: z.array(Update()).check(z.describe('Versions that can be updated to this one')),
        to: z.array(Update()).check(z.describe('Versions that this one can be updated to')),
        risks: z.array(Risk()).check(z.describe('Those named above')),
      }),
      support: MinorSupport(),
    })
    .check(z.meta({ id: 'VersionDetail', description: 'A version and its updates in one channel' })),
);
