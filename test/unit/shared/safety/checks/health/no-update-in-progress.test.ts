import type { ClusterVersionFacts } from '@cairn/shared/cluster/facts';
import { noUpdateInProgress } from '@cairn/shared/safety/checks/health/no-update-in-progress';
import { type Finding, settleFinding } from '@cairn/shared/safety/condition';
import { parseVersion } from '@cairn/shared/version/release-version';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aClusterVersion,
  aCondition,
  context,
  historyOf,
  imageOf,
  withHistory,
} from '../../../../../helpers/cluster/clusters.ts';

function check(clusterVersion: ClusterVersionFacts, ...to: readonly string[]): readonly Finding[] {
  return noUpdateInProgress(context(aCluster({ clusterVersion }), [pathStart(clusterVersion), ...to]));
}

/** A cluster that runs no version still needs a path that starts with one. */
function pathStart({ desired }: ClusterVersionFacts): string {
  return parseVersion(desired.version)?.raw ?? '4.14.8';
}

/** `True AsExpected ok` */
function inShort({ status, reason, effect }: Finding): string {
  return `${status} ${reason} ${effect}`;
}

const FINE = 'True AsExpected ok';
const INCOMPLETE = 'False MinorUpdateIncomplete block';
const IN_PROGRESS = 'False UpdateInProgress block';
const SUPERSEDED = 'True PartialSuperseded info';
const RETARGETED = 'True MinorVersionClusterUpdateInProgress warn';

