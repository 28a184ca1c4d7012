import { joinInWords } from '@cairn/shared/text/words';
import { useMemo, useState } from 'preact/hooks';
import type { ClusterUpdatesAnswer, UpdateStatusView } from '../data/responses.ts';
import { Command, Button } from '../ui/controls.tsx';
import { useRoomFor } from '../ui/lazy.tsx';
import { Glyph, type GlyphName } from './marks.tsx';
import {
  cellsOf,
  type Cells,
  type Look,
  lookOf,
  LOOKS,
  looksInWords,
  type Pool,
  type PoolNode,
} from './node-cells.ts';
import { clock, factsIn, spanInWords } from './words.ts';

export type PastUpdate = ClusterUpdatesAnswer['updates'][number];

interface PoolsProps {
  readonly status: UpdateStatusView;
  /** Record of the same update; null for documents. */
  readonly record: PastUpdate | null;
}

export function PoolsPanel({ status, record }: PoolsProps) {
  const { pools, nodesOmitted, nodesWithoutPool, missing } = status;
  const all = pools.flatMap(({ nodes }) => nodes);
  const total = pools.reduce((sum, { counts }) => sum + counts.total, 0);
  const looks = new Set(all.map(lookOf));
  const notes = [
    ...(nodesOmitted > 0 ? [`${nodesOmitted} updated nodes are not in the response.`] : []),
    ...(nodesWithoutPool > 0 ? [`${nodesWithoutPool} nodes belong to no pool.`] : []),
    ...(missing.length > 0 ? [`Not reported: ${joinInWords(missing)}.`] : []),
  ];
  return (
    <section class="upd-panel" aria-labelledby="upd-pools">
      <div class="upd-panel-head">
        <h2 id="upd-pools">Pools and nodes</h2>
        <span class="muted">{total} nodes</span>
        <ul class="upd-legend" aria-hidden="true">
          {(Object.keys(LOOKS) as Look[])
            .filter((look) => looks.has(look))
            .map((look) => (
              <li key={look}>
                <Sample look={look} />
                {LOOKS[look]}
              </li>
            ))}
        </ul>
      </div>
      {pools
        .filter(({ counts }) => counts.total > 0)
        .map((pool) => (
          <PoolRow key={pool.name} pool={pool} status={status} record={record} />
        ))}
      {total === 0 && <p class="upd-row muted">No nodes in a pool were reported.</p>}
      {notes.map((note) => (
        <p key={note} class="upd-row small muted">
          {note}
        </p>
      ))}
      {total > 0 && <AllNodes pools={pools} at={Date.parse(status.at)} />}
    </section>
  );
}

/** A cell like those of the grid. */
function Sample({ look }: { readonly look: Look }) {
  const [{ cells, marks }] = cellsOf([sampleOf(look)], true).paths as [Cells['paths'][number]];
  return (
    <svg width="14" height="14" viewBox="-0.5 -0.5 21 21">
      <path class={`upd-cell ${look}`} d={cells} />
      <path class={`upd-cell-mark ${look}`} d={marks} />
    </svg>
  );
}

function sampleOf(look: Look): PoolNode {
  const phase = LOOKS[look] as PoolNode['phase'];
  const isAvailable = look !== 'unavailable';
  return {
    name: '',
    phase,
    assessment: isAvailable ? 'Outdated' : 'Unavailable',
    stuck: look === 'stuck',
    degraded: false,
    unavailable: !isAvailable,
    version: null,
    estimate: '',
    message: '',
    phaseSince: null,
  };
}

function PoolRow({ pool, status, record }: PoolsProps & { readonly pool: Pool }) {
  const { name, counts, nodes, maxUnavailable, role } = pool;
  const { glyph, text } = poolState(pool, status, record);
  const troubled = nodes.filter((node) => lookOf(node) === 'stuck' || lookOf(node) === 'unavailable');
  return (
    <>
      <div class="upd-pool upd-row">
        <div>
          <h3>{name}</h3>
          <span class="small muted">
            {counts.updated} of {counts.total}
            {role === 'worker' && `, maxUnavailable ${maxUnavailable}`}
          </span>
        </div>
        <NodeGrid pool={pool} at={Date.parse(status.at)} />
        <p class="upd-pool-state">
          {glyph && <Glyph name={glyph} size={14} />} {text}
        </p>
      </div>
      {troubled.slice(0, MOST_TROUBLED).map((node) => (
        <TroubledNode key={node.name} node={node} status={status} />
      ))}
      {troubled.length > MOST_TROUBLED && (
        <p class="upd-row small">{troubled.length - MOST_TROUBLED} more nodes need attention.</p>
      )}
    </>
  );
}

const MOST_TROUBLED = 10;

interface PoolState {
  readonly glyph: GlyphName | null;
  readonly text: string;
}

