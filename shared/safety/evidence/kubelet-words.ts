import { groupBy } from '../../collection/group-by.ts';
import { quoteValue } from '../../text/quote.ts';
import { countInWords, namesInWords } from '../../text/words.ts';
import { minorOf } from '../../version/minor.ts';
import type { HopContext } from '../hop.ts';
import { apiServerMinors, SKEW_REASONS, type KubeletLag, type SkewReason } from './kubelets.ts';

const SHOWN = 10;

/**
 * One sentence per reason:
 * `2 nodes would be 2 Kubernetes minors behind 4.9, up from 1 (limit 1, policy openshift): pool worker (paused) v1.20: a, b`.
 */
export function kubeletSentences(lags: readonly KubeletLag[], context: HopContext): string[] {
  let left = SHOWN;
  const byReason = groupBy(lags, ({ reason }) => reason);
  const reasons = SKEW_REASONS.filter((reason) => byReason.has(reason));
  return reasons.map((reason) => {
    const having = byReason.get(reason)!;
    const groups = groupsOf(having, context);
    const texts = groups.slice(0, SHOWN).map(({ label, names }) => {
      const shown = names.slice(0, left);
      left -= shown.length;
      const more = names.length - shown.length;
      if (shown.length === 0) return `${label}: ${countInWords(more, 'node')}`;
      return `${label}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    });
    // Unreadable versions can form as many groups as there are nodes.
    const rest = groups.slice(SHOWN).reduce((sum, { names }) => sum + names.length, 0);
    if (rest > 0) texts.push(`${countInWords(rest, 'node')} more`);
    return `${claimOf(reason, having, context)}: ${texts.join('; ')}`;
  });
}

function claimOf(reason: SkewReason, lags: readonly KubeletLag[], context: HopContext): string {
  const { facts, hop, options } = context;
  const nodes = countInWords(lags.length, 'node');
  const are = lags.length === 1 ? 'is' : 'are';
  const [from, to] = [minorOf(hop.from), minorOf(hop.to)];
  const now = rangeOf(lags.map((lag) => lag.now));
  const after = rangeOf(lags.map((lag) => lag.after));
  const limit = (limits: readonly (number | null)[]): string =>
    `(limit ${rangeOf(limits)}, policy ${options.policy})`;
  const limitNow = limit(lags.map((lag) => lag.limitNow));
  const limitAfter = limit(lags.map((lag) => lag.limitAfter));
  switch (reason) {
    case 'KubeletMinorVersionUnsupported': {
      const next = hop.kubeTo === hop.kubeFrom ? '' : ` and would be ${after} behind ${to}`;
      return `${nodes} ${are} ${minors(now)} behind ${from} ${limitNow}${next}`;
    }
    case 'KubeletMinorVersionUnsupportedNextUpgrade':
      return `${nodes} would be ${minors(after)} behind ${to}, up from ${now} ${limitAfter}`;
    case 'KubeletMinorVersionAhead':
      return `${nodes} ${are} newer than the API server, which is at Kubernetes 1.${apiServerMinors(facts, hop).oldest}`;
    case 'KubeletVersionUnknown':
      return `The kubelet version of ${nodes} cannot be read`;
    default: {
      const room = Math.min(...new Set(lags.map((lag) => lag.limitAfter! - lag.after!)));
      const next = `would be ${after} behind ${to} ${limitAfter}, with room for ${countInWords(room, 'more minor')}`;
      return `${nodes} ${are} ${minors(now)} behind ${from} and ${next}`;
    }
  }
}

/** Sorted by pool, then version: `pool worker (paused) v1.20`. Readable versions are grouped by minor. */
function groupsOf(lags: readonly KubeletLag[], { facts }: HopContext) {
  const groups = groupBy(lags, ({ node, place: { pool }, minor }) => {
    const version = minor === null ? quoteValue(node.kubeletVersion) : `v1.${minor}`;
    if (pool === null) return facts.pools === null ? version : `no pool ${version}`;
    return `pool ${pool.name}${pool.paused ? ' (paused)' : ''} ${version}`;
  });
  return [...groups]
    .map(([label, members]) => ({ label, names: members.map(({ node }) => node.name) }))
    .toSorted((a, b) => (a.label < b.label ? -1 : 1));
}

/** A rollout helps kubelets older than the API server; others are limited by the policy alone. */
export function isHelpedByRollout({ minor }: KubeletLag, { hop }: Pick<HopContext, 'hop'>): boolean {
  return minor !== null && minor < hop.kubeFrom;
}

/** `4.3 is 2 Kubernetes minors after 4.2: …`; null if a rollout helps every node. */
export function policySentence(lags: readonly KubeletLag[], { hop, options }: HopContext): string | null {
  if (lags.every((lag) => isHelpedByRollout(lag, { hop }))) return null;
  const [from, to] = [minorOf(hop.from), minorOf(hop.to)];
  return `${to} is ${minors(String(hop.kubeTo - hop.kubeFrom))} after ${from}, more than policy ${options.policy} allows; choose policy openshift`;
}

/** `Update pools infra and worker to 4.8 first`; empty if no node is too old. */
export function rollSentence(lags: readonly KubeletLag[], context: HopContext): string[] {
  const { facts, hop } = context;
  const behind = lags.filter((lag) => isHelpedByRollout(lag, context));
  const policy = policySentence(lags, context);
  const sentences = policy === null ? [] : [policy];
  if (behind.length === 0) return sentences;
  const pools = [...new Set(behind.flatMap(({ place: { pool } }) => pool?.name ?? []))];
  const unmanaged = behind.filter(({ place }) => !place.isManaged);
  const parts = [
    ...(pools.length > 0 ? [`${pools.length === 1 ? 'pool' : 'pools'} ${namesInWords(pools)}`] : []),
    ...(unmanaged.length > 0 ? [`${countInWords(unmanaged.length, 'node')} without a pool`] : []),
    ...(facts.pools === null ? ['the nodes'] : []),
  ];
  return [`Update ${parts.join(' and ')} to ${minorOf(hop.from)} first`, ...sentences];
}

/** `2`, `1 to 3` */
function rangeOf(numbers: readonly (number | null)[]): string {
  const known = [...new Set(numbers)].filter((number) => number !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return least === most ? String(least) : `${least} to ${most}`;
}

function minors(range: string): string {
  return `${range} Kubernetes ${range === '1' ? 'minor' : 'minors'}`;
}
