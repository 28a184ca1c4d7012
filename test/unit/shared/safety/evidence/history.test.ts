import {
  lastCompleted,
  pastReleases,
  signsOfProgress,
  skippedIncomplete,
} from '@cairn/shared/safety/evidence/history';
import { describe, expect, it } from 'vitest';
import { aCondition, historyOf, withHistory } from '../../../../helpers/cluster/clusters.ts';

describe('lastCompleted', () => {
  const cases: readonly (readonly [readonly string[], string | null, boolean])[] = [
    [['4.7.16 P', '4.7.10 P', '4.6.40 C'], '4.6.40', false],
    [['4.7.16 C', '4.7.10 C'], '4.7.16', false],
    // Older entries are pruned, so the oldest that is left was probably completed.
    [['4.7.16 P', '4.7.10 P'], '4.7.10', true],
    [[' C', '4.7.10 C'], '4.7.10', false],
    [['nonsense C', '4.7.10 P'], '4.7.10', true],
    [[' C'], null, false],
    [[], null, false],
  ];
  it.each(cases)('of %j is %s', (history, version, assumed) => {
    const found = lastCompleted(
      withHistory(history, { desired: { version: '4.7.16', image: '', channels: [] } }),
    );
    expect(found && { version: found.version.raw, assumed: found.assumed }).toEqual(
      version === null ? null : { version, assumed },
    );
  });
});

describe('pastReleases', () => {
  it('leaves the history as it is when a start is not known', () => {
    const history = historyOf('4.6.40 C', '4.7.16 P').map((entry, index) =>
      index === 1 ? { ...entry, startedTime: null } : entry,
    );
    expect(pastReleases(withHistory([], { history })).map(({ entry }) => entry.version)).toEqual([
      '4.6.40',
      '4.7.16',
    ]);
  });

  it('keeps the order of entries that started at the same time', () => {
    const history = historyOf('4.7.16 P', '4.7.10 P', '4.6.40 C').map((entry) => ({
      ...entry,
      startedTime: '2026-05-01T00:00:00Z',
    }));
    expect(pastReleases(withHistory([], { history })).map(({ entry }) => entry.version)).toEqual([
      '4.7.16',
      '4.7.10',
      '4.6.40',
    ]);
  });
});

describe('skippedIncomplete', () => {
  const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
    [['4.8.2 C', '4.7.10 P', '4.6.40 C'], ['4.7.10']],
    [
      ['4.8.2 C', '4.7.16 P', '4.7.10 P', '4.6.40 C'],
      ['4.7.16', '4.7.10'],
    ],
    [['4.8.2 C', '4.7.16 C', '4.7.10 P', '4.6.40 C'], []],
    [['4.8.2 P', '4.7.10 P', '4.6.40 C'], []],
    [['4.8.2 C', '4.7.10 P'], []],
    [['5.1.0 C', '5.0.1 P', '4.23.2 C', '4.22.1 C'], []],
    [['5.1.0 C', '5.0.1 P', '4.22.1 C'], ['5.0.1']],
  ];
  it.each(cases)('of %j are %j', (history, versions) => {
    expect(skippedIncomplete(withHistory(history)).map(({ raw }) => raw)).toEqual(versions);
  });
});

describe('signsOfProgress', () => {
  it('lists all of them', () => {
    const clusterVersion = withHistory(['4.7.16 P', '4.6.40 C'], {
      conditions: [aCondition('Progressing', 'True')],
      desiredUpdate: { version: '4.7.20', image: '', force: false },
    });
    expect(signsOfProgress(clusterVersion)).toEqual(['progressing', 'partial', 'pending']);
    expect(signsOfProgress(withHistory(['4.7.16 C']))).toEqual([]);
  });
});
