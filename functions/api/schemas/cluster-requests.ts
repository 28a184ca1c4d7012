import type { ReportedKind } from '@cairn/shared/cluster/cluster-record';
import * as z from 'zod/mini';
import { page } from './channel-requests.ts';
import { oneOf } from './fields.ts';
import { once } from './once.ts';
import { flag } from './requests.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
/** Spelled out here: what reads documents is not to be loaded with the schemas. */
const KINDS = [
  'clusterVersion',
  'clusterOperators',
  'nodes',
  'pools',
  'operators',
  'subscriptions',
  'apiUse',
  'adminGates',
  'adminAcks',
  'infrastructure',
  'networkType',
  'podsPerNode',
] as const satisfies readonly ReportedKind[];
const TIME_ACCEPTED = 'a time such as 2026-11-01T12:00:00Z is accepted';

/** What may be said beside the documents of a cluster. */
export const clusterReport = once(() =>
  z
    .strictObject({
      collected_at: z.optional(
        z.string({ error: TIME_ACCEPTED }).check(
          z.refine((text) => TIME.test(text) && !Number.isNaN(Date.parse(text)), { error: TIME_ACCEPTED }),
          z.describe('When the documents were collected; now when not given'),
        ),
      ),
      usernames: z.optional(
        z
          .boolean({ error: 'true or false is accepted' })
          .check(z.describe('Keep the names of people who use APIs that go away')),
      ),
      replace: z.optional(
        z
          .boolean({ error: 'true or false is accepted' })
          .check(
            z.describe(
              'Forget the kinds that are not in the documents, and take these even if they are of another cluster',
            ),
          ),
      ),
      unchanged: z.optional(
        z
          .array(oneOf(KINDS, ''), { error: `a list is accepted, of ${KINDS.join(', ')}` })
          .check(
            z.maxLength(KINDS.length),
            z.describe(
              'Kinds that are still as they were last reported and so are not in the documents; best with `If-Match`',
            ),
          ),
      ),
    })
    .check(z.meta({ id: 'ClusterReport' })),
);

export const clustersQuery = once(() => z.object(page()));

export const clusterQuery = once(() =>
  z.object({
    usernames: flag('Tell who uses APIs that go away, as far as that is stored'),
    digests: flag('Tell a digest of each kind, by which a reporter knows what has changed'),
  }),
);

export const clusterHistoryQuery = once(() =>
  z.object({
    explain: flag('Tell how each entry ranks: the lowest goes first when there are more than are kept'),
    format: z.optional(oneOf(['json', 'text'], '`json` when not given')),
  }),
);
