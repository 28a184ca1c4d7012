import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import { compareMinors, minorOf, type Minor } from '@cairn/shared/version/minor';
import { parseVersion } from '@cairn/shared/version/release-version';
import type { Frontier } from './model.ts';

/** Row heights; must match `.lane-label` in lanes.css. */
const OPEN_ROW = 118;
const FOLDED_ROW = 40;
/** Space above the line of an open lane for arcs and labels; `BAND` is the height of the band. */
const ABOVE_LINE = 66;
export const BAND = 48;

const SIDE = 18;
const MIN_PITCH = 9;
const MAX_PITCH = 26;
const PRERELEASE_PITCH = 9;
const TICK = 10;
/** Above this patch number, releases are placed side by side instead of by number. */
const MAX_PATCH = 400;

export interface Lane {
  readonly minor: Minor;
  /** Graph indices from left to right: pre-releases, then releases, oldest first. */
  readonly places: readonly number[];
  readonly prereleases: number;
}

export interface LaneRow extends Lane {
  readonly isOpen: boolean;
  readonly top: number;
  readonly y: number;
  readonly ticks: readonly { readonly x: number; readonly text: string }[];
}

export interface LaneLayout {
  readonly rows: readonly LaneRow[];
  readonly width: number;
  readonly height: number;
  /** Distance between patches. */
  readonly pitch: number;
  /** End of the pre-releases; 0 if no open lane has any. */
  readonly prereleaseEnd: number;
  /** Per node of the graph, folded lanes included. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Per node, index into `rows`. */
  readonly row: Uint32Array;
}

/** Newest first. */
export function lanesOf(graph: PreparedGraph): Lane[] {
  const lanes: { minor: Minor; prereleases: number[]; releases: number[] }[] = [];
  for (const [place, version] of graph.versions.entries()) {
    const minor = minorOf(version);
    if (lanes.at(-1)?.minor !== minor) lanes.push({ minor, prereleases: [], releases: [] });
    const lane = lanes.at(-1)!;
    (graph.isPrerelease[place] === 1 ? lane.prereleases : lane.releases).push(place);
  }
  return lanes.toReversed().map(({ minor, prereleases, releases }) => ({
    minor,
    places: [...prereleases, ...releases],
    prereleases: prereleases.length,
  }));
}

const OPEN_AT_FIRST = 4;

/**
 * Requested minors, else those between the planned ends, else the newest four. With lanes 4.12 to 4.16 and ends 4.14.3
 * and 4.15.2: 4.15 and 4.14. An end outside of the graph still counts.
 */
export function openMinors(
  graph: PreparedGraph,
  lanes: readonly Lane[],
  asked: readonly Minor[] | null,
  ends: readonly string[],
): ReadonlySet<Minor> {
  if (asked !== null) return new Set(asked);
  const minors = lanes.map(({ minor }) => minor);
  if (!ends.some((version) => graph.index.has(version))) return new Set(minors.slice(0, OPEN_AT_FIRST));
  const planned = ends
    .flatMap((version) => parseVersion(version) ?? [])
    .map(minorOf)
    .toSorted(compareMinors);
  const [oldest, newest] = [planned[0]!, planned.at(-1)!];
  return new Set(
    minors.filter((minor) => compareMinors(minor, oldest) >= 0 && compareMinors(minor, newest) <= 0),
  );
}

/** x follows the patch number in all lanes, so that a missing release leaves a gap. */
export function layOutLanes(
  graph: PreparedGraph,
  lanes: readonly Lane[],
  open: ReadonlySet<Minor>,
  available: number,
): LaneLayout {
  const shown = lanes.filter(({ minor }) => open.has(minor));
  const prereleases = Math.max(0, ...shown.map((lane) => lane.prereleases));
  const prereleaseEnd = prereleases === 0 ? 0 : SIDE * 2 + (prereleases - 1) * PRERELEASE_PITCH;
  const start = prereleaseEnd + SIDE;
  const columns = columnsOf(graph, shown);
  const fitting = (available - start - SIDE) / Math.max(1, columns.last);
  const pitch = Math.min(MAX_PITCH, Math.max(MIN_PITCH, fitting));
  const width = Math.max(available, start + columns.last * pitch + SIDE);

  const size = graph.versions.length;
  const [x, y, row] = [new Float64Array(size), new Float64Array(size), new Uint32Array(size)];
  const rows: LaneRow[] = [];
  let top = 0;
  for (const lane of lanes) {
    const isOpen = open.has(lane.minor);
    const line = top + (isOpen ? ABOVE_LINE : FOLDED_ROW / 2);
    for (const [position, place] of lane.places.entries()) {
      const before = lane.prereleases - position;
      const wanted =
        before > 0
          ? prereleaseEnd - SIDE - (before - 1) * PRERELEASE_PITCH
          : start + columns.of(graph.versions[place]!.patch) * pitch;
      // Only nodes of folded lanes can be outside, which have no axis.
      x[place] = Math.min(width - SIDE, Math.max(SIDE, wanted));
      y[place] = line;
      row[place] = rows.length;
    }
    const ticks = isOpen
      ? columns.ticks(lane).map(([column, text]) => ({ x: start + column * pitch, text }))
      : [];
    rows.push({ ...lane, isOpen, top, y: line, ticks });
    top += isOpen ? OPEN_ROW : FOLDED_ROW;
  }
  return { rows, width, height: top, pitch, prereleaseEnd, x, y, row };
}

