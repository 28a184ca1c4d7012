import type { Block, FindingBlock, LinesBlock, StepBlock, Table } from './blocks.ts';
import { singleLineCommand, singleLine, singleLines } from './quote.ts';

/** Renders steps as a task list. All texts show as text, never as markup. */
export function asMarkdown(blocks: readonly Block[]): string {
  return `${blocks.map(blockAsMarkdown).join('\n\n')}\n`;
}

function blockAsMarkdown(block: Block): string {
  switch (block.kind) {
    case 'title':
      return `# ${inline(block.text)}`;
    case 'heading':
      return `## ${inline(block.text)}`;
    case 'subheading':
      return `### ${inline(block.text)}`;
    case 'paragraph':
      return atStart(inline(block.text));
    case 'list':
      return list(block.items);
    case 'lines':
      return linesAsMarkdown(block);
    case 'table':
      return tableAsMarkdown(block);
    case 'command':
      return `${atStart(inline(block.about))}\n\n${codeBlock([block.command], '')}`;
    case 'finding':
      return findingAsMarkdown(block);
    default:
      return block.steps.map(stepAsMarkdown).join('\n\n');
  }
}

function linesAsMarkdown({ lines, table, items = [] }: LinesBlock): string {
  return parts([brokenLines(lines.map(singleLine)), table ? tableAsMarkdown(table) : '', list(items)]);
}

/** A backslash at the end of a line keeps the line break. */
function brokenLines(lines: readonly string[]): string {
  return lines.map((line) => atStart(escaped(line))).join('\\\n');
}

function parts(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${atStart(inline(item))}`).join('\n');
}

function findingAsMarkdown(block: FindingBlock): string {
  const { effect, title, type, reason, message, advice, commands, url } = block;
  return parts([
    `**${effect}** ${inline(title)} (${inline(type)}, ${inline(reason)})`,
    brokenLines(singleLines(message)),
    list([...advice, ...(url === null ? [] : [`Read ${url}`])]),
    commands.length > 0 ? codeBlock(commands, '') : '',
  ]);
}

function stepAsMarkdown({ text, commands }: StepBlock): string {
  const task = `- [ ] ${atStart(inline(text))}`;
  return commands.length === 0 ? task : `${task}\n\n${codeBlock(commands, '  ')}`;
}

function tableAsMarkdown({ header, rows, numbers = [] }: Table): string {
  const rule = header.map((_, column) => (numbers.includes(column) ? '---:' : '---'));
  return [row(header), `| ${rule.join(' | ')} |`, ...rows.map(row)].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(inline).join(' | ')} |`;
}

/** Uses a fence longer than any in the commands. */
function codeBlock(commands: readonly string[], margin: string): string {
  const lines = commands.map(singleLineCommand);
  const longest = Math.max(
    0,
    ...lines.flatMap((line) => line.match(/`+/g) ?? []).map(({ length }) => length),
  );
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return [`${fence}sh`, ...lines, fence].map((line) => `${margin}${line}`).join('\n');
}

function inline(text: string): string {
  return escaped(singleLine(text));
}

/** Matches a URL of safe characters, without the punctuation that ends its sentence. */
const PLAIN_LINK = /(https:\/\/[\w.~:/?#@!$&'()*+,;=%-]*[\w/=~-])/;

/** Escapes Markdown, HTML and formulas within a line; links stay links. */
function escaped(line: string): string {
  const parts = line.split(PLAIN_LINK);
  return parts.map((part, index) => (index % 2 === 1 ? `<${part}>` : escapedText(part))).join('');
}

function escapedText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_[\]|~$]/g, String.raw`\$&`);
}

/** Escapes characters that start a heading, a list, a rule or a table. */
function atStart(line: string): string {
  return line.replace(/^[#+=-]/, String.raw`\$&`).replace(/^(\d+)([.)])(?=\s|$)/, String.raw`$1\$2`);
}
