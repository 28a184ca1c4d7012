import * as z from 'zod/mini';
import { lazy } from '../runtime/lazy.ts';
import { ARCHES } from '@cairn/shared/version/arch';
import { inWords } from '../http/schema-fields.ts';

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
export const flag = (description: string) =>
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

export const openshiftVersionsQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    version: pattern("Keep the versions that contain this text, e.g. '4.12'"),
    version_pattern: pattern('Other name of `version`; when both are given they must be equal'),
    only_latest: flag('Keep only the newest version of each minor'),
    exclude_withdrawn: flag('Leave out versions that upstream no longer lists'),
  }),
);

/** Told to clients whose value does not match, so they are spelled as the update protocol spells them. */
// oxlint-disable-next-line no-useless-escape
export const GRAPH_CHANNEL = /^[0-9a-z\-\.]+$/;
export const GRAPH_ARCH = /^[0-9a-z]+$/;
export const GRAPH_TRIM = /^reachable$/;

export const graphQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    channel: z.string().check(z.regex(GRAPH_CHANNEL), z.describe('The channel, such as stable-4.14')),
    arch: z.optional(
      z
        .string()
        .check(
          z.regex(GRAPH_ARCH),
          z.describe(
            `amd64 (when not given), ${inWords(ARCHES.filter((name) => name !== 'amd64'))}, which is an architecture of its own`,
          ),
        ),
    ),
    version: z.optional(z.string().check(z.describe('The version of the cluster; ignored without `trim`'))),
    trim: z.optional(
      z
        .string()
        .check(
          z.regex(GRAPH_TRIM),
          z.describe(
            '`reachable`: only what can be reached from `version`, conditional updates included. An addition to the protocol',
          ),
        ),
    ),
    id: z.optional(z.string().check(z.describe('The identifier of the cluster; ignored'))),
  }),
);
