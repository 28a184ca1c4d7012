import * as z from 'zod/mini';
import { lazy } from '../runtime/lazy.ts';
import { SWITCH_NAMES } from './store.ts';

export const Switch = /* @__PURE__ */ lazy(() =>
  z
    .object({
      name: z.enum(SWITCH_NAMES),
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
  z.object({ switches: z.array(Switch()) }).check(z.meta({ id: 'Switches' })),
);
