/** Schedules of EventBridge Scheduler as its documentation describes them, written without a look at what makes them. */

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

export interface Stretch {
  readonly from: number;
  readonly until: number;
  /** What the clocks show, less UTC. */
  readonly ahead: number;
}

/** The stretches between two instants in which the clocks of a zone are not changed. */
export function stretchesOf(timeZone: string, from: number, until: number): Stretch[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const ahead = (instant: number) => Date.parse(`${format.format(instant).replace(' ', 'T')}Z`) - instant;
  const stretches: Stretch[] = [];
  let begin = from;
  for (let probe = from; probe < until; probe += 10 * DAY) {
    let [same, other] = [probe, Math.min(probe + 10 * DAY, until)];
    const before = ahead(same);
    if (ahead(other) === before) continue;
    while (other - same > MINUTE) {
      const middle = Math.floor((same + other) / 2 / MINUTE) * MINUTE;
      if (ahead(middle) === before) same = middle;
      else other = middle;
    }
    stretches.push({ from: begin, until: other, ahead: before });
    begin = other;
  }
  return [...stretches, { from: begin, until, ahead: ahead(begin) }];
}

/** The first times at which any of the expressions fires, until the stretches end. */
export function awsTimes(
  expressions: readonly string[],
  stretches: readonly Stretch[],
  after: number,
  count: number,
): number[] {
  const times = expressions.flatMap((expression) => timesOf(expression, stretches, after, count));
  return [...new Set(times)].toSorted((a, b) => a - b).slice(0, count);
}

function timesOf(expression: string, stretches: readonly Stretch[], after: number, count: number): number[] {
  const inner = /^cron\((\S+) (\S+) (\S+) (\S+) (\S+) \*\)$/.exec(expression);
  if (inner === null || expression.length > 256) throw new TypeError(`EventBridge refuses ${expression}`);
  const [minute, hour, date, month, weekday] = inner.slice(1) as [string, string, string, string, string];
  if ((date === '?') === (weekday === '?')) throw new TypeError(`one of the days is to be ?: ${expression}`);
  const minutes = field(minute, 0, 59);
  const hours = field(hour, 0, 23);
  const isMonth = field(month, 1, 12, MONTHS);
  const isDay = date === '?' ? field(weekday, 1, 7, WEEKDAYS) : field(date, 1, 31);

  const times: number[] = [];
  const last = stretches.at(-1)!.until;
  for (let day = Math.floor(after / DAY) * DAY - DAY; day < last && times.length < count; day += DAY) {
    const calendar = new Date(day);
    const place = date === '?' ? calendar.getUTCDay() + 1 : calendar.getUTCDate();
    if (!isMonth.includes(calendar.getUTCMonth() + 1) || !isDay.includes(place)) continue;
    const near = stretches.filter(({ from, until }) => from < day + 3 * DAY && until > day - 2 * DAY);
    for (const h of hours) {
      for (const m of minutes) {
        const shown = day + h * 60 * MINUTE + m * MINUTE;
        const first = near.find(({ from, until, ahead }) => shown - ahead >= from && shown - ahead < until);
        if (first !== undefined && shown - first.ahead > after) times.push(shown - first.ahead);
      }
    }
  }
  return times;
}

function field(text: string, min: number, max: number, names: readonly string[] = []): number[] {
  const valueOf = (part: string) => {
    const value = names.includes(part) ? names.indexOf(part) + min : Number(part);
    if (!Number.isInteger(value) || value < min || value > max)
      throw new TypeError(`EventBridge refuses ${part}`);
    return value;
  };
  const all = Array.from({ length: max - min + 1 }, (_, index) => min + index);
  return all.filter((value) =>
    text.split(',').some((part) => {
      if (part === '*') return true;
      const [start, step] = part.split('/') as [string, string?];
      if (step !== undefined) {
        if (names === WEEKDAYS) throw new TypeError(`a step of weekdays is not documented: ${text}`);
        return value >= valueOf(start) && (value - valueOf(start)) % Number(step) === 0;
      }
      const [low, high = low] = part.split('-') as [string, string?];
      if (valueOf(low) > valueOf(high)) throw new TypeError(`EventBridge refuses ${part}`);
      return value >= valueOf(low) && value <= valueOf(high);
    }),
  );
}
