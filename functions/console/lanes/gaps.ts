import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import type { Frontier } from './model.ts';
import { BAND, type LaneLayout, type LaneRow } from './layout.ts';

/** An area that no update of the way from start to target crosses. */
export interface Gap {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** `between`: the start gets to no release of the lane above, and none of the lane below leads to the target. */
  readonly kind: 'within' | 'between';
}

/** Where a path that is not there breaks: runs of releases between its ends that are on neither side, and the room between two lanes that nothing crosses. */
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
