import type { ClusterRecord } from '@cairn/shared/cluster/record';
import {
  type KeyedNotification,
  type UpdateLog,
  updateNotifications,
  type UpdateNotifications,
} from '@cairn/shared/notifications/update-notifications';
import { STALLED_AFTER } from '@cairn/shared/update-status/answer';
import { momentOf } from '@cairn/shared/update-status/runs/cluster-status';
import { expect } from 'vitest';
import { type Arrival, reportsAt, statusOfRecord, takeReports } from './reporting.ts';
import { type SimulatedUpdate, simulateUpdate } from './simulator.ts';

/** What the service does with a report, and when it looks at a cluster; a planted bug does it otherwise. */
export interface Service {
  take(record: ClusterRecord | null, arrival: Arrival): ClusterRecord;
  look(log: UpdateLog | null, record: ClusterRecord, now: number): UpdateNotifications;
}

export const SERVICE: Service = {
  take: (record, arrival) => takeReports([arrival], record)!,
  look: (log, record, now) => updateNotifications(log, record, { now, stalledAfter: STALLED_AFTER }),
};

/** A cluster that is looked at after each report, and when its log asks for it. */
export class WatchedCluster {
  readonly told: KeyedNotification[] = [];
  /** State after each change, with the moment of the look. */
  readonly states: { readonly at: number; readonly state: string }[] = [];
  record: ClusterRecord | null = null;
  #log: UpdateLog | null = null;
  #againAt: number | null = null;
  readonly #service: Service;

  constructor(service: Service = SERVICE) {
    this.#service = service;
  }

  take(arrival: Arrival): void {
    const now = Date.parse(arrival.receivedAt);
    this.wait(now);
    this.record = this.#service.take(this.record, arrival);
    this.#look(now);
  }

  /** Time passes without a report. */
  wait(until: number): void {
    for (let times = 0; this.#againAt !== null && this.#againAt < until; times++) {
      if (times === 20) throw new Error('it asks again and again');
      this.#look(this.#againAt);
    }
  }

  #look(now: number): void {
    const { log, news, againAt } = this.#service.look(this.#log, this.record!, now);
    this.#log = JSON.parse(JSON.stringify(log)) as UpdateLog;
    this.told.push(...news);
    if (againAt !== null && againAt <= now) throw new Error('it asks for a moment that has passed');
    this.#againAt = againAt;
    const { state } = statusOfRecord(this.record!, momentOf(this.record!, now).at, now);
    if (state !== this.states.at(-1)?.state) this.states.push({ at: now, state });
  }

  get ids(): string[] {
    return this.told.map(({ type, key }) => `${type}/${key}`);
  }
}

/** Known before the update, so that what follows is news. */
export function knownBefore(update: SimulatedUpdate, service: Service = SERVICE): WatchedCluster {
  const watched = new WatchedCluster(service);
  const before = simulateUpdate({ start: update.time(-10_000), from: '4.13.9', to: '4.14.0' });
  for (const arrival of reportsAt(before, [5000])) watched.take(arrival);
  expect(watched.told).toEqual([]);
  return watched;
}
