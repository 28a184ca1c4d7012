import type { TrialOutcome } from '../scenario.ts';
import type { Unit } from './units.ts';

export interface CampaignResult {
  readonly name: string;
  readonly what: string;
  readonly size: number;
  readonly violations: number;
  /** What was injected and done, in all. */
  readonly counts: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** What is worth a column; the rest is in the file. */
const SHOWN = [
  'runs',
  'faults',
  'kills',
  'pauses',
  'duplicates',
  'clockJumps',
  'reads',
  'found',
  'medianSeed',
];

/** One line per campaign, and one for all that was read meanwhile. */
export function resultTable(results: readonly CampaignResult[]): string {
  const rows = results.map(({ name, size, violations, counts, seconds }) => {
    const injected = SHOWN.filter((key) => (counts[key] ?? 0) > 0).map((key) => `${counts[key]} ${key}`);
    return [name, String(size), String(violations), injected.join(', '), String(seconds)];
  });
  const reads = results.reduce((sum, { counts }) => sum + (counts['reads'] ?? 0), 0);
  rows.push(['readers', String(reads), 'see above', 'reads between the calls of all of these', '']);
  return asTable(['campaign', 'size', 'violations', 'injected', 'seconds'], rows);
}

function asTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

export function describeFailure(unit: Unit, { violations, faults }: TrialOutcome): string {
  const { do: what, ...rest } = unit;
  const { without: _without, ...told } = rest as Record<string, unknown>;
  const kept = faults.filter((fault) => !fault.startsWith('(left out)'));
  return [
    `${what} ${Object.values(told).join(' ')}: ${violations.length === 0 ? 'all promises held' : ''}`,
    ...violations.map((violation) => `  ! ${violation}`),
    ...kept.map((fault) => `  fault: ${fault}`),
  ].join('\n');
}
