import { cleanLine } from './plain-text.ts';

/** Longer cells would push all others of their column away, in every row. */
const LONGEST_CELL = 120;

/**
 * Rows as lines of aligned columns, whatever is in the cells: `[['A', 'BB'], ['ccc', 'd']]` gives `A    BB` and `ccc  d`.
 * Columns named in `numbers`, by position, end in line rather than begin.
 */
export function inColumns(
  rows: readonly (readonly string[])[],
  { numbers = [] }: { readonly numbers?: readonly number[] } = {},
): string[] {
  const cells = rows.map((row) => row.map((cell) => clipped(cleanLine(cell))));
  const widths = (cells[0] ?? []).map((_, column) =>
    cells.reduce((widest, row) => Math.max(widest, row[column]!.length), 0),
  );
  return cells.map((row) =>
    row
      .map((cell, column) =>
        numbers.includes(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
}

function clipped(cell: string): string {
  return cell.length > LONGEST_CELL ? `${cell.slice(0, LONGEST_CELL - 1)}…` : cell;
}
