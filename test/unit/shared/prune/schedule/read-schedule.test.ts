import { nextTimes } from '@cairn/shared/prune/schedule/next-times';
import { readSchedule } from '@cairn/shared/prune/schedule/read-schedule';
import { describe, expect, it } from 'vitest';
import { scheduleOf } from '../../../../helpers/prune/schedules.ts';
import robfig from './robfig-vectors.json' with { type: 'json' };

const VECTORS_AFTER = Date.parse('2027-01-30T12:00Z');

describe('what robfig/cron v3 itself reads', () => {
  it.each(Object.entries(robfig.accepted))('%j fires as there', (text, times) => {
    const next = nextTimes(scheduleOf(text), 'UTC', { after: VECTORS_AFTER, count: 6 });
    const shown = next.map((time) => new Date(time).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length));
    expect(shown.join(' ')).toBe(times);
  });

  it.each(robfig.refused)('%j is refused as there', (text) => {
    expect(readSchedule(text).ok).toBe(false);
  });
});

describe('readSchedule', () => {
  it.each([
    ['0 0 * * *', { dates: 31, weekdays: [] }],
    ['0 0 * * 5', { dates: 0, weekdays: [5] }],
    ['0 0 1 * *', { dates: 1, weekdays: [] }],
    ['0 0 1,15 * 5', { dates: 2, weekdays: [5] }],
    ['0 0 */2 * 1', { dates: 16, weekdays: [1] }],
    ['0 0 */1 * 1', { dates: 0, weekdays: [1] }],
    ['0 0 2,* * 1', { dates: 0, weekdays: [1] }],
    ['0 0 1-31 * 1', { dates: 31, weekdays: [] }],
    ['0 0 1 * 0-6', { dates: 31, weekdays: [] }],
    ['0 0 1-29 2 1', { dates: 31, weekdays: [] }],
    ['0 0 1-29 2,3 1', { dates: 29, weekdays: [1] }],
    ['0 0 29-31 2 *', { dates: 1, weekdays: [] }],
    ['0 0 31 2 1', { dates: 0, weekdays: [1] }],
  ])('%s goes by these days', (text, days) => {
    const schedule = scheduleOf(text);
    expect(schedule.kind === 'cron' && { dates: schedule.dates.length, weekdays: schedule.weekdays }).toEqual(
      days,
    );
  });

  it('reads a macro as its fields, and keeps its own text', () => {
    expect(scheduleOf('@weekly')).toEqual({ ...scheduleOf('0 0 * * 0'), text: '@weekly' });
  });

  it('keeps the text with single spaces', () => {
    expect(scheduleOf(' 5  4\t* *\n* ').text).toBe('5 4 * * *');
  });

  it.each([
    ['@every 90m', 90],
    ['@every 1h30m', 90],
    ['@every 1.5h', 90],
    ['@every +1m', 1],
    ['@every 60000ms', 1],
    ['@every 1m0.9s', 1],
    ['@every 2562047h', 2562047 * 60],
  ])('%s is an interval of %i minutes', (text, minutes) => {
    expect(scheduleOf(text)).toEqual({ kind: 'interval', text, minutes });
  });

  it.each([
    [
      '61 * * * *',
      'minute "61": 61 is above 59; accepted are * and 0 to 59, as lists (1,3), ranges (1-3) and steps (*/2)',
    ],
    [
      '0 0 * * 7',
      'day of week "7": 7 is above 6, for Sunday use 0; accepted are * and 0 to 6 or sun to sat, as lists (1,3), ranges (1-3) and steps (*/2)',
    ],
  ])('%s is refused with all that is to know', (text, problem) => {
    expect(readSchedule(text)).toEqual({ ok: false, problem });
  });

  it.each([
    ['0 0 * * 1,5-7', 'day of week "1,5-7": 7 is above 6, for Sunday use 0: 5-6,0; accepted are'],
    ['0 0 * * 8', 'day of week "8": 8 is above 6; accepted are'],
    ['0 0 * * 5-1', 'day of week "5-1": 5-1 ends before it starts, write 5-6,0-1; accepted are'],
    ['0 0 * * sat-sun', 'day of week "sat-sun": sat-sun ends before it starts, write 6,0; accepted are'],
    ['0 22-4 * * *', 'hour "22-4": 22-4 ends before it starts, write 22-23,0-4; accepted are'],
    ['0 0 0 * *', 'day of month "0": 0 is below 1; accepted are'],
    ['0 0 5-0 * *', 'day of month "5-0": 0 is below 1; accepted are'],
    ['0 0 L * *', 'L, W and # are not part of cron as Kubernetes reads it; accepted are * and 1 to 31'],
    ['0 0 15W * *', 'day of month "15W": "15W" is not a number, and L, W and #'],
    ['0 0 * * 5#2', 'day of week "5#2": "5#2" is not a number or a name, and L, W and #'],
    ['0 0 * january *', 'month "january": "january" is not a number or a name, write jan; accepted are'],
    ['*/0 * * * *', 'minute "*/0": the step of "*/0" is not a number from 1 on; accepted are'],
    ['1/2/3 * * * *', 'minute "1/2/3": "1/2/3" has more than one slash; accepted are'],
    ['1-2-3 * * * *', 'minute "1-2-3": "1-2-3" has more than one hyphen; accepted are'],
    ['5- * * * *', 'minute "5-": "" is not a number; accepted are'],
    ['0 0 * *', 'the schedule "0 0 * *" has 4 fields, accepted are five fields (minute, hour,'],
    ['', 'the schedule "" has 0 fields, accepted are five fields'],
    ['0 0 0 * * *', 'or a macro such as @daily; there is none for seconds or years'],
    ['0 0 * * ? *', 'has 6 fields'],
    [' @daily', 'or a macro such as @daily, without white space around it'],
    ['@dayly', 'the schedule "@dayly" is not a macro; accepted are @yearly, @annually, @monthly'],
    ['@dayly', '@hourly or @every 90m; did you mean @daily?'],
    ['@reboot', '@hourly or @every 90m'],
    ['TZ=UTC 0 0 * * *', 'begins with a time zone, which belongs in timeZone'],
    ['CRON_TZ=Europe/Berlin 0 0 * * *', 'begins with a time zone, which belongs in timeZone'],
    ['cron(0 0 * * ? *)', 'is in the form of EventBridge, accepted are five fields'],
    ['rate(1 day)', 'is in the form of EventBridge, accepted are five fields'],
    ['@every 1d', '@every "1d" is not a duration as Go reads it, accepted are 90m, 1h30m or 24h'],
    ['@every 9999999h', '@every "9999999h" is not a duration as Go reads it'],
    ['@every 90s', '@every "90s" is not a number of whole minutes from 1m on'],
    ['@every 0', '@every "0" is not a number of whole minutes from 1m on'],
    ['@every -5m', '@every "-5m" is not a number of whole minutes from 1m on'],
    ['0 0 31 2 *', 'the schedule "0 0 31 2 *" never fires: none of its months has a day 31'],
    ['0 0 31 4,6,9,11 *', 'never fires: none of its months has a day 31'],
    ['0 0 30,31 feb ?', 'never fires: none of its months has a day 30 or 31'],
    [', 0 * * *', 'the schedule ", 0 * * *" never fires: there is no minute in it'],
    ['0 0 , * ,', 'never fires: there is no day of month and day of week in it'],
  ])('%j is refused, and the reason says: %s', (text, part) => {
    const read = readSchedule(text);
    expect(read.ok ? 'accepted' : read.problem).toContain(part);
  });

  it('answers with a short message whatever was given', () => {
    for (const text of ['9'.repeat(100_000), '@'.repeat(100_000), `@every ${'1h'.repeat(50_000)}`]) {
      const read = readSchedule(text);
      expect(read.ok ? 0 : read.problem.length).toBeLessThan(500);
    }
  });
});
