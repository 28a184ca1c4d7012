import type { Risk } from '@cairn/shared/graph/graph';
import { isAlways } from '@cairn/shared/path/question';
import { sentence } from '../ui/words.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import type { RiskOverview, RiskRange } from './risk-ranges.ts';
import { RiskText } from './risk-text.tsx';

const FIRST_RANGES = 5;

interface RiskCardProps {
  readonly risk: RiskOverview;
  /** Null where there is nothing to accept one by one. */
  readonly isAccepted: boolean | null;
  readonly onAccept: (accepted: boolean) => void;
}

/** A risk with whom it hits and where, and whether the planner may go through it. */
export function RiskCard({ risk, isAccepted, onAccept }: RiskCardProps) {
  const [variant, ...others] = risk.variants;
  return (
    <li class="card releases-risk">
      <RiskText risk={risk} />
      {isAccepted !== null && (
        <label class="check">
          <input
            type="checkbox"
            checked={isAccepted}
            aria-label={`I accept ${risk.name}`}
            onChange={(event) => onAccept(event.currentTarget.checked)}
          />
          I accept
        </label>
      )}
      <dl class="releases-facts">
        <dt>Applies to</dt>
        <dd>
          <Rules risk={variant!} />
        </dd>
        <dt>Updates to</dt>
        <dd>
          <Ranges ranges={risk.ranges} />
        </dd>
      </dl>
      {others.length > 0 && (
        <details>
          <summary>It is worded differently for other releases</summary>
          <ul class="stack-small">
            {others.map(({ message }) => (
              <li key={message}>{sentence(message.trim())}</li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function Rules({ risk }: { readonly risk: Risk }) {
  if (isAlways(risk)) return <>Always: every cluster</>;
  const queries = risk.matchingRules.flatMap((rule) => (rule.type === 'PromQL' ? [rule.promql.promql] : []));
  return (
    <>
      Clusters for which a query of their metrics says so
      {queries.map((query) => (
        <details key={query}>
          <summary>The query in PromQL</summary>
          <pre>{query.trim()}</pre>
          <CopyButton kind="plain" text={() => query} what={`the query of ${risk.name}`}>
            Copy query
          </CopyButton>
        </details>
      ))}
    </>
  );
}

function Ranges({ ranges }: { readonly ranges: readonly RiskRange[] }) {
  const [first, others] = [ranges.slice(0, FIRST_RANGES), ranges.slice(FIRST_RANGES)];
  return (
    <>
      <RangeList ranges={first} />
      {others.length > 0 && (
        <details>
          <summary>{others.length} more</summary>
          <RangeList ranges={others} />
        </details>
      )}
    </>
  );
}

function RangeList({ ranges }: { readonly ranges: readonly RiskRange[] }) {
  return (
    <ul>
      {ranges.map(({ first, last, from }) => (
        <li key={`${first} ${last}`}>
          <span class="mono">{first === last ? first : `${first}–${last}`}</span>{' '}
          <span class="muted">from {from.join(' and ')}</span>
        </li>
      ))}
    </ul>
  );
}
