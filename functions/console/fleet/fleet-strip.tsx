import type { FleetSummaryAnswer } from '../data/responses.ts';
import { followInPage, linkTo } from '../state/navigation.ts';
import { WHOLE_LIST } from '../state/url-state.ts';
import { Pill } from '../ui/pill.tsx';
import { clustersAddress, type FleetFilter } from './fleet-filter.ts';
import { type FleetNumber, numbersByMinor, numbersByVerdict } from './summary-strip.tsx';

interface StripProps {
  readonly summary: FleetSummaryAnswer;
  readonly filter: FleetFilter;
}

/** The whole fleet in numbers, each a link to the clusters that it counts. */
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
  // Alone, so that as many are listed as it says.
  const whole = { ...WHOLE_LIST, ...filter };
  const isShown = clustersAddress(whole) === clustersAddress(shown);
  return (
    <a
      class="stat"
      href={linkTo('clusters', whole)}
      aria-current={isShown ? 'true' : undefined}
      onClick={followInPage}
    >
      {content}
    </a>
  );
}
