import { beforeEach, describe, expect, it } from 'vitest';
import { changeClusterSettings, readClusterSettings } from '../../../../functions/clusters/settings-store.ts';
import { changeCluster, readCluster, removeCluster } from '../../../../functions/clusters/store.ts';
import {
  type ClusterRiskRecord,
  readClusterRisks,
  writeClusterRisks,
} from '../../../../functions/fleet/risk-store.ts';
import { readAssessments, readFleetEntry, writeAssessment } from '../../../../functions/fleet/store.ts';
import { runUnderLease } from '../../../../functions/jobs/run-under-lease.ts';
import {
  fleetStateCodec,
  readFleetState,
  putWebhook,
  readWebhook,
} from '../../../../functions/notifications/store.ts';
import { pruneProgressCodec, unfinishedRun } from '../../../../functions/prune-runs/progress.ts';
import { changePruner, readPruner } from '../../../../functions/pruners/store.ts';
import { readSyncState, syncStateCodec } from '../../../../functions/releases/sync-state.ts';
import {
  putAcceptance,
  readAcceptance,
  readAcceptances,
  settleAcceptance,
} from '../../../../functions/risk-acceptances/store.ts';
import { StoredByNewerRelease } from '../../../../functions/runtime/errors.ts';
import { type Codec, readItem, writeItem } from '../../../../functions/store/item.ts';
import {
  acceptanceKey,
  assessmentKey,
  clusterPartition,
  clusterRisksKey,
  clusterSettingsKey,
  FLEET_STATE_KEY,
  headKey,
  type Key,
  prunerKey,
  prunerLeaseKey,
  SWITCHES_KEY,
  SYNC_STATE_KEY,
  WEBHOOK_KEY,
} from '../../../../functions/store/keys.ts';
import {
  MIGRATIONS,
  refuseNewer,
  type StoredKind,
  storedVersion,
  upgradeStored,
} from '../../../../functions/store/migrations.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { changeSwitch, readStops } from '../../../../functions/switches/store.ts';
import { loadItems } from '../../../helpers/stored/engines.ts';
import { readDump } from '../../../helpers/stored/recorded.ts';
import { newTable } from '../../../helpers/table/table.ts';

/** Its bodies have no version. */
const FORMER_RELEASE = '8ce5974';
const NOW = Date.parse('2027-06-01T00:00:00.000Z');
const SILENT = { info: () => {}, warn: () => {}, error: () => {} };

/** Runs a job that stores its state as it is. */
const storeState = async <State>(table: Table, key: Key, state: Codec<State>) =>
  runUnderLease(
    { table, log: SILENT, clock: () => NOW },
    { slot: new Date(NOW).toISOString(), trigger: 'manual' },
    {
      name: 'test',
      key,
      leaseMs: 60_000,
      stoppedBy: null,
      startingDeadlineMs: null,
      state,
      run: async (lease) => ({ kind: 'done', state: lease.state, result: { status: 'Done' } as const }),
    },
  );

interface StoredThing {
  readonly key: Key;
  readonly read: (table: Table) => Promise<unknown>;
  /** Writes the value as it is. */
  readonly change: (table: Table) => Promise<unknown>;
  /** Stores one, of a kind that the former release did not have. */
  readonly place?: (table: Table) => Promise<unknown>;
}

const NO_RISKS: ClusterRiskRecord = {
  firstSeenAt: '2027-01-01T00:00:00.000Z',
  version: '4.14.9',
  pairs: [],
  verdicts: {},
  onPath: [],
  accepted: [],
  told: {},
};

