import { parseSince } from '@cairn/shared/text/duration';
import * as z from 'zod/mini';
import { lazy } from '../runtime/lazy.ts';
import { ARCH_NAMES } from '@cairn/shared/version/arch';
import { inWords, text } from '../http/schema-fields.ts';
import { CHANNEL_ORDER } from '@cairn/shared/releases/release-sources';

export const ARCH_ACCEPTED = `${inWords(ARCH_NAMES)} is accepted`;

/** `multi` may begin with a capital, as release image tags have it. */
export const archName = (description: string) =>
  text(
    new RegExp(`^(${ARCH_NAMES.map((name) => name.replace('multi', '[mM]ulti')).join('|')})$`),
    ARCH_ACCEPTED,
    description,
  );

const arch = (description: string) => z.optional(archName(description));

export const page = () => ({
  limit: z.optional(
    z
      .string()
      .check(
        z.regex(/^([1-9][0-9]{0,2}|1000)$/, { error: 'a number from 1 to 1000 is accepted' }),
        z.describe('How many at most; 100 when not given'),
      ),
  ),
  cursor: z.optional(
    z
      .string()
      .check(
        z.maxLength(400, { error: 'the nextCursor of the page before is accepted' }),
        z.describe('`nextCursor` of the page before'),
      ),
  ),
});

export const channelsQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    arch: arch('Keep the channels of this architecture'),
    prefix: z.optional(
      z.string().check(
        z.regex(new RegExp(`^(${CHANNEL_ORDER.join('|')})$`), {
          error: `${inWords(CHANNEL_ORDER)} is accepted`,
        }),
        z.describe('Keep the channels whose name begins with it, such as stable'),
      ),
    ),
    minor: z.optional(
      z
        .string()
        .check(
          z.regex(/^\d{1,2}\.\d{1,3}$/, { error: 'a minor such as 4.14 is accepted' }),
          z.describe('Keep the channels of this minor, such as 4.14'),
        ),
    ),
    ...page(),
  }),
);

export const channelChangesQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    since: z.optional(
      z.string().check(
        z.refine((text) => parseSince(text, 0) !== null, {
          error: 'a time such as 2026-11-01T00:00:00Z or a duration such as 24h or 7d is accepted',
        }),
        z.describe(
          'From when on: a time, a day, or how long before now in minutes, hours, days or weeks (90m, 24h, 7d, 2w); 7d when not given',
        ),
      ),
    ),
    ...page(),
  }),
);

export const versionQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    channel: z.optional(
      z
        .string()
        .check(
          z.regex(/^[0-9a-z.-]{1,64}$/, { error: 'a channel such as stable-4.14 is accepted' }),
          z.describe(
            'Show the updates in this channel; when not given, in the most stable one that holds the version',
          ),
        ),
    ),
    arch: arch(
      'Show the updates on this architecture; when not given, on amd64 or the first that has the version',
    ),
  }),
);
