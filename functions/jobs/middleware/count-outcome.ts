import type { MetricName } from '../../runtime/names.ts';
import type { JobMiddleware } from './parse-input.ts';

/** One metric line with its dimensions. */
export type CountedMetrics = readonly [
  counts: Partial<Record<MetricName, number>>,
  dimensions?: Readonly<Record<string, string>>,
];

export interface CountedJob<Input, Result> {
  readonly metricsOf: (result: Result, input: Input) => readonly CountedMetrics[];
  /** Counts runs that throw. */
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
      // Invalid input failed the invocation before the job ran.
      if (failedMetric !== undefined && context.input !== undefined) count({ [failedMetric]: 1 });
    },
  };
}
