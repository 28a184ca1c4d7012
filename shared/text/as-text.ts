import type { Block, FindingBlock, LinesBlock, StepBlock, Table } from './blocks.ts';
import { singleLine, singleLineCommand, singleLines, truncate } from './quote.ts';

const COLUMNS = 100;

/** Markup for parts of a text; must not change the displayed width. */
export interface TextStyle {
  title(text: string): string;
  /** Effect of a finding: `block`, `warn`, … */
  effect(text: string): string;
}

const PLAIN: TextStyle = { title: (text) => text, effect: (text) => text };

/**
 * Formats for terminals and mail in lines of up to 100 characters; never breaks commands. Terminal sequences come only
 * from the style, never from the content.
 */
export function asText(blocks: readonly Block[], style: TextStyle = PLAIN): string {
  return `${blocks.map((block) => blockAsText(block, style)).join('\n\n')}\n`;
}

/** Formats as a shell script: all text except commands is a comment, and no text can start a new line. */
export function asShell(blocks: readonly Block[]): string {
  return `${blocks.map(blockAsShell).join('\n\n')}\n`;
}

function blockAsShell(block: Block): string {
  if (block.kind === 'command') return `# ${singleLine(block.about)}\n${singleLineCommand(block.command)}`;
  const lines = blockAsText(block, PLAIN).split('\n');
  return lines.map((line) => `# ${line}`.trimEnd()).join('\n');
}

function blockAsText(block: Block, style: TextStyle): string {
  switch (block.kind) {
    case 'title':
      return underlined(block.text, '=', style);
    case 'heading':
      return underlined(block.text, '-', style);
    case 'subheading':
    case 'paragraph':
      return wrap(singleLine(block.text), '', '').join('\n');
    case 'list':
      return block.items.flatMap((item) => wrap(singleLine(item), '- ', '  ')).join('\n');
    case 'lines':
      return linesAsText(block);
    case 'table':
      return inColumns(block).join('\n');
    case 'command':
      return [...wrap(singleLine(block.about), '', ''), `  ${singleLineCommand(block.command)}`].join('\n');
    case 'finding':
      return findingAsText(block, style);
    default:
      return stepsAsText(block.steps);
  }
}

function underlined(text: string, line: string, style: TextStyle): string {
  const lines = wrap(singleLine(text), '', '');
  const width = Math.max(...lines.map(({ length }) => length));
  return [...lines.map((text) => style.title(text)), line.repeat(width)].join('\n');
}

function linesAsText({ lines, table, items = [] }: LinesBlock): string {
  const below = [...(table ? inColumns(table) : []), ...items.map(singleLine)];
  return [...lines.map(singleLine), ...below.map((line) => `  ${line}`)].join('\n');
}

function findingAsText(
  { effect, title, type, reason, message, advice, commands, url }: FindingBlock,
  style: TextStyle,
): string {
  const lines = singleLines(message);
  return [
    `  ${style.effect(effect)}  ${singleLine(title)}`,
    `    ${singleLine(type)} (${singleLine(reason)})`,
    ...lines.flatMap((line) => wrap(line, '    ', lines.length > 1 ? '      ' : '    ')),
    ...advice.flatMap((text) => wrap(singleLine(text), '    - ', '      ')),
    ...(url === null ? [] : [`    - ${singleLine(`Read ${url}`)}`]),
    ...commands.map((command) => `        ${singleLineCommand(command)}`),
  ].join('\n');
}

function stepsAsText(steps: readonly StepBlock[]): string {
  const width = String(steps.length).length;
  const margin = ' '.repeat(width + 2);
  return steps
    .flatMap(({ text, commands }, index) => [
      ...wrap(singleLine(text), `${String(index + 1).padStart(width)}. `, margin),
      ...commands.map((command) => `${margin}  ${singleLineCommand(command)}`),
    ])
    .join('\n');
}

/** Breaks between words; a word longer than a line stays whole. */
function wrap(text: string, first: string, margin: string): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = margin;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

/** Longer cells would widen their column in every row. */
const LONGEST_CELL = 120;

/** Aligns columns: `[['A', 'BB'], ['ccc', 'd']]` gives `A    BB` and `ccc  d`. */
function inColumns({ header, rows, numbers = [], whole = [] }: Table): string[] {
  const cells = [header, ...rows].map((row) =>
    row.map((cell, column) => (whole.includes(column) ? singleLine(cell) : clipped(singleLine(cell)))),
  );
  const widths = header.map((_, column) =>
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
  return cell.length > LONGEST_CELL ? truncate(cell, LONGEST_CELL - 1) : cell;
}
