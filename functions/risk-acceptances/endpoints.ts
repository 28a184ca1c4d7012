import { acceptanceEnd, endRefusal, isFor, type RiskAcceptance } from '@cairn/shared/risk/acceptances';
import { truncate } from '@cairn/shared/text/quote';
import { type Call, endpoints, type SentFields } from '../http/endpoint.ts';
import { checkPreconditions } from '../http/negotiation.ts';
import { decodeCursor, encodeCursor, limitOf } from '../http/pagination.ts';
import { contended, Problem } from '../http/problem.ts';
import { boundedJson } from '../http/reply.ts';
import { invalidRequest } from '../http/request.ts';
import type { Table } from '../store/table.ts';
import { ACCEPTANCE_ID, type RiskAcceptanceRequest } from './schema.ts';
import {
  deleteAcceptance,
  entityTag,
  type ListedAcceptance,
  putAcceptance,
  readAcceptance,
  readAcceptances,
  stateOf,
  type StoredAcceptance,
} from './store.ts';

interface AcceptanceDependencies {
  readonly table: Table;
  readonly clock: () => number;
}

const ID_ACCEPTED = '1 to 64 lower-case letters, digits and hyphens are accepted';
const LISTED_STATES = 'active,expired';

/** `/v1/risk-acceptances` */
export function riskAcceptanceEndpoints({ table, clock }: AcceptanceDependencies) {
  return endpoints({
    listRiskAcceptances: async ({ query }) => {
      const now = clock();
      const after = query.cursor === undefined ? '' : decodeCursor(query.cursor, idIn);
      const states = (query.state ?? LISTED_STATES).split(',');
      const wanted = (await readAcceptances(table)).filter(
        (acceptance) =>
          acceptance.id > after &&
          states.includes(stateOf(acceptance, now)) &&
          (query.risk === undefined || acceptance.risk === query.risk) &&
          (query.cluster === undefined || isFor(acceptance, query.cluster)),
      );
      const page = wanted.slice(0, limitOf(query));
      return boundedJson({
        acceptances: page.map((acceptance) => listedView(acceptance, now)),
        nextCursor: page.length < wanted.length ? encodeCursor([page.at(-1)!.id]) : null,
      });
    },

    getRiskAcceptance: async ({ path }) => {
      const id = acceptanceId(path);
      const stored = await readAcceptance(table, id);
      if (stored === null) throw unknownAcceptance(id);
      return answer(stored, clock());
    },

    putRiskAcceptance: (call) => putRiskAcceptance({ table, clock }, call),

    deleteRiskAcceptance: async ({ path, headers, principal }) => {
      const id = acceptanceId(path);
      const now = clock();
      const { outcome } = await deleteAcceptance(table, id, {
        at: new Date(now).toISOString(),
        by: principal,
        check: (stored) => checkPreconditions(headers, stored && entityTag(stored, now)),
      });
      if (outcome === 'contended') throw contended(id);
      if (outcome === 'unknown') throw unknownAcceptance(id);
      return { answer: { statusCode: 204, headers: { 'cache-control': 'no-store' }, body: '' } };
    },
  });
}

async function putRiskAcceptance(
  { table, clock }: AcceptanceDependencies,
  { path, body, headers, principal }: Call<'putRiskAcceptance'>,
) {
  const id = acceptanceId(path);
  const now = clock();
  const acceptance = requested(body, now);
  await refuseExcess(table, id, acceptance);
  const change = await putAcceptance(table, id, acceptance, {
    at: new Date(now).toISOString(),
    by: principal,
    check: (stored) => checkPreconditions(headers, stored && entityTag(stored, now)),
  });
  if (!('acceptance' in change)) throw contended(id);
  const { data, headers: sent } = answer(change.acceptance, now);
  return {
    ...(change.isNew && { status: 201 }),
    data,
    headers: { ...sent, ...(change.isNew && { location: `/v1/risk-acceptances/${id}` }) },
  };
}

const END_REFUSALS = {
  past: 'has passed, a later end is accepted',
  'too-late': 'is more than a year ahead, at most a year is accepted',
} as const;

function requested(
  { risk, reason, owner, until, clusters }: RiskAcceptanceRequest,
  now: number,
): RiskAcceptance {
  const refusal = endRefusal(until, now);
  if (refusal !== null) {
    throw invalidRequest([{ pointer: '/until', value: truncate(until), detail: END_REFUSALS[refusal] }]);
  }
  return {
    risk,
    reason: reason.trim(),
    owner: owner.trim(),
    until: new Date(acceptanceEnd(until)!).toISOString(),
    clusters: clusters === 'all' ? clusters : [...new Set(clusters)].toSorted(),
  };
}

const MOST_ACCEPTANCES = 1000;
/** Of all acceptances: every plan of a stored cluster reads them. */
const MOST_NAMED = 20_000;

/** Not part of the conditional write: concurrent requests can exceed the limits a little. */
async function refuseExcess(table: Table, id: string, { clusters }: RiskAcceptance): Promise<void> {
  const others = (await readAcceptances(table)).filter((other) => other.id !== id && !other.isDeleted);
  if (others.length >= MOST_ACCEPTANCES) {
    throw new Problem(
      'too-many-acceptances',
      `there are ${others.length} acceptances, at most ${MOST_ACCEPTANCES} are kept; delete expired ones`,
    );
  }
  const named = others.reduce((sum, other) => sum + namedIn(other), namedIn({ clusters }));
  if (named <= MOST_NAMED) return;
  throw new Problem(
    'too-many-acceptances',
    `all acceptances together would name ${named} clusters, at most ${MOST_NAMED} are kept; accept the risk for "all", or delete expired acceptances`,
  );
}

function namedIn({ clusters }: Pick<RiskAcceptance, 'clusters'>): number {
  return clusters === 'all' ? 0 : clusters.length;
}

function answer(stored: StoredAcceptance, now: number) {
  const history = stored.history.toReversed();
  return { data: { ...listedView(stored, now), history }, headers: { etag: entityTag(stored, now) } };
}

function listedView(stored: ListedAcceptance, now: number) {
  const { id, risk, reason, owner, until, clusters, created, changed } = stored;
  return { id, risk, reason, owner, until, clusters, state: stateOf(stored, now), created, changed };
}

function acceptanceId({ id = '' }: SentFields): string {
  if (ACCEPTANCE_ID.test(id)) return id;
  throw invalidRequest([{ parameter: 'id', value: truncate(id), detail: ID_ACCEPTED }]);
}

function idIn([id = '', ...more]: readonly string[]): string | null {
  return ACCEPTANCE_ID.test(id) && more.length === 0 ? id : null;
}

function unknownAcceptance(id: string): Problem {
  return new Problem(
    'unknown-acceptance',
    `there is no acceptance ${id}; GET /v1/risk-acceptances lists them`,
  );
}
