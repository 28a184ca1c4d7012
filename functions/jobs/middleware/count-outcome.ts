import type { MetricName } from '../../runtime/names.ts';
import type { JobMiddleware } from './parse-input.ts';

/** Metrics of one line, and their dimensions. */
export type CountedMetrics = readonly [
  counts: Partial<Record<MetricName, number>>,
  dimensions?: Readonly<Record<string, string>>,
];

export interface CountedJob<Input, Result> {
  readonly metricsOf: (result: Result, input: Input) => readonly CountedMetrics[];
  /** Counts runs that throw, where such a metric exists. */
  readonly failedMetric?: MetricName;
  readonly count: (...metrics: CountedMetrics) => void;
}

export function countOutcome<Input, Result>({
  metricsOf,
  failedMetric,
  count,
}: CountedJob<Input, Result>): JobMiddleware<Input, Result> {
  return {
    after: function countResult({ response, context }) {
      for (const metrics of metricsOf(response!, context.input!)) count(...metrics);
    },
    onError: function countFailure({ context }) {
      // Without input nothing ran.
      if (failedMetric !== undefined && context.input !== undefined) count({ [failedMetric]: 1 });
    },
  };
}