interface Columns {
  readonly last: number;
  of(patch: number): number;
  ticks(lane: Lane): [column: number, text: string][];
}

function columnsOf(graph: PreparedGraph, shown: readonly Lane[]): Columns {
  const patchesOf = (lane: Lane) =>
    lane.places.slice(lane.prereleases).map((place) => graph.versions[place]!.patch);
  const last = Math.max(0, ...shown.map((lane) => patchesOf(lane).at(-1) ?? 0));
  if (last <= MAX_PATCH) {
    return {
      last,
      of: (patch) => patch,
      ticks: (lane) => tenths((patchesOf(lane).at(-1) ?? -1) + 1).map((patch) => [patch, `.${patch}`]),
    };
  }
  const patches = [...new Set(shown.flatMap(patchesOf))].toSorted((a, b) => a - b);
  const column = new Map(patches.map((patch, at) => [patch, at]));
  return {
    last: patches.length - 1,
    of: (patch) => column.get(patch) ?? 0,
    ticks: (lane) =>
      tenths(lane.places.length === 0 ? 0 : patches.length).map((at) => [at, `.${patches[at]!}`]),
  };
}

/** 0, 10, 20 … below the count. */
function tenths(count: number): number[] {
  return Array.from({ length: Math.ceil(count / TICK) }, (_, tick) => tick * TICK);
}

/** Area that no update between start and target crosses. */
interface Gap {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** `between`: the start reaches no release of the lane above, and no release of the lane below reaches the target. */
  readonly kind: 'within' | 'between';
}

/** Gaps of a missing path: releases on neither side, and the space between lanes that no update crosses. */
export function gapsOf(graph: PreparedGraph, layout: LaneLayout, frontier: Frontier): Gap[] {
  const [from, to] = [graph.index.get(frontier.from), graph.index.get(frontier.to)];
  if (from === undefined || to === undefined || from >= to) return [];
  const sideOf = (place: number): 'reached' | 'leading' | 'neither' => {
    const { version } = graph.nodes[place]!;
    if (frontier.reachable.has(version)) return 'reached';
    return frontier.reaching.has(version) ? 'leading' : 'neither';
  };
  const rows = layout.rows.slice(layout.row[to], layout.row[from]! + 1);
  const gaps = rows.flatMap((row) => {
    const runs: number[][] = [];
    let run: number[] = [];
    for (const place of row.places) {
      if (place > from && place < to && sideOf(place) === 'neither') run.push(place);
      else if (run.length > 0) runs.push(run.splice(0));
    }
    if (run.length > 0) runs.push(run);
    return row.isOpen ? runs.map((places) => withinGap(layout, row, places)) : [];
  });
  for (const [at, upper] of rows.slice(0, -1).entries()) {
    const lower = rows[at + 1]!;
    const isClosed =
      !upper.places.some((place) => sideOf(place) === 'reached') &&
      !lower.places.some((place) => sideOf(place) === 'leading');
    if (isClosed && upper.isOpen && lower.isOpen) {
      const y = upper.y + BAND / 2 + 4;
      gaps.push({ x: 0, y, width: layout.width, height: lower.y - BAND / 2 - 4 - y, kind: 'between' });
    }
  }
  return gaps;
}

function withinGap(layout: LaneLayout, row: LaneRow, places: readonly number[]): Gap {
  const half = layout.pitch / 2;
  const x = layout.x[places[0]!]! - half;
  const width = layout.x[places.at(-1)!]! + half - x;
  return { x, y: row.y - BAND / 2, width, height: BAND, kind: 'within' };
}
