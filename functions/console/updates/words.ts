import { FLEET_UPDATE_STATES } from '@cairn/shared/fleet/update-list';
import { countInWords, joinInWords } from '@cairn/shared/text/words';
import type { FleetUpdatesAnswer } from '../data/responses.ts';
import type { UpdateFilter } from '../state/url-state.ts';

export type UpdateLine = FleetUpdatesAnswer['clusters'][number];
export type UpdateState = UpdateLine['state'];
export type Counts = FleetUpdatesAnswer['counts'];

export type Mark = 'stalled' | 'silent' | 'slow' | 'on-track' | 'held' | 'completed';

/** In the order of the strip. Two states are on track. */
export const MARKS: Readonly<Record<Mark, string>> = {
  stalled: 'Stalled',
  silent: 'Silent',
  slow: 'Slow',
  'on-track': 'On track',
  held: 'Paused',
  completed: 'Done',
};

export function markOf(state: UpdateState): Mark {
  return state === 'control-plane' || state === 'workers' ? 'on-track' : state;
}

/** States of a filter, as the service accepts them. */
export function statesOf(filter: UpdateFilter | ''): string {
  return filter === 'on-track' ? 'control-plane,workers' : filter;
}

export function countOf(counts: Counts, mark: Mark): number {
  return mark === 'on-track' ? counts['control-plane'] + counts.workers : counts[mark];
}

/** Updates that have not ended. */
export function underWay(counts: Counts): number {
  return FLEET_UPDATE_STATES.reduce((sum, state) => sum + (state === 'completed' ? 0 : counts[state]), 0);
}

interface Headline {
  readonly mark: Mark;
  readonly title: string;
}

/** `2 of 9 updates are stalled`: the worst state that there is. */
export function headlineOf(counts: Counts): Headline {
  const all = underWay(counts);
  const troubles: readonly (readonly [Mark, string])[] = [
    ['stalled', 'stalled'],
    ['silent', 'silent'],
    ['slow', 'slow'],
    ['held', 'paused'],
  ];
  for (const [mark, word] of troubles) {
    const count = countOf(counts, mark);
    if (count > 0) {
      const are = count === 1 ? 'is' : 'are';
      return {
        mark,
        title: all === 1 ? `The update is ${word}` : `${count} of ${all} updates ${are} ${word}`,
      };
    }
  }
  if (all > 0)
    return {
      mark: 'on-track',
      title: all === 1 ? 'The update is on track' : `All ${all} updates are on track`,
    };
  return { mark: 'completed', title: 'No cluster is updating' };
}

const MINUTE_MS = 60_000;

