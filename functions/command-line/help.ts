import type { CommandDescription, Flag, Flags } from './flags.ts';
import { shownValue } from './parse.ts';

const COLUMNS = 80;
const MARGIN = 24;

/** Output of `cairn --help`; `name` is the invoked program, `cairn` or `oc cairn`. */
export function overview(name: string, commands: readonly CommandDescription[]): string {
  const width = Math.max(...commands.map((command) => command.name.length)) + 4;
  const lines = commands.map((command) => `  ${command.name.padEnd(width)}${command.summary}`);
  return `Looks before, during and after an upgrade of OpenShift clusters.

Usage: ${name} COMMAND [arguments] [flags]

${lines.join('\n')}

"${name} COMMAND --help" tells more, with examples.

It asks a Cairn (--url), any update service (--upstream), or nobody at all and
works with saved graphs (--graph). It exits with 0 when all is ready, 1 when
something is to be done first, 2 when the way is blocked, 3 when that is not
known, and 64 when it was called wrongly.
`;
}

/** Output of `cairn COMMAND --help`. */
export function helpOf(name: string, command: CommandDescription): string {
  const usage = [name, command.name, command.arguments, '[flags]'].filter(Boolean).join(' ');
  const examples = command.examples.map((example) => `  ${example.replaceAll(/^cairn\b/gm, name)}`);
  return `${wrap(command.about, '', COLUMNS).join('\n')}

Usage: ${usage}

${flagLines({ ...command.flags, help: { kind: 'switch', short: 'h', help: 'this text' } }, MARGIN)}

${examples.length === 1 ? 'Example' : 'Examples'}:
${examples.join('\n')}
`;
}

export function flagLines(flags: Flags, margin: number): string {
  return Object.entries(flags)
    .filter(([, { help }]) => help !== '')
    .map(([name, flag]) => flagHelp(name, flag, margin))
    .join('\n');
}

function flagHelp(name: string, flag: Flag, margin: number): string {
  const { short, kind, variable, help } = flag;
  const value = kind === 'switch' ? '' : ` ${shownValue(flag)}`;
  const head = `  ${short === undefined ? '' : `-${short}, `}--${name}${value}`;
  const text = variable === undefined ? help : `${help} (else ${variable})`;
  const lines = wrap(text, ' '.repeat(margin), COLUMNS);
  const isShort = head.length < margin - 1;
  return isShort
    ? [head.padEnd(margin) + lines[0]!.trimStart(), ...lines.slice(1)].join('\n')
    : [head, ...lines].join('\n');
}

function wrap(text: string, margin: string, columns: number): string[] {
  const lines: string[] = [];
  let line = margin;
  for (const word of text.split(' ')) {
    if (line.length > margin.length && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = margin;
    }
    line += line.length > margin.length ? ` ${word}` : word;
  }
  return [...lines, line];
}
