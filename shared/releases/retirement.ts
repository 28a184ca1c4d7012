import type { Arch } from '../version/arch.ts';
import { compareMinors, type Minor } from '../version/minor.ts';

/** A version that the last accepted answers of a channel lacked. */
export interface Absence {
  readonly since: string;
  readonly rounds: number;
  readonly withdrawnAt?: string;
}

export interface AbsenceRules {
  readonly rounds: number;
  readonly ms: number;
}

/** The public service flaps: most versions that vanish are back within hours, so only a lasting absence counts. */
const WITHDRAWN_AFTER: AbsenceRules = { rounds: 3, ms: 6 * 3600 * 1000 };

export interface AbsenceReport {
  readonly missing: Readonly<Record<string, Absence>>;
  /** Versions that became withdrawn with this answer. */
  readonly withdrawn: readonly string[];
  /** Withdrawn versions that this answer has again. */
  readonly returned: readonly string[];
}

/**
 * Carries the absences of a channel on by one accepted answer: absent three times over at least six hours means
 * withdrawn; one appearance forgets it all.
 */
export function trackAbsences(
  before: Readonly<Record<string, Absence>>,
  vanished: readonly string[],
  now: string,
  rules: AbsenceRules = WITHDRAWN_AFTER,
): AbsenceReport {
  const known = new Map(Object.entries(before));
  const missing = new Map<string, Absence>();
  const withdrawn: string[] = [];
  for (const version of vanished) {
    const earlier = known.get(version);
    const since = earlier?.since ?? now;
    const rounds = (earlier?.rounds ?? 0) + 1;
    const isLasting = rounds >= rules.rounds && Date.parse(now) - Date.parse(since) >= rules.ms;
    if (isLasting && earlier?.withdrawnAt === undefined) withdrawn.push(version);
    const withdrawnAt = earlier?.withdrawnAt ?? (isLasting ? now : undefined);
    missing.set(version, { since, rounds, ...(withdrawnAt !== undefined && { withdrawnAt }) });
  }
  const returned = [...known].filter(([version, absence]) => absence.withdrawnAt && !missing.has(version));
  return { missing: Object.fromEntries(missing), withdrawn, returned: returned.map(([version]) => version) };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long the rows of a minor outlive its place in the configuration. */
export const RETIREMENT_GRACE_MS = 14 * DAY_MS;
const MIN_RETIREMENT_GRACE_MS = DAY_MS;

/** The part of all rows that may go at once without anybody naming the minors. */
const UNCONFIRMED_SHARE = 0.2;

export interface RetirableRow {
  readonly version: string;
  readonly arch: Arch;
  readonly minor: Minor;
}

export interface RetirementInput<Row extends RetirableRow> {
  readonly configured: readonly Minor[];
  readonly rows: readonly Row[];
  /** When each minor was first seen to be out of the configuration. */
  readonly retiredSince: ReadonlyMap<Minor, string>;
  /** The minors named in `confirm_removal`. */
  readonly confirmed: readonly Minor[];
  readonly pinnedVersions: ReadonlySet<string>;
  readonly now: string;
  readonly graceMs: number;
}

export interface RetirementPlan<Row extends RetirableRow> {
  readonly retiredSince: ReadonlyMap<Minor, string>;
  readonly deletable: readonly Row[];
  readonly held: { readonly minors: readonly Minor[]; readonly reason: string } | null;
}

/** Zero deletes at once and has to be meant; anything else below a day is more likely a wrong unit. */
function isRetirementGrace(ms: number): boolean {
  return ms === 0 || (Number.isFinite(ms) && ms >= MIN_RETIREMENT_GRACE_MS);
}

/**
 * Decides which rows of minors that left the configuration may go. Absence starts a clock, coming back stops it, and
 * rows go only after the grace time. Several minors or more than a fifth of all rows are held back as a whole until
 * each of those minors is confirmed: deleting the confirmed ones first would make the last one look harmless.
 *
 * Without a single configured minor nothing is retired: an empty configuration is more likely lost than meant.
 */
export function planRetirement<Row extends RetirableRow>(input: RetirementInput<Row>): RetirementPlan<Row> {
  const { rows, now, graceMs } = input;
  if (!isRetirementGrace(graceMs)) {
    throw new RangeError(
      `grace of ${graceMs} ms is refused, accepted are 0 and ${MIN_RETIREMENT_GRACE_MS} or more`,
    );
  }
  if (input.configured.length === 0) return { retiredSince: new Map(), deletable: [], held: null };

  const configured = new Set(input.configured);
  const absent = new Set(rows.map((row) => row.minor).filter((minor) => !configured.has(minor)));
  const retiredSince = new Map(
    [...absent].toSorted(compareMinors).map((minor) => [minor, input.retiredSince.get(minor) ?? now]),
  );
  const isDue = (minor: Minor) => {
    const since = retiredSince.get(minor);
    return since !== undefined && Date.parse(now) - Date.parse(since) >= graceMs;
  };
  const doomed = rows.filter((row) => isDue(row.minor) && !input.pinnedVersions.has(row.version));
  const reason = whyConfirm(doomed, rows.length);
  const unconfirmed = minorsOf(doomed).filter((minor) => !input.confirmed.includes(minor));
  if (reason === null || unconfirmed.length === 0) return { retiredSince, deletable: doomed, held: null };
  return { retiredSince, deletable: [], held: { minors: unconfirmed, reason } };
}

function whyConfirm(doomed: readonly RetirableRow[], total: number): string | null {
  const minors = minorsOf(doomed);
  const isMuch = doomed.length > total * UNCONFIRMED_SHARE;
  if (minors.length <= 1 && !isMuch) return null;
  const what = `${doomed.length} of ${total} releases (${minors.join(', ')})`;
  return `${what} would be deleted at once, name each of these minors in confirm_removal`;
}

function minorsOf(rows: readonly RetirableRow[]): Minor[] {
  return [...new Set(rows.map((row) => row.minor))].toSorted(compareMinors);
}
