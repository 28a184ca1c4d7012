import { asText } from '@cairn/shared/text/as-text';
import { isHeld, type LoadFinding } from './row.ts';

export interface RowFinding extends LoadFinding {
  readonly row: string;
}

/** The findings for a person: how much, how much was asked for, whether that holds, and against what. */
export function loadTable(findings: readonly RowFinding[]): string {
  const rows = findings.map((finding) => {
    const { row, what, measured, unit, goal, ratio } = finding;
    const held = isHeld(finding);
    return [
      row,
      what,
      `${shown(measured)} ${unit}`,
      goal ? `${goal.is === 'at least' ? '≥' : '≤'} ${goal.value} ${unit}` : '',
      held === null ? '' : held ? 'held' : 'not held',
      ratio ? `${ratio.value.toFixed(2)} × ${ratio.to}` : '',
    ];
  });
  const header = ['ROW', 'WHAT', 'MEASURED', 'SPECIFIED', 'RESULT', 'RATIO'];
  return asText([{ kind: 'table', header, rows }]);
}

function shown(measured: number): string {
  if (!Number.isFinite(measured)) return 'never';
  return Math.abs(measured) >= 100 || Number.isInteger(measured)
    ? String(Math.round(measured))
    : measured.toFixed(2);
}