function poolState(
  { name, assessment, counts, pausedSince, nodes }: Pool,
  status: UpdateStatusView,
  record: PastUpdate | null,
): PoolState {
  const now = Date.parse(status.at);
  const stalled = status.run?.stalled.find(({ pool }) => pool === name);
  if (assessment === 'Completed') {
    const at = record?.pools.find((pool) => pool.name === name)?.completedAt ?? null;
    return { glyph: 'completed', text: at === null ? 'Done' : `Done ${clock(at, now)}` };
  }
  if (stalled) {
    const since = stalled.since === null ? '' : ` for ${spanInWords(now - Date.parse(stalled.since))}`;
    return { glyph: 'stalled', text: `Stalled${since}` };
  }
  if (nodes.some(({ stuck }) => stuck)) return { glyph: 'stalled', text: looksInWords(nodes) };
  if (assessment === 'Excluded' || (assessment === 'Degraded' && counts.excluded > 0)) {
    return {
      glyph: 'held',
      text: pausedSince === null ? 'Paused' : `Paused since ${clock(pausedSince, now)}`,
    };
  }
  if (assessment === 'Pending') return { glyph: null, text: 'Waiting' };
  return { glyph: assessment === 'Degraded' ? 'Error' : 'on-track', text: looksInWords(nodes) };
}

function sinceText({ phase, phaseSince }: PoolNode, at: number): string {
  const since = phaseSince === null ? '' : ` since ${clock(phaseSince, at)}`;
  return `${phase.toLowerCase()}${since}`;
}

function TroubledNode({ node, status }: { readonly node: PoolNode; readonly status: UpdateStatusView }) {
  const { name, message } = node;
  const insight = status.insights.find(
    ({ type, resources }) => type.startsWith('Node') && resources[0]?.name === name,
  );
  const { facts, command } = factsIn(insight?.description ?? message);
  return (
    <div class={`upd-row upd-troubled ${lookOf(node)}`}>
      <Glyph name={node.stuck ? 'stalled' : node.degraded ? 'Error' : 'Warning'} size={14} />
      <p>
        <strong>{name}</strong> {node.degraded ? 'is degraded, ' : ''}
        {sinceText(node, Date.parse(status.at))}
        {facts !== '' && `. ${facts}`}
      </p>
      <Command command={command ?? `oc describe node ${name}`} />
    </div>
  );
}

interface GridProps {
  readonly pool: Pool;
  readonly at: number;
}

/** One drawing per pool; the node under the pointer is named below it. */
function NodeGrid({ pool: { name, nodes: all }, at }: GridProps) {
  const isNarrow = !useRoomFor('lanes');
  const cells = useMemo(() => cellsOf(all, isNarrow), [all, isNarrow]);
  const [pointed, setPointed] = useState<PoolNode | null>(null);
  const { nodes, width, height, pitch, columns, paths } = cells;
  const point = (event: PointerEvent & { readonly currentTarget: SVGSVGElement }): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) * width) / box.width / pitch);
    const row = Math.floor(((event.clientY - box.top) * height) / box.height / pitch);
    setPointed((column < columns ? nodes[row * columns + column] : undefined) ?? null);
  };
  return (
    <div class="upd-grid">
      <svg
        role="img"
        aria-label={`Nodes of ${name}: ${looksInWords(nodes)}`}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        onPointerMove={point}
        onPointerLeave={() => setPointed(null)}
      >
        {paths.map(({ look, cells: d, marks }) => (
          <g key={look}>
            <path class={`upd-cell ${look}`} d={d} />
            {marks !== '' && <path class={`upd-cell-mark ${look} ${pitch < 10 ? 'dense' : ''}`} d={marks} />}
          </g>
        ))}
      </svg>
      {pointed && (
        <span class="upd-pointed" aria-hidden="true">
          {pointed.name}, {sinceText(pointed, at)}
        </span>
      )}
    </div>
  );
}

const PAGE = 200;

/** Drawn when it is opened, a page at a time. */
function AllNodes({ pools, at }: { readonly pools: readonly Pool[]; readonly at: number }) {
  const [shown, setShown] = useState(0);
  const all = pools.flatMap((pool) => pool.nodes.map((node) => ({ pool: pool.name, node })));
  return (
    <details class="upd-row no-print" onToggle={(event) => setShown(event.currentTarget.open ? PAGE : 0)}>
      <summary>All nodes</summary>
      {shown > 0 && (
        <div class="table-box" tabIndex={0} role="region" aria-label="All nodes">
          <table class="table">
            <thead>
              <tr>
                {['Node', 'Pool', 'Phase', 'Since', 'Version', 'Message'].map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {all.slice(0, shown).map(({ pool, node }) => (
                <tr key={`${pool} ${node.name}`}>
                  <th scope="row">{node.name}</th>
                  <td>{pool}</td>
                  <td>{node.stuck ? `${node.phase}, stuck` : node.phase}</td>
                  <td>{node.phaseSince === null ? '–' : clock(node.phaseSince, at)}</td>
                  <td>{node.version ?? '–'}</td>
                  <td>{node.message}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {shown > 0 && shown < all.length && (
        <Button onClick={() => setShown(shown + PAGE)}>Show {Math.min(PAGE, all.length - shown)} more</Button>
      )}
    </details>
  );
}
