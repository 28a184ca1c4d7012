import { parseArgs } from 'node:util';
import { nearestName } from '@cairn/shared/text/nearest';
import type { Variables } from '../runtime/env.ts';
import { badInput } from '../runtime/exit.ts';
import type { CommandSyntax, Flag, Flags } from './flags.ts';

type Value = string | boolean | readonly (string | boolean)[];

export class ParsedArgs {
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

  number(name: string): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : Number(text);
  }

  list(name: string): readonly string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.flatMap((text: string) => text.split(',')) : [];
  }

  isSet(name: string): boolean {
    return this.#values[name] === true;
  }

  /** Converts flags to request parameters: `--accept-risk` is `accept_risk`. */
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

export interface Reading {
  readonly isHelp: boolean;
  /** Each with the accepted values. */
  readonly mistakes: readonly string[];
  readonly given: ParsedArgs;
}

/** Reports all mistakes at once. Null if help is requested. */
export function parseCommandLine(
  command: CommandSyntax,
  argv: readonly string[],
  variables: Variables,
): ParsedArgs | null {
  const { isHelp, mistakes, given } = readArguments(command, argv, variables);
  if (isHelp) return null;
  if (mistakes.length > 0) {
    throw badInput(...mistakes, `"cairn ${command.name} --help" tells what is accepted`);
  }
  return given;
}

export function readArguments(
  syntax: CommandSyntax,
  argv: readonly string[],
  variables: Variables = {},
): Reading {
  const { flags } = syntax;
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { kind, short }]) => [
      name,
      {
        type: kind === 'switch' ? ('boolean' as const) : ('string' as const),
        multiple: kind === 'list',
        ...(short !== undefined && { short }),
      },
    ]),
  );
  const { values, positionals, tokens } = parseArgs({
    args: argv.map((text, at) => withBareValue(flags, text, argv[at + 1])),
    options: { ...HELP, ...options },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new ParsedArgs({ ...defaultsOf(flags, variables), ...values }, positionals);
  let left = syntax.most;
  const misread = new Set<string>();
  const mistakes = tokens.flatMap((token) => {
    if (token.kind === 'positional') return left-- > 0 ? [] : [unexpected(syntax, token.value)];
    const mistake = token.kind === 'option' ? misreadFlag(syntax, token, argv[token.index]!) : null;
    if (mistake === null || token.kind !== 'option') return [];
    misread.add(token.name);
    return [mistake];
  });
  for (const [name, flag] of Object.entries(flags)) {
    const texts = misread.has(name) || !(name in values) ? [] : [given.text(name) ?? given.list(name)].flat();
    mistakes.push(...texts.flatMap((text) => refusal(name, flag, text) ?? []));
  }
  // The letters of `-port` parse as separate flags; report each once.
  return { isHelp: values['help'] === true, mistakes: [...new Set(mistakes)], given };
}

/** `--watch` is `--watch=30`, but `--watch 5` has its value. */
function withBareValue(flags: Flags, text: string, next = ''): string {
  const name = text.slice(2);
  const bare = text.startsWith('--') && Object.hasOwn(flags, name) ? flags[name]!.bare : undefined;
  return bare === undefined || /^\d/.test(next) ? text : `${text}=${bare}`;
}

interface OptionToken {
  readonly name: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function misreadFlag(
  syntax: CommandSyntax,
  { name, value, inlineValue }: OptionToken,
  written: string,
): string | null {
  const { flags, isScript } = syntax;
  const flag = Object.hasOwn(flags, name) ? flags[name]! : undefined;
  if (!flag) return unknownFlag(syntax, written);
  if (flag.kind === 'switch') return value === undefined ? null : `--${name} takes no value`;
  // `--data --once` lacks a folder, unlike `--data=--once`.
  const isMissing = !value || (!inlineValue && value.startsWith('--'));
  return isMissing ? `--${name} needs a value${isScript ? '' : `: ${shownValue(flag)}`}` : null;
}

function refusal(name: string, { values, refuse }: Flag, text: string): string | null {
  if (!values || values.includes(text)) return refuse?.(text, name) ?? null;
  const nearest = nearestName(text, values);
  const hint = nearest ? `, did you mean ${nearest}?` : '';
  return `--${name} "${text}" is not accepted, ${values.join(', ')} are${hint}`;
}

function unexpected({ isScript }: CommandSyntax, argument: string): string {
  return `unexpected argument "${argument}"${isScript ? '; flags begin with --' : ''}`;
}

function unknownFlag({ flags, isScript }: CommandSyntax, written: string): string {
  const [name = ''] = written.split('=');
  const nearest = nearestName(name.replace(/^-+/, ''), Object.keys(flags));
  if (nearest) return `unknown flag ${name}, did you mean --${nearest}?`;
  return `unknown flag ${name}${isScript ? ', see --help' : ''}`;
}

export function shownValue({ value, values }: Flag): string {
  return values?.join('|') ?? value ?? 'TEXT';
}

function defaultsOf(flags: Flags, variables: Variables): Record<string, Value> {
  const found: Record<string, Value> = {};
  for (const [name, { variable, kind, default: otherwise }] of Object.entries(flags)) {
    const value = (variable === undefined ? undefined : variables[variable]) || otherwise;
    if (value) found[name] = kind === 'list' ? [value] : value;
  }
  return found;
}
