import * as z from 'zod/mini';
import { lazy } from '../runtime/lazy.ts';
import { EVENT_TRIGGERS, SKIP_REASONS } from '../store/leases.ts';

export const SkippedJobRun = /* @__PURE__ */ lazy(() =>
  z
    .object({
      slot: z.string().check(z.describe('The time the run was scheduled for')),
      trigger: z.enum(EVENT_TRIGGERS),
      reason: z
        .enum(SKIP_REASONS)
        .check(
          z.describe(
            '`Missed`: it came too late. `Duplicate`: this slot or a later one is done or under way. `Concurrent`: another run was under way. `Superseded`: a later run took over. `Suspended`: the pruner is suspended. `Stopped`: stopped by hand.',
          ),
        ),
    })
    .check(z.meta({ id: 'SkippedJobRun', description: 'A run that did nothing, and why' })),
);
