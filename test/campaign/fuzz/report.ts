import { asText } from '@cairn/shared/text/as-text';
import { lines } from '@cairn/shared/text/blocks';
import type { CampaignResult } from './campaign.ts';
import { curlOf } from './request.ts';

/** Memory may grow by a tenth. */
const MOST_GROWTH = 0.1;

/** Everything that keeps a run from being good, one line each. */
export function objectionsTo({ failures, mishaps, memory }: CampaignResult): string[] {
  return [
    ...failures.map(
      ({ number, route, faults, count }) => `request ${number}, ${route}: ${faults.join('; ')} (${count} ×)`,
    ),
    ...mishaps.map((mishap) => `the service told: ${mishap}`),
    ...(memory.samples.some(({ isPolluted }) => isPolluted)
      ? ['the prototype of all objects was changed']
      : []),
    ...(memory.growth > MOST_GROWTH ? [`memory grew by ${percent(memory.growth)}`] : []),
  ];
}

export function reportOf(result: CampaignResult): string {
  const { requests, seed, statuses, routes, stopped, failures, milliseconds, memory, url } = result;
  const byStatus = [...statuses].toSorted(([a], [b]) => a - b);
  const serverErrors = byStatus.reduce((total, [status, count]) => total + (status >= 500 ? count : 0), 0);
  const asked = [...routes].filter(([name]) => !name.startsWith('raw: '));
  const counts = asText([
    lines(
      `${requests} requests of seed ${seed}: ${serverErrors - stopped} × 5xx, ${stopped} × stopped by a switch that a request had thrown, ${failures.length} kinds of fault`,
      `answers by status: ${byStatus.map(([status, count]) => `${status === 0 ? 'none' : status} ${count}`).join(', ')}`,
      `time of an answer: half within ${milliseconds.p50.toFixed(1)} ms, 99 % within ${milliseconds.p99.toFixed(0)} ms, the longest ${milliseconds.most.toFixed(0)} ms`,
      `memory after collection: ${megabytes(memory.first)} in the first third, ${megabytes(memory.last)} in the last (${percent(memory.growth)})`,
    ),
    {
      kind: 'table',
      header: ['ROUTE', 'ASKED', 'GAVE DATA'],
      rows: asked
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, { asked, succeeded }]) => [name, String(asked), String(succeeded)]),
      numbers: [1, 2],
    },
  ]);
  const faults = [
    ...objectionsTo(result),
    ...failures.flatMap(({ number, shot }) => ['', `request ${number}:`, curlOf(shot, url)]),
  ];
  return [counts, ...faults, ''].join('\n');
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

function percent(share: number): string {
  return `${share >= 0 ? '+' : ''}${(share * 100).toFixed(1)} %`;
}
