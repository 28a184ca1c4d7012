import { parseArgs } from 'node:util';
import { nearestName } from '@cairn/shared/text/nearest';

export interface TemplateFlags {
  readonly settings: string | undefined;
  readonly releases: string;
  readonly out: string;
}

export type TemplateFlagReading =
  | { readonly kind: 'flags'; readonly flags: TemplateFlags }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly string[] };

const OPTIONS = {
  settings: { type: 'string' },
  releases: { type: 'string', default: 'infra/releases.json' },
  out: { type: 'string', default: 'dist/template' },
  help: { type: 'boolean', default: false },
} as const;

export const HELP = `Makes a template that is deployed without CDK.

Usage: npm run template -- [flags]

  --settings FILE  what to choose, see docs/deploy.md (every setting has its
                   default)
  --releases FILE  what to follow (infra/releases.json)
  --out DIR        where template, code and commands go (dist/template)
  --help           this text
`;

/** Reads the command line; every mistake is told at once. */
export function readTemplateFlags(argv: readonly string[]): TemplateFlagReading {
  const reading = parseArgs({
    args: [...argv],
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const mistakes: string[] = [];
  for (const token of reading.tokens) {
    if (token.kind === 'positional')
      mistakes.push(`unexpected argument "${token.value}"; flags begin with --`);
    if (token.kind !== 'option') continue;
    const known = Object.hasOwn(OPTIONS, token.name);
    if (!known) mistakes.push(unknownFlag(token.rawName));
    else if (token.name === 'help' && token.value !== undefined) mistakes.push('--help takes no value');
    else if (token.name !== 'help' && isMissing(token)) mistakes.push(`${token.rawName} needs a value`);
  }
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes };
  const { help, settings, releases, out } = reading.values as TemplateFlags & { readonly help: boolean };
  return help ? { kind: 'help' } : { kind: 'flags', flags: { settings, releases, out } };
}

/** `--out --help` lacks a folder, unlike `--out=--help`. */
function isMissing({ value, inlineValue }: { value: string | undefined; inlineValue: boolean | undefined }) {
  return !value || (!inlineValue && value.startsWith('--'));
}

function unknownFlag(name: string): string {
  const nearest = nearestName(name.replace(/^-+/, ''), Object.keys(OPTIONS));
  return nearest ? `unknown flag ${name}, did you mean --${nearest}?` : `unknown flag ${name}, see --help`;
}
