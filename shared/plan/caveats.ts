import type { ClusterFacts } from '../cluster/facts.ts';
import type { Hop, Strategy } from '../safety/hop.ts';
import type { NoteEffect } from '../safety/values.ts';
import { listInWords, namesInWords } from '../text/words.ts';
import { minorOf } from '../version/minor.ts';
import { ordinalOf } from '../version/release-line.ts';
import { compareVersions, mustParseVersion } from '../version/release-version.ts';
import type { PoolPlan } from './pools.ts';

/** Note to read before pausing pools. */
export interface Caveat {
  readonly type: string;
  readonly effect: NoteEffect;
  readonly text: string;
}

export interface CaveatQuestion {
  readonly hops: readonly Hop[];
  readonly pools: readonly PoolPlan[];
  readonly strategy: Strategy;
  /** First time each paused pool was seen paused, by pool name, in ISO 8601. */
  readonly pausedSince: ReadonlyMap<string, string>;
  readonly clusterVersion: ClusterFacts['clusterVersion'];
  /** Milliseconds since 1970. */
  readonly now: number;
}

const DAY = 24 * 3600_000;
/** Time limit in the first guides for Control Plane Only updates. */
const LONGEST_PAUSE_DAYS = 60;
/** Days after installation on which the kubelet certificate signer is renewed, and the old one removed. */
const SIGNER_RENEWED_DAY = 292;
const SIGNER_REMOVED_DAY = 365;

/** Minimum patch before workers are paused. Source: documentation of Control Plane Only updates to 4.10. */
const START_REQUIREMENTS = [{ atLeast: mustParseVersion('4.8.14'), upTo: { major: 4, minor: 10 } }];

interface Rule extends Pick<Caveat, 'type' | 'effect'> {
  /** Null if the rule does not apply. */
  readonly says: (question: CaveatQuestion) => string | null;
}

const RULES: readonly Rule[] = [
  {
    type: 'ControlPlanePoolPaused',
    effect: 'warn',
    says: ({ hops, pools }) => {
      const paused = pools.filter(({ kind, paused: isPaused }) => kind === 'control-plane' && isPaused);
      return hops.length > 0 && paused.length > 0
        ? `No hop completes while ${poolsInWords(paused)} is paused; unpause it first`
        : null;
    },
  },
  { type: 'PoolPausedTooLong', effect: 'warn', says: pausedTooLong },
  { type: 'StartTooOld', effect: 'warn', says: startTooOld },
  { type: 'NothingGained', effect: 'warn', says: nothingGained },
  {
    type: 'ControlPlaneNotHeldBack',
    effect: 'info',
    says: (question) =>
      pausedPools(question).length > 0 ? 'Pause only worker pools, never the control plane pool' : null,
  },
  {
    type: 'RollingBetweenAllowed',
    effect: 'info',
    says: (question) => {
      const saving = pausedPools(question).filter(({ rebootsSaved }) => rebootsSaved > 0);
      return saving.length > 0
        ? `Pausing is optional: you can unpause ${poolsInWords(saving)} after any hop, for one more reboot each time`
        : null;
    },
  },
  { type: 'NoFixesWhilePaused', effect: 'info', says: noFixesWhilePaused },
  {
    type: 'NodeFeaturesSkipped',
    effect: 'info',
    says: (question) => {
      const skipped = skippedMinors(question);
      return skipped.length > 0
        ? `Nodes do not get the features of ${listInWords(skipped)} until their pools update further`
        : null;
    },
  },
  {
    type: 'EveryHopNeedsContent',
    effect: 'info',
    says: (question) => {
      const between = question.hops.slice(0, -1).map(({ to }) => to.raw);
      return between.length > 0 && pausedPools(question).length > 0
        ? `A disconnected cluster needs ${listInWords(between)} mirrored too: the control plane updates to every hop`
        : null;
    },
  },
];

/** Returns warnings first; a plan that updates workers at every hop has no caveats. */
export function caveatsOf(question: CaveatQuestion): readonly Caveat[] {
  return RULES.flatMap(({ type, effect, says }) => {
    const text = says(question);
    return text === null ? [] : [{ type, effect, text }];
  });
}

