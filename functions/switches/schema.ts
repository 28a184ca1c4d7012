import * as z from 'zod/mini';
import { lazy } from '../runtime/lazy.ts';

export const LONGEST_REASON = 500;

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
    .check(z.meta({ id: 'SwitchRequest' })),
);
