import { CONTROL_PLANE_LOST, hasLostControlPlane } from '../safety/checks/nodes-healthy.ts';
import type { Condition } from '../safety/condition.ts';
import type { EvaluatedHop } from '../safety/evaluate.ts';
import { entersMinor, type Hop } from '../safety/hop.ts';
import { isMissingInput, type Verdict } from '../safety/verdict.ts';
import { listInWords } from '../text/words.ts';
import { minorOf } from '../version/minor.ts';
import type { PlanQuestion } from './figures.ts';

/**
 * Always mentions patches, because a blocked minor is often misread as blocking everything: `4.10 is held back: …;
 * 4.9.22 can still be installed`.
 */
export function nextStep(
  verdict: Verdict,
  evaluated: readonly EvaluatedHop[],
  { answer, newestPatch, facts }: Pick<PlanQuestion, 'answer' | 'newestPatch' | 'facts'>,
): string {
  if (!answer.found) {
    const { message, suggestion } = answer.explanation;
    return [
      message,
      ...(suggestion === null ? [] : [suggestion]),
      ...(newestPatch === null || hasLostControlPlane(facts) ? [] : [patchOpen(newestPatch)]),
    ].join('; ');
  }
  const [first] = evaluated;
  if (!first) return `Nothing to do: the cluster is at ${answer.to}`;
  const target = first.hop.to.raw;
  if (verdict === 'ready') return `Update to ${target}: nothing stands against it`;
  if (verdict === 'ready-with-warnings') {
    const reasons = evaluated.flatMap(({ conditions }) => conditions.filter(isOpenWarning));
    const named = listInWords([...new Set(reasons.map(({ reason }) => reason))]);
    return `Update to ${target}, having looked at the warnings: ${named}`;
  }
  const held = evaluated.find((hop) => hop.verdict === HOLDING[verdict])!;
  const name = entersMinor(held.hop) ? minorOf(held.hop.to) : held.hop.to.raw;
  const why = firstAgainst(held.conditions);
  if (verdict === 'action-required') {
    return `${target} is open; before ${name} something is to be done: ${why}`;
  }
  const said = verdict === 'blocked' ? `${name} is held back: ${why}` : `${name} may be held back: ${why}`;
  const isOpen = first.verdict === 'allowed' || first.verdict === 'allowed-with-warnings';
  if (hasLostControlPlane(facts)) return `${said}; patches are blocked too`;
  // A patch as first hop is open even if a later hop is blocked.
  return `${said}; ${isOpen ? `${target} is open` : patchesOpen(newestPatch, first.hop)}`;
}

/** Hop verdict that causes the overall verdict. */
const HOLDING = { blocked: 'blocked', unknown: 'unknown', 'action-required': 'will-block' } as const;

/** Mentions patches even if no newer patch is known. */
function patchesOpen(newestPatch: string | null, { from }: Hop): string {
  return newestPatch === null ? `patches of ${minorOf(from)} are not held back` : patchOpen(newestPatch);
}

function patchOpen(newestPatch: string): string {
  return `${newestPatch} can still be installed, patches are not held back`;
}

function isOpenWarning({ effect, accepted }: Condition): boolean {
  return effect === 'warn' && !accepted;
}

/** Returns the worst finding: of a list, its heading and its first line. */
function firstAgainst(conditions: readonly Condition[]): string {
  const open = conditions.filter(({ accepted }) => !accepted);
  const worst =
    open.find(({ reason }) => reason === CONTROL_PLANE_LOST) ??
    open.find(({ effect }) => effect === 'block') ??
    open.find(({ effect }) => effect === 'inform') ??
    open.find(isMissingInput)!;
  // The caller continues the sentence.
  return worst.message.split('\n').slice(0, 2).join(' ').replace(/\.$/, '');
}
