import { nearestName } from '../../text/nearest.ts';
import { quoteValue } from '../../text/quote.ts';
import { countInWords, joinInWords } from '../../text/words.ts';
import { CRON_FIELDS, type FieldValues, readCronField } from './cron-field.ts';
import type { CronSchedule, IntervalSchedule, Schedule } from './next-times.ts';

export type ScheduleReading<S extends Schedule = Schedule> =
  | { readonly ok: true; readonly schedule: S }
  | { readonly ok: false; readonly problem: string };

const MACROS: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);
const EVERY = '@every ';

const FIELDS = [
  CRON_FIELDS.minute,
  CRON_FIELDS.hour,
  CRON_FIELDS.date,
  CRON_FIELDS.month,
  CRON_FIELDS.weekday,
];
type FiveFields = [FieldValues, FieldValues, FieldValues, FieldValues, FieldValues];
const ACCEPTED =
  'accepted are five fields (minute, hour, day of month, month, day of week) or a macro such as @daily';

/** White space of Go, which differs from JavaScript's. */
const WHITE_SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/** By month number, February in a leap year. */
const MONTH_LENGTHS = [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const ALL_DATES = Array.from({ length: 31 }, (_, index) => index + 1);

/**
 * Reads a schedule of a Kubernetes CronJob (robfig/cron v3: five fields or a macro). Accepts `30 9 * * mon-fri` and
 * `@every 90m`. Rejects `0 0 * * 7`, `0 0 L * *`, and `0 0 31 2 *`, which never fires. Rejects `@every 90s`:
 * EventBridge Scheduler supports whole minutes only.
 */
export function readSchedule(text: string): ScheduleReading {
  if (/^(?:CRON_)?TZ=/.test(text)) {
    return no(`the schedule ${quoteValue(text)} begins with a time zone, which belongs in timeZone`);
  }
  if (text.startsWith(EVERY)) return readInterval(text);
  if (text.startsWith('@')) {
    const fields = MACROS.get(text);
    return fields === undefined ? no(unknownMacro(text)) : readFields(text, fields.split(' '));
  }
  if (/^\s*(?:cron|rate|at)\s*\(/i.test(text)) {
    return no(`the schedule ${quoteValue(text)} is in the form of EventBridge, ${ACCEPTED}`);
  }
  const fields = text.split(WHITE_SPACE).filter((field) => field !== '');
  return readFields(fields.join(' '), fields);
}

function readFields(text: string, fields: readonly string[]): ScheduleReading<CronSchedule> {
  if (fields.length !== 5) return no(wrongNumberOfFields(text, fields));
  const read: FieldValues[] = [];
  for (const [index, field] of fields.entries()) {
    const outcome = readCronField(field, FIELDS[index]!);
    if ('problem' in outcome) return no(outcome.problem);
    read.push(outcome);
  }
  const [minutes, hours, dates, months, weekdays] = read as FiveFields;
  const days = daysOf(dates, weekdays, months.values);
  const schedule = { minutes: minutes.values, hours: hours.values, months: months.values, ...days };
  const firesOnSomeDay = days.dates.length + days.weekdays.length > 0;
  if (!firesOnSomeDay || [minutes, hours, months].some(({ values }) => values.length === 0)) {
    return no(`the schedule ${quoteValue(text)} never fires: ${whyNever(read)}`);
  }
  return { ok: true, schedule: { kind: 'cron', text, ...schedule } };
}

function whyNever(read: readonly FieldValues[]): string {
  const empty = FIELDS.filter((_, index) => read[index]!.values.length === 0);
  if (empty.length > 0) return `there is no ${joinInWords(empty.map(({ name }) => name))} in it`;
  return `none of its months has a day ${joinInWords(read[2]!.values.map(String), 'or')}`;
}

/**
 * A star leaves the days to the other field. Without a star either field is enough, so `1-31` or `0-6` means every day.
 * Dates that no month has are dropped.
 */
function daysOf(
  dates: FieldValues,
  weekdays: FieldValues,
  months: readonly number[],
): Pick<CronSchedule, 'dates' | 'weekdays'> {
  const longest = Math.max(0, ...months.map((month) => MONTH_LENGTHS[month]!));
  const possible = dates.values.filter((date) => date <= longest);
  const isEveryDate = longest > 0 && possible.length === longest;
  const isEveryWeekday = weekdays.values.length === 7;
  if (dates.isStar && !isEveryWeekday) return { dates: [], weekdays: weekdays.values };
  if (weekdays.isStar && !isEveryDate) return { dates: possible, weekdays: [] };
  if (isEveryDate || isEveryWeekday) return { dates: ALL_DATES, weekdays: [] };
  return { dates: possible, weekdays: weekdays.values };
}

function readInterval(text: string): ScheduleReading<IntervalSchedule> {
  const given = text.slice(EVERY.length);
  const seconds = goDurationInSeconds(given);
  if (seconds === null) {
    return no(`@every ${quoteValue(given)} is not a duration as Go reads it, accepted are 90m, 1h30m or 24h`);
  }
  const minutes = seconds / 60;
  if (minutes < 1 || !Number.isInteger(minutes)) {
    return no(`@every ${quoteValue(given)} is not a number of whole minutes from 1m on`);
  }
  return { ok: true, schedule: { kind: 'interval', text, minutes } };
}

function unknownMacro(text: string): string {
  const known = [...MACROS.keys(), '@every 90m'];
  const meant = nearestName(text.trim(), [...MACROS.keys()]);
  const hint = meant === null ? '' : `; did you mean ${meant}?`;
  return `the schedule ${quoteValue(text)} is not a macro; accepted are ${joinInWords(known, 'or')}${hint}`;
}

function wrongNumberOfFields(text: string, fields: readonly string[]): string {
  const said = `the schedule ${quoteValue(text)} has ${countInWords(fields.length, 'field')}, ${ACCEPTED}`;
  if (fields.length === 1 && fields[0]!.startsWith('@')) return `${said}, without white space around it`;
  return fields.length > 5 ? `${said}; there is none for seconds or years` : said;
}

function no(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

const NANOSECONDS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['µs', 1000n],
  ['μs', 1000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3600_000_000_000n],
]);
const MAX_NANOSECONDS = 2n ** 63n - 1n;

const DURATION = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
const PART = /(\d*)(?:\.(\d*))?([^\d.]+)/g;

/** Like Go's `time.ParseDuration`, truncated: `1h30m` and `1.5h` → 5400, `90` and `1d` → null. */
export function goDurationInSeconds(text: string): number | null {
  if (/^[+-]?0$/.test(text)) return 0;
  if (text.length > 100 || !DURATION.test(text)) return null;
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.replace(/^[+-]/, '').matchAll(PART)) {
    const length = NANOSECONDS.get(unit)!;
    total += BigInt(whole) * length + (BigInt(fraction) * length) / 10n ** BigInt(fraction.length);
  }
  if (total > MAX_NANOSECONDS) return null;
  const seconds = Number(total / NANOSECONDS.get('s')!);
  return text.startsWith('-') ? -seconds : seconds;
}
