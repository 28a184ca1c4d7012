import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Log } from './telemetry.ts';

/** Names of the metrics that jobs emit; alarms refer to them. */
export const METRIC = {
  namespace: 'Cairn',
  syncSucceeded: 'SyncSucceeded',
  syncPartiallySucceeded: 'SyncPartiallySucceeded',
  syncFailed: 'SyncFailed',
  syncSkipped: 'SyncSkipped',
  pairsHeld: 'PairsHeld',
  pairsFailed: 'PairsFailed',
  pairsSkipped: 'PairsSkipped',
  payloadConflicts: 'PayloadConflicts',
  versionsAdded: 'VersionsAdded',
  watchSucceeded: 'WatchSucceeded',
  watchPartiallySucceeded: 'WatchPartiallySucceeded',
  watchFailed: 'WatchFailed',
  watchSkipped: 'WatchSkipped',
  clustersWatched: 'ClustersWatched',
  historiesPruned: 'HistoriesPruned',
  historyEntriesRemoved: 'HistoryEntriesRemoved',
  runRecordsRemoved: 'RunRecordsRemoved',
} as const;

export type MetricName = Exclude<keyof typeof METRIC, 'namespace'>;

const logger = new Logger({ serviceName: 'cairn' });

export const jobLog: Log = {
  info: (message, fields = {}) => logger.info(message, fields),
  warn: (message, fields = {}) => logger.warn(message, fields),
  error: (message, fields = {}) => logger.error(message, fields),
};

/** Emits counts in CloudWatch's embedded format: a log line, no call. */
export function countMetrics(
  counts: Partial<Record<MetricName, number>>,
  dimensions: Readonly<Record<string, string>> = {},
): void {
  const metrics = new Metrics({ namespace: METRIC.namespace, serviceName: 'cairn' });
  for (const [name, value] of Object.entries(dimensions)) metrics.addDimension(name, value);
  for (const [name, count] of Object.entries(counts)) {
    metrics.addMetric(METRIC[name as MetricName], MetricUnit.Count, count);
  }
  metrics.publishStoredMetrics();
}
