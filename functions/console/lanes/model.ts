import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import type { Minor } from '@cairn/shared/version/minor';
import type { Direction } from './updates.ts';

export interface PathMark {
  readonly version: string;
  /** How one gets here from the one before. */
  readonly conditional: boolean;
}

/** Why there is no path: what the start reaches, and what reaches the target. */
export interface Frontier {
  readonly reachable: ReadonlySet<string>;
  readonly reaching: ReadonlySet<string>;
  readonly from: string;
  readonly to: string;
}

/** What a channel is shown with, as lanes or as tables. */
export interface LanesProps {
  readonly graph: PreparedGraph;
  /** The start first; empty when there is none. */
  readonly path: readonly PathMark[];
  readonly selected: string | null;
  /** Which updates of the selected release are shown. */
  readonly direction: Direction;
  readonly frontier: Frontier | null;
  /** How many clusters stand on a version. */
  readonly clusters: ReadonlyMap<string, number>;
  /** What is said of a minor beside its name: `maintenance`, `end of life`. */
  readonly support: ReadonlyMap<Minor, string>;
  /** The minors shown unfolded; null is those of the path, or the newest. */
  readonly open: readonly Minor[] | null;
  /** What the list of releases is called: `Releases of eus-4.16`. */
  readonly label: string;
  readonly onSelect: (version: string | null) => void;
  readonly onFrom: (version: string) => void;
  readonly onTo: (version: string) => void;
  readonly onDirection: (direction: Direction) => void;
  readonly onOpen: (minors: readonly Minor[]) => void;
}

/** The versions between which something is planned. */
export function plannedEnds({ path, frontier }: Pick<LanesProps, 'path' | 'frontier'>): string[] {
  return frontier === null ? path.map(({ version }) => version) : [frontier.from, frontier.to];
}
