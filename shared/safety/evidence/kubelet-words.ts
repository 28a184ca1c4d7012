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

/** `Roll pools infra and worker to 4.8 first`; empty if no node is too old. */
export function rollSentence(lags: readonly KubeletLag[], { facts, hop }: HopContext): string[] {
  if (lags.length === 0) return [];
  const pools = [...new Set(lags.flatMap(({ place: { pool } }) => pool?.name ?? []))];
  const byHand = lags.filter(({ place }) => !place.isManaged).map(({ node }) => node.name);
  const version = minorOf(hop.from);
  const parts = [
    ...(pools.length > 0 ? [`roll ${pools.length === 1 ? 'pool' : 'pools'} ${namesInWords(pools)}`] : []),
    ...(byHand.length > 0 ? [`update ${countInWords(byHand.length, 'node')} of no pool by hand`] : []),
    ...(facts.pools === null ? ['update the nodes'] : []),
  ];
  const text = parts.join(' and ');
  return [`${text[0]!.toUpperCase()}${text.slice(1)} to ${version} first`];
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
