/** A known risk that is accepted for some time. */
export interface RiskAcceptance {
  readonly risk: string;
  readonly reason: string;
  readonly owner: string;
  /** Time from which it no longer counts. */
  readonly until: string;
  readonly clusters: readonly string[] | 'all';
}

export const ACCEPTANCE_STATES = ['active', 'expired', 'deleted'] as const;
export type AcceptanceState = (typeof ACCEPTANCE_STATES)[number];

/** What a change did to an acceptance. */
export const ACCEPTANCE_ACTIONS = ['created', 'replaced', 'deleted'] as const;

/** Who accepted a risk; all null if it is only named, as in the settings of a cluster. */
export interface AcceptedRisk {
  readonly reason: string | null;
  readonly owner: string | null;
  readonly until: string | null;
}

/** By name of the risk. */
export type AcceptedRisks = ReadonlyMap<string, AcceptedRisk>;

const NAMED_ONLY: AcceptedRisk = { reason: null, owner: null, until: null };

/** Risks accepted by name. */
export function namedRisks(names: readonly string[]): AcceptedRisks {
  return new Map(names.map((name) => [name, NAMED_ONLY]));
}

export function isActive({ until }: Pick<RiskAcceptance, 'until'>, now: number): boolean {
  return now < Date.parse(until);
}

/** The acceptance names the cluster, or is for all. */
export function isFor({ clusters }: Pick<RiskAcceptance, 'clusters'>, cluster: string): boolean {
  return clusters === 'all' || clusters.includes(cluster);
}

/**
 * Risks accepted for a cluster: those named in its settings, and those of the acceptances that count now. Of several
 * acceptances of a risk, the one that ends last is given.
 */
export function acceptedRisks(
  cluster: string,
  {
    now,
    acceptances,
    named = [],
  }: {
    readonly now: number;
    readonly acceptances: readonly RiskAcceptance[];
    readonly named?: readonly string[] | undefined;
  },
): AcceptedRisks {
  const counting = acceptances
    .filter((acceptance) => isActive(acceptance, now) && isFor(acceptance, cluster))
    .toSorted((a, b) => Date.parse(a.until) - Date.parse(b.until));
  return new Map([
    ...namedRisks(named),
    ...counting.map(({ risk, reason, owner, until }) => [risk, { reason, owner, until }] as const),
  ]);
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;
const DAY_MS = 24 * 3600_000;

/** Form of what {@link acceptanceEnd} accepts. */
export const ACCEPTANCE_END = new RegExp(`${DAY.source}|${TIME.source}`);

/** Reads a time, or a day that counts to its end in UTC. Null for no such time, such as February 30. */
export function acceptanceEnd(text: string): number | null {
  const isDay = DAY.test(text);
  if (!isDay && !TIME.test(text)) return null;
  const time = Date.parse(text);
  // Date.parse moves February 30 to March.
  if (Number.isNaN(time) || !isRealDay(text.slice(0, 'YYYY-MM-DD'.length))) return null;
  return isDay ? time + DAY_MS : time;
}

function isRealDay(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** Why an end that {@link acceptanceEnd} reads is refused. A day may be that of today, and that of a year ahead. */
export function endRefusal(text: string, now: number): 'past' | 'too-late' | null {
  const end = acceptanceEnd(text)!;
  if (end <= now) return 'past';
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + 1);
  const isTooLate = DAY.test(text)
    ? text > latest.toISOString().slice(0, text.length)
    : end > latest.getTime();
  return isTooLate ? 'too-late' : null;
}

/** An acceptance that ends within this time is news. */
export const ENDS_SOON_MS = 7 * DAY_MS;
