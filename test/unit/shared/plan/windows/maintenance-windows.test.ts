import { MOST_WINDOWS } from '@cairn/shared/plan/values';
import { windowText, readWindows } from '@cairn/shared/plan/windows/maintenance-windows';
import { describe, expect, it } from 'vitest';

/** As texts, one for each day. */
function read(windows: unknown, timeZone?: unknown): string[] {
  const reading = readWindows({ windows, timeZone });
  if (!reading.ok) throw new TypeError(reading.mistakes.map(({ problem }) => problem).join('; '));
  return reading.windows.windows.map(windowText);
}

function mistakes(windows: unknown, timeZone?: unknown): string[] {
  const reading = readWindows({ windows, timeZone });
  if (reading.ok) return [];
  return reading.mistakes.map(({ field, index, problem }) => `${field} ${index ?? '-'}: ${problem}`);
}

const ACCEPTED = 'days and times such as Sat 22:00-04:00 or Mon-Fri 01:00-03:30 are accepted';

describe('windows', () => {
  it.each<[unknown, string[]]>([
    ['Sat 22:00-04:00', ['Sat 22:00-04:00']],
    ['  saturday   22:00 - 04:00 ', ['Sat 22:00-04:00']],
    ['SUN 00:00-24:00', ['Sun 00:00-24:00']],
    ['Mon-Wed 01:00-03:30', ['Mon 01:00-03:30', 'Tue 01:00-03:30', 'Wed 01:00-03:30']],
    ['Sat - Mon 23:30-00:15', ['Sat 23:30-00:15', 'Sun 23:30-00:15', 'Mon 23:30-00:15']],
    ['Fri-Fri 23:59-24:00', ['Fri 23:59-24:00']],
    ['Sat 22:00-04:00, Tue 01:00-02:00', ['Sat 22:00-04:00', 'Tue 01:00-02:00']],
    [
      ['Sat 22:00-04:00', { day: 'Tue', start: '01:00', end: '02:00' }],
      ['Sat 22:00-04:00', 'Tue 01:00-02:00'],
    ],
    [[{ end: '24:00', start: '00:00', day: 'thursday' }], ['Thu 00:00-24:00']],
  ])('%j', (given, windows) => {
    expect(read(given)).toEqual(windows);
  });

  it('are read again from what was read', () => {
    const reading = readWindows({ windows: 'Mon-Fri 01:00-03:30', timeZone: 'Asia/Kolkata' });
    expect(reading.ok && readWindows(reading.windows)).toEqual(reading);
  });

  it('are of UTC unless a time zone is given', () => {
    expect(readWindows({ windows: 'Sat 22:00-04:00' })).toMatchObject({ windows: { timeZone: 'UTC' } });
    expect(readWindows({ windows: 'Sat 22:00-04:00', timeZone: 'Europe/Berlin' })).toMatchObject({
      windows: { timeZone: 'Europe/Berlin' },
    });
  });

  it.each<[unknown, string[]]>([
    [undefined, [`windows -: is undefined, ${ACCEPTED}`]],
    [7, [`windows -: is 7, ${ACCEPTED}`]],
    [{ day: 'Sat', start: '22:00', end: '04:00' }, [`windows -: is an object, ${ACCEPTED}`]],
    [[], [`windows -: is empty, ${ACCEPTED}`]],
    ['', [`windows -: "" is no window, ${ACCEPTED}`]],
    ['Sat 22:00-04:00,', [`windows -: "" is no window, ${ACCEPTED}`]],
    ['Sat', [`windows -: "Sat" is no window, ${ACCEPTED}`]],
    ['22:00-04:00', [`windows -: "22:00-04:00" is no window, ${ACCEPTED}`]],
    ['Sat 22:00', [`windows -: "Sat 22:00" is no window, ${ACCEPTED}`]],
    ['Sat 10pm-4am', [`windows -: "Sat 10pm-4am" is no window, ${ACCEPTED}`]],
    [['Sat 22:00-04:00', null], [`windows 1: null is no window, ${ACCEPTED}`]],
    [[['Sat 22:00-04:00']], [`windows 0: an array is no window, ${ACCEPTED}`]],
    ['Sut 22:00-04:00', ['windows -: "Sut" is no day, accepted are Mon to Sun; did you mean Sun?']],
    ['Mon-Xyz 22:00-04:00', ['windows -: "Xyz" is no day, accepted are Mon to Sun']],
    [
      'Sat 9:00-25:00',
      ['windows -: "9:00" is no time of day, accepted are 00:00 to 23:59 and 24:00 as the end'],
    ],
    [
      'Sat 24:00-01:00',
      ['windows -: "24:00" is no time of day, accepted are 00:00 to 23:59 and 24:00 as the end'],
    ],
    ['Sat 22:00-24:01', ['windows -: "24:01" is no time of day, accepted are 00:00 to 23:59 and 24:00']],
    ['Sat 22:00-22:60', ['windows -: "22:60" is no time of day, accepted are 00:00 to 23:59 and 24:00']],
    ['Sat 22:00-22:00', ['windows -: begins and ends at 22:00; a whole day is 00:00-24:00']],
    [
      [{ day: 'Sat', start: '22:00', stop: '04:00' }],
      ['windows 0: "stop" is not known in a window, accepted are day, start and end'],
    ],
    [
      [{ start: '22:00', end: '04:00' }],
      ['windows 0: a window lacks its day, needed are day, start and end'],
    ],
    [
      [{ day: 'Sat', start: 22, end: '04:00' }],
      ['windows 0: 22 is no time of day, accepted are 00:00 to 23:59 and 24:00 as the end'],
    ],
  ])('%j are refused', (given, expected) => {
    expect(mistakes(given)).toEqual(expected);
  });

  it('are refused with all mistakes at once', () => {
    expect(mistakes(['Sat', 'Sun 01:00-02:00', 'Son 01:00-01:00'], 'Berlin')).toEqual([
      `windows 0: "Sat" is no window, ${ACCEPTED}`,
      'windows 2: "Son" is no day, accepted are Mon to Sun; did you mean Sun?',
      expect.stringMatching(/^timeZone -: the time zone "Berlin" is not known; accepted are UTC and names/),
    ]);
    expect(mistakes('Sat 22:00-04:00', 2)).toEqual([
      'timeZone -: is 2, UTC and names such as Europe/Berlin are accepted',
    ]);
  });

  it('are 50 at most, each day counted', () => {
    const seven = Array.from({ length: 7 }, () => 'Mon-Sun 01:00-02:00');
    expect(read([...seven, 'Mon 03:00-04:00'])).toHaveLength(MOST_WINDOWS);
    const most = `at most ${MOST_WINDOWS} are accepted, and each day counts`;
    expect(mistakes([...seven, 'Mon-Tue 03:00-04:00'])).toEqual([`windows -: has 51 windows, ${most}`]);
    expect(mistakes('Mon 01:00-02:00,'.repeat(100_000))).toEqual([`windows -: has 100001 windows, ${most}`]);
  });

  it('of hostile text are refused in few words', () => {
    const [problem] = mistakes(['Sat ' + '\u001b[31m-'.repeat(50_000)]);
    expect(problem!.length).toBeLessThan(300);
    expect(mistakes([{ day: '__proto__', start: 'constructor', end: '' }])).toHaveLength(1);
    expect(mistakes([JSON.parse('{"__proto__": 1}')])).toHaveLength(1);
  });
});
