import {
  type LastNotified,
  type TopicState,
  selectNotifications,
  type NotificationLog,
} from '@cairn/shared/notifications/log';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const HOUR = 3600_000;
const START = Date.parse('2026-06-01T12:00:00.000Z');
const at = (hours: number): string => new Date(START + hours * HOUR).toISOString();

/** How one topic stands when it is told as soon as it is another than was said. */
function standing(told: NotificationLog, value: string): TopicState<string> {
  const former = told['topic']?.value;
  return { topic: 'topic', value, news: former !== undefined && former !== value ? value : null };
}

/** What is told of values that come at these hours: `0 a`. */
function play(...values: readonly string[]) {
  let told: NotificationLog = {};
  return values.map((each) => {
    const [hours, value] = each.split(' ') as [string, string];
    const options = { now: START + Number(hours) * HOUR, windowMs: 24 * HOUR };
    const telling = selectNotifications(told, [standing(told, value)], options);
    told = telling.told;
    return { news: telling.news, againAt: telling.againAt, said: told['topic'] };
  });
}

describe('the notification of a topic', () => {
  it('is nothing the first time, only noted', () => {
    expect(play('0 a')).toEqual([{ news: [], againAt: null, said: { value: 'a', at: null } }]);
  });

  it('is a change, once', () => {
    const [, changed, again] = play('0 a', '1 b', '2 b');
    expect(changed).toEqual({ news: ['b'], againAt: null, said: { value: 'b', at: at(1) } });
    expect(again).toEqual({ news: [], againAt: null, said: { value: 'b', at: at(1) } });
  });

  it('is not delayed by a time in the future, which a wrong clock wrote', () => {
    const [, , told] = play('0 a', '720 b', '1 c');
    expect(told).toEqual({ news: ['c'], againAt: null, said: { value: 'c', at: at(1) } });
  });

  it('waits within the window, and is sent when it ends', () => {
    const [, , held, told] = play('0 a', '1 b', '2 c', '25 c');
    expect(held).toEqual({ news: [], againAt: START + 25 * HOUR, said: { value: 'b', at: at(1) } });
    expect(told?.news).toEqual(['c']);
  });

  it('is nothing when by then the state is as last notified', () => {
    const [, , , back] = play('0 a', '1 b', '2 c', '25 b');
    expect(back).toEqual({ news: [], againAt: null, said: { value: 'b', at: at(1) } });
  });

  it('is checked again at the first of several windows that end', () => {
    const said = (hours: number): LastNotified => ({ value: 'a', at: at(hours) });
    const told: NotificationLog = { one: said(0), two: said(-5) };
    const standings = ['one', 'two'].map((topic) => ({ topic, value: 'b', news: topic }));
    const telling = selectNotifications(told, standings, { now: START, windowMs: 24 * HOUR });
    expect(telling).toEqual({ told, news: [], againAt: START + 19 * HOUR });
  });
});

it('never notifies of a topic twice within the window, and in the end always of the current state', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.constantFrom('a', 'b', 'c')), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(steps, (drawn) => {
      let hours = 0;
      const values = drawn.map(([pause, value]) => [(hours += pause), value] as const);
      const last = values.at(-1)!;
      const played = play(...values.map((each) => each.join(' ')), `${last[0] + 24} ${last[1]}`);
      const toldAt = values.flatMap(([hour], index) => (played[index]!.news.length > 0 ? [hour] : []));
      expect(toldAt.every((hour, index) => index === 0 || hour - toldAt[index - 1]! >= 24)).toBe(true);
      expect(played.at(-1)!.said?.value).toBe(last[1]);
    }),
  );
});