describe('noUpdateInProgress', () => {
  it('finds a release that is requested while a minor is installed', () => {
    const clusterVersion = {
      ...withHistory(['4.7.16 P', '4.6.40 C']),
      desiredUpdate: { version: '4.7.20', image: '', force: false },
    };
    const [incomplete, requested] = check(clusterVersion, '4.8.2');
    expect([incomplete, requested].map((finding) => inShort(finding!))).toEqual([INCOMPLETE, IN_PROGRESS]);
    expect(requested!.message).toContain('4.7.20 was requested while the cluster is at 4.7.16');
    expect(requested!.remediation!.at(-1)).toContain('oc adm upgrade --clear');
  });

  // The founding trap: 4.6 → 4.7.10 → 4.7.16 → 4.8, where no 4.7 was ever completed.
  const histories: readonly (readonly [readonly string[], string, readonly string[]])[] = [
    [['4.7.16 P', '4.7.10 P', '4.6.40 C'], '4.8.2', [INCOMPLETE]],
    [['4.7.16 P', '4.7.10 P', '4.6.40 C'], '4.7.20', [RETARGETED]],
    [['4.7.16 C', '4.7.10 P', '4.6.40 C'], '4.8.2', [FINE, SUPERSEDED]],
    [['4.7.16 P', '4.7.10 C', '4.6.40 C'], '4.8.2', [IN_PROGRESS]],
    [['4.7.16 P', '4.7.10 C', '4.6.40 C'], '4.7.20', [FINE]],
    [['4.7.10 P', '4.6.40 C'], '4.8.2', [INCOMPLETE]],
    [['4.6.40 P'], '4.7.3', [INCOMPLETE]],
    [['4.6.40 P'], '4.6.42', [FINE]],
    [['4.7.10@b C', '4.7.10@a P', '4.6.40 C'], '4.8.2', [FINE, SUPERSEDED]],
    [[], '4.15.3', ['Unknown NoHistory warn']],
    [['5.0.1 P', '4.22.9 C'], '5.1.0', [INCOMPLETE]],
    [['5.0.1 P', '4.22.9 C'], '5.0.3', ['True MajorVersionClusterUpdateInProgress warn']],
    [['4.7.10 C', '4.7.12 P', '4.7.10 C'], '4.8.2', [FINE, SUPERSEDED]],
    [['4.14.35 P', '4.14.15 C'], '4.15.3', [IN_PROGRESS]],
    [['4.2.1 P', '4.1.1 C'], '4.2.3', [RETARGETED]],
    [['4.2.2 P', '4.2.1 C'], '4.2.3', [FINE]],
    // 4.23 and 5.0 are one minor under two names.
    [['5.0.1 P', '4.23.4 C'], '5.1.0', [IN_PROGRESS]],
    [['4.8.2 C', '4.7.10 P', '4.6.40 C'], '4.9.1', [FINE, 'True MinorSkippedIncomplete info']],
    // The completed 4.7 of long ago does not count for the 4.7 of now.
    [['4.7.10 P', '4.6.40 C', '4.7.5 C'], '4.8.2', [INCOMPLETE]],
  ];
  it.each(histories)('%j to %s: %j', (history, to, expected) => {
    // All of them say that nothing is progressing: the history is the stronger evidence.
    expect(check(withHistory(history), to).map(inShort)).toEqual(expected);
  });

  it('names what was tried and what was completed last', () => {
    const [found] = check(withHistory(['4.7.16 P', '4.7.10 P', '4.6.40 C']), '4.8.2');
    expect(found).toMatchObject({
      message:
        'The cluster has not completed a version of 4.7 since it entered that minor (4.7.16 Partial and 4.7.10 Partial); the last completed version is 4.6.40',
      notAcceptable: true,
      objects: [
        { kind: 'HistoryEntry', name: '4.7.16', detail: { state: 'Partial' } },
        { kind: 'HistoryEntry', name: '4.7.10', detail: { state: 'Partial' } },
      ],
      remediation: [
        'Wait for the update to 4.7.16 to complete, or update to another patch of 4.7 and wait for that one',
        'oc get clusterversion version',
      ],
    });
    const [installing] = check(withHistory(['4.6.40 P']), '4.7.3');
    expect(installing?.message).toContain('its history has no completed version');
  });

  it('reads the history by time, whatever its order', () => {
    const history = historyOf('4.7.16 P', '4.7.10 P', '4.6.40 C').toReversed();
    const clusterVersion = withHistory(['4.7.16 P'], { history });
    expect(check(clusterVersion, '4.8.2').map(inShort)).toEqual([INCOMPLETE]);
  });

  it('does not take the end of a partial update for its completion', () => {
    const history = historyOf('4.7.16 P', '4.6.40 C').map((entry) => ({
      ...entry,
      completionTime: '2026-05-31T12:00:00.000Z',
    }));
    expect(check(withHistory(['4.7.16 P'], { history }), '4.8.2').map(inShort)).toEqual([INCOMPLETE]);
  });

  it('knows the release of an entry without a version by its image', () => {
    const history = historyOf(' C', '4.6.40 C').map((entry, index) =>
      index === 0 ? { ...entry, image: imageOf('4.7.16') } : entry,
    );
    const clusterVersion = aClusterVersion({ history }, '4.7.16');
    expect(check(clusterVersion, '4.8.2').map(inShort)).toEqual([FINE]);
    const other = aClusterVersion({ history: historyOf(' C', '4.6.40 C') }, '4.7.16');
    expect(check(other, '4.8.2').map(inShort)).toEqual([INCOMPLETE]);
  });

  it('is unknown for a history without versions', () => {
    expect(check(aClusterVersion({ history: historyOf(' C') }), '4.15.3').map(inShort)).toEqual([
      'Unknown NoHistory warn',
    ]);
  });

  const progressing = [aCondition('Progressing', 'True')];
  const pending = { version: '4.8.2', image: '', force: false };
  const signs: readonly (readonly [string, Partial<ClusterVersionFacts>, string, object])[] = [
    [
      'that the cluster reports',
      { conditions: progressing },
      'The cluster reports Progressing=True',
      { signs: ['progressing'] },
    ],
    [
      'that was asked for',
      { desiredUpdate: pending },
      '4.8.2 was requested while the cluster is at 4.7.16',
      { signs: ['pending'], pending: '4.8.2' },
    ],
    [
      'that was asked for by its image',
      { desiredUpdate: { version: '', image: 'registry.example/other', force: false } },
      'registry.example/other was requested while the cluster is at 4.7.16',
      { signs: ['pending'], pending: 'registry.example/other' },
    ],
  ];
  it.each(signs)('sees an update %s', (_, changes, message, detail) => {
    const clusterVersion = withHistory(['4.7.16 C', '4.6.40 C'], changes);
    expect(check(clusterVersion, '4.8.2')).toMatchObject([
      { status: 'False', reason: 'UpdateInProgress', effect: 'block', message, objects: [{ detail }] },
    ]);
    expect(check(clusterVersion, '4.7.20').map(inShort)).toEqual([FINE]);
  });

  describe('an entry that is Completed is never called something else', () => {
    const completed = historyOf('4.7.16 C', '4.6.40 C');
    const at = (version: string) => ({ version, image: imageOf(version), channels: [] });
    const without = completed.map((entry) => ({ ...entry, completionTime: null }));
    it.each<[string, Partial<ClusterVersionFacts>, string, string]>([
      [
        'while the cluster progresses',
        { history: completed, conditions: progressing },
        IN_PROGRESS,
        'The cluster reports Progressing=True',
      ],
      [
        'while the cluster reconciles another release',
        { history: completed, conditions: progressing, desired: at('4.7.18') },
        IN_PROGRESS,
        'The cluster reports Progressing=True',
      ],
      [
        'while another release is requested',
        { history: completed, conditions: progressing, desiredUpdate: pending },
        IN_PROGRESS,
        'The cluster reports Progressing=True; 4.8.2 was requested while the cluster is at 4.7.16',
      ],
      ['without a time of completion', { history: without }, FINE, '4.7.16 is Completed'],
      [
        'if the cluster reconciles another release, and says nothing',
        { history: completed, desired: at('4.7.18') },
        FINE,
        '4.7.16 is Completed',
      ],
      [
        'before the newest one, which is not',
        { history: historyOf('4.7.17 P', '4.7.16 C', '4.6.40 C'), desired: at('4.7.18') },
        IN_PROGRESS,
        'The update to 4.7.17 is not Completed',
      ],
      [
        'before the cluster left its minor',
        { history: historyOf('4.7.16 P', '4.6.40 C', '4.7.5 C') },
        INCOMPLETE,
        'The cluster has not completed a version of 4.7 since it entered that minor (4.7.16 Partial); the last completed version is 4.6.40',
      ],
      [
        'in a minor after that of the cluster',
        { history: historyOf('4.8.2 C', '4.7.16 C') },
        INCOMPLETE,
        'The cluster has not completed a version of 4.7 since it entered that minor (its history does not end with this minor); the last completed version is 4.8.2',
      ],
    ])('%s', (_, changes, expected, message) => {
      const [found] = check(aClusterVersion(changes, '4.7.16'), '4.8.2');
      expect([inShort(found!), found!.message]).toEqual([expected, message]);
      const waits = (found!.remediation ?? []).filter((text) => text.includes('4.7.16'));
      expect(waits.filter(() => expected === IN_PROGRESS)).toEqual([]);
    });

    it('with an image of the same version that was replaced', () => {
      const [, note] = check(withHistory(['4.7.10@b C', '4.7.10@a P', '4.6.40 C']), '4.8.2');
      expect(note?.message).toBe(
        `4.7.10 with image ${imageOf('4.7.10-a')} was replaced before completion; 4.7.10 is Completed`,
      );
    });
  });

  it('does not take a version that was reached for one that was asked for', () => {
    const desiredUpdate = { version: '4.7.16', image: imageOf('4.7.16'), force: false };
    expect(check(withHistory(['4.7.16 C'], { desiredUpdate }), '4.8.2').map(inShort)).toEqual([FINE]);
  });

  it('blocks only the first minor of the path', () => {
    const clusterVersion = withHistory(['4.7.16 P', '4.7.10 P', '4.6.40 C']);
    const path = ['4.7.16', '4.7.20', '4.8.2', '4.8.9', '4.9.1'];
    const facts = aCluster({ clusterVersion });
    const effects = path.slice(1).map((_, index) => {
      const given = context(facts, path, { index });
      const [found] = noUpdateInProgress(given);
      return [found!.reason, settleFinding(found!, given.hop, given.options).effect];
    });
    expect(effects).toEqual([
      ['MinorVersionClusterUpdateInProgress', 'warn'],
      ['MinorUpdateIncomplete', 'block'],
      ['AfterPreviousHop', 'ok'],
      ['AfterPreviousHop', 'ok'],
    ]);
  });

  it('cannot be accepted away while the minor is incomplete, but while another update runs', () => {
    const accepted = (history: readonly string[]): boolean => {
      const facts = aCluster({ clusterVersion: withHistory(history) });
      const accept = ['NoUpdateInProgress', 'MinorUpdateIncomplete', 'UpdateInProgress'];
      const given = context(facts, ['4.7.16', '4.8.2'], { options: { accept } });
      return settleFinding(noUpdateInProgress(given)[0]!, given.hop, given.options).accepted === true;
    };
    expect(accepted(['4.7.16 P', '4.6.40 C'])).toBe(false);
    expect(accepted(['4.7.16 P', '4.7.10 C'])).toBe(true);
  });

  it('reports guards that were overruled', () => {
    const history = historyOf('4.7.16 C', '4.6.40 C').map((entry, index) =>
      index === 0 ? { ...entry, acceptedRisks: 'Precondition "X" failed' } : entry,
    );
    const desiredUpdate = { version: '4.7.16', image: '', force: true };
    const found = check(withHistory(['4.7.16 C'], { history, desiredUpdate }), '4.8.2');
    expect(found.map(inShort)).toEqual([FINE, 'True PastForcedUpdate info']);
    expect(found[1]).toMatchObject({
      origin: 'reported',
      message:
        'Checks of the cluster were overridden: 4.7.16 was requested with force and 4.7.16 was installed despite Precondition "X" failed',
      objects: [{ name: '4.7.16', detail: { acceptedRisks: 'Precondition "X" failed' } }],
    });
  });

  it('does not trap a cluster that runs no version, but while it updates', () => {
    const unknown = aClusterVersion({}, 'nightly');
    expect(check({ ...unknown, history: historyOf('nightly C') }, '4.15.3').map(inShort)).toEqual([
      'Unknown InvalidCurrentVersion warn',
    ]);
    expect(check({ ...unknown, conditions: progressing }, '4.15.3').map(inShort)).toEqual([IN_PROGRESS]);
  });

  it('says what to send when there is no ClusterVersion', () => {
    const found = noUpdateInProgress(context(aCluster({ clusterVersion: null }), ['4.14.8', '4.15.3']));
    expect(found).toMatchObject([
      {
        status: 'Unknown',
        reason: 'InputMissing',
        effect: 'warn',
        message:
          'Not known, because the ClusterVersion was not supplied; send what `oc get clusterversion -o json` prints',
      },
    ]);
  });
});
