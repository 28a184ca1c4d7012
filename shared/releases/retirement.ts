import type { Arch } from '../version/arch.ts';
import { compareMinors, type Minor } from '../version/minor.ts';

/** Version missing from the last accepted graphs of a channel. */
export interface Absence {
  readonly since: string;
  readonly rounds: number;
  readonly withdrawnAt?: string;
}

/** The public service flaps: most vanished versions return within hours, so only a lasting absence counts. */
const WITHDRAWN_AFTER = { rounds: 3, ms: 6 * 3600 * 1000 };

export interface AbsenceReport {
  readonly missing: Readonly<Record<string, Absence>>;
  /** Newly withdrawn with this graph. */
  readonly withdrawn: readonly string[];
  /** Withdrawn versions that this graph lists again. */
  readonly returned: readonly string[];
}

/** Three consecutive absences over at least six hours mean withdrawn; one appearance resets the count. */
export function trackAbsences(
  before: Readonly<Record<string, Absence>>,
  vanished: readonly string[],
  now: string,
): AbsenceReport {
  const known = new Map(Object.entries(before));
  const missing = new Map<string, Absence>();
  const withdrawn: string[] = [];
  for (const version of vanished) {
    const earlier = known.get(version);
    const since = earlier?.since ?? now;
    const rounds = (earlier?.rounds ?? 0) + 1;
    const lasted = Date.parse(now) - Date.parse(since);
    const isLasting = rounds >= WITHDRAWN_AFTER.rounds && lasted >= WITHDRAWN_AFTER.ms;
    if (isLasting && earlier?.withdrawnAt === undefined) withdrawn.push(version);
    const withdrawnAt = earlier?.withdrawnAt ?? (isLasting ? now : undefined);
    missing.set(version, { since, rounds, ...(withdrawnAt !== undefined && { withdrawnAt }) });
  }
  const returned = [...known].filter(([version, absence]) => absence.withdrawnAt && !missing.has(version));
  return { missing: Object.fromEntries(missing), withdrawn, returned: returned.map(([version]) => version) };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Time that rows of a minor outlive its configuration. */
export const RETIREMENT_GRACE_MS = 14 * DAY_MS;
const MIN_RETIREMENT_GRACE_MS = DAY_MS;

/** Share of all rows that can be deleted at once without confirmation. */
const UNCONFIRMED_SHARE = 0.2;

interface RetirableRow {
  readonly version: string;
  readonly arch: Arch;
  readonly minor: Minor;
}

interface RetirementInput<Row extends RetirableRow> {
  readonly configured: readonly Minor[];
  readonly rows: readonly Row[];
  /** First time each minor was missing from the configuration. */
  readonly retiredSince: ReadonlyMap<Minor, string>;
  readonly confirmed: readonly Minor[];
  readonly pinnedVersions: ReadonlySet<string>;
  readonly now: string;
  readonly graceMs: number;
}

interface RetirementPlan<Row extends RetirableRow> {
  readonly retiredSince: ReadonlyMap<Minor, string>;
  readonly deletable: readonly Row[];
  readonly held: { readonly minors: readonly Minor[]; readonly reason: string } | null;
}

/**
 * Plans the deletion of rows whose minor left the configuration; a return of the minor resets the grace period. Several
 * minors, or more than a fifth of all rows, need confirmation of each minor first: deleting the confirmed ones would
 * make the last one look harmless. An empty configuration retires nothing: it is more likely lost than intended.
 */
export function planRetirement<Row extends RetirableRow>(input: RetirementInput<Row>): RetirementPlan<Row> {
  const { rows, now, graceMs } = input;
  // Zero deletes at once and must be explicit; another value below a day is likely a wrong unit.
  if (graceMs !== 0 && !(Number.isFinite(graceMs) && graceMs >= MIN_RETIREMENT_GRACE_MS)) {
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
