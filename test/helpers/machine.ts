import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** One line for reports of measurements. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores (${model}), ${memory} GiB, Node ${process.version} on ${process.platform}, load ${loadavg()[0]!.toFixed(1)} before`;
}
