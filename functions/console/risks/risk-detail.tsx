import { ruleInWords } from '@cairn/shared/risk/rule-in-words';
import { useId, useState } from 'preact/hooks';
import { withQuery } from '../data/api.ts';
import type { FleetRisk, RiskQueriesAnswer } from '../data/responses.ts';
import { useJson } from '../data/use-query.ts';
import { When } from '../fleet/parts.tsx';
import { Button, CopyButton, ExternalLink } from '../ui/controls.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { Acceptances } from './acceptances.tsx';
import { ExposedClusters, useExposed } from './exposed-clusters.tsx';
import { channelsOf, EXPOSURES, restOfMessage, titleOfRisk } from './exposure.ts';
import { ExposureBar, ExposureCounts } from './marks.tsx';

interface DetailProps {
  readonly risk: FleetRisk;
  readonly onChange: () => void;
}

export function RiskDetail({ risk, onChange }: DetailProps) {
  const { name, url, clusters, firstSeen } = risk;
  const id = useId();
  const exposed = useExposed(risk);
  const total = EXPOSURES.reduce((sum, exposure) => sum + clusters[exposure], 0);
  return (
    <section class="upd-panel risk-detail" aria-labelledby={id}>
      <div class="risk-padded">
        <p class="risk-caption spread">
          <span>{name}</span>
          <span>
            First seen <When at={firstSeen} />
          </span>
        </p>
        <h2 id={id}>{titleOfRisk(risk)}</h2>
        <p class="risk-message">
          {restOfMessage(risk)} <ExternalLink href={url}>{linkText(url)}</ExternalLink>
        </p>
        <ExposureCounts clusters={clusters} />
        <ExposureBar clusters={clusters} of={total} />
      </div>
      <Rule risk={risk} />
      <ExposedClusters risk={risk} exposed={exposed} total={total} />
      <Acceptances
        risk={name}
        exposed={exposed.items ?? []}
        onChange={() => {
          exposed.reload();
          onChange();
        }}
      />
    </section>
  );
}

/** Last segment of the URL, such as an issue. */
function linkText(url: string): string {
  const end = url.split('/').findLast((part) => part !== '') ?? '';
  return end.length > 0 && end.length <= 40 ? end : 'Read more';
}

/** When it applies, in words if the query is simple, and as the query itself. */
function Rule({ risk }: Pick<DetailProps, 'risk'>) {
  const { name, rule } = risk;
  const [isOpen, setOpen] = useState(false);
  const asked = rule === 'query' ? withQuery('/v1/risk-queries', { channel: channelsOf(risk)[0]! }) : null;
  const { value, error, reload } = useJson<RiskQueriesAnswer>(asked);
  const queries = (value?.queries ?? []).filter(({ risks }) => risks.includes(name));
  const words = queries.length === 1 ? ruleInWords(queries[0]!.promql) : null;
  return (
    <>
      <div class="risk-rule" aria-busy={asked !== null && value === null && !error}>
        <p>
          {rule === 'always'
            ? 'Applies to every cluster'
            : words === null
              ? 'Applies if a query of the cluster’s metrics returns 1'
              : `Applies if ${words}`}
        </p>
        {queries.length > 0 && (
          <Button kind="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            PromQL
          </Button>
        )}
      </div>
      {error && <ErrorNote error={error} onRetry={reload} />}
      {isOpen &&
        queries.map(({ promql, digest }) => (
          <div key={digest} class="risk-padded">
            <pre tabIndex={0}>{promql.trim()}</pre>
            <CopyButton text={() => promql} what={`the query of ${name}`}>
              Copy query
            </CopyButton>
          </div>
        ))}
    </>
  );
}
