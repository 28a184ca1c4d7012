import { useMemo } from 'preact/hooks';
import { getJson } from '../data/api.ts';
import type { FleetRisk, RiskCluster, RiskClustersAnswer } from '../data/responses.ts';
import { fetchSheet } from '../data/sheet.ts';
import { Skeleton, useAction } from '../fleet/parts.tsx';
import { usePages } from '../fleet/use-pages.ts';
import { WHOLE_LIST } from '../state/url-state.ts';
import { announce } from '../ui/announce.ts';
import { Button, download, PageLink, TableHead } from '../ui/controls.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { sentence } from '../ui/text.ts';
import { countWords, EXPOSURES, exposureOf } from './exposure.ts';
import { ExposureMark } from './marks.tsx';
import { acceptedInWords, appliesInWords, basisInWords, reasonInWords } from './words.ts';

const pathOf = ({ name }: Pick<FleetRisk, 'name'>): string =>
  `/v1/risks/${encodeURIComponent(name)}/clusters`;

/** Those that the risk applies to come first; those that it does not only on request. */
const ANSWERS = ['yes', 'unknown', 'no'] as const;
const PAGE = 50;

/** Pages of one answer after the other: the cursor begins with the answer. */
async function loadExposed(address: string, signal: AbortSignal) {
  const [path = '', query = ''] = address.split('?');
  const asked = new URLSearchParams(query).get('cursor') ?? ANSWERS[0];
  const items: RiskCluster[] = [];
  let [applies = '', cursor = ''] = asked.split(' ');
  while (true) {
    const sent = new URLSearchParams({ applies, limit: String(PAGE), ...(cursor !== '' && { cursor }) });
    const page = await getJson<RiskClustersAnswer>(`${path}?${sent.toString()}`, signal);
    items.push(...page.clusters);
    const next = ANSWERS[ANSWERS.indexOf(applies as (typeof ANSWERS)[number]) + 1];
    if (page.nextCursor !== null) return { items, nextCursor: `${applies} ${page.nextCursor}` };
    if (next === undefined) return { items, nextCursor: null };
    if (next === 'no' && asked !== 'no') return { items, nextCursor: next };
    [applies, cursor] = [next, ''];
  }
}

export function useExposed(risk: FleetRisk) {
  return usePages<RiskCluster>(pathOf(risk), loadExposed);
}

interface ExposedProps {
  readonly risk: FleetRisk;
  readonly exposed: ReturnType<typeof useExposed>;
  readonly total: number;
}

/** Clusters with the answer, and why. */
export function ExposedClusters({ risk, exposed, total }: ExposedProps) {
  const { items, error, isLoading, hasMore, more, reload } = exposed;
  const sheet = useAction();
  const rows = useMemo(() => items && worstFirst(items), [items]);
  const others = rows && hasMore ? othersInWords(risk, rows) : '';
  const save = async (): Promise<void> => {
    const file = `${risk.name}.csv`;
    download(file, await fetchSheet(`${pathOf(risk)}?format=csv`), 'text/csv');
    announce(`${file} is made`);
  };
  if (total === 0) return <p class="risk-padded muted">No cluster has a channel with this risk.</p>;
  return (
    <>
      {error && <ErrorNote error={error} onRetry={reload} />}
      {rows === null && !error && <Skeleton />}
      {rows && rows.length > 0 && <ClusterTable rows={rows} />}
      <div class="risk-more no-print">
        {others !== '' && (
          <Button kind="plain" disabled={isLoading} onClick={more}>
            {others}
          </Button>
        )}
        <Button kind="plain push" disabled={sheet.isBusy} onClick={() => void sheet.run(save)}>
          Export clusters
        </Button>
      </div>
      {sheet.error && <ErrorNote error={sheet.error} />}
    </>
  );
}

function worstFirst(items: readonly RiskCluster[]): RiskCluster[] {
  const rank = (cluster: RiskCluster): number => EXPOSURES.indexOf(exposureOf(cluster));
  return items.toSorted((a, b) => rank(a) - rank(b));
}

/** `Show others: 2 more apply, 27 do not apply`; empty if the counts have no others. */
function othersInWords({ clusters }: FleetRisk, shown: readonly RiskCluster[]): string {
  const left = EXPOSURES.map((exposure) => {
    const known = shown.filter((cluster) => exposureOf(cluster) === exposure).length;
    return [exposure, clusters[exposure] - known, known] as const;
  }).filter(([, count]) => count > 0);
  if (left.length === 0) return '';
  const words = left.map(([exposure, count, known]) =>
    known > 0 ? countWords(count, exposure).replace(' ', ' more ') : countWords(count, exposure),
  );
  return `Show others: ${words.join(', ')}`;
}

const HEAD = ['Cluster', 'Applies', 'Version', 'Decided by', 'Upgrade'];

function ClusterTable({ rows }: { readonly rows: readonly RiskCluster[] }) {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label="Clusters">
      <table class="risk-clusters">
        <TableHead titles={HEAD} />
        <tbody>
          {rows.map((cluster) => (
            <tr key={cluster.id}>
              <th scope="row">
                <ExposureMark exposure={exposureOf(cluster)} />{' '}
                <PageLink to="plan" patch={{ ...WHOLE_LIST, cluster: cluster.id, from: '', to: '' }}>
                  {cluster.id}
                </PageLink>
              </th>
              <td data-label="Applies: ">{appliesInWords(cluster)}</td>
              <td>{cluster.version ?? 'not known'}</td>
              <td>
                <Reason cluster={cluster} />
              </td>
              <td>{cluster.onPlannedPath ? 'On planned path' : 'Not on path'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Reason({ cluster }: { readonly cluster: RiskCluster }) {
  const words = [
    ...(exposureOf(cluster) === 'accepted' ? [acceptedInWords(cluster.accepted!)] : []),
    reasonInWords(cluster),
  ].filter((part) => part !== '');
  const basis = basisInWords(cluster);
  return (
    <>
      {words.length === 0 ? 'Not reported' : sentence(words.join('; ')).replace(/\.$/, '')}
      {basis !== '' && <span class="risk-caption">{basis}</span>}
    </>
  );
}
