import type { TextStyle } from '@cairn/shared/text/as-text';
import type { Variables } from '../runtime/env.ts';
import type { Output } from './machine.ts';

const CODES = { bold: 1, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Colours where somebody looks at them and wants them: https://no-color.org */
export function styleFor({ isTerminal }: Output, variables: Variables): TextStyle {
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
