import type { ClusterFacts } from '../cluster/facts.ts';
import type { PathResult } from '../path/find-path.ts';
import { CONTROL_PLANE_LOST, hasLostControlPlane } from '../safety/checks/nodes-healthy.ts';
import type { Condition } from '../safety/condition.ts';
import type { EvaluatedHop } from '../safety/evaluate.ts';
import { entersMinor, type Hop } from '../safety/hop.ts';
import { isMissingInput, type Verdict } from '../safety/verdict.ts';
import { listInWords } from '../text/words.ts';
import { minorOf } from '../version/minor.ts';

/**
 * What to do now, and whether patches stay possible, since a held minor is often misread as holding everything:
 * `4.10 is held back: …; 4.9.22 can still be installed`.
 */
export function nextStep({
  verdict,
  evaluated,
  answer,
  newestPatch,
  facts,
}: {
  readonly verdict: Verdict;
  readonly evaluated: readonly EvaluatedHop[];
  readonly answer: PathResult;
  readonly newestPatch: string | null;
  readonly facts: ClusterFacts;
}): string {
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
  // A patch that comes first on the way is open whatever stands against what follows.
  return `${said}; ${isOpen ? `${target} is open` : patchesOpen(newestPatch, first.hop)}`;
}

/** The verdict of the hop that the verdict of the whole way is about. */
const HOLDING = { blocked: 'blocked', unknown: 'unknown', 'action-required': 'will-block' } as const;

/** Said even when no newer patch is known. */
function patchesOpen(newestPatch: string | null, { from }: Hop): string {
  return newestPatch === null ? `patches of ${minorOf(from)} are not held back` : patchOpen(newestPatch);
}

function patchOpen(newestPatch: string): string {
  return `${newestPatch} can still be installed, patches are not held back`;
}

function isOpenWarning({ effect, accepted }: Condition): boolean {
  return effect === 'warn' && !accepted;
}

/** What stands against a hop most; of a list its head and its first line. */
function firstAgainst(conditions: readonly Condition[]): string {
  const open = conditions.filter(({ accepted }) => !accepted);
  const worst =
    open.find(({ reason }) => reason === CONTROL_PLANE_LOST) ??
    open.find(({ effect }) => effect === 'block') ??
    open.find(({ effect }) => effect === 'inform') ??
    open.find(isMissingInput)!;
  // It is put into a sentence that goes on.
  return worst.message.split('\n').slice(0, 2).join(' ').replace(/\.$/, '');
}