function pausedPools({ pools, hops }: CaveatQuestion): readonly PoolPlan[] {
  return hops.length === 0 ? [] : pools.filter(({ staysBehind, nodes }) => staysBehind && nodes !== 0);
}

function pausedTooLong({ pools, pausedSince, now }: CaveatQuestion): string | null {
  const long = pools.flatMap(({ pool, paused }) => {
    const since = pool !== null && paused ? pausedSince.get(pool) : undefined;
    const days = since === undefined ? 0 : (now - Date.parse(since)) / DAY;
    return days > LONGEST_PAUSE_DAYS ? [`${pool} (${Math.floor(days)} days)`] : [];
  });
  return long.length > 0
    ? `Paused for more than ${LONGEST_PAUSE_DAYS} days: ${namesInWords(long)}; certificates of kubelets may expire, so update them soon`
    : null;
}

function startTooOld(question: CaveatQuestion): string | null {
  const { hops } = question;
  const [first, last] = [hops[0]?.from, hops.at(-1)?.to];
  if (first === undefined || last === undefined || pausedPools(question).length === 0) return null;
  const unmet = START_REQUIREMENTS.find(
    ({ atLeast, upTo }) =>
      minorOf(first) === minorOf(atLeast) &&
      compareVersions(first, atLeast) < 0 &&
      ordinalOf(last) >= ordinalOf(upTo),
  );
  // A later patch on the path meets the requirement too.
  if (unmet === undefined || hops.some(({ to }) => isPatchSince(to, unmet.atLeast))) return null;
  return `Pause workers only from ${unmet.atLeast.raw} on; update ${first.raw} to it or a later patch first`;
}

function isPatchSince(version: Hop['to'], atLeast: Hop['to']): boolean {
  return minorOf(version) === minorOf(atLeast) && compareVersions(version, atLeast) >= 0;
}

function nothingGained(question: CaveatQuestion): string | null {
  const { strategy, hops, pools } = question;
  const isGain = pools.some(({ rebootsSaved }) => rebootsSaved > 0);
  if (strategy !== 'control-plane-only' || hops.length === 0 || isGain) return null;
  if (pausedPools(question).length === 0) {
    return 'Pausing workers saves no reboot: no worker pool has a node, and the control plane updates at every hop';
  }
  return hops.length === 1
    ? 'Pausing workers saves no reboot: there is only one hop, after which they update'
    : 'Pausing workers saves no reboot: the skew policy makes them update at every hop';
}

function noFixesWhilePaused(question: CaveatQuestion): string | null {
  if (pausedPools(question).length === 0) return null;
  const installed = Date.parse(question.clusterVersion?.createdAt ?? '');
  const dayAfter = (days: number) => new Date(installed + days * DAY).toISOString().slice(0, 10);
  const isFirstYear = question.now >= installed && question.now < installed + SIGNER_REMOVED_DAY * DAY;
  const signer = isFirstYear
    ? `the authority that signs kubelet certificates is renewed on ${dayAfter(SIGNER_RENEWED_DAY)} and the old one ` +
      `removed on ${dayAfter(SIGNER_REMOVED_DAY)}`
    : `the authority that signs kubelet certificates is renewed ${SIGNER_RENEWED_DAY} days after it was made and ` +
      `removed after ${SIGNER_REMOVED_DAY}`;
  return (
    'Paused pools get no new certificate authorities, no change of the pull secret and no fixes of the operating ' +
    `system; ${signer}, so unpause all pools within ${LONGEST_PAUSE_DAYS} days`
  );
}

/** Minors that at least one pool skips, in path order. */
function skippedMinors(question: CaveatQuestion): readonly string[] {
  const minors = new Set(question.hops.map(({ to }) => minorOf(to)));
  // Workers already run the start minor.
  const [start] = question.hops;
  if (start) minors.delete(minorOf(start.from));
  const isSkipped = (minor: string) =>
    pausedPools(question).some(
      ({ rolls }) => !rolls.some(({ version }) => minorOf(mustParseVersion(version)) === minor),
    );
  return [...minors].filter(isSkipped);
}

function poolsInWords(pools: readonly PoolPlan[]): string {
  const names = pools.map(({ pool }) => pool ?? '');
  return `${names.length === 1 ? 'pool' : 'pools'} ${namesInWords(names)}`;
}
