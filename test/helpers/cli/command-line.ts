import { parseArgs } from 'node:util';
import { nearestName } from '@cairn/shared/text/nearest';

type Options = Readonly<Record<string, { readonly type: 'string' | 'boolean'; readonly multiple?: boolean }>>;

export interface CommandLine {
  readonly values: Readonly<Record<string, unknown>>;
  /** What can't be meant, each with what would be accepted. */
  readonly mistakes: string[];
}

/** The flags of a command for developers; all that is wrong with them is told at once. */
export function readCommandLine(argv: readonly string[], options: Options): CommandLine {
  const { values, tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const mistakes = tokens.flatMap((token) => {
    if (token.kind === 'positional') return [`unexpected argument "${token.value}"; flags begin with --`];
    if (token.kind !== 'option') return [];
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined) return [unknownFlag(token.rawName, Object.keys(options))];
    if (option.type === 'string' && !token.value) return [`${token.rawName} needs a value`];
    if (option.type === 'boolean' && token.value !== undefined) return [`${token.rawName} takes no value`];
    return [];
  });
  return { values, mistakes };
}

function unknownFlag(name: string, known: readonly string[]): string {
  const nearest = nearestName(name.replace(/^-+/, ''), known);
  return nearest ? `unknown flag ${name}, did you mean --${nearest}?` : `unknown flag ${name}, see --help`;
}
