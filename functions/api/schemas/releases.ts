import * as z from 'zod/mini';

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

/** `?only_latest` with no value means true, as the original proposal asks. */
const flag = (description: string) =>
  z.optional(
    z
      .string()
      .check(
        z.regex(/^(true|false|1|0|)$/i, { error: 'true, false, 1, 0 or no value is accepted' }),
        z.describe(description),
      ),
  );

export const isFlagSet = (text: string | undefined): boolean =>
  text !== undefined && /^(true|1|)$/i.test(text);

export const OpenshiftVersionsQuery = z.object({
  version: pattern("Keep the versions that contain this text, e.g. '4.12'"),
  version_pattern: pattern('Other name of `version`; when both are given they must be equal'),
  only_latest: flag('Keep only the newest version of each minor'),
  exclude_withdrawn: flag('Leave out versions that upstream no longer lists'),
});

const CpuArchitectureName = z.enum(['x86_64', 'arm64', 'ppc64le', 's390x', 'multi']);

export const OpenshiftVersion = z
  .object({
    display_name: z.string(),
    support_level: z.enum(['beta', 'production', 'maintenance', 'end-of-life']),
    default: z.optional(z.boolean()),
    cpu_architectures: z.array(CpuArchitectureName),
  })
  .check(z.meta({ id: 'OpenshiftVersion', description: 'A version that can be installed' }));

export const OpenshiftVersions = z
  .record(z.string(), OpenshiftVersion)
  .check(z.meta({ id: 'OpenshiftVersions', description: 'Versions by display name, newest first' }));

export const ReleaseSources = z
  .array(
    z.object({
      openshift_version: z.string(),
      multi_cpu_architectures: z.array(z.string()),
      upgrade_channels: z.array(z.object({ cpu_architecture: z.string(), channels: z.array(z.string()) })),
    }),
  )
  .check(z.meta({ id: 'ReleaseSources', description: 'The release sources in force' }));
