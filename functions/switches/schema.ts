import * as z from 'zod/mini';
import { lazy } from '../runtime/lazy.ts';
import { SWITCH_ALIASES, SWITCH_NAMES } from './store.ts';

const URL_NAMES = [...SWITCH_NAMES, ...Object.values(SWITCH_ALIASES)];

/** Name of a switch in the URL. */
export const switchName = /* @__PURE__ */ lazy(() => z.enum(URL_NAMES));

const LONGEST_REASON = 500;

export const switchRequest = /* @__PURE__ */ lazy(() =>
  z
    .strictObject({
      stopped: z.boolean({ error: 'true or false is accepted' }).check(z.describe('Whether it is to stop')),
      reason: z.optional(
        z
          .string({ error: 'a sentence is accepted' })
          .check(
            z.regex(/\S/, { error: 'a sentence is accepted' }),
            z.maxLength(LONGEST_REASON, { error: `at most ${LONGEST_REASON} characters are accepted` }),
            z.describe('Why, for everybody who meets it; needed to stop something'),
          ),
      ),
    })
    .check(z.meta({ id: 'SwitchRequest', description: 'State to which to set a kill switch' })),
);

export const Switch = /* @__PURE__ */ lazy(() =>
  z
    .object({
      name: z.enum(SWITCH_NAMES),
      alias: z.optional(z.string().check(z.describe('Another name, which the URL takes as well'))),
      stopped: z.boolean(),
      reason: z.optional(z.string()),
      since: z.optional(z.string().check(z.describe('Time in ISO 8601, UTC'))),
      by: z.optional(z.string().check(z.describe('Who said so last'))),
    })
    .check(
      z.meta({
        id: 'Switch',
        description:
          'Something that can be stopped by hand; `reason`, `since` and `by` are there while it is',
      }),
    ),
);

export const Switches = /* @__PURE__ */ lazy(() =>
  z
    .object({ switches: z.array(Switch()) })
    .check(z.meta({ id: 'SwitchList', description: 'All kill switches' })),
);
