import { REPORTED_KINDS } from '@cairn/shared/cluster/facts';
import { parseDuration } from '@cairn/shared/text/duration';
import * as z from 'zod/mini';
import { page } from '../channels/schema.ts';
import { channelList, inWords, oneOf, text, TEXT_FORMATS } from '../http/schema-fields.ts';
import { lazy, type Output } from '../runtime/lazy.ts';
import { flag } from '../graph/schema.ts';
import { CLUSTER_VERDICTS } from '@cairn/shared/safety/values';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const LIST_FORMATS = ['json', 'csv'] as const;
const TIME_ACCEPTED = 'a time such as 2026-11-01T12:00:00Z is accepted';

/** What may be said beside the documents of a cluster. */
export const clusterReport = /* @__PURE__ */ lazy(() =>
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
          .array(oneOf(REPORTED_KINDS, ''), { error: `a list is accepted, of ${REPORTED_KINDS.join(', ')}` })
          .check(
            z.maxLength(REPORTED_KINDS.length),
            z.describe(
              'Kinds that are still as they were last reported and so are not in the documents; best with `If-Match`',
            ),
          ),
      ),
    })
    .check(z.meta({ id: 'ClusterReport' })),
);

const VERDICT = CLUSTER_VERDICTS.join('|');

const overdueAfter = () =>
  z.optional(
    z.string().check(
      z.refine((value) => (parseDuration(value) ?? 0) > 0, {
        error: 'a duration such as 24h or 7d is accepted',
      }),
      z.describe('After how long without a report a cluster is overdue; 24h when not given'),
    ),
  );

export const clustersQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    name: z.optional(text(/^.{1,100}$/, 'a part of an id is accepted', 'Keep those whose id has this in it')),
    minor: z.optional(
      text(
        /^\d{1,2}\.\d{1,3}(,\d{1,2}\.\d{1,3}){0,49}$/,
        'minors such as 4.14 are accepted, with commas between them',
        'Keep those that run one of these minors. With commas, or repeated',
      ),
    ),
    channel: z.optional(channelList('Keep those that follow one of these channels')),
    verdict: z.optional(
      text(
        new RegExp(`^(${VERDICT})(,(${VERDICT})){0,5}$`),
        `${inWords(CLUSTER_VERDICTS)} is accepted`,
        'Keep those with one of these verdicts; `pending` are those that were not looked at yet. With commas, or repeated',
      ),
    ),
    blocker: z.optional(
      text(/^[A-Za-z]{1,64}$/, 'a type of a condition is accepted', 'Keep those that this condition blocks'),
    ),
    overdue: flag('Keep those whose report is overdue; `false` those whose report is not'),
    overdue_after: overdueAfter(),
    format: z.optional(oneOf(LIST_FORMATS, '`csv`: a sheet of up to 10,000 rows; `json` when not given')),
    ...page(),
  }),
);

export type ClustersQuery = Output<typeof clustersQuery>;

export const fleetSummaryQuery = /* @__PURE__ */ lazy(() => z.object({ overdue_after: overdueAfter() }));

export const clusterQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    usernames: flag('Tell who uses APIs that go away, as far as that is stored'),
    digests: flag('Tell a digest of each kind, by which a reporter knows what has changed'),
  }),
);

export const clusterHistoryQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    explain: flag('Tell how each entry ranks: the lowest goes first when there are more than are kept'),
    format: z.optional(oneOf(TEXT_FORMATS, '`json` when not given')),
  }),
);
