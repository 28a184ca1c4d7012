import { SUPPORT_LEVELS } from '@cairn/shared/releases/support';
import { CPU_ARCHITECTURES } from '@cairn/shared/version/arch';
import * as z from 'zod/mini';
import { Risk } from '../channels/schema.ts';
import { flag, Arch, archName, channelName } from '../http/schema-fields.ts';
import { lazy } from '../runtime/lazy.ts';

const VERSION_PATTERN = /^[0-9A-Za-z.+-]*$/;

const pattern = (description: string) =>
  z.optional(
    z.string().check(
      z.maxLength(64, { error: 'at most 64 characters are accepted' }),
      z.regex(VERSION_PATTERN, {
        error: 'a plain part of a version such as 4.14 is accepted, not a glob or a regular expression',
      }),
      z.describe(description),
    ),
  );

export const openshiftVersionsQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    version: pattern("Keep the versions that contain this text, e.g. '4.12'"),
    version_pattern: pattern('Other name of `version`; when both are given they must be equal'),
    only_latest: flag('Keep only the newest version of each minor'),
    exclude_withdrawn: flag('Leave out versions that upstream no longer lists'),
  }),
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
        multi_cpu_architectures: z.array(z.string()),
        upgrade_channels: z.array(z.object({ cpu_architecture: z.string(), channels: z.array(z.string()) })),
      }),
    )
    .check(z.meta({ id: 'ReleaseSources', description: 'The release sources in force' })),
);

const Update = /* @__PURE__ */ lazy(() =>
  z.object({
    version: z.string(),
    risks: z
      .array(z.string())
      .check(z.describe('Names; none when the update is recommended to every cluster')),
  }),
);

export const VersionDetail = /* @__PURE__ */ lazy(() =>
  z
    .object({
      version: z.string(),
      withdrawn: z.boolean().check(z.describe('Upstream lastingly no longer lists it anywhere')),
      errata: z.nullable(z.string()),
      releases: z
        .array(
          z.object({
            arch: Arch(),
            payload: z.string(),
            digest: z.string(),
            withdrawn: z.boolean(),
            channels: z.array(z.string()),
            withdrawnFrom: z
              .array(z.string())
              .check(z.describe('Those of the channels that no longer list it')),
          }),
        )
        .check(z.describe('One per architecture; more only where channels disagree on the payload')),
      updates: z.object({
        channel: z.string(),
        arch: Arch(),
        from: z.array(Update()).check(z.describe('Versions that can be updated to this one')),
        to: z.array(Update()).check(z.describe('Versions that this one can be updated to')),
        risks: z.array(Risk()).check(z.describe('Those named above')),
      }),
    })
    .check(z.meta({ id: 'VersionDetail', description: 'A version and its updates in one channel' })),
);
