import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** Where something was measured, in one line. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores (${model}), ${memory} GiB, Node ${process.version} on ${process.platform}, load ${loadavg()[0]!.toFixed(1)} before`;
}
