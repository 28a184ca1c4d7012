import type {
  Forecast,
  Insight,
  NodeCounts,
  PoolStatus,
  UPDATE_STATES,
  UpdateTarget,
} from '../update-status/answer.ts';

/** States of a cluster that updates or has updated, worst first. */
export const FLEET_UPDATE_STATES = [
  'stalled',
  'silent',
  'slow',
  'held',
  'control-plane',
  'workers',
  'completed',
] as const satisfies readonly (typeof UPDATE_STATES)[number][];
export type FleetUpdateState = (typeof FLEET_UPDATE_STATES)[number];

interface Progress {
  readonly updated: number;
  readonly total: number;
}

interface PoolLine
  extends
    Progress,
    Pick<PoolStatus, 'name' | 'role' | 'paused'>,
    Pick<NodeCounts, 'progressing' | 'draining'> {
  readonly stuck: number;
}

/** The update of a cluster in a list, kept with the cluster and limited in size. */
export interface UpdateLine {
  readonly state: FleetUpdateState;
  /** Null for an installation. */
  readonly from: string | null;
  readonly to: string;
  readonly kind: UpdateTarget['kind'];
  /** Of the control plane; null if unknown. */
  readonly percent: number | null;
  readonly operators: Progress;
  readonly nodes: Progress;
  readonly pools: readonly PoolLine[];
  readonly poolsOmitted: number;
  readonly draining: number;
  readonly stuck: number;
  readonly worstLevel: Insight['level'] | null;
  readonly attention: Attention | null;
  readonly startedAt: string;
  readonly lastProgressAt: string | null;
  readonly completedAt: string | null;
  readonly forecast: Pick<Forecast, 'likelyAt' | 'earliestAt' | 'latestAt' | 'basis'> | null;
  readonly lastReportAt: string;
}

/** What to do something about first. */
export interface Attention {
  readonly subject: string;
  readonly what: string;
  readonly since: string | null;
  readonly detail: string;
  readonly command: string | null;
}

/** As of the last report, with the time after which the cluster is silent. */
export interface StoredUpdateLine extends UpdateLine {
  readonly silentAt: string | null;
}

const DAY_MS = 24 * 3600_000;
/** A completed update stays in the list for so long. */
export const LISTED_MS = 30 * DAY_MS;

/** Whether the list of updates can still ask for it. */
export function isListed({ completedAt }: Pick<UpdateLine, 'completedAt'>, now: number): boolean {
  return completedAt === null || now - Date.parse(completedAt) <= LISTED_MS;
}

/** The line as it is now: a cluster that should have reported since is silent. */
export function lineNow({ silentAt, ...line }: StoredUpdateLine, now: number): UpdateLine {
  if (silentAt === null || now <= Date.parse(silentAt)) return line;
  return {
    ...line,
    state: 'silent',
    attention: {
      subject: 'reporter',
      what: `No report since ${line.lastReportAt}`,
      since: line.lastReportAt,
      detail: 'The cluster reported its update and then stopped; nothing is known since',
      command: null,
    },
  };
}

/** In the list of all clusters. */
export interface UpdateInShort extends Pick<UpdateLine, 'state' | 'percent'> {
  readonly likelyAt: string | null;
}

/** A completed update counts for a day. */
export function updateInShort(line: StoredUpdateLine | null, now: number): UpdateInShort | null {
  if (line === null || (line.completedAt !== null && now - Date.parse(line.completedAt) > DAY_MS))
    return null;
  const { state, percent, forecast } = lineNow(line, now);
  return { state, percent, likelyAt: forecast?.likelyAt ?? null };
}

export interface ListedUpdate extends UpdateLine {
  readonly id: string;
}

/** What the order of the list depends on. */
export type UpdatePlace = Pick<ListedUpdate, 'id' | 'state'> & { readonly end: string | null };

export function placeOf({ id, state, completedAt, forecast }: ListedUpdate): UpdatePlace {
  return { id, state, end: state === 'completed' ? completedAt : (forecast?.likelyAt ?? null) };
}

/** Worst first, then by the likely end; completed ones last, the newest first. */
export function comparePlaces(a: UpdatePlace, b: UpdatePlace): number {
  const states = FLEET_UPDATE_STATES.indexOf(a.state) - FLEET_UPDATE_STATES.indexOf(b.state);
  const isMoving = ({ state }: UpdatePlace) => state === 'control-plane' || state === 'workers';
  if (states !== 0 && !(isMoving(a) && isMoving(b))) return states;
  const ends = endOf(a) - endOf(b);
  return (a.state === 'completed' ? -ends : ends) || (a.id < b.id ? -1 : Number(a.id > b.id));
}

/** An unknown end comes last. */
function endOf({ end }: UpdatePlace): number {
  return end === null ? Number.MAX_SAFE_INTEGER : Date.parse(end);
}

export type UpdateCounts = Readonly<Record<FleetUpdateState, number>>;

export function countUpdates(lines: readonly Pick<UpdateLine, 'state'>[]): UpdateCounts {
  const count = (state: FleetUpdateState) => lines.filter((line) => line.state === state).length;
  return Object.fromEntries(FLEET_UPDATE_STATES.map((state) => [state, count(state)])) as UpdateCounts;
}
