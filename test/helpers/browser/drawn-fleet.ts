import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { takeReport } from '@cairn/shared/cluster/record';
import type { AssessedUpgrade } from '@cairn/shared/fleet/assessment';
import { changeCluster } from '../../../functions/clusters/store.ts';
import { reassessFleet } from '../../../functions/fleet/job.ts';
import { writeAssessment } from '../../../functions/fleet/store.ts';
import { fleetStateCodec, type QueuedMessage } from '../../../functions/notifications/store.ts';
import { FLEET_STATE_KEY } from '../../../functions/store/keys.ts';
import { acquireLease, finishLease } from '../../../functions/store/leases.ts';
import { aCluster, aClusterVersion, aPool } from '../cluster/clusters.ts';
import { anOutlook } from '../cluster/outlooks.ts';
import type { Site } from './site.ts';

/** A reported cluster and its assessment, if there is one. */
export interface DrawnCluster {
  readonly version: string;
  readonly channel?: string;
  readonly facts?: Partial<ClusterFacts>;
  /** Hours since the last report. */
  readonly hoursAgo?: number;
  readonly outlook?: Partial<AssessedUpgrade>;
}

const hop = (from: string, to: string, ...risks: string[]) => ({ from, to, risks });
const AT_4_15 = { target: '4.15.12', path: [hop('4.14.30', '4.15.10'), hop('4.15.10', '4.15.12')] };

/** One cluster of every kind, with realistic names. */
export const EVERY_KIND: Readonly<Record<string, DrawnCluster>> = {
  'berlin-prod-1': { version: '4.14.20', outlook: { ...AT_4_15, newerPatch: '4.14.30' } },
  'berlin-prod-2': {
    version: '4.14.30',
    outlook: { ...AT_4_15, verdict: 'blocked', blockers: ['AdminAcksGiven', 'OperatorsUpgradeable'] },
  },
  'edge-oslo-store-0417.retail.example.com': {
    version: '4.14.8',
    hoursAgo: 200,
    outlook: { verdict: 'unknown', newerPatch: '4.14.30' },
  },
  'frankfurt-lab': {
    version: '4.15.20',
    channel: 'eus-4.16',
    facts: { pools: [aPool('master'), aPool('worker', { paused: true })] },
    outlook: {
      target: '4.16.30',
      path: [hop('4.15.20', '4.16.30', 'NodesMayHang', 'AlwaysMultiNetworkAttachmentsWhereaboutsVersion')],
      verdict: 'ready-with-warnings',
    },
  },
  'madrid-ci': {
    version: '4.15.12',
    outlook: {
      target: '4.16.10',
      path: [hop('4.15.12', '4.16.10')],
      verdict: 'action-required',
      removedApis: ['flowschemas.v1beta2.flowcontrol.apiserver.k8s.io'],
    },
  },
  'new-york-prod': {
    version: '4.14.20',
    channel: 'eus-4.16',
    outlook: { target: '4.16.40', path: null, noPath: 'no-path', verdict: 'blocked', minutes: null },
  },
  'paris-new': { version: '4.15.10' },
  'rome-silent': { version: '', facts: { clusterVersion: null }, hoursAgo: 26 },
  'vienna-done': { version: '4.16.30', outlook: { target: '4.16.30', path: [], minutes: null } },
};

/** Stores clusters as reported and assessed. */
export async function drawFleet(
  { table }: Site,
  clusters: Readonly<Record<string, DrawnCluster>>,
): Promise<void> {
  for (const [id, { version, channel, facts, hoursAgo = 0, outlook }] of Object.entries(clusters)) {
    const at = new Date(Date.now() - hoursAgo * 3600_000).toISOString();
    const clusterVersion = aClusterVersion({ ...(channel !== undefined && { channel }) }, version);
    const reported = aCluster({ clusterVersion, ...facts }, version);
    const options = { now: at, forget: false, historyLimit: 100 };
    await changeCluster(table, id, () => takeReport(null, reported, options));
    if (outlook === undefined) continue;
    const ahead = { firstSeenAt: at, since: at, told: {}, pending: [], heldUntil: null };
    await writeAssessment(table, id, { ...ahead, outlook: anOutlook({ from: version, ...outlook }) }, null);
  }
}

const silent = { info: () => {}, warn: () => {}, error: console.error };

/** Runs the assessment job. */
export async function assess({ table }: Site): Promise<void> {
  const result = await reassessFleet(
    {
      table,
      events: { publish: async () => [] },
      openWebhook: () => Promise.reject(new Error('nobody has set a webhook')),
      log: silent,
      count: () => {},
      clock: Date.now,
    },
    { scheduledTime: new Date().toISOString(), trigger: 'manual' },
  );
  if (result.status !== 'Done') throw new Error(`the fleet was not followed: ${result.reason}`);
}

/** Leaves undelivered messages. */
export async function leaveMessages({ table }: Site, messages: readonly QueuedMessage[]): Promise<void> {
  const slot = new Date().toISOString();
  const request = { slot, owner: 'test', now: Date.now(), durationMs: 1000 };
  const lease = await acquireLease(table, FLEET_STATE_KEY, request);
  if (!lease.acquired) throw new Error('the fleet is being followed');
  const state = { ...fleetStateCodec.unpack(lease.item), messages };
  await finishLease(table, FLEET_STATE_KEY, lease, fleetStateCodec.pack(state));
}
