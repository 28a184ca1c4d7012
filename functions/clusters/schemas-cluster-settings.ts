import * as z from 'zod/mini';
import { channels, names, target } from '../http/schema-fields.ts';
import { lazy, type Output } from '../runtime/lazy.ts';
import { planOptions, timeZone, windows } from '../plans/schema.ts';

/** What people say of a cluster. */
export const clusterSettings = /* @__PURE__ */ lazy(() => {
  const { policy, strategy } = planOptions();
  return z
    .strictObject({
      target: z.optional(
        target().check(
          z.describe(
            'Where it is to go: a version, a minor or `latest`. When not given, the minor of its channel, or the next minor',
          ),
        ),
      ),
      channel: z.optional(channels('Channels to go by; the best that lead there when not given')),
      accept_risk: z.optional(names('Names of risks that are accepted on the way')),
      accept: z.optional(names('Reasons or types of findings that are accepted')),
      policy,
      strategy,
      windows: z.optional(windows()),
      time_zone: timeZone(),
    })
    .check(z.meta({ id: 'ClusterSettings' }));
});

export type ClusterSettingsRequest = Output<typeof clusterSettings>;
