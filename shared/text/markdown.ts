import type { Block, FindingBlock, StepBlock } from './blocks.ts';
import { cleanCommand, cleanLine, cleanLines } from './quote.ts';

/** A document as Markdown, its steps as a task list to tick off. Whatever its texts hold shows as text, never as markup. */
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
      return block.items.map((item) => `- ${atStart(inline(item))}`).join('\n');
    case 'table':
      return [block.header, block.header.map(() => '---'), ...block.rows].map(row).join('\n');
    case 'finding':
      return findingAsMarkdown(block);
    default:
      return block.steps.map(stepAsMarkdown).join('\n\n');
  }
}

function findingAsMarkdown({ effect, type, reason, message, advice, commands, url }: FindingBlock): string {
  const lines = cleanLines(message).map((line) => atStart(escaped(line)));
  return [
    `**${effect}** ${inline(type)} (${inline(reason)})`,
    // A backslash at the end of a line keeps the break.
    lines.join('\\\n'),
    [...advice.map((text) => atStart(inline(text))), ...(url === null ? [] : [`Read ${inline(url)}`])]
      .map((text) => `- ${text}`)
      .join('\n'),
    commands.length > 0 ? codeBlock(commands, '') : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function stepAsMarkdown({ text, command }: StepBlock): string {
  const task = `- [ ] ${atStart(inline(text))}`;
  return command === null ? task : `${task}\n\n${codeBlock([command], '  ')}`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(inline).join(' | ')} |`;
}

/** With a fence that is longer than any in the commands. */
function codeBlock(commands: readonly string[], margin: string): string {
  const lines = commands.map(cleanCommand);
  const longest = Math.max(
    0,
    ...lines.flatMap((line) => line.match(/`+/g) ?? []).map(({ length }) => length),
  );
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return [`${fence}sh`, ...lines, fence].map((line) => `${margin}${line}`).join('\n');
}

function inline(text: string): string {
  return escaped(cleanLine(text));
}

/** A link that holds nothing but what links are made of, without the punctuation of its sentence. */
const PLAIN_LINK = /(https:\/\/[\w.~:/?#@!$&'()*+,;=%-]*[\w/=~-])/;

/** Markup of Markdown, HTML and formulas within a line as the characters it is made of; links stay links. */
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

/** What makes a heading, a list, a rule or a table of a line, when it begins with it. */
function atStart(line: string): string {
  return line.replace(/^[#+=-]/, String.raw`\$&`).replace(/^(\d+)([.)])(?=\s|$)/, String.raw`$1\$2`);
}
