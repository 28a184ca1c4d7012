import { countInWords } from '@cairn/shared/text/words';
import type { ClusterSummary } from '../data/responses.ts';
import { setState } from '../state/navigation.ts';
import { MOST_NODES, WHOLE_LIST, type UrlState } from '../state/url-state.ts';
import { Pill, Button, PageLink, type Tone } from '../ui/controls.tsx';
import { ageInWords, localTime } from '../ui/text.ts';
import { updateInWords } from '../updates/words.ts';
import { ClusterDetails } from './cluster-details.tsx';
import { goalOf } from './cluster-target.tsx';
import { Day, Unfold } from './parts.tsx';
import {
  archOfCluster,
  supportEnd,
  verdictMark,
  pathInWords,
  type FleetOrder,
  type SortKey,
} from './rows.ts';

interface TableProps {
  readonly rows: readonly ClusterSummary[];
  readonly order: FleetOrder;
  /** Cluster with visible details. */
  readonly open: string;
  readonly isBusy: boolean;
  readonly onSort: (by: SortKey) => void;
  readonly onForgotten: () => void;
}

const COLUMNS: readonly (readonly [title: string, sort?: SortKey])[] = [
  ['Cluster', 'id'],
  ['Version', 'version'],
  ['Newer patch'],
  ['Nodes'],
  ['Verdict', 'verdict'],
  ['Next hop'],
  ['Target'],
  ['Support ends'],
  ['Last report'],
];

export function FleetTable({ rows, order, open, isBusy, onSort, onForgotten }: TableProps) {
  return (
    <div class="table-box card" aria-busy={isBusy}>
      <table class="table fleet">
        <caption class="visually-hidden">Clusters and what lies ahead of them</caption>
        <thead>
          <tr>
            {COLUMNS.map(([title, by]) => (
              <th key={title} scope="col" aria-sort={by && ariaSort(order, by)}>
                {by ? (
                  <Button kind="plain" onClick={() => onSort(by)}>
                    {title}
                    <span aria-hidden="true">{order.by !== by ? '↕' : order.descending ? '↓' : '↑'}</span>
                  </Button>
                ) : (
                  title
                )}
              </th>
            ))}
            <th scope="col">
              <span class="visually-hidden">Details</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((cluster) => (
            <Row key={cluster.id} cluster={cluster} isOpen={cluster.id === open} onForgotten={onForgotten} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ariaSort({ by, descending }: FleetOrder, column: SortKey): 'ascending' | 'descending' | 'none' {
  if (by !== column) return 'none';
  return descending ? 'descending' : 'ascending';
}

interface RowProps extends Pick<TableProps, 'onForgotten'> {
  readonly cluster: ClusterSummary;
  readonly isOpen: boolean;
}

function Row({ cluster, isOpen, onForgotten }: RowProps) {
  const { id, version, channel, newerPatch, target } = cluster;
  const { tone, words, why } = verdictMark(cluster);
  const path = pathInWords(cluster);
  return (
    <>
      <tr class={isOpen ? 'opened' : ''}>
        <th scope="row">
          <PageLink to="plan" patch={planState(cluster)}>
            {id}
          </PageLink>
        </th>
        <td data-label="Version">
          <span class="mono">{version ?? 'not known'}</span>
          <Updating cluster={cluster} />
          <span class="small muted">{channel ?? 'no channel'}</span>
        </td>
        <td data-label="Newer patch">
          <span class="mono">{newerPatch ?? '–'}</span>
        </td>
        <td data-label="Nodes">
          <Nodes cluster={cluster} />
        </td>
        <td data-label="Verdict">
          <Pill tone={tone}>{words}</Pill>
          {why !== null && <span class="small clamped">{why}</span>}
        </td>
        <td data-label="Next hop">
          <NextHop cluster={cluster} />
        </td>
        <td data-label="Target">
          <span class="mono">{target ?? '–'}</span>
          {path !== null && <span class="small muted">{path}</span>}
        </td>
        <td data-label="Support ends">
          <Support cluster={cluster} />
        </td>
        <td data-label="Last report">
          <Report cluster={cluster} />
        </td>
        <td>
          <Unfold
            what="Details"
            of={id}
            isOpen={isOpen}
            onToggle={() => setState({ open: isOpen ? '' : id }, { push: false })}
          />
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={COLUMNS.length + 1}>
            <ClusterDetails cluster={cluster} onForgotten={onForgotten} />
          </td>
        </tr>
      )}
    </>
  );
}

/** Leads to the update, if its reports show it. */
function Updating({ cluster: { id, updating, update } }: { readonly cluster: ClusterSummary }) {
  if (update === null || update.state === 'completed') return updating && <Pill tone="info">updating</Pill>;
  const tones: Partial<Record<typeof update.state, Tone>> = {
    stalled: 'block',
    silent: 'cond',
    slow: 'cond',
  };
  return (
    <PageLink to="updates" patch={{ ...WHOLE_LIST, cluster: id }}>
      <Pill tone={tones[update.state] ?? 'info'}>{updateInWords(update)}</Pill>
    </PageLink>
  );
}

function Nodes({ cluster: { nodes, arches, pausedPools } }: { readonly cluster: ClusterSummary }) {
  return (
    <>
      <span>
        {nodes ?? 'not known'} <span class="muted">{arches.join(', ')}</span>
      </span>
      {pausedPools > 0 && <Pill tone="cond">{countInWords(pausedPools, 'pool')} paused</Pill>}
    </>
  );
}

function NextHop({ cluster: { nextHop } }: { readonly cluster: ClusterSummary }) {
  return (
    <>
      <span class="mono">{nextHop?.to ?? '–'}</span>
      {nextHop && nextHop.risks.length > 0 && (
        <Pill tone="cond">{countInWords(nextHop.risks.length, 'risk')}</Pill>
      )}
    </>
  );
}

function Support({ cluster }: { readonly cluster: ClusterSummary }) {
  const end = supportEnd(cluster, new Date().toISOString().slice(0, 10));
  if (end === null) return <span class="muted">not known</span>;
  const { mark, day } = end;
  return (
    <>
      {mark && <Pill tone={mark.tone}>{mark.words}</Pill>}
      <span class={mark ? 'small muted' : ''}>{day === null ? '' : <Day day={day} />}</span>
    </>
  );
}

/** Uses the service's clock, which decides if a report is overdue. */
function Report({ cluster }: { readonly cluster: ClusterSummary }) {
  const { updatedAt, reportAgeSeconds, overdue } = cluster;
  return (
    <>
      <time dateTime={updatedAt} title={localTime(updatedAt)}>
        {ageInWords(updatedAt, Date.parse(updatedAt) + 1000 * reportAgeSeconds)}
      </time>
      {overdue && <Pill tone="cond">overdue</Pill>}
    </>
  );
}

function planState(cluster: ClusterSummary): Partial<UrlState> {
  const { id, version, nodes } = cluster;
  return {
    ...WHOLE_LIST,
    ...goalOf(cluster),
    cluster: id,
    from: version ?? '',
    arch: archOfCluster(cluster),
    ...(nodes !== null && nodes > 0 && { nodes: Math.min(nodes, MOST_NODES) }),
    alt: 0,
    sel: '',
    minors: null,
  };
}
