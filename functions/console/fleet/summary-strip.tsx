import { parseMinor } from '@cairn/shared/version/minor';
import type { FleetSummaryAnswer } from '../data/responses.ts';
import { VERDICTS } from '../state/url-state.ts';
import type { Tone } from '../ui/pill.tsx';
import type { FleetFilter } from './fleet-filter.ts';
import { VERDICT_MARKS } from './verdict-marks.ts';

/** A number of clusters, and the filter that lists them; null where no filter does. */
export interface FleetNumber {
  readonly clusters: number;
  readonly tone: Tone;
  readonly words: string;
  readonly filter: Partial<FleetFilter> | null;
}

/** All, then by verdict with the most urgent first, then overdue. What there is none of is left out. */
export function numbersByVerdict({
  clusters,
  byVerdict,
  overdue,
}: Pick<FleetSummaryAnswer, 'clusters' | 'byVerdict' | 'overdue'>): FleetNumber[] {
  const numbers: FleetNumber[] = [
    { clusters, tone: 'plain', words: clusters === 1 ? 'cluster' : 'clusters', filter: {} },
    ...VERDICTS.map((verdict): FleetNumber => {
      const [tone, words] = VERDICT_MARKS[verdict];
      return { clusters: byVerdict[verdict], tone, words, filter: { verdict } };
    }),
    { clusters: overdue, tone: 'cond', words: 'Report overdue', filter: { overdue: true } },
  ];
  return numbers.filter(({ clusters: count }) => count > 0);
}

/** The newest minor first. */
export function numbersByMinor({ byMinor }: Pick<FleetSummaryAnswer, 'byMinor'>): FleetNumber[] {
  return byMinor.map(({ minor: on, clusters }) => {
    const minor = parseMinor(on ?? '');
    const words = minor === null ? 'Version not known' : `On ${minor}`;
    return { clusters, tone: 'plain', words, filter: minor && { minor } };
  });
}
