import { CRON_FIELDS, type CronField } from './cron-field.ts';
import type { CronSchedule, Schedule } from './next-times.ts';

/**
 * Converts to EventBridge Scheduler expressions: `30 9,17 * * 1-5` → `cron(30 9,17 ? * MON-FRI *)`. Dates and weekdays
 * together need two, since an expression accepts only one of them. The longest result has 254 characters; 256 are
 * allowed.
 */
export function toAws(schedule: Schedule): readonly string[] {
  if (schedule.kind === 'interval') {
    return [`rate(${schedule.minutes} ${schedule.minutes === 1 ? 'minute' : 'minutes'})`];
  }
  const { dates, weekdays } = schedule;
  const expressions: string[] = [];
  if (dates.length > 0) expressions.push(expression(schedule, stepsOrList(dates, CRON_FIELDS.date), '?'));
  if (weekdays.length > 0) expressions.push(expression(schedule, '?', list(weekdays, CRON_FIELDS.weekday)));
  return expressions;
}

function expression({ minutes, hours, months }: CronSchedule, dates: string, weekdays: string): string {
  const { minute, hour, month } = CRON_FIELDS;
  const time = `${stepsOrList(minutes, minute)} ${stepsOrList(hours, hour)}`;
  return `cron(${time} ${dates} ${stepsOrList(months, month)} ${weekdays} *)`;
}

/** Uses `0/15` only if the steps continue to the end of the field, as EventBridge reads it. */
function stepsOrList(values: readonly number[], field: CronField): string {
  const [first, second] = values as [number, number | undefined];
  if (values.length === field.max - field.min + 1) return '*';
  if (second === undefined || values.length < 3) return list(values, field);
  const step = second - first;
  const isSteady = values.every((value, index) => value === first + index * step);
  const isComplete = values.at(-1)! + step > field.max;
  return step > 1 && isSteady && isComplete ? `${first}/${step}` : list(values, field);
}

/** Uses names, because EventBridge counts weekdays from 1. Three or more in a row become a range. */
function list(values: readonly number[], field: CronField): string {
  const shown = (value: number) => field.names[value - field.min]?.toUpperCase() ?? String(value);
  const items: string[] = [];
  for (let index = 0; index < values.length;) {
    let last = index;
    while (values[last + 1] === values[last]! + 1) last++;
    const run = values.slice(index, last + 1).map(shown);
    items.push(run.length < 3 ? run.join(',') : `${run[0]}-${run.at(-1)}`);
    index = last + 1;
  }
  return items.join(',');
}
