import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import type { Minor } from '@cairn/shared/version/minor';

export interface PathMark {
  readonly version: string;
  /** The update to this version is conditional. */
  readonly conditional: boolean;
}

/** Reachable sets of a missing path. */
export interface Frontier {
  readonly reachable: ReadonlySet<string>;
  readonly reaching: ReadonlySet<string>;
  readonly from: string;
  readonly to: string;
}

/** Updates from a release, or to it. */
export type Direction = 'out' | 'in';

export interface SupportBadge {
  /** `maintenance`, `end of life` */
  readonly words: string;
  /** Last day of support; null if no date is known. */
  readonly until: string | null;
}

export interface LanesProps {
  readonly graph: PreparedGraph;
  /** Start first; empty without a path. */
  readonly path: readonly PathMark[];
  readonly selected: string | null;
  readonly direction: Direction;
  readonly frontier: Frontier | null;
  readonly clusters: ReadonlyMap<string, number>;
  readonly support: ReadonlyMap<Minor, SupportBadge>;
  /** Open minors; null for those of the path, or the newest. */
  readonly open: readonly Minor[] | null;
  /** Name of the list: `Releases of eus-4.16`. */
  readonly label: string;
  readonly onSelect: (version: string | null) => void;
  readonly onFrom: (version: string) => void;
  readonly onTo: (version: string) => void;
  readonly onDirection: (direction: Direction) => void;
  readonly onOpen: (minors: readonly Minor[]) => void;
}

export function plannedEnds({ path, frontier }: Pick<LanesProps, 'path' | 'frontier'>): string[] {
  return frontier === null ? path.map(({ version }) => version) : [frontier.from, frontier.to];
}

interface Neighbour {
  readonly place: number;
  readonly conditional: boolean;
}

export function neighboursOf(graph: PreparedGraph, place: number, direction: Direction): Neighbour[] {
  const { offsets, sources, edges } = graph.arriving;
  const rows = direction === 'out' ? graph.leaving.offsets : offsets;
  const neighbours: Neighbour[] = [];
  for (let position = rows[place]!; position < rows[place + 1]!; position++) {
    neighbours.push(
      direction === 'out'
        ? { place: graph.leaving.targets[position]!, conditional: graph.leaving.risks[position] !== 0 }
        : { place: sources[position]!, conditional: graph.leaving.risks[edges[position]!] !== 0 },
    );
  }
  return neighbours;
}

export interface UpdateCounts {
  readonly recommended: number;
  readonly conditional: number;
}

export function countUpdates(graph: PreparedGraph, place: number, direction: Direction): UpdateCounts {
  const neighbours = neighboursOf(graph, place, direction);
  const conditional = neighbours.filter((neighbour) => neighbour.conditional).length;
  return { recommended: neighbours.length - conditional, conditional };
}

/** Role of a release in the current view. Each has its own shape or outline, not only a color. */
export type Mark = 'release' | 'recommended' | 'conditional' | 'reached' | 'leading' | 'excluded';

export type Shape = 'circle' | 'triangle' | 'diamond' | 'cross';

export const MARK_SHAPES: Readonly<Record<Mark, Shape>> = {
  release: 'circle',
  recommended: 'circle',
  conditional: 'triangle',
  reached: 'circle',
  leading: 'diamond',
  excluded: 'cross',
};

/** Per node. The selected release overrides the frontier of a missing path, and an exclusion overrides both. */
export function marksOf(
  graph: PreparedGraph,
  selected: string | null,
  direction: Direction,
  frontier: Frontier | null,
): Mark[] {
  const marks = graph.nodes.map(({ version }): Mark => {
    if (frontier?.reachable.has(version)) return 'reached';
    return frontier?.reaching.has(version) ? 'leading' : 'release';
  });
  const place = selected === null ? undefined : graph.index.get(selected);
  if (place !== undefined) {
    for (const neighbour of neighboursOf(graph, place, direction)) {
      marks[neighbour.place] = neighbour.conditional ? 'conditional' : 'recommended';
    }
  }
  return marks.map((mark, at) => (graph.isExcluded[at] === 1 ? 'excluded' : mark));
}

/** The configuration excludes it, so no plan leads to it. */
export function isExcluded({ index, isExcluded: excluded }: PreparedGraph, version: string): boolean {
  return excluded[index.get(version) ?? -1] === 1;
}

/** `1 release`, `69 releases`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** `43 recommended and 25 conditional updates out`. */
export function countsInWords({ recommended, conditional }: UpdateCounts, direction: Direction): string {
  if (recommended + conditional === 0) return `no updates ${direction}`;
  const kinds = [
    ...(recommended > 0 ? [`${recommended} recommended`] : []),
    ...(conditional > 0 ? [`${conditional} conditional`] : []),
  ];
  return `${kinds.join(' and ')} update${recommended + conditional === 1 ? '' : 's'} ${direction}`;
}

export interface ReleaseNotes extends Pick<LanesProps, 'selected' | 'direction' | 'frontier'> {
  readonly isOnPath: boolean;
  readonly mark: Mark;
  readonly clusters: number;
}

/** The symbol matches the shape in the lanes. */
interface Note {
  readonly symbol: string;
  readonly text: string;
  /** `from 4.15.40` */
  readonly about: string;
  readonly kind: 'path' | Mark;
}

export function notesOf({ isOnPath, mark, selected, direction, frontier }: ReleaseNotes): Note[] {
  const notes: Note[] = isOnPath
    ? [{ symbol: '━', text: 'on the planned path', about: '', kind: 'path' }]
    : [];
  const about = `${direction === 'out' ? 'from' : 'to'} ${selected}`;
  if (mark === 'recommended') notes.push({ symbol: '●', text: 'recommended', about, kind: mark });
  if (mark === 'conditional') notes.push({ symbol: '▲', text: 'conditional', about, kind: mark });
  if (mark === 'reached')
    notes.push({ symbol: '○', text: 'reached', about: `from ${frontier?.from}`, kind: mark });
  if (mark === 'excluded')
    notes.push({ symbol: '✕', text: 'excluded', about: 'by the configuration', kind: mark });
  if (mark === 'leading') notes.push({ symbol: '◇', text: 'leads', about: `to ${frontier?.to}`, kind: mark });
  return notes;
}

/** `4.15.40, 43 recommended and 25 conditional updates out, on the planned path`. */
export function releaseLabel(version: string, counts: UpdateCounts, notes: ReleaseNotes): string {
  return [
    version,
    countsInWords(counts, 'out'),
    ...notesOf(notes).map(({ text, about }) => `${text} ${about}`.trim()),
    ...(notes.clusters > 0 ? [`${counted(notes.clusters, 'cluster')} here`] : []),
  ].join(', ');
}
