import { parseArgs } from 'node:util';
import { nearestName } from '@cairn/shared/text/nearest';
import type { Variables } from '../runtime/env.ts';
import { badInput } from '../runtime/exit.ts';
import type { CommandSyntax, Flag, Flags } from './flags.ts';

type Value = string | boolean | readonly (string | boolean)[];

/** What a command was given. */
export class Given {
  readonly arguments: readonly string[];
  readonly #values: Readonly<Record<string, Value | undefined>>;

  constructor(values: Readonly<Record<string, Value | undefined>>, args: readonly string[]) {
    this.#values = values;
    this.arguments = args;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  list(name: string): readonly string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.flatMap((text: string) => text.split(',')) : [];
  }

  isSet(name: string): boolean {
    return this.#values[name] === true;
  }

  /** All texts, lists and switches among these as parameters of a request: `--accept-risk` is `accept_risk`. */
  query(names: readonly string[]): URLSearchParams {
    const query = new URLSearchParams();
    for (const name of names) {
      const parameter = name.replaceAll('-', '_');
      const [text, list] = [this.text(name), this.list(name)];
      if (text !== undefined) query.set(parameter, text);
      if (list.length > 0) query.set(parameter, list.join(','));
      if (this.isSet(name)) query.set(parameter, 'true');
    }
    return query;
  }
}

const HELP = { help: { type: 'boolean', short: 'h' } } as const;

/** Reads what follows the name of a command; every mistake is told at once. Null when help is asked for. */
export function readGiven(
  command: CommandSyntax,
  argv: readonly string[],
  variables: Variables,
): Given | null {
  const options = Object.fromEntries(
    Object.entries(command.flags).map(([name, { kind, short }]) => [
      name,
      {
        type: kind === 'switch' ? ('boolean' as const) : ('string' as const),
        multiple: kind === 'list',
        ...(short !== undefined && { short }),
      },
    ]),
  );
  const { values, positionals, tokens } = parseArgs({
    args: [...argv],
    options: { ...options, ...HELP },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  if (values['help'] === true) return null;
  const mistakes = tokens.flatMap((token) =>
    token.kind === 'option' ? mistakeOf(command, token, argv[token.index]!) : [],
  );
  const extra = positionals.slice(command.most);
  if (extra.length > 0) mistakes.push(`unexpected argument "${extra[0]}"`);
  if (mistakes.length > 0) {
    throw badInput(...new Set(mistakes), `"cairn ${command.name} --help" tells what is accepted`);
  }
  return new Given({ ...fromVariables(command.flags, variables), ...values }, positionals);
}

function mistakeOf(
  { flags }: CommandSyntax,
  token: {
    readonly name: string;
    readonly value?: string | undefined;
    readonly inlineValue?: boolean | undefined;
  },
  written: string,
): string[] {
  const flag = Object.hasOwn(flags, token.name) ? flags[token.name]! : undefined;
  if (!flag) return [unknownFlag(written, Object.keys(flags))];
  const name = `--${token.name}`;
  if (flag.kind === 'switch') return token.value === undefined ? [] : [`${name} takes no value`];
  const { value, inlineValue } = token;
  if (!value || (!inlineValue && value.startsWith('--')))
    return [`${name} needs a value: ${shownValue(flag)}`];
  const given = flag.kind === 'list' ? value.split(',') : [value];
  const foreign = given.find((one) => flag.values && !flag.values.includes(one));
  if (foreign === undefined) return [];
  const nearest = nearestName(foreign, flag.values!);
  const hint = nearest ? `, did you mean ${nearest}?` : '';
  return [`${name} "${foreign}" is not accepted, ${flag.values!.join(', ')} are${hint}`];
}

export function shownValue({ value, values }: Flag): string {
  return values ? values.join('|') : (value ?? 'TEXT');
}

function unknownFlag(written: string, known: readonly string[]): string {
  const [name = ''] = written.split('=');
  const nearest = nearestName(name.replace(/^-+/, ''), known);
  return nearest ? `unknown flag ${name}, did you mean --${nearest}?` : `unknown flag ${name}`;
}

function fromVariables(flags: Flags, variables: Variables): Record<string, Value> {
  const found: Record<string, Value> = {};
  for (const [name, { variable, kind }] of Object.entries(flags)) {
    const value = variable === undefined ? undefined : variables[variable];
    if (value) found[name] = kind === 'list' ? [value] : value;
  }
  return found;
}
