import { toAws } from '@cairn/shared/prune/schedule/to-aws';
import { describe, expect, it } from 'vitest';
import { scheduleOf } from '../../../../helpers/prune/schedules.ts';

describe('toAws', () => {
  it.each<[string, ...string[]]>([
    ['0 0 * * *', 'cron(0 0 * * ? *)'],
    ['@daily', 'cron(0 0 * * ? *)'],
    ['*/1 * * * *', 'cron(* * * * ? *)'],
    ['*/15 * * * *', 'cron(0/15 * * * ? *)'],
    ['10-40/10 * * * *', 'cron(10,20,30,40 * * * ? *)'],
    ['5/20 3 * jan,Jul *', 'cron(5/20 3 * JAN,JUL ? *)'],
    ['30 9 * * 1-5', 'cron(30 9 ? * MON-FRI *)'],
    ['0 2 * * 0', 'cron(0 2 ? * SUN *)'],
    ['@weekly', 'cron(0 0 ? * SUN *)'],
    ['0 6 * * */2', 'cron(0 6 ? * SUN,TUE,THU,SAT *)'],
    ['0 0 1 * *', 'cron(0 0 1 * ? *)'],
    ['@monthly', 'cron(0 0 1 * ? *)'],
    ['@yearly', 'cron(0 0 1 JAN ? *)'],
    ['@hourly', 'cron(0 * * * ? *)'],
    ['0 0 1,15 * 5', 'cron(0 0 1,15 * ? *)', 'cron(0 0 ? * FRI *)'],
    ['0 0 */2 * 1', 'cron(0 0 1/2 * ? *)', 'cron(0 0 ? * MON *)'],
    ['0 0 1-31 * 1', 'cron(0 0 * * ? *)'],
    ['@every 90m', 'rate(90 minutes)'],
    ['@every 1m', 'rate(1 minute)'],
    ['@every 24h', 'rate(1440 minutes)'],

    ['0 0 1 */3 *', 'cron(0 0 1 1/3 ? *)'],
    ['*/30 * * * *', 'cron(0,30 * * * ? *)'],
    ['0 8-10,14,15 * * *', 'cron(0 8-10,14,15 * * ? *)'],
    ['1/2 * * * *', 'cron(1/2 * * * ? *)'],
    ['0-50/10 * * * *', 'cron(0/10 * * * ? *)'],
    ['0-49/10 * * * *', 'cron(0,10,20,30,40 * * * ? *)'],
    ['0 0 * * 0,6', 'cron(0 0 ? * SUN,SAT *)'],
    ['0 0 31 2 1', 'cron(0 0 ? FEB MON *)'],
    ['0 0 1-29 2 *', 'cron(0 0 * FEB ? *)'],
  ])('%s', (text, ...expressions) => {
    expect(toAws(scheduleOf(text))).toEqual(expressions);
  });

  it('stays below 256 characters for the longest there is', () => {
    const pairs = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index)
        .filter((value) => (last - value) % 3 !== 2)
        .join(',');
    const text = `${pairs(0, 59)} ${pairs(0, 23)} ${pairs(1, 31)} ${pairs(1, 12)} *`;
    expect(toAws(scheduleOf(text)).map(({ length }) => length)).toEqual([254]);
  });
});
