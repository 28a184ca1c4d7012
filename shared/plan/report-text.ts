import { inColumns } from '../text/columns.ts';
import type { Block, FindingBlock, StepBlock } from '../text/document.ts';
import { cleanCommand, cleanLine, cleanLines } from '../text/plain-text.ts';
import { reportDocument } from './report-document.ts';
import type { UpgradeReport } from './upgrade-report.ts';

const COLUMNS = 100;

/**
 * A report as plain text for terminals and mail, in lines of up to 100 characters but for commands, which are never
 * broken. Nothing in it makes a terminal do anything, whatever the documents hold.
 */
export function reportAsText(report: UpgradeReport): string {
  return `${reportDocument(report).map(blockAsText).join('\n\n')}\n`;
}

function blockAsText(block: Block): string {
  switch (block.kind) {
    case 'title':
      return underlined(block.text, '=');
    case 'heading':
      return underlined(block.text, '-');
    case 'subheading':
    case 'paragraph':
      return wrap(cleanLine(block.text), '', '').join('\n');
    case 'list':
      return block.items.flatMap((item) => wrap(cleanLine(item), '- ', '  ')).join('\n');
    case 'table':
      return inColumns([block.header, ...block.rows]).join('\n');
    case 'finding':
      return findingAsText(block);
    default:
      return stepsAsText(block.steps);
  }
}

function underlined(text: string, line: string): string {
  const lines = wrap(cleanLine(text), '', '');
  return [...lines, line.repeat(Math.max(...lines.map(({ length }) => length)))].join('\n');
}

function findingAsText({ effect, type, reason, message, advice, commands, url }: FindingBlock): string {
  const lines = cleanLines(message);
  return [
    `  ${effect}  ${cleanLine(type)} (${cleanLine(reason)})`,
    ...lines.flatMap((line) => wrap(line, '    ', lines.length > 1 ? '      ' : '    ')),
    ...advice.flatMap((text) => wrap(cleanLine(text), '    - ', '      ')),
    ...(url === null ? [] : [`    - ${cleanLine(`Read ${url}`)}`]),
    ...commands.map((command) => `        ${cleanCommand(command)}`),
  ].join('\n');
}

function stepsAsText(steps: readonly StepBlock[]): string {
  const width = String(steps.length).length;
  const margin = ' '.repeat(width + 2);
  return steps
    .flatMap(({ text, command }, index) => [
      ...wrap(cleanLine(text), `${String(index + 1).padStart(width)}. `, margin),
      ...(command === null ? [] : [`${margin}  ${cleanCommand(command)}`]),
    ])
    .join('\n');
}

/** Breaks between words; a word that is longer than a line stays whole. */
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
