import { minutesInWords, VERDICT_WORDS } from '@cairn/shared/plan/words';
import { countInWords, listInWords, namesInWords } from '@cairn/shared/text/words';
import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import { compareVersions, parseVersion } from '@cairn/shared/version/release-version';
import type { ClusterSummary } from '../data/responses.ts';
import { VERDICTS, type Verdict } from '../state/url-state.ts';
import type { Tone } from '../ui/controls.tsx';

export type SortKey = 'id' | 'version' | 'verdict';

export interface FleetOrder {
  readonly by: SortKey;
  readonly descending: boolean;
}

/** Unknown values sort last in both directions. */
export function fleetRows(
  clusters: readonly ClusterSummary[],
  { by, descending }: FleetOrder,
): ClusterSummary[] {
  const sign = descending ? -1 : 1;
  return clusters.toSorted((a, b) => {
    if (by === 'id') return sign * compareText(a.id, b.id);
    const order =
      by === 'version'
        ? compareKnown(versionOf(a), versionOf(b), sign, compareVersions)
        : compareKnown(rankOf(a), rankOf(b), sign, (x, y) => x - y);
    return order || compareText(a.id, b.id);
  });
}

/** Nodes of several architectures need the multi release image. */
export function archOfCluster({ arches }: Pick<ClusterSummary, 'arches'>): Arch {
  return arches.length > 1 ? 'multi' : (ARCHES.find((arch) => arch === arches[0]) ?? 'amd64');
}

/** Most urgent first. */
const rankOf = ({ verdict }: ClusterSummary) => (verdict === null ? undefined : VERDICTS.indexOf(verdict));

const versionOf = ({ version }: ClusterSummary) => parseVersion(version ?? '') ?? undefined;

function compareKnown<T>(
  a: T | undefined,
  b: T | undefined,
  sign: number,
  compare: (a: T, b: T) => number,
): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return sign * compare(a, b);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface LineMark {
  readonly tone: Tone;
  readonly words: string;
  readonly why: string | null;
}

/** Reported, but not assessed yet. */
export function isAwaited({ verdict, version }: Pick<ClusterSummary, 'verdict' | 'version'>): boolean {
  return verdict === null && version !== null;
}

export function verdictMark(line: ClusterSummary): LineMark {
  const { verdict, hops, blockers, upcomingBlockers, removedApis, unsupportedStops } = line;
  const [tone, words] = VERDICT_MARKS[verdict ?? 'pending'];
  if (verdict === null) {
    return isAwaited(line)
      ? { tone, words, why: 'It will be within minutes' }
      : { tone, words: 'Not assessed', why: 'The report has no version' };
  }
  const apis = removedApis.length;
  const why = [
    ...(blockers.length > 0 ? [`Blocked by ${namesInWords(blockers)}`] : []),
    ...(upcomingBlockers.length > 0 ? [`Later: ${namesInWords(upcomingBlockers)}`] : []),
    ...(apis > 0
      ? [`${countInWords(apis, 'API')} in use ${apis === 1 ? 'is' : 'are'} removed on the path`]
      : []),
    ...(unsupportedStops.length > 0
      ? [
          `Stops at ${listInWords(unsupportedStops)}, which ${unsupportedStops.length === 1 ? 'is' : 'are'} end of life`,
        ]
      : []),
  ];
  return {
    tone,
    words: hops === null ? 'No path' : hops === 0 ? atTargetInWords(verdict) : words,
    why: why.length > 0 ? why.join('. ') : null,
  };
}

/** `At its target, blocked`: the cluster can be broken there. */
export function atTargetInWords(verdict: Exclude<Verdict, 'pending'>): string {
  const [, words] = VERDICT_MARKS[verdict];
  return verdict === 'ready' ? 'At its target' : `At its target, ${words.toLowerCase()}`;
}

/** `2 hops, about 3 h`; null without a path. */
export function pathInWords({ hops, expectedMinutes }: ClusterSummary): string | null {
  if (hops === null || hops === 0) return null;
  const time = expectedMinutes === null ? '' : `, about ${minutesInWords(Math.round(expectedMinutes))}`;
  return `${countInWords(hops, 'hop')}${time}`;
}

/** Days before the end of support with a mark. */
const SOON = 90;
const DAY_MS = 24 * 3600_000;

export interface SupportEnd {
  /** Null if the end is far off. */
  readonly mark: Pick<LineMark, 'tone' | 'words'> | null;
  /** The extended date once the other has passed; null if the minor ended before dates were kept. */
  readonly day: string | null;
}

/** Null if unknown. Expects `today` as 2026-11-17. */
export function supportEnd(
  {
    supportEnds,
    extendedSupportEnds,
    supportPhase,
  }: Pick<ClusterSummary, 'supportEnds' | 'extendedSupportEnds' | 'supportPhase'>,
  today: string,
): SupportEnd | null {
  if (supportPhase === 'ended') {
    // A deployment can count fewer terms than are published.
    const isExtended = extendedSupportEnds !== null && extendedSupportEnds < today;
    const day = isExtended ? extendedSupportEnds : supportEnds;
    return { mark: { tone: 'block', words: 'End of life' }, day };
  }
  if (supportEnds === null) return null;
  const left = daysBetween(today, supportEnds);
  if (left > SOON) return { mark: null, day: supportEnds };
  if (left >= 0) return { mark: { tone: 'cond', words: `Ends ${inDays(left)}` }, day: supportEnds };
  const day = extendedSupportEnds ?? supportEnds;
  const extended = daysBetween(today, day);
  // The console does not know if extended support was purchased.
  const words = extended > SOON ? 'Only if extended' : `Extended ends ${inDays(extended)}`;
  return { mark: { tone: 'cond', words }, day };
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

function inDays(days: number): string {
  return days === 0 ? 'today' : `in ${countInWords(days, 'day')}`;
}

export const VERDICT_MARKS: Readonly<Record<Verdict, readonly [tone: Tone, words: string]>> = {
  blocked: ['block', VERDICT_WORDS.blocked],
  unknown: ['cond', VERDICT_WORDS.unknown],
  'action-required': ['cond', VERDICT_WORDS['action-required']],
  'ready-with-warnings': ['cond', VERDICT_WORDS['ready-with-warnings']],
  ready: ['ok', VERDICT_WORDS.ready],
  pending: ['plain', 'Not assessed yet'],
};
