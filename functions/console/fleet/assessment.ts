import type { Condition } from '@cairn/shared/safety/condition';
import type { PlanAnswer } from '../data/responses.ts';
import type { Tone } from '../ui/pill.tsx';
import { VERDICT_MARKS } from './rows.ts';

export type PlannedHop = PlanAnswer['hops'][number];

export interface AssessedUpgrade {
  readonly tone: Tone;
  readonly verdict: string;
  readonly skew: Skew | null;
  readonly findings: readonly Condition[];
  readonly nextStep: string;
}

/** Kubelet skew on the path and its limit: `1 of 2`. */
interface Skew {
  readonly tone: Tone;
  readonly words: string;
}

export const HOP_VERDICTS: Readonly<Record<PlannedHop['verdict'], readonly [Tone, string]>> = {
  blocked: ['block', 'Blocked'],
  'will-block': ['cond', 'Will be blocked'],
  unknown: ['cond', 'Not enough is known'],
  'allowed-with-warnings': ['cond', 'Allowed, with warnings'],
  allowed: ['ok', 'Allowed'],
};

const EFFECTS: readonly Condition['effect'][] = ['block', 'inform', 'warn'];

/** Most severe first. */
export function findingsOf(conditions: readonly Condition[]): Condition[] {
  return EFFECTS.flatMap((effect) =>
    conditions.filter((condition) => condition.effect === effect && condition.accepted !== true),
  );
}

export function assessedUpgradeOf(plan: PlanAnswer): AssessedUpgrade {
  const { verdict, pathExists, hops } = plan;
  const [tone, words] = VERDICT_MARKS[verdict];
  const hasNoPath = pathExists.effect === 'block';
  const isThere = hops.length === 0 && !hasNoPath;
  // Shows equal findings of several hops once, at the first hop.
  const findings = new Map<string, Condition>();
  for (const finding of findingsOf([pathExists, ...hops.flatMap((hop) => hop.conditions)])) {
    const key = `${finding.type} ${finding.reason}`;
    if (!findings.has(key)) findings.set(key, finding);
  }
  return {
    tone,
    verdict: hasNoPath ? 'No path' : isThere ? 'At its target' : words,
    skew: skewOf(hops),
    findings: [...findings.values()],
    nextStep: plan.nextStep,
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
