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
export const WITHDRAWN_AFTER: AbsenceRules = { rounds: 3, ms: 6 * 3600 * 1000 };

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
