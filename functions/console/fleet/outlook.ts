import type { Finding, PlanAnswer } from '../data/answers.ts';
import type { ApiError } from '../data/api-error.ts';
import type { Tone } from '../ui/pill.tsx';

export type PlannedHop = PlanAnswer['hops'][number];

/** What the plan of a cluster comes to, in a row of a table. */
export interface Outlook {
  readonly tone: Tone;
  readonly verdict: string;
  /** By urgency, the most urgent first. */
  readonly rank: number;
  readonly isBlocked: boolean;
  /** Where it goes next; null when nowhere. */
  readonly nextHop: string | null;
  readonly skew: Skew | null;
  /** What stands in the way, or is to be looked at. */
  readonly findings: readonly Finding[];
  /** One sentence: what to do. */
  readonly nextStep: string;
}

/** How many minors kubelets get behind the API server on the way, of how many they may: `1 of 2`. */
export interface Skew {
  readonly tone: Tone;
  readonly words: string;
}

const VERDICTS: Readonly<Record<PlanAnswer['verdict'], readonly [Tone, string]>> = {
  blocked: ['block', 'Blocked'],
  unknown: ['cond', 'Not enough is known'],
  'action-required': ['cond', 'Something to do on the way'],
  'ready-with-warnings': ['cond', 'Ready, with warnings'],
  ready: ['ok', 'Ready'],
};
const RANKS = Object.keys(VERDICTS);

export const HOP_VERDICTS: Readonly<Record<PlannedHop['verdict'], readonly [Tone, string]>> = {
  blocked: ['block', 'Blocked'],
  'will-block': ['cond', 'Will be blocked'],
  unknown: ['cond', 'Not enough is known'],
  'allowed-with-warnings': ['cond', 'Allowed, with warnings'],
  allowed: ['ok', 'Allowed'],
};

const EFFECTS: readonly Finding['effect'][] = ['block', 'inform', 'warn'];

/** What is to be dealt with, the weightiest first. */
export function findingsOf(conditions: readonly Finding[]): Finding[] {
  return EFFECTS.flatMap((effect) =>
    conditions.filter((condition) => condition.effect === effect && condition.accepted !== true),
  );
}

export function outlookOf(plan: PlanAnswer): Outlook {
  const { verdict, pathExists, hops } = plan;
  const [tone, words] = VERDICTS[verdict];
  const hasNoPath = pathExists.effect === 'block';
  const isNewest = hops.length === 0 && !hasNoPath;
  // Of several hops that meet the same, the first says it.
  const findings = new Map<string, Finding>();
  for (const finding of findingsOf([pathExists, ...hops.flatMap((hop) => hop.conditions)])) {
    const key = `${finding.type} ${finding.reason}`;
    if (!findings.has(key)) findings.set(key, finding);
  }
  return {
    tone,
    verdict: hasNoPath ? 'No path' : isNewest ? 'Newest of its channel' : words,
    rank: RANKS.indexOf(verdict),
    isBlocked: verdict === 'blocked',
    nextHop: hops[0]?.to ?? null,
    skew: skewOf(hops),
    findings: [...findings.values()],
    nextStep: plan.nextStep,
  };
}

/** The service knows the cluster, but could not plan for it. */
export function failedOutlook({ message }: ApiError): Outlook {
  return {
    tone: 'plain',
    verdict: 'Not planned',
    // After those that something stands against, before those that are well.
    rank: 1.5,
    isBlocked: false,
    nextHop: null,
    skew: null,
    findings: [],
    nextStep: message,
  };
}

function skewOf(hops: readonly PlannedHop[]): Skew | null {
  let worst: { readonly lag: number; readonly limit: number } | null = null;
  for (const { lag, limit } of hops.flatMap((hop) => hop.pools)) {
    if (lag === null || limit === null) continue;
    const nearer = worst === null ? 1 : lag - limit - (worst.lag - worst.limit) || lag - worst.lag;
    if (nearer > 0) worst = { lag, limit };
  }
  return (
    worst && {
      tone: worst.lag > worst.limit ? 'block' : 'ok',
      words: `${Math.max(worst.lag, 0)} of ${worst.limit}`,
    }
  );
}
