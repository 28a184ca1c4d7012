import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import {
  archiveOf,
  type ClusterRecord,
  isOtherCluster,
  type ReportOptions,
  takeReport,
  withEveryKind,
  withinHistoryLimit,
  summarizeCluster,
} from '@cairn/shared/cluster/record';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readParsedDocuments } from '../../../helpers/cluster/cluster-documents.ts';
import { sized } from '../../../helpers/size.ts';

const at = (hour: number) => `2026-11-01T${String(hour).padStart(2, '0')}:00:00.000Z`;

function factsOf(hour: number, ...documents: readonly object[]): ClusterFacts {
  const reading = readParsedDocuments(documents, {
    isRemovedApi: () => false,
    acceptsPages: true,
    collectedAt: at(hour),
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.facts;
}

const clusterVersion = (version: string, clusterID = 'c1') => ({
  kind: 'ClusterVersion',
  metadata: { name: 'version' },
  spec: { clusterID, channel: 'stable-4.16' },
  status: { desired: { version, image: 'i' }, history: [{ state: 'Partial', version, image: 'i' }] },
});
const nodes = (...names: readonly string[]) => ({
  kind: 'NodeList',
  items: names.map((name) => ({
    metadata: { name },
    status: { nodeInfo: { architecture: 'amd64', kubeletVersion: 'v1.29.1' } },
  })),
});
const pools = (paused: Readonly<Record<string, boolean>>) => ({
  kind: 'MachineConfigPoolList',
  items: Object.entries(paused).map(([name, isPaused]) => ({
    metadata: { name },
    spec: { paused: isPaused },
  })),
});

const network = {
  kind: 'Network',
  metadata: { name: 'cluster' },
  status: { networkType: 'OVNKubernetes' },
};

/** Takes a report that was collected in an hour, and arrives in that hour too. */
function take(
  former: ClusterRecord | null,
  hour: number,
  documents: readonly object[],
  options: Partial<ReportOptions> = {},
): ClusterRecord {
  const facts = factsOf(hour, ...documents);
  return takeReport(former, facts, { now: at(hour), forget: false, historyLimit: 100, ...options });
}

/** The record after reports, one per hour. */
function recordOf(...reports: readonly (readonly object[])[]): ClusterRecord {
  return reports.reduce<ClusterRecord | null>(
    (former, documents, hour) => take(former, hour, documents),
    null,
  )!;
}

describe('the record of a cluster', () => {
  it('keeps what a report leaves out, with the time it was collected', () => {
    const record = recordOf(
      [clusterVersion('4.15.1'), nodes('a', 'b'), pools({ worker: false })],
      [clusterVersion('4.15.2'), nodes('a')],
    );
    expect(record.facts.clusterVersion?.desired.version).toBe('4.15.2');
    expect(record.facts.nodes?.map(({ name }) => name)).toEqual(['a']);
    expect(record.facts.pools?.map(({ name }) => name)).toEqual(['worker']);
    expect(record.facts.operators).toBeNull();
    expect(record.collected).toEqual({ clusterVersion: at(1), nodes: at(1), pools: at(0) });
    expect(record).toMatchObject({ firstSeenAt: at(0), updatedAt: at(1), facts: { collectedAt: at(0) } });
  });

  it('knows nothing of a kind that was not read when it was stored', () => {
    const record = recordOf([clusterVersion('4.15.1'), nodes('a')]);
    const { subscriptions: _subscriptions, ...facts } = record.facts;
    const stored = JSON.parse(JSON.stringify({ ...record, facts })) as ClusterRecord;
    expect(withEveryKind(stored)).toEqual(record);
    const { poolsCollected: _times, ...before } = recordOf([pools({ w: true }), nodes('a')]);
    const old = JSON.parse(JSON.stringify(before).replaceAll(',"problems":[]', '')) as ClusterRecord;
    expect(JSON.stringify(old)).not.toContain('problems');
    expect(withEveryKind(old)).toEqual({ ...before, poolsCollected: [at(0)] });
    expect(withEveryKind(record)).toEqual(record);
    const text = JSON.stringify(record);
    const unaware = text.replace(/,"acceptedRisks":null/, '').replace(/,"knownRisks":null/, '');
    expect(unaware).not.toBe(text);
    expect(withEveryKind(JSON.parse(unaware) as ClusterRecord)).toEqual(record);
    const later = take(withEveryKind(stored), 1, [nodes('b')]);
    expect(later.facts.subscriptions).toBeNull();
    expect(later.collected).not.toHaveProperty('subscriptions');
  });

  it('knows of each kind whether the list that it keeps is whole', () => {
    const page = { ...nodes('a'), metadata: { continue: 'x' } };
    const operators = { kind: 'ClusterServiceVersionList', items: [] };
    const wholeOf = ({ facts }: ClusterRecord) => facts.completeLists;
    const first = take(null, 1, [nodes('a'), operators]);
    expect(wholeOf(first)).toEqual(['nodes', 'operators']);
    expect(wholeOf(take(first, 2, [page]))).toEqual(['operators']);
    expect(wholeOf(take(first, 0, [page], { now: at(2) }))).toEqual(['nodes', 'operators']);
    expect(wholeOf(take(take(first, 2, [page]), 3, [nodes('b')]))).toEqual(['nodes', 'operators']);
    expect(wholeOf(take(first, 2, [pools({})], { unchanged: ['nodes'] }))).toEqual(['nodes', 'operators']);
    expect(wholeOf(take(first, 2, [nodes('a')], { forget: true }))).toEqual(['nodes']);
    // Former releases did not store it.
    const { completeLists: _unknown, ...facts } = first.facts;
    expect(wholeOf(withEveryKind({ ...first, facts: facts as ClusterFacts }))).toEqual([]);
  });

  it('keeps what the cluster itself says of its history', () => {
    const started = (version: string, hour: number) => ({
      ...clusterVersion(version),
      status: {
        desired: { version, image: 'i' },
        history: [{ state: 'Partial', version, image: 'i', startedTime: at(hour) }],
      },
    });
    const record = recordOf([started('4.14.1', 0)], [started('4.15.1', 1)]);
    expect(record.facts.clusterVersion).toMatchObject({
      history: [{ version: '4.15.1' }, { version: '4.14.1' }],
      milestones: { initial: '4.15.1', completed: [], updating: '4.15.1' },
    });
  });

  it('takes an empty list as a change', () => {
    expect(recordOf([clusterVersion('4.15.1'), nodes('a')], [nodes()]).facts.nodes).toEqual([]);
  });

  it('is no older for what was settled when the cluster was installed', () => {
    const record = recordOf([clusterVersion('4.15.1'), network], [clusterVersion('4.15.1')]);
    expect(record.collected).toEqual({
      clusterVersion: at(1),
      networkType: at(0),
      networkMigration: at(0),
    });
    expect(record.facts).toMatchObject({ networkType: 'OVNKubernetes', collectedAt: at(1) });
  });

  it.each<[string, Readonly<Record<string, boolean>>[], object[]]>([
    ['is set when a pool is first seen paused', [{ w: false }, { w: true }], [{ pool: 'w', since: at(1) }]],
    ['stays while it is', [{ w: true }, { w: true }, { w: true }], [{ pool: 'w', since: at(0) }]],
    ['goes when it is not', [{ w: true }, { w: false }], []],
    ['begins anew', [{ w: true }, { w: false }, { w: true }], [{ pool: 'w', since: at(2) }]],
    ['goes with its pool', [{ w: true, x: true }, { x: true }], [{ pool: 'x', since: at(0) }]],
    [
      'is told by any name',
      [JSON.parse('{"__proto__": true}'), JSON.parse('{"__proto__": true}')],
      [{ pool: '__proto__', since: at(0) }],
    ],
  ])('a pause %s', (_what, states, expected) => {
    const record = recordOf(...states.map((state) => [clusterVersion('4.15.1'), pools(state)]));
    expect(record.pausedSince).toEqual(expected);
  });

  it('knows pauses on while pools are not reported', () => {
    const record = recordOf(
      [clusterVersion('4.15.1'), pools({ w: true })],
      [nodes('a')],
      [pools({ w: true })],
    );
    expect(record.pausedSince).toEqual([{ pool: 'w', since: at(0) }]);
  });

  it('forgets kinds on request, but not since when the cluster and its pauses are known', () => {
    const former = recordOf([clusterVersion('4.15.1'), nodes('a'), pools({ w: true })]);
    const record = take(former, 1, [clusterVersion('4.15.2'), pools({ w: true })], { forget: true });
    expect(record.facts.nodes).toBeNull();
    expect(record.collected).toEqual({ clusterVersion: at(1), pools: at(1) });
    expect(record).toMatchObject({ firstSeenAt: at(0), pausedSince: [{ pool: 'w', since: at(0) }] });
  });

  describe('and a late report', () => {
    /** Each with the hour in which it was collected, in the order in which they arrive. */
    const arriving = (reports: readonly (readonly [number, readonly object[]])[]): ClusterRecord =>
      reports.reduce<ClusterRecord | null>(
        (former, [hour, documents]) => take(former, hour, documents, { now: at(23) }),
        null,
      )!;

    it('never replaces what was collected after it, and adds what was not known', () => {
      const record = arriving([
        [5, [clusterVersion('4.15.2'), nodes('new'), pools({ w: true })]],
        [3, [clusterVersion('4.15.1'), nodes('old'), pools({ w: false }), network]],
      ]);
      expect(record.facts).toMatchObject({
        clusterVersion: { desired: { version: '4.15.2' } },
        nodes: [{ name: 'new' }],
        pools: [{ name: 'w', paused: true }],
        networkType: 'OVNKubernetes',
        collectedAt: at(5),
      });
      expect(record.collected).toEqual({
        clusterVersion: at(5),
        nodes: at(5),
        pools: at(5),
        networkType: at(3),
        networkMigration: at(3),
      });
      expect(record.pausedSince).toEqual([{ pool: 'w', since: at(5) }]);
    });

    it('drops nothing that was collected after it, although it replaces all', () => {
      const first = arriving([
        [1, [nodes('a')]],
        [5, [clusterVersion('4.15.2'), pools({ w: true })]],
      ]);
      const record = take(first, 3, [clusterVersion('4.15.1')], { now: at(23), forget: true });
      expect(record.collected).toEqual({ clusterVersion: at(5), pools: at(5) });
      expect(record.facts).toMatchObject({ nodes: null, clusterVersion: { desired: { version: '4.15.2' } } });
      expect(record.pausedSince).toEqual([{ pool: 'w', since: at(5) }]);
    });

    it('of the cluster that was there before does not bring it back', () => {
      const record = arriving([
        [5, [clusterVersion('4.15.2', 'c2'), nodes('new')]],
        [3, [clusterVersion('4.15.1', 'c1'), nodes('old')]],
      ]);
      expect(record.facts).toMatchObject({ clusterVersion: { clusterId: 'c2' }, nodes: [{ name: 'new' }] });
    });

    it('confirms nothing that was collected after it', () => {
      const first = arriving([[5, [clusterVersion('4.15.2'), nodes('a')]]]);
      const options = { now: at(23), unchanged: ['nodes'] } as const;
      expect(take(first, 3, [clusterVersion('4.15.1')], options).collected).toEqual({
        clusterVersion: at(5),
        nodes: at(5),
      });
    });

    it('is every report while a clock was ahead, unless its times are given up', () => {
      const ahead = take(null, 20, [clusterVersion('4.15.1'), nodes('old'), pools({ w: true })]);
      const record = take(ahead, 2, [clusterVersion('4.15.2'), pools({ w: true })], { now: at(3) });
      expect(record).toMatchObject({
        collected: { clusterVersion: at(2), nodes: at(2), pools: at(2) },
        pausedSince: [{ pool: 'w', since: at(2) }],
        poolsCollected: [at(2)],
        facts: { clusterVersion: { desired: { version: '4.15.2' } } },
      });
      expect(take(record, 3, [nodes('new')]).facts.nodes).toMatchObject([{ name: 'new' }]);
    });

    it('does not make a record older that has nothing else than it', () => {
      const record = arriving([
        [1, [network]],
        [0, [network]],
      ]);
      expect(record).toMatchObject({ facts: { collectedAt: at(1) }, collected: { networkType: at(1) } });
    });

    it('is the same in any order, sent once or twice', () => {
      const state = fc.constantFrom('paused', 'not paused', 'none');
      const report = fc.record({
        nodes: fc.option(fc.nat(3)),
        w: state,
        x: state,
        hasPools: fc.boolean(),
        hasVersion: fc.boolean(),
      });
      const reports = fc.array(report, { minLength: 2, maxLength: 8 });
      fc.assert(
        fc.property(reports, fc.array(fc.nat(1000), { minLength: 16, maxLength: 16 }), (drawn, keys) => {
          const inTurn = drawn.map(({ nodes: count, hasPools, hasVersion, ...states }, hour) => {
            const shown = Object.entries(states).filter(([, each]) => each !== 'none');
            const paused = Object.fromEntries(shown.map(([name, each]) => [name, each === 'paused']));
            return [
              hour,
              [
                network,
                ...(count === null ? [] : [nodes(`n${count}`)]),
                ...(hasPools ? [pools(paused)] : []),
                ...(hasVersion ? [clusterVersion(`4.15.${hour}`)] : []),
              ],
            ] as const;
          });
          const shuffled = [...inTurn, ...inTurn]
            .map((each, index) => ({ each, key: keys[index % keys.length]! }))
            .toSorted((a, b) => a.key - b.key)
            .map(({ each }) => each);
          const known = ({ facts, collected, pausedSince, poolsCollected }: ClusterRecord) => ({
            facts: { ...facts, clusterVersion: facts.clusterVersion?.desired },
            collected,
            pausedSince: pausedSince.toSorted((a, b) => (a.pool < b.pool ? -1 : 1)),
            poolsCollected,
          });
          expect(known(arriving(shuffled))).toEqual(known(arriving(inTurn)));
        }),
        { numRuns: sized(100, 500) },
      );
    });

    it('reports no more about a pause than the stored times show', () => {
      const times = Array.from({ length: 150 }, (_, minute) => minute + 10);
      const timeOf = (minute: number) => new Date(Date.parse(at(0)) + minute * 60_000).toISOString();
      const take = (former: ClusterRecord | null, minute: number, paused: boolean) =>
        takeReport(
          former,
          { ...factsOf(0, pools({ w: paused })), collectedAt: timeOf(minute) },
          { now: at(23), forget: false, historyLimit: 100 },
        );
      const record = times.reduce<ClusterRecord | null>(
        (former, minute) => take(former, minute, true),
        null,
      )!;
      expect(record.poolsCollected).toHaveLength(100);
      expect(record.pausedSince).toEqual([{ pool: 'w', since: timeOf(10) }]);
      expect(take(record, 5, true).pausedSince).toEqual([{ pool: 'w', since: timeOf(10) }]);
      expect(take(record, 120.5, false).pausedSince).toEqual([{ pool: 'w', since: timeOf(121) }]);
    });
  });

  it('keeps nothing of another cluster', () => {
    const former = recordOf([clusterVersion('4.15.1'), nodes('a'), pools({ w: true })]);
    const documents = [clusterVersion('4.15.2', 'c2'), pools({ w: true })];
    expect(isOtherCluster(former, factsOf(1, ...documents))).toBe(true);
    const record = take(former, 1, documents);
    expect(record.facts.nodes).toBeNull();
    expect(record).toMatchObject({ firstSeenAt: at(1), pausedSince: [{ pool: 'w', since: at(1) }] });
  });

  it.each([
    ['a report without the ClusterVersion', nodes('a')],
    ['one that does not say which it is of', clusterVersion('4.15.1', '')],
  ])('%s may be of the same cluster', (_what, document) => {
    expect(isOtherCluster(recordOf([clusterVersion('4.15.1')]), factsOf(1, document))).toBe(false);
  });
});

describe('the history in the record of a cluster', () => {
  const updated = (...days: readonly number[]) => {
    const { status, ...rest } = clusterVersion('4.16.9');
    const history = days.map((day) => ({
      state: 'Completed',
      version: `4.16.${day}`,
      image: `i${day}`,
      startedTime: `2026-10-0${day}T00:00:00Z`,
      completionTime: `2026-10-0${day}T01:00:00Z`,
    }));
    return { ...rest, status: { ...status, history } };
  };
  const daysOf = ({ facts }: ClusterRecord) =>
    facts.clusterVersion?.history.map(({ version }) => Number(version.split('.')[2]));

  it('has every entry that was reported, also of reports that come late', () => {
    expect(daysOf(recordOf([updated(3, 1)], [updated(4, 3)], [updated(2)]))).toEqual([4, 3, 2, 1]);
  });

  it('stays while the ClusterVersion is not reported', () => {
    expect(daysOf(recordOf([updated(2, 1)], [nodes('a')]))).toEqual([2, 1]);
  });

  it('outlasts a report that forgets the rest', () => {
    const former = recordOf([updated(2, 1)]);
    expect(daysOf(take(former, 1, [updated(3)], { forget: true }))).toEqual([3, 2, 1]);
  });

  it('is not that of the cluster that had the name before', () => {
    const { spec: _spec, ...rest } = updated(3);
    const facts = factsOf(1, { ...rest, spec: { clusterID: 'c2' } });
    const record = takeReport(recordOf([updated(2, 1)]), facts, {
      now: at(1),
      forget: true,
      historyLimit: 100,
    });
    expect(daysOf(record)).toEqual([3]);
    expect(record.removedHistory).toEqual({ total: 0, recent: [] });
  });

  it('is kept within the limit, and pruned to a lower one', () => {
    const options = { now: at(0), forget: false, historyLimit: 8 };
    const record = takeReport(null, factsOf(0, updated(9, 8, 7, 6, 5, 4, 3, 2, 1)), options);
    expect(daysOf(record)).toEqual([9, 8, 7, 6, 5, 4, 3, 1]);
    expect(record.removedHistory).toMatchObject({
      total: 1,
      recent: [{ version: '4.16.2', removedAt: at(0) }],
    });
    expect(summarizeCluster(record).historyEntries).toBe(8);
    const lowered = withinHistoryLimit(record, { max: 7, now: at(5) });
    expect(daysOf(lowered.record)).toEqual([9, 8, 7, 6, 5, 4, 1]);
    expect(lowered.removed).toMatchObject([{ version: '4.16.3', removedAt: at(5) }]);
    expect(lowered.record.removedHistory).toMatchObject({
      total: 2,
      recent: [{ version: '4.16.3' }, { version: '4.16.2' }],
    });
    expect(withinHistoryLimit(record, { max: 8, now: at(5) }).record).toBe(record);
  });

  it('may be of a record that is older than the archive', () => {
    const { removedHistory: _none, ...old } = recordOf([updated(2, 1)]);
    expect(archiveOf(old as ClusterRecord).removed).toEqual({ total: 0, recent: [] });
    expect(daysOf(take(old as ClusterRecord, 1, [updated(3)]))).toEqual([3, 2, 1]);
  });
});

describe('the summary of a cluster', () => {
  it('says in a line what it is', () => {
    const record = recordOf([clusterVersion('4.15.1'), nodes('a', 'b'), pools({ w: true })]);
    expect(summarizeCluster(record)).toEqual({
      clusterId: 'c1',
      version: '4.15.1',
      updating: true,
      channel: 'stable-4.16',
      nodes: 2,
      arches: ['amd64'],
      pausedPools: 1,
      historyEntries: 1,
      firstSeenAt: at(0),
      updatedAt: at(0),
      collectedAt: at(0),
    });
  });

  it('stays a line whatever the documents hold', () => {
    const hostile = nodes(...Array.from({ length: 1000 }, (_, index) => `n${index}`));
    for (const [index, { status }] of hostile.items.entries()) {
      status.nodeInfo.architecture = `${index}${'x'.repeat(4000)}`;
    }
    const record = recordOf([clusterVersion('4'.repeat(4096), 'i'.repeat(4096)), hostile]);
    expect(JSON.stringify(summarizeCluster(record)).length).toBeLessThan(2000);
  });
});
