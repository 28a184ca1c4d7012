import * as z from 'zod/mini';
import { page } from './channel-requests.ts';
import { oneOf } from './fields.ts';
import { once } from './once.ts';
import { flag } from './requests.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
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
    })
    .check(z.meta({ id: 'ClusterReport' })),
);

export const clustersQuery = once(() => z.object(page()));

export const clusterQuery = once(() =>
  z.object({ usernames: flag('Tell who uses APIs that go away, as far as that is stored') }),
);

export const clusterHistoryQuery = once(() =>
  z.object({
    explain: flag('Tell how each entry ranks: the lowest goes first when there are more than are kept'),
    format: z.optional(oneOf(['json', 'text'], '`json` when not given')),
  }),
);