/** `under 1 min`, `42 min`, `1 h 12 min`, `3 days`. */
export function spanInWords(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return 'under 1 min';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return countInWords(Math.floor(hours / 24), 'day');
  const rest = minutes % 60;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

const sameDay = (a: Date, b: Date): boolean => a.toDateString() === b.toDateString();

/** Local time to the minute: `20:10`, `Sat 22:00` on another day, `21 Nov 22:00` in more than six days. */
export function clock(at: string, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = then.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  if (sameDay(then, today)) return time;
  const isNear = Math.abs(then.getTime() - now) < 6 * 24 * 60 * MINUTE_MS;
  const day = then.toLocaleDateString(
    undefined,
    isNear ? { weekday: 'short' } : { day: 'numeric', month: 'short' },
  );
  return `${day} ${time}`;
}

export interface Bar {
  readonly name: string;
  readonly done: number;
  /** Draining, updating or rebooting; hatched. */
  readonly moving: number;
  readonly stuck: number;
  readonly total: number;
  readonly isStalled: boolean;
  /** Beside the bar: `14 of 21`, `Done`. */
  readonly text: string;
}

interface Amount {
  readonly updated: number;
  readonly total: number;
}

const EMPTY = { moving: 0, stuck: 0, isStalled: false };

export function controlPlaneBar(line: Pick<UpdateLine, 'operators' | 'state' | 'percent'>): Bar {
  const { state, percent } = line;
  // Reports of a completed control plane can lack the number of its operators.
  const isUncounted = line.operators.total === 0 && percent === 100;
  const { updated: done, total } = isUncounted ? { updated: 1, total: 1 } : line.operators;
  if (total === 0) return { ...EMPTY, name: 'Control plane', done, total, text: 'Unknown' };
  const isDone = done === total;
  return {
    ...EMPTY,
    name: 'Control plane',
    done,
    total,
    isStalled: state === 'stalled' && !isDone,
    text: isDone ? 'Done' : `${done} of ${total}`,
  };
}

type Parts = Pick<UpdateLine, 'percent' | 'operators' | 'nodes' | 'pools' | 'poolsOmitted' | 'state'>;

const isBehind = ({ updated, total }: Amount): boolean => updated < total;

type Nodes = Amount & Pick<Parts['pools'][number], 'progressing' | 'stuck' | 'paused'>;

function poolBar(name: string, pool: Nodes, { operators }: Parts): Bar {
  const { updated: done, total } = pool;
  const waits = isBehind(operators) && done === 0 && pool.progressing === 0;
  const stuck = Math.min(pool.stuck, total - done);
  return {
    name,
    done,
    // A stuck node can be in progress as well.
    moving: Math.min(Math.max(pool.progressing - stuck, 0), total - done - stuck),
    stuck,
    total,
    isStalled: false,
    text:
      total === 0
        ? 'No nodes'
        : done === total
          ? 'Done'
          : pool.paused
            ? 'Paused'
            : waits
              ? 'Waiting'
              : `${done} of ${total}`,
  };
}

/** Control plane, then each worker pool that has nodes. */
export function barsOf(line: Parts): Bar[] {
  const pools = line.pools
    .filter(({ role, total }) => role === 'worker' && total > 0)
    .map((pool) => poolBar(pool.name, pool, line));
  const more =
    line.poolsOmitted > 0
      ? [{ ...EMPTY, name: `${line.poolsOmitted} more pools`, done: 0, total: 0, text: '' }]
      : [];
  return [controlPlaneBar(line), ...pools, ...more];
}

/** All worker pools together. */
export function workersBar(line: Parts): Bar {
  const masters = line.pools.filter(({ role }) => role === 'control-plane');
  const workers = line.pools.filter(({ role }) => role === 'worker');
  const behind = workers.filter(isBehind);
  const sumOf = (of: Exclude<keyof Nodes, 'paused'>, pools = workers): number =>
    pools.reduce((sum, pool) => sum + pool[of], 0);
  const all = {
    // Pools that the line omits are workers.
    updated: line.nodes.updated - sumOf('updated', masters),
    total: line.nodes.total - sumOf('total', masters),
    progressing: sumOf('progressing'),
    stuck: sumOf('stuck'),
    paused: behind.length > 0 && behind.every(({ paused }) => paused) && line.poolsOmitted === 0,
  };
  return poolBar('Worker nodes', all, line);
}

export interface End {
  readonly time: string;
  readonly note: string;
}

/** When the update likely ends, or when it ended. */
export function endOf(line: UpdateLine, now: number): End {
  const { state, forecast, completedAt, lastReportAt } = line;
  if (completedAt !== null) {
    return { time: clock(completedAt, now), note: `${spanInWords(now - Date.parse(completedAt))} ago` };
  }
  if (state === 'silent') return { time: 'Unknown', note: `last report ${clock(lastReportAt, now)}` };
  if (state === 'held') return { time: 'Open', note: 'until it is unpaused' };
  if (forecast === null) return { time: 'Unknown', note: 'no forecast' };
  const left = Date.parse(forecast.likelyAt) - now;
  // The service reports a likely end that has passed as the moment of its assessment.
  const isLate = Date.parse(forecast.likelyAt) <= Date.parse(lastReportAt) || left < 0;
  return isLate
    ? { time: 'Late', note: `was due ${clock(forecast.likelyAt, now)}` }
    : { time: clock(forecast.likelyAt, now), note: `in ${spanInWords(left)}` };
}

/** Time that a stalled update needs once it goes on, as forecast at its last report. */
export function leftAfterFix({ forecast, lastReportAt }: UpdateLine): string {
  if (forecast === null) return 'Unknown';
  const left = Date.parse(forecast.likelyAt) - Date.parse(lastReportAt);
  return left > 0 ? spanInWords(left) : 'Unknown';
}

/** For a link: `Update is stalled`. */
export function updateInWords({ state }: Pick<UpdateLine, 'state'>): string {
  return `Update is ${MARKS[markOf(state)].toLowerCase()}`;
}

/** Begin of a message, before it lists what is waited for. */
export function briefly(what: string): string {
  return what.split(': ')[0]!;
}

/** `Progressed 4 min ago`; null without a report that shows progress, and for what is over. */
export function progressNote({ state, lastProgressAt }: UpdateLine, now: number): string | null {
  if (lastProgressAt === null || state === 'completed') return null;
  return `Progressed ${spanInWords(Math.max(0, now - Date.parse(lastProgressAt)))} ago`;
}

/** Second line of a cluster: why it is where it is. */
export function noteOf(line: UpdateLine, now: number): string {
  const { state, attention, lastReportAt, startedAt, completedAt } = line;
  if (state === 'silent') return `No report for ${spanInWords(now - Date.parse(lastReportAt))}`;
  if (state === 'completed') {
    const took = Date.parse(completedAt ?? lastReportAt) - Date.parse(startedAt);
    return `Took ${spanInWords(took)}`;
  }
  if (state === 'stalled' || state === 'slow') return attention?.what ?? 'Later than forecast';
  return state === 'held' ? heldNote(line) : motionNote(line);
}

function heldNote({ pools }: Parts): string {
  const paused = pools.filter((pool) => pool.paused && isBehind(pool)).map(({ name }) => name);
  return paused.length === 0 ? 'A pool is paused' : `Paused: ${joinInWords(paused)}`;
}

function motionNote({ attention, draining, stuck, operators }: UpdateLine): string {
  if (stuck > 0) return attention?.what ?? `${countInWords(stuck, 'node')} stuck`;
  if (draining > 0) return `${countInWords(draining, 'node')} draining`;
  if (!isBehind(operators)) return 'Nodes are updating';
  return `${countInWords(operators.total - operators.updated, 'operator')} left`;
}

export interface Advice {
  readonly text: string;
  /** Null for the text behind the last command. */
  readonly command: string | null;
}

/** Each command of an explanation with the text before it: `Read more with: oc get pdb -A. …` */
export function adviceIn(description: string): Advice[] {
  const parts: Advice[] = [];
  let read = 0;
  for (const found of description.matchAll(/: (oc .+?)(?=\. [A-Z]|\.?$)/gs)) {
    parts.push({ text: `${description.slice(read, found.index).trim()}:`, command: found[1]!.trim() });
    read = found.index + found[0].length;
    // The period ended the command's sentence.
    while (/[.\s]/.test(description[read] ?? '')) read += 1;
  }
  const rest = description.slice(read).trim();
  return rest === '' ? parts : [...parts, { text: rest, command: null }];
}

/** Splits a text before its last sentence, which introduces a command: `Read why the drain waits`. */
export function withoutLead(detail: string): readonly [facts: string, lead: string] {
  const at = detail.lastIndexOf('. ');
  return at < 0 ? ['', detail] : [detail.slice(0, at + 1), detail.slice(at + 2)];
}

/** Last command of an explanation, what introduces it, and what the explanation knows. */
export function factsIn(description: string): {
  readonly facts: string;
  readonly lead: string;
  readonly command: string | null;
} {
  const last = adviceIn(description).findLast(({ command }) => command !== null);
  if (last === undefined) return { facts: description, lead: '', command: null };
  const [facts, lead] = withoutLead(last.text);
  return { facts, lead, command: last.command };
}
