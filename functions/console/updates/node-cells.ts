import type { UpdateStatusView } from '../data/responses.ts';

export type Pool = UpdateStatusView['pools'][number];
export type PoolNode = Pool['nodes'][number];

/** Looks of a node, in the order of the grid. */
export const LOOKS = {
  updated: 'Updated',
  rebooting: 'Rebooting',
  updating: 'Updating',
  draining: 'Draining',
  stuck: 'Stuck',
  unavailable: 'Unavailable',
  pending: 'Pending',
  paused: 'Paused',
} as const;
export type Look = keyof typeof LOOKS;
const ORDER = Object.keys(LOOKS) as Look[];

export function lookOf({ phase, assessment, stuck, degraded }: PoolNode): Look {
  if (stuck || degraded) return 'stuck';
  if (assessment === 'Unavailable') return 'unavailable';
  return phase.toLowerCase() as Look;
}

export interface Cells {
  /** In the order of the grid. */
  readonly nodes: readonly PoolNode[];
  readonly width: number;
  readonly height: number;
  readonly pitch: number;
  readonly columns: number;
  /** One path per look: the number of elements does not grow with the nodes. */
  readonly paths: readonly { readonly look: Look; readonly cells: string; readonly marks: string }[];
}

/** From so many nodes on cells are small and without gaps. */
const MANY = 200;

export function cellsOf(pool: readonly PoolNode[], isNarrow: boolean): Cells {
  const isDense = pool.length > MANY;
  const [size, pitch] = isDense ? [8, 8] : [20, 24];
  const columns = Math.floor((isNarrow ? 288 : 408) / pitch);
  const nodes = pool.toSorted((a, b) => ORDER.indexOf(lookOf(a)) - ORDER.indexOf(lookOf(b)));
  const cells = new Map<Look, string[]>();
  const marks = new Map<Look, string[]>();
  for (const [index, node] of nodes.entries()) {
    const look = lookOf(node);
    const x = (index % columns) * pitch;
    const y = Math.floor(index / columns) * pitch;
    add(cells, look, squareAt(x, y, size, look));
    add(marks, look, markAt(x, y, size, look));
  }
  return {
    nodes,
    columns,
    pitch,
    width: Math.min(columns, Math.max(nodes.length, 1)) * pitch,
    height: Math.max(1, Math.ceil(nodes.length / columns)) * pitch,
    paths: [...cells].map(([look, parts]) => ({
      look,
      cells: parts.join(''),
      marks: marks.get(look)!.join(''),
    })),
  };
}

function add(to: Map<Look, string[]>, look: Look, part: string): void {
  const parts = to.get(look);
  if (parts) parts.push(part);
  else to.set(look, [part]);
}

/** Outlined cells are smaller by half of their line on each side. */
function squareAt(x: number, y: number, size: number, look: Look): string {
  const isOutlined = look === 'pending' || look === 'paused' || look === 'unavailable';
  const inset = isOutlined ? 0.75 : size < 10 ? 0.5 : 0;
  const side = size - 2 * inset;
  const corner = size < 10 ? 1 : 4;
  const straight = side - 2 * corner;
  const arc = (dx: number, dy: number): string => `a${corner} ${corner} 0 0 1 ${dx} ${dy}`;
  return (
    `M${x + inset + corner} ${y + inset}h${straight}${arc(corner, corner)}v${straight}${arc(-corner, corner)}` +
    `h${-straight}${arc(-corner, -corner)}v${-straight}${arc(corner, -corner)}z`
  );
}

type Stroke = readonly [x1: number, y1: number, x2: number, y2: number];

/** Second cue beside the color, in shares of a cell. */
const MARKS: Readonly<Record<Look, readonly Stroke[]>> = {
  updated: [],
  rebooting: [[0.5, 0.25, 0.5, 0.55]],
  updating: [[0.25, 0.5, 0.75, 0.5]],
  draining: [
    [0.1, 0.5, 0.5, 0.1],
    [0.1, 0.9, 0.9, 0.1],
    [0.5, 0.9, 0.9, 0.5],
  ],
  stuck: [
    [0.36, 0.28, 0.36, 0.72],
    [0.64, 0.28, 0.64, 0.72],
  ],
  unavailable: [
    [0.3, 0.3, 0.7, 0.7],
    [0.7, 0.3, 0.3, 0.7],
  ],
  pending: [],
  paused: [],
};

function markAt(x: number, y: number, size: number, look: Look): string {
  return MARKS[look]
    .map(([x1, y1, x2, y2]) => `M${x + size * x1} ${y + size * y1}L${x + size * x2} ${y + size * y2}`)
    .join('');
}

/** `12 updated, 1 draining, 3 pending` */
export function looksInWords(nodes: readonly PoolNode[]): string {
  const looks = nodes.map(lookOf);
  return ORDER.flatMap((look) => {
    const count = looks.filter((each) => each === look).length;
    return count === 0 ? [] : [`${count} ${LOOKS[look].toLowerCase()}`];
  }).join(', ');
}
