import { describe, expect, it } from 'vitest';
import type { ClusterHistoryAnswer } from '../../../../../functions/console/data/responses.ts';
import { courseOf } from '../../../../../functions/console/updates/history-timeline.tsx';

const NOW = Date.parse('2026-11-16T12:00:00Z');
type Entry = ClusterHistoryAnswer['entries'][number];

const anEntry = (version: string, startedTime: string | null, minutes: number | null): Entry =>
  ({
    version,
    image: 'i',
    state: minutes === null ? 'Partial' : 'Completed',
    startedTime,
    completionTime:
      minutes === null || startedTime === null
        ? null
        : new Date(Date.parse(startedTime) + minutes * 60_000).toISOString(),
  }) as Entry;

describe('the history of a cluster', () => {
  it('has how long it ran each version, and how long each update took', () => {
    const course = courseOf(
      [
        anEntry('4.16.1', '2026-11-16T11:00:00Z', null),
        anEntry('4.15.9', '2026-06-01T00:00:00Z', 91),
        anEntry('4.15.8', '2026-05-31T00:00:00Z', null),
        anEntry('4.14.1', '2024-01-10T00:00:00Z', 40),
        anEntry('4.13.1', null, 40),
      ],
      NOW,
    )!;
    expect(course.stays.map(({ version, state, took }) => [version, state, took && took / 60_000])).toEqual([
      ['4.14.1', 'completed', 40],
      ['4.15.8', 'partial', null],
      ['4.15.9', 'completed', 91],
      ['4.16.1', 'in-progress', null],
    ]);
    expect(course.stays.map(({ to }) => to)).toEqual([...course.stays.slice(1).map(({ from }) => from), NOW]);
    expect(course.ticks.length).toBeGreaterThan(3);
    expect(course.ticks.length).toBeLessThanOrEqual(9);
  });

  it.each([1, 20, 61, 63, 400, 4000])('has few ticks for %d days', (days) => {
    const start = new Date(NOW - days * 24 * 3600_000).toISOString();
    const { ticks } = courseOf([anEntry('4.16.1', start, 40)], NOW)!;
    expect(ticks.length).toBeGreaterThan(0);
    expect(ticks.length).toBeLessThanOrEqual(9);
  });

  it('is not there without a time, nor of what begins later', () => {
    expect(courseOf([], NOW)).toBeNull();
    expect(courseOf([anEntry('4.16.1', 'soon', null)], NOW)).toBeNull();
    expect(courseOf([anEntry('4.16.1', '2027-01-01T00:00:00Z', null)], NOW)).toBeNull();
  });
});
