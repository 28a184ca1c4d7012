import { countInWords } from '@cairn/shared/text/in-words';
import { useEffect, useRef } from 'preact/hooks';
import type { ClusterSummary } from '../data/answers.ts';
import { followInPage, linkTo, setState } from '../state/navigation.ts';
import { MOST_NODES } from '../state/url-state.ts';
import { Pill } from '../ui/pill.tsx';
import { ageInWords, localTime } from '../ui/times.ts';
import { ClusterDetails } from './cluster-details.tsx';
import { archOfCluster, type FleetOrder, type Outlooks, type SortKey } from './fleet-rows.ts';
import type { Outlook } from './outlook.ts';
import { Unfold } from './parts.tsx';

interface TableProps {
  readonly rows: readonly ClusterSummary[];
  readonly outlooks: Outlooks;
  readonly order: FleetOrder;
  /** The cluster whose details are shown. */
  readonly open: string;
  readonly onSort: (by: SortKey) => void;
  /** Its row has come into sight. */
  readonly onSeen: (cluster: ClusterSummary) => void;
  readonly onForgotten: () => void;
}

const COLUMNS: readonly (readonly [title: string, sort?: SortKey])[] = [
  ['Cluster', 'id'],
  ['Version', 'version'],
  ['Channel'],
  ['Nodes'],
  ['Last report'],
  ['Next hop'],
  ['Kubelets behind'],
  ['Plan', 'verdict'],
];

export function FleetTable({ rows, outlooks, order, open, onSort, onSeen, onForgotten }: TableProps) {
  return (
    <div class="table-box card">
      <table class="table fleet">
        <caption class="visually-hidden">Clusters and what their plans say</caption>
        <thead>
          <tr>
            {COLUMNS.map(([title, by]) => (
              <th key={title} scope="col" aria-sort={by && ariaSort(order, by)}>
                {by ? (
                  <button type="button" class="button plain" onClick={() => onSort(by)}>
                    {title}
                    <span aria-hidden="true">{order.by !== by ? '↕' : order.descending ? '↓' : '↑'}</span>
                  </button>
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
            <Row
              key={cluster.id}
              cluster={cluster}
              outlook={outlooks.get(cluster.id)}
              isOpen={cluster.id === open}
              onSeen={onSeen}
              onForgotten={onForgotten}
            />
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

interface RowProps extends Pick<TableProps, 'onSeen' | 'onForgotten'> {
  readonly cluster: ClusterSummary;
  readonly outlook: Outlook | undefined;
  readonly isOpen: boolean;
}

function Row({ cluster, outlook, isOpen, onSeen, onForgotten }: RowProps) {
  const { id, version, updating, channel, nodes, arches, pausedPools, updatedAt } = cluster;
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      onSeen(cluster);
    });
    observer.observe(row.current!);
    return () => observer.disconnect();
  }, [id, updatedAt]);
  const [first] = outlook?.findings ?? [];
  return (
    <>
      <tr ref={row} class={isOpen ? 'opened' : ''}>
        <th scope="row">
          <a href={planLink(cluster)} onClick={followInPage}>
            {id}
          </a>
        </th>
        <td data-label="Version">
          <span class="mono">{version ?? 'not known'}</span>
          {updating && (
            <>
              {' '}
              <Pill tone="info">updating</Pill>
            </>
          )}
        </td>
        <td data-label="Channel" class="nowrap">
          {channel ?? <span class="muted">none</span>}
        </td>
        <td data-label="Nodes">
          <span>
            {nodes ?? 'not known'} <span class="muted">{arches.join(', ')}</span>
          </span>
          {pausedPools > 0 && <Pill tone="cond">{countInWords(pausedPools, 'pool')} paused</Pill>}
        </td>
        <td data-label="Last report" class="nowrap" title={localTime(updatedAt)}>
          {ageInWords(updatedAt, Date.now())}
        </td>
        {outlook ? (
          <>
            <td data-label="Next hop">
              <span class="mono">{outlook.nextHop ?? '–'}</span>
            </td>
            <td data-label="Kubelets behind" class="nowrap">
              {outlook.skew ? <Pill tone={outlook.skew.tone}>{outlook.skew.words}</Pill> : '–'}
            </td>
            <td data-label="Plan">
              <Pill tone={outlook.tone}>{outlook.verdict}</Pill>
              {outlook.tone !== 'ok' && (
                <span class="small clamped">
                  {first?.message ?? outlook.nextStep}
                  {outlook.findings.length > 1 && ` and ${outlook.findings.length - 1} more`}
                </span>
              )}
            </td>
          </>
        ) : (
          <td colSpan={3} class="muted" aria-busy="true">
            Planning…
          </td>
        )}
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
            <ClusterDetails id={id} updatedAt={updatedAt} outlook={outlook} onForgotten={onForgotten} />
          </td>
        </tr>
      )}
    </>
  );
}

/** The plan of this cluster, as far as a link can say it. */
function planLink(cluster: ClusterSummary): string {
  const { id, version, channel, nodes } = cluster;
  return linkTo('plan', {
    cluster: id,
    from: version ?? '',
    to: '',
    channel: channel ?? '',
    arch: archOfCluster(cluster),
    ...(nodes !== null && nodes > 0 && { nodes: Math.min(nodes, MOST_NODES) }),
    alt: 0,
    sel: '',
    minors: null,
    open: '',
    find: '',
  });
}
