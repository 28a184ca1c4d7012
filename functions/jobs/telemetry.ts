import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { ENV, optionalEnv } from '../runtime/env.ts';
import type { Log } from '../runtime/log.ts';
import { METRIC, type MetricName } from '../runtime/names.ts';

const serviceName = optionalEnv([ENV.serviceName])[ENV.serviceName] ?? 'cairn';
const logger = new Logger({ serviceName });

export const jobLog: Log = {
  info: (message, fields = {}) => logger.info(message, fields),
  warn: (message, fields = {}) => logger.warn(message, fields),
  error: (message, fields = {}) => logger.error(message, fields),
};

/** Emits metrics in CloudWatch embedded metric format: a log line instead of an API call. */
export function countMetrics(
  counts: Partial<Record<MetricName, number>>,
  dimensions: Readonly<Record<string, string>> = {},
): void {
  const metrics = new Metrics({ namespace: METRIC.namespace, serviceName });
  for (const [name, value] of Object.entries(dimensions)) metrics.addDimension(name, value);
  for (const [name, count] of Object.entries(counts)) {
    const unit = name.endsWith('Seconds') ? MetricUnit.Seconds : MetricUnit.Count;
    metrics.addMetric(METRIC[name as MetricName], unit, count);
  }
  metrics.publishStoredMetrics();
}
