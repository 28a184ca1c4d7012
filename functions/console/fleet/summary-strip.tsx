import { parseMinor } from '@cairn/shared/version/minor';
import type { FleetSummaryAnswer } from '../data/responses.ts';
import { VERDICTS, WHOLE_LIST } from '../state/url-state.ts';
import { Pill, type Tone, PageLink } from '../ui/controls.tsx';
import { clustersAddress, type FleetFilter } from './filters.tsx';
import { VERDICT_MARKS } from './rows.ts';

interface StripProps {
  readonly summary: FleetSummaryAnswer;
  readonly filter: FleetFilter;
}

/** Each number links to its clusters. */
export function FleetStrip({ summary, filter }: StripProps) {
  return (
    <section class="stack-small" aria-label="The fleet in numbers">
      <Numbers of={numbersByVerdict(summary)} filter={filter} />
      <Numbers of={numbersByMinor(summary)} filter={filter} />
    </section>
  );
}

function Numbers({ of, filter }: { readonly of: readonly FleetNumber[]; readonly filter: FleetFilter }) {
  return (
    <ul class="strip">
      {of.map((number) => (
        <li key={number.words}>
          <NumberLink number={number} shown={filter} />
        </li>
      ))}
    </ul>
  );
}

function NumberLink({ number, shown }: { readonly number: FleetNumber; readonly shown: FleetFilter }) {
  const { clusters, tone, words, filter } = number;
  const content = (
    <>
      <strong>{clusters}</strong> <Pill tone={tone}>{words}</Pill>
    </>
  );
  if (filter === null) return <span class="stat">{content}</span>;
  // Only this filter, so that the list has as many clusters as the number says.
  const whole = { ...WHOLE_LIST, ...filter };
  const isShown = clustersAddress(whole) === clustersAddress(shown);
  return (
    <PageLink class="stat" to="clusters" patch={whole} aria-current={isShown ? 'true' : undefined}>
      {content}
    </PageLink>
  );
}

/** `filter` is null if no filter selects these clusters. */
interface FleetNumber {
  readonly clusters: number;
  readonly tone: Tone;
  readonly words: string;
  readonly filter: Partial<FleetFilter> | null;
}

/** Total, verdicts by urgency, then overdue. Omits zeros. */
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

/** Newest minor first. */
export function numbersByMinor({ byMinor }: Pick<FleetSummaryAnswer, 'byMinor'>): FleetNumber[] {
  return byMinor.map(({ minor: on, clusters }) => {
    const minor = parseMinor(on ?? '');
    const words = minor === null ? 'Version not known' : `On ${minor}`;
    return { clusters, tone: 'plain', words, filter: minor && { minor } };
  });
}
