import { asText, type TextStyle } from '@cairn/shared/text/as-text';
import type { Block } from '@cairn/shared/text/blocks';
import { asMarkdown } from '@cairn/shared/text/markdown';
import { stringify } from 'yaml';
import type { Flag } from '../command-line/flags.ts';
import type { ParsedArgs } from '../command-line/parse.ts';
import type { Variables } from '../runtime/env.ts';
import type { Host, Output } from './host.ts';

export type Format = 'text' | 'json' | 'yaml' | 'markdown' | 'imageset' | 'images' | 'csv' | 'script';

const CODES = { bold: 1, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export function outputFlag(formats: readonly Format[]): Flag {
  return { kind: 'text', short: 'o', values: formats, help: 'how to print it (text)' };
}

export function formatOf(args: ParsedArgs): Format {
  return (args.text('output') as Format | undefined) ?? 'text';
}

/** Prints JSON unchanged, with a line break on a terminal. Without a document, the body is the text. */
export function printAnswer(
  body: Uint8Array,
  format: Format,
  { out, variables }: Host,
  document?: () => readonly Block[],
): void {
  if (format === 'yaml') {
    out.write(stringify(JSON.parse(Buffer.from(body).toString('utf8')), { lineWidth: 0 }));
  } else if (format === 'json' || document === undefined) {
    out.write(body);
    if (format === 'json' && out.isTerminal) out.write('\n');
  } else {
    out.write(format === 'markdown' ? asMarkdown(document()) : asText(document(), styleFor(out, variables)));
  }
}

/** Colors for terminals only: https://no-color.org */
function styleFor({ isTerminal }: Output, variables: Variables): TextStyle {
  const isWanted = isTerminal && !variables['NO_COLOR'] && variables['TERM'] !== 'dumb';
  const paint = (colour: keyof typeof CODES, text: string) =>
    isWanted ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
  return {
    title: (text) => paint('bold', text),
    effect: (text) => paint(colourOf(text), text),
  };
}

function colourOf(effect: string): keyof typeof CODES {
  if (/block/i.test(effect)) return 'red';
  if (/warn|inform/i.test(effect)) return 'yellow';
  return /ok|ready/i.test(effect) ? 'green' : 'cyan';
}
