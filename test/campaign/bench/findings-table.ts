import { asText } from '@cairn/shared/text/as-text';
import type { Finding } from './row.ts';

/** How far from its goal a finding has to be before it is no longer noise. */
const GATE_TOLERANCE = 1.15;

export function verdictOf({ measured, goal }: Finding): 'held' | 'not held' | '' {
  if (goal === undefined) return '';
  return measured <= goal ? 'held' : 'not held';
}

/** Whether a finding misses its goal by more than the machine explains. */
export function isFarFromGoal({ measured, goal }: Finding): boolean {
  return goal !== undefined && measured > goal * GATE_TOLERANCE;
}

/** The findings for a person: what, how much, how much was wanted, and whether it is. */
export function findingsTable(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => [
    finding.what,
    `${shown(finding.measured, finding.unit)} ${finding.unit}`,
    finding.goal === undefined ? '' : `≤ ${finding.goal} ${finding.unit}`,
    verdictOf(finding),
  ]);
  const header = ['ROW', 'MEASURED', 'GOAL', 'RESULT'];
  return asText([{ kind: 'table', header, rows }]);
}

function shown(measured: number, unit: Finding['unit']): string {
  return unit === '×' ? measured.toFixed(2) : String(Math.round(measured));
}
