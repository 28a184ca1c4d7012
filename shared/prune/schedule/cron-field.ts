import { quoteValue } from '../../text/quote.ts';

export interface CronField {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** The first name is the lowest value. */
  readonly names: readonly string[];
}

export const CRON_FIELDS = {
  minute: { name: 'minute', min: 0, max: 59, names: [] },
  hour: { name: 'hour', min: 0, max: 23, names: [] },
  date: { name: 'day of month', min: 1, max: 31, names: [] },
  month: {
    name: 'month',
    min: 1,
    max: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  weekday: {
    name: 'day of week',
    min: 0,
    max: 6,
    names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
  },
} as const satisfies Record<string, CronField>;

export interface FieldValues {
  readonly values: readonly number[];
  /** Contains an unrestricted `*` or `?`; `values` then has every value. */
  readonly isStar: boolean;
}

export interface FieldProblem {
  readonly problem: string;
}

/** Reads a field like robfig/cron v3: `1-9/4,2` → 1, 2, 5, 9. Empty list items are ignored, so it can be empty. */
export function readCronField(text: string, field: CronField): FieldValues | FieldProblem {
  const values = new Set<number>();
  let isStar = false;
  for (const item of text.split(',')) {
    if (item === '') continue;
    const range = readRange(item, field);
    if (typeof range === 'string') {
      return { problem: `${field.name} ${quoteValue(text)}: ${range}; ${accepted(field)}` };
    }
    for (let value = range.start; value <= range.end; value += range.step) values.add(value);
    isStar ||= range.isStar;
  }
  return { values: [...values].toSorted((a, b) => a - b), isStar };
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly isStar: boolean;
}

function readRange(item: string, field: CronField): Range | string {
  const [ends = '', stepText, ...furtherSteps] = item.split('/');
  if (furtherSteps.length > 0) return `${quoteValue(item)} has more than one slash`;
  const step = stepText === undefined ? 1 : readNumber(stepText);
  if (step === null || step < 1) return `the step of ${quoteValue(item)} is not a number from 1 on`;

  const [low = '', high, ...furtherEnds] = ends.split('-');
  // robfig/cron also ignores the text after a hyphen that follows a star.
  if (low === '*' || low === '?') return { start: field.min, end: field.max, step, isStar: step === 1 };
  if (furtherEnds.length > 0) return `${quoteValue(item)} has more than one hyphen`;

  const start = readValue(low, field);
  const end = high === undefined ? start : readValue(high, field);
  if (start === null) return notAValue(low, field);
  if (end === null) return notAValue(high!, field);
  if (Math.min(start, end) < field.min) return `${Math.min(start, end)} is below ${field.min}`;
  if (start > field.max || end > field.max) return aboveMaximum(start, end, field);
  if (start > end) return `${ends} ends before it starts, write ${wrapped(start, end, field)}`;
  const isOpen = high === undefined && stepText !== undefined;
  return { start, end: isOpen ? field.max : end, step, isStar: false };
}

function readValue(text: string, field: CronField): number | null {
  const index = field.names.indexOf(text.toLowerCase());
  return index === -1 ? readNumber(text) : field.min + index;
}

function readNumber(text: string): number | null {
  if (!/^\+?\d+$/.test(text)) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
}

function accepted(field: CronField): string {
  const { min, max, names } = field;
  const named = names.length === 0 ? '' : ` or ${names[0]} to ${names.at(-1)}`;
  return `accepted are * and ${min} to ${max}${named}, as lists (1,3), ranges (1-3) and steps (*/2)`;
}

function notAValue(text: string, field: CronField): string {
  const said = `${quoteValue(text)} is not a number${field.names.length === 0 ? '' : ' or a name'}`;
  const meant = field.names.find((name) => text.toLowerCase().startsWith(name));
  if (meant !== undefined) return `${said}, write ${meant}`;
  return /[LW#]/i.test(text) ? `${said}, and L, W and # are not part of cron as Kubernetes reads it` : said;
}

function aboveMaximum(start: number, end: number, field: CronField): string {
  const said = `${Math.max(start, end)} is above ${field.max}`;
  if (field !== CRON_FIELDS.weekday || end !== 7 || start > end) return said;
  return `${said}, for Sunday use 0${start === 7 ? '' : `: ${span(start, field.max)},0`}`;
}

/** `5-1` for weekdays → `5-6,0-1`. */
function wrapped(start: number, end: number, field: CronField): string {
  return `${span(start, field.max)},${span(field.min, end)}`;
}

function span(start: number, end: number): string {
  return start === end ? String(start) : `${start}-${end}`;
}
