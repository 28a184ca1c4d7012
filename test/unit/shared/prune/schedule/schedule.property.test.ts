import { nextTimes } from '@cairn/shared/prune/schedule/next-times';
import { readSchedule } from '@cairn/shared/prune/schedule/read-schedule';
import { toAws } from '@cairn/shared/prune/schedule/to-aws';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../../helpers/size.ts';
import { awsTimes, stretchesOf } from './aws-schedule.ts';

const DAY = 86_400_000;
const BEGIN = Date.UTC(2024, 0, 1);
/** EventBridge knows no year after 2199. */
const END = Date.UTC(2200, 0, 1);
const COUNT = 500;

/** A field with what it stands for. */
interface Field {
  readonly text: string;
  readonly values: ReadonlySet<number>;
  readonly isStar: boolean;
}

function field(min: number, max: number, names: readonly string[] = []): fc.Arbitrary<Field> {
  const value = fc.integer({ min, max });
  const spelled = fc
    .tuple(value, fc.boolean())
    .map(([start, byName]) => ({ text: (byName && names[start - min]) || `${start}`, start, end: start }));
  const range = fc.tuple(value, value).map(([a, b]) => {
    const [start, end] = [Math.min(a, b), Math.max(a, b)];
    return { text: `${start}-${end}`, start, end };
  });
  const star = fc.constantFrom('*', '?').map((text) => ({ text, start: min, end: max }));
  const step = fc.constantFrom(null, null, null, 1, 2, 3, 5, 7, 15, 20, 40);
  const item = fc.tuple(fc.oneof(star, spelled, range), step).map(([{ text, start, end }, step]) => {
    const values = new Set<number>();
    const last = step !== null && start === end && !text.includes('-') ? max : end;
    for (let value = start; value <= last; value += step ?? 1) values.add(value);
    const isStar = /^[*?]/.test(text) && (step ?? 1) === 1;
    return { text: step === null ? text : `${text}/${step}`, values, isStar };
  });
  const list = fc.array(item, { minLength: 1, maxLength: 4 }).map((items) => ({
    text: items.map(({ text }) => text).join(','),
    values: new Set(items.flatMap(({ values }) => [...values])),
    isStar: items.some(({ isStar }) => isStar),
  }));
  return fc.oneof(item, list);
}

const MONTHS = ['jan', 'FEB', 'Mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'MON', 'Tue', 'wed', 'thu', 'fri', 'sat'];

/** When the clocks are changed, which few of the others meet. */
const NIGHT: Field = { text: '1-3', values: new Set([1, 2, 3]), isStar: false };

const fields = fc.tuple(
  field(0, 59),
  fc.oneof(field(0, 23), fc.constant(NIGHT)),
  field(1, 31),
  field(1, 12, MONTHS),
  field(0, 6, WEEKDAYS),
);
type Fields = readonly [Field, Field, Field, Field, Field];

const after = fc.integer({ min: BEGIN, max: Date.UTC(2040, 0, 1) });

function textOf(fields: Fields): string {
  return fields.map(({ text }) => text).join(' ');
}

/** The times in UTC by the rules of robfig/cron, day by day. */
function plainTimes([minutes, hours, dates, months, weekdays]: Fields, after: number): number[] {
  const clock = [...hours.values].flatMap((hour) => [...minutes.values].map((minute) => hour * 60 + minute));
  const ascending = clock.toSorted((a, b) => a - b);
  const times: number[] = [];
  for (let day = Math.floor(after / DAY) * DAY; day < END && times.length < COUNT; day += DAY) {
    const calendar = new Date(day);
    const isDate = dates.values.has(calendar.getUTCDate());
    const isWeekday = weekdays.values.has(calendar.getUTCDay());
    const isDay = dates.isStar || weekdays.isStar ? isDate && isWeekday : isDate || isWeekday;
    if (!isDay || !months.values.has(calendar.getUTCMonth() + 1)) continue;
    times.push(...ascending.map((minute) => day + minute * 60_000).filter((time) => time > after));
  }
  return times.slice(0, COUNT);
}

describe('a schedule', () => {
  it('fires as its fields say, or is refused when that is never', () => {
    fc.assert(
      fc.property(fields, after, (fields, after) => {
        const read = readSchedule(textOf(fields));
        const times = read.ok ? nextTimes(read.schedule, 'UTC', { after, count: COUNT }) : [];
        expect(times.filter((time) => time < END)).toEqual(plainTimes(fields, after));
      }),
      { numRuns: sized(20, 200) },
    );
  });
});

describe('the expressions for EventBridge', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/New_York'])('fire as the schedule does, in %s', (timeZone) => {
    const stretches = stretchesOf(timeZone, BEGIN - 3 * DAY, END);
    expect(stretches.length > 1).toBe(timeZone !== 'UTC');
    fc.assert(
      fc.property(fields, after, (fields, after) => {
        const read = readSchedule(textOf(fields));
        fc.pre(read.ok);
        const times = nextTimes(read.schedule, timeZone, { after, count: COUNT }).filter(
          (time) => time < END,
        );
        expect(times).toEqual(awsTimes(toAws(read.schedule), stretches, after, COUNT));
      }),
      { numRuns: sized(20, 200) },
    );
  });
});