const THINGS: Readonly<Record<StoredKind, StoredThing>> = {
  cluster: {
    key: headKey(clusterPartition('full')),
    read: async (table) => (await readCluster(table, 'full'))!.record,
    change: (table) => changeCluster(table, 'full', (former) => former!.record),
  },
  syncState: {
    key: SYNC_STATE_KEY,
    read: async (table) => (await readSyncState(table))!.book,
    change: (table) => storeState(table, SYNC_STATE_KEY, syncStateCodec),
  },
  fleetState: {
    key: FLEET_STATE_KEY,
    read: readFleetState,
    change: (table) => storeState(table, FLEET_STATE_KEY, fleetStateCodec),
  },
  assessment: {
    key: assessmentKey('full'),
    read: async (table) => (await readAssessments(table, ['full'])).get('full'),
    async change(table) {
      const { revision, ...ahead } = (await readFleetEntry(table, 'full')).assessment!;
      return writeAssessment(table, 'full', ahead, { ...ahead, revision });
    },
  },
  clusterRisks: {
    key: clusterRisksKey('full'),
    read: async (table) => (await readClusterRisks(table, ['full'])).get('full'),
    async change(table) {
      const { revision, ...risks } = (await readFleetEntry(table, 'full')).risks!;
      // What has not changed is not written.
      return writeClusterRisks(table, 'full', risks, { ...risks, version: '4.14.8', revision });
    },
    async place(table) {
      await writeClusterRisks(table, 'full', NO_RISKS, null);
      await writeItem(table, {
        key: clusterRisksKey('full'),
        write: { update: { expression: 'REMOVE v' } },
      });
    },
  },
  pruner: {
    key: prunerKey('paused'),
    read: (table) => readPruner(table, 'paused'),
    change: (table) => changePruner(table, 'paused', (former) => ({ ...former!.record })),
  },
  pruneProgress: {
    key: prunerLeaseKey('paused'),
    read: async (table) => (await unfinishedRun(table, 'paused', NOW))!.progress,
    change: (table) => storeState(table, prunerLeaseKey('paused'), pruneProgressCodec),
  },
  switches: {
    key: SWITCHES_KEY,
    read: readStops,
    change: (table) => changeSwitch(table, 'news', (former) => ({ ...former! })),
  },
  settings: {
    key: clusterSettingsKey('settings'),
    read: async (table) => (await readClusterSettings(table, 'settings'))!.settings,
    async change(table) {
      const { settings } = (await readClusterSettings(table, 'settings'))!;
      return changeClusterSettings(table, 'settings', () => settings);
    },
  },
  webhook: {
    key: WEBHOOK_KEY,
    read: readWebhook,
    change: async (table) => putWebhook(table, (await readWebhook(table))!),
  },
  acceptance: {
    key: acceptanceKey('one'),
    read: async (table) => {
      const { revision: _revision, ...acceptance } = (await readAcceptance(table, 'one'))!;
      return acceptance;
    },
    async change(table) {
      const { revision } = (await readAcceptance(table, 'one'))!;
      await settleAcceptance(table, { ...(await readAcceptances(table))[0]!, revision }, true);
      return revision;
    },
    async place(table) {
      const acceptance = { risk: 'A', reason: 'r', owner: 'o', until: '2027-07-01T00:00:00.000Z' };
      const by = { at: new Date(NOW).toISOString(), by: 'local', check: () => {} };
      await putAcceptance(table, 'one', { ...acceptance, clusters: 'all' }, by);
      await settleAcceptance(table, (await readAcceptances(table))[0]!, true);
      await writeItem(table, { key: acceptanceKey('one'), write: { update: { expression: 'REMOVE v' } } });
    },
  },
};

const kinds = Object.keys(MIGRATIONS) as StoredKind[];

describe('migrations', () => {
  it('are applied from the version of the body on', () => {
    const migrations = ['1', '2', '3'].map((version) => (body: string) => `${body}${version}`);
    const upgraded = (v: unknown) => upgradeStored('webhook', 'v', v, migrations);
    expect([undefined, 0, 1, 2, 3, 4].map(upgraded)).toEqual(['v123', 'v123', 'v23', 'v3', 'v', 'v']);
  });

  it('refuse only what is newer than this release', () => {
    for (const v of [undefined, 0, 1]) expect(() => refuseNewer('cluster', v)).not.toThrow();
    expect(() => refuseNewer('cluster', 2)).toThrow(
      'stored by a newer release (cluster version 2, known up to 1); deploy that release to change it',
    );
  });
});

describe.each(kinds)('a stored %s', (kind) => {
  const { key, read, change, place } = THINGS[kind];
  let table: Table;
  beforeEach(async () => {
    table = await newTable();
    await loadItems(table, readDump(FORMER_RELEASE));
    await place?.(table);
  });
  const withoutLease = async () => {
    const item = { ...(await readItem(table, key)) };
    for (const name of ['token', 'leaseOwner', 'leaseUntil', 'lastSlot', 'lastByHand']) delete item[name];
    return item;
  };
  const setVersion = (v: number) =>
    writeItem(table, { key, write: { update: { expression: 'SET v = :v', values: { ':v': v } } } });

  it('of a former release is read, and gets its version with the next write', async () => {
    expect(await readItem(table, key)).not.toHaveProperty('v');
    const before = await read(table);
    expect(await change(table)).toBeTruthy();
    expect(await readItem(table, key)).toHaveProperty('v', storedVersion(kind));
    expect(await read(table)).toEqual(before);
  });

  it('of a newer release is read as it is and never written back', async () => {
    const before = await read(table);
    await setVersion(storedVersion(kind) + 1);
    expect(await read(table)).toEqual(before);
    const stored = await withoutLease();
    await expect(change(table)).rejects.toThrow(StoredByNewerRelease);
    expect(await withoutLease()).toEqual(stored);
    expect(await read(table)).toEqual(before);
  });
});

describe('what a newer release left', () => {
  it('is removed with its cluster', async () => {
    const table = await newTable();
    await loadItems(table, readDump(FORMER_RELEASE));
    const key = THINGS.cluster.key;
    await writeItem(table, { key, write: { update: { expression: 'SET v = :v', values: { ':v': 9 } } } });
    expect(await removeCluster(table, 'full', new Date(NOW).toISOString(), () => {})).toBe('removed');
    expect(await readItem(table, key)).not.toHaveProperty('v');
  });

  it('is no obstacle where no prune run is unfinished', () => {
    const none = { progress: null, former: null, condemned: null };
    expect(pruneProgressCodec.unpack({ progress: '', v: 9 })).toEqual(none);
    expect(pruneProgressCodec.unpack({ v: 9 })).toEqual(none);
  });
});
