import type { Condition, Finding } from './skew-condition.ts';
import { entersMinor, type Hop, type SkewOptions } from './hop.ts';

export const INPUT_MISSING = 'InputMissing';

/** Reasons that `oc adm upgrade recommend --accept` knows under another name. */
const NAMES_IN_OC: ReadonlyMap<string, string> = new Map([['UpdateInProgress', 'Progressing']]);

/**
 * What a finding comes to for a hop. On the next minor it counts as found; further on what stands in the way is only
 * announced; a patch is blocked only by what holds `evenForPatches`. Applied after all checks, so that none escapes.
 */
export function settleFinding(finding: Finding, hop: Hop, options: SkewOptions): Condition {
  const { evenForPatches, notAcceptable, ...condition } = finding;
  const found = options.strict && finding.reason === INPUT_MISSING ? 'block' : finding.effect;
  const effect = found === 'block' && !evenForPatches ? effectOf(hop) : found;
  const isAccepted =
    effect !== 'ok' &&
    effect !== 'info' &&
    !notAcceptable &&
    [finding.type, finding.reason, NAMES_IN_OC.get(finding.reason)].some(
      (name) => name !== undefined && options.accept.includes(name),
    );
  return { ...condition, effect, ...(isAccepted && { accepted: true as const }) };
}

function effectOf(hop: Hop): 'warn' | 'block' | 'inform' {
  // A patch further on is held by the minor before it, not by itself.
  if (!entersMinor(hop)) return 'warn';
  return hop.minorDistance === 1 ? 'block' : 'inform';
}
