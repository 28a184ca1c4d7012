import { nearestName } from '../../text/nearest.ts';
import { quoteValue } from '../../text/quote.ts';
import { countInWords, joinInWords } from '../../text/words.ts';
import { type Weekday, WEEKDAYS } from '../../time/local-time.ts';
import { readTimeZone } from '../../time/time-zone.ts';
import { MOST_WINDOWS } from '../values.ts';

/** Weekly period for work on a cluster, in local time. */
export interface WeeklyWindow {
  /** Day of the start. */
  readonly day: Weekday;
  /** `22:00` */
  readonly start: string;
  /** `04:00`; on the next day unless it is after the start. `24:00` is the end of the day. */
  readonly end: string;
}

export interface MaintenanceWindows {
  /** IANA time zone name. */
  readonly timeZone: string;
  readonly windows: readonly WeeklyWindow[];
}

/** `Sat 22:00-04:00` */
export function windowText({ day, start, end }: WeeklyWindow): string {
  return `${day} ${start}-${end}`;
}

/** `04:30` → 270. */
export function minuteOfDay(time: string): number {
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return hours * 60 + minutes;
}

export interface WindowsMistake {
  readonly field: 'windows' | 'timeZone';
  /** Index in the given list; null for the whole field. */
  readonly index: number | null;
  readonly problem: string;
}

const WINDOW_ACCEPTED = 'days and times such as Sat 22:00-04:00 or Mon-Fri 01:00-03:30 are accepted';

const MEMBERS = ['day', 'start', 'end'] as const;
const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const TEXT = /^([a-z]+)(?: ?- ?([a-z]+))? ([\d:]+) ?- ?([\d:]+)$/i;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/**
 * Accepts `Sat 22:00-04:00, Mon-Fri 01:00-03:30`, a list of such texts, or of `{day: 'Sat', start: '22:00', end:
 * '04:00'}`. Days have three letters or full names; a span of days gives one window per day. A window that does not
 * end after its start ends on the next day. The default time zone is UTC.
 */
export function readWindows(given: {
  readonly windows: unknown;
  readonly timeZone?: unknown;
}):
  | { readonly ok: true; readonly windows: MaintenanceWindows }
  | { readonly ok: false; readonly mistakes: readonly WindowsMistake[] } {
  const zone = readZone(given.timeZone ?? 'UTC');
  const read = readList(given.windows);
  const mistakes = [...read.mistakes, ...(zone.ok ? [] : [aboutAll('timeZone', zone.problem)])];
  if (mistakes.length > 0 || !zone.ok) return { ok: false, mistakes };
  return { ok: true, windows: { timeZone: zone.timeZone, windows: read.windows } };
}

function readZone(given: unknown): ReturnType<typeof readTimeZone> {
  if (typeof given === 'string') return readTimeZone(given);
  return { ok: false, problem: `is ${quoteValue(given)}, UTC and names such as Europe/Berlin are accepted` };
}

interface ListReading {
  readonly windows: readonly WeeklyWindow[];
  readonly mistakes: readonly WindowsMistake[];
}

function readList(given: unknown): ListReading {
  const items: unknown = typeof given === 'string' ? given.split(',') : given;
  if (!Array.isArray(items)) return no(`is ${quoteValue(given)}, ${WINDOW_ACCEPTED}`);
  if (items.length === 0) return no(`is empty, ${WINDOW_ACCEPTED}`);
  if (items.length > MOST_WINDOWS) return no(tooMany(items.length));
  const windows: WeeklyWindow[] = [];
  const mistakes: WindowsMistake[] = [];
  for (const [index, item] of items.entries()) {
    const read = readItem(item);
    if (typeof read !== 'string') windows.push(...read);
    else mistakes.push({ field: 'windows', index: typeof given === 'string' ? null : index, problem: read });
  }
  return windows.length > MOST_WINDOWS ? no(tooMany(windows.length)) : { windows, mistakes };
}

/** Returns the windows, or the problem. */
function readItem(item: unknown): readonly WeeklyWindow[] | string {
  if (typeof item === 'string') return readText(item);
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return `${quoteValue(item)} is no window, ${WINDOW_ACCEPTED}`;
  }
  const stray = Object.keys(item).find((name) => !MEMBERS.some((member) => member === name));
  if (stray !== undefined) {
    return `${quoteValue(stray)} is not known in a window, accepted are ${joinInWords(MEMBERS)}`;
  }
  const lacking = MEMBERS.find((member) => !Object.hasOwn(item, member));
  if (lacking !== undefined) return `a window lacks its ${lacking}, needed are ${joinInWords(MEMBERS)}`;
  const { day, start, end } = item as Readonly<Record<string, unknown>>;
  return windowsOn(day, day, start, end);
}

function readText(text: string): readonly WeeklyWindow[] | string {
  const [, first, last = first, start, end] = TEXT.exec(text.trim().replaceAll(/\s+/g, ' ')) ?? [];
  if (first === undefined) return `${quoteValue(text)} is no window, ${WINDOW_ACCEPTED}`;
  return windowsOn(first, last, start, end);
}

/** Returns one window per day, or the problem. */
function windowsOn(
  first: unknown,
  last: unknown,
  start: unknown,
  end: unknown,
): readonly WeeklyWindow[] | string {
  const [from, to] = [dayIndex(first), dayIndex(last)];
  if (from === -1) return noDay(first);
  if (to === -1) return noDay(last);
  if (!isTime(start)) return noTime(start, 'and 24:00 as the end');
  if (!isTime(end) && end !== '24:00') return noTime(end, 'and 24:00');
  if (start === end) return `begins and ends at ${start}; a whole day is 00:00-24:00`;
  const days = 1 + ((to - from + WEEKDAYS.length) % WEEKDAYS.length);
  return Array.from({ length: days }, (_, at) => ({
    day: WEEKDAYS[(from + at) % WEEKDAYS.length]!,
    start,
    end,
  }));
}

function dayIndex(given: unknown): number {
  const name = typeof given === 'string' ? given.toLowerCase() : '';
  return DAY_NAMES.findIndex((day) => [day, day.slice(0, 3)].some((known) => known.toLowerCase() === name));
}

function noDay(given: unknown): string {
  const meant = typeof given === 'string' ? nearestName(given, [...WEEKDAYS, ...DAY_NAMES]) : null;
  const hint = meant === null ? '' : `; did you mean ${meant}?`;
  return `${quoteValue(given)} is no day, accepted are Mon to Sun${hint}`;
}

function isTime(given: unknown): given is string {
  return typeof given === 'string' && TIME.test(given);
}

function noTime(given: unknown, more: string): string {
  return `${quoteValue(given)} is no time of day, accepted are 00:00 to 23:59 ${more}`;
}

function tooMany(count: number): string {
  return `has ${countInWords(count, 'window')}, at most ${MOST_WINDOWS} are accepted, and each day counts`;
}

function no(problem: string): ListReading {
  return { windows: [], mistakes: [aboutAll('windows', problem)] };
}

function aboutAll(field: WindowsMistake['field'], problem: string): WindowsMistake {
  return { field, index: null, problem };
}
