import type { ClusterVersionFacts } from '@cairn/shared/cluster/facts';
import type { Hop as PathHop } from '@cairn/shared/path/solver/solve';
import { pathRecommended } from '@cairn/shared/safety/checks/path-recommended';
import type { Finding } from '@cairn/shared/safety/condition';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aClusterVersion,
  aCondition,
  anUpdate,
  context,
} from '../../../../helpers/cluster/clusters.ts';

const PATH = ['4.14.8', '4.15.3'];

function check(
  changes: Partial<ClusterVersionFacts>,
  updates: readonly (PathHop | null)[] = [],
  path: readonly string[] = PATH,
): Finding {
  const facts = aCluster({ clusterVersion: aClusterVersion(changes) });
  const found = pathRecommended(context(facts, path, { updates }));
  expect(found).toHaveLength(1);
  return found[0]!;
}

function inShort({ status, reason, effect, origin }: Finding): string {
  return `${status} ${reason} ${effect} ${origin}`;
}

function evaluated(status: string | null, risks = ['DiskFull']): Partial<ClusterVersionFacts> {
  const recommended =
    status === null ? null : aCondition('Recommended', status, 'DiskFull', 'Disks may fill up');
  return { conditionalUpdates: [{ version: '4.15.3', risks, recommended }] };
}

function risk(name: string, url = `https://example.com/${name}`) {
  return { name, url, message: `${name} happens`, matchingRules: [{ type: 'Always' as const }] };
}

describe('what the cluster knows of its next hop', () => {
  const retrieved = (status: string): Partial<ClusterVersionFacts> => ({
    conditions: [aCondition('RetrievedUpdates', status, 'RemoteFailed', 'no route')],
  });
  const cases: readonly (readonly [string, Partial<ClusterVersionFacts>, string])[] = [
    ['available', { availableUpdates: ['4.14.9', '4.15.3'] }, 'True AsExpected ok reported'],
    ['conditional and recommended', evaluated('True'), 'True AsExpected ok reported'],
    ['conditional and not recommended', evaluated('False'), 'False ConditionalUpdateRisk warn reported'],
    ['conditional and not known', evaluated('Unknown'), 'Unknown ConditionalUpdateRisk warn reported'],
    ['conditional and not tried', evaluated(null), 'Unknown ConditionalUpdateRisk warn reported'],
    ['in no channel', { channel: '' }, 'Unknown NoChannel warn computed'],
    ['without a channel', { channel: null }, 'Unknown NoChannel warn computed'],
    ['not fetched', retrieved('False'), 'Unknown CannotRetrieveUpdates warn computed'],
    ['never fetched', { conditions: [] }, 'Unknown CannotRetrieveUpdates warn computed'],
    ['fetched and not there', retrieved('True'), 'False UnknownUpdate warn computed'],
    ['only others', { availableUpdates: ['4.15.30'] }, 'False UnknownUpdate warn computed'],
  ];
  it.each(cases)('%s', (_, changes, expected) => {
    expect(inShort(check(changes))).toBe(expected);
  });

  it('says what the cluster says', () => {
    expect(check(evaluated('False', ['DiskFull', 'Another'])).message).toBe(
      'The cluster does not recommend 4.15.3, which has risks: Another and DiskFull (DiskFull: Disks may fill up)',
    );
    expect(check(retrieved('False')).message).toBe(
      'The cluster could not fetch its updates in stable-4.14 (RemoteFailed: no route)',
    );
  });

  it('is not known of later hops', () => {
    expect(inShort(check({ availableUpdates: ['4.16.1'] }, [], [...PATH, '4.16.1']))).toBe(
      'Unknown NotReachedYet info computed',
    );
  });

  it('is not known when the path starts elsewhere', () => {
    expect(inShort(check({ availableUpdates: ['4.15.3'] }, [], ['4.14.2', '4.15.3']))).toBe(
      'Unknown NotReachedYet info computed',
    );
  });

  it('is missing without a ClusterVersion, but not for what the graph says', () => {
    const facts = aCluster({ clusterVersion: null });
    expect(pathRecommended(context(facts, PATH))).toMatchObject([{ reason: 'InputMissing', effect: 'warn' }]);
    expect(pathRecommended(context(facts, PATH, { updates: [anUpdate()] }))).toMatchObject([
      { status: 'True' },
    ]);
  });

  it('has nothing to say where there is no hop', () => {
    expect(inShort(check({}, [], ['4.14.8', '4.14.8']))).toBe('True AsExpected ok computed');
  });
});

describe('what our graph knows of every hop', () => {
  const conditional = anUpdate({ conditional: true, risks: [risk('SlowDisk'), risk('DiskFull')] });

  it('recommends plain updates, whatever the cluster fetched', () => {
    expect(check({ channel: '' }, [anUpdate({ channels: ['stable-4.15', 'eus-4.16'] })])).toMatchObject({
      status: 'True',
      effect: 'ok',
      message: '4.15.3 is recommended from 4.14.8 in eus-4.16 and stable-4.15',
    });
  });

  it('warns of conditional ones, with risks and links', () => {
    expect(check({}, [null, conditional], [...PATH, '4.16.1'])).toEqual({
      type: 'PathRecommended',
      status: 'Unknown',
      reason: 'ConditionalUpdateRisk',
      message:
        '4.16.1 is recommended from 4.15.3 only to clusters that these risks do not concern: DiskFull and SlowDisk; read https://example.com/DiskFull and https://example.com/SlowDisk',
      effect: 'warn',
      origin: 'computed',
      objects: [
        {
          kind: 'ConditionalUpdateRisk',
          name: 'DiskFull',
          detail: { url: 'https://example.com/DiskFull', message: 'DiskFull happens' },
        },
        {
          kind: 'ConditionalUpdateRisk',
          name: 'SlowDisk',
          detail: { url: 'https://example.com/SlowDisk', message: 'SlowDisk happens' },
        },
      ],
      url: 'https://example.com/DiskFull',
    });
  });

  const both: readonly (readonly [string, Partial<ClusterVersionFacts>, PathHop, string])[] = [
    [
      'the cluster tried all risks: they do not concern it',
      evaluated('True', ['DiskFull', 'SlowDisk']),
      conditional,
      'True AsExpected ok reported',
    ],
    [
      'the cluster tried all risks: one concerns it',
      evaluated('False', ['DiskFull', 'SlowDisk']),
      conditional,
      'False ConditionalUpdateRisk warn reported',
    ],
    [
      'a risk is newer than what the cluster tried',
      evaluated('True', ['DiskFull']),
      conditional,
      'Unknown ConditionalUpdateRisk warn computed',
    ],
    [
      'a risk is newer than what the cluster fetched',
      { availableUpdates: ['4.15.3'] },
      conditional,
      'Unknown ConditionalUpdateRisk warn computed',
    ],
    [
      'the cluster does not recommend what is plain in the graph',
      evaluated('False'),
      anUpdate(),
      'False ConditionalUpdateRisk warn reported',
    ],
  ];
  it.each(both)('%s', (_, changes, update, expected) => {
    expect(inShort(check(changes, [update]))).toBe(expected);
  });
});
