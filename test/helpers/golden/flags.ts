import { readCommandLine } from '../cli/command-line.ts';

export interface GoldenFlags {
  readonly mode: 'record' | 'compare';
  readonly masksTexts: boolean;
  /** Only requests with this in `group/id`. */
  readonly only: string;
  /** Print the recording of this request instead. */
  readonly show: string | null;
}

export type GoldenFlagReading =
  | { readonly kind: 'flags'; readonly flags: GoldenFlags }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly string[] };

const OPTIONS = {
  record: { type: 'boolean' },
  compare: { type: 'boolean' },
  mask: { type: 'string' },
  only: { type: 'string' },
  show: { type: 'string' },
  help: { type: 'boolean' },
} as const;

export const GOLDEN_HELP = `Records the responses, templates and command outputs of Cairn, and compares them.

Usage: npm run golden -- --record | --compare [flags]

  --record     store what this code returns in test/fixtures/golden/recordings
  --compare    compare what this code returns with the recordings
  --mask text  compare without texts for people: fields such as title and
               detail at any depth, and the content of plain text, Markdown
               and HTML
  --only TEXT  only requests with TEXT in "group/id"; with --record all
               requests of their groups
  --show ID    print the recordings of requests with ID in "group/id"
  --help       this text

Groups of templates and commands are "template" and "command". The group
"recorded" needs the recorded graphs in ../shared/data. A comparison exits
with 1 on any difference, on a request without recording, on a recording
without request, and if an operation of the interface has no request.
`;

/** Reads the command line and returns every mistake at once. */
export function readGoldenFlags(argv: readonly string[]): GoldenFlagReading {
  const { values, mistakes } = readCommandLine(argv, OPTIONS);
  const given = values as {
    readonly record?: boolean;
    readonly compare?: boolean;
    readonly mask?: string;
    readonly only?: string;
    readonly show?: string;
    readonly help?: boolean;
  };
  if (given.help && mistakes.length === 0) return { kind: 'help' };
  const chosen = [given.record, given.compare, given.show !== undefined].filter(Boolean).length;
  if (chosen !== 1) mistakes.push('one of --record, --compare and --show is required');
  if (given.mask !== undefined && given.mask !== 'text') {
    mistakes.push(`--mask "${given.mask}" is not accepted, text is`);
  }
  if (given.mask !== undefined && given.record) mistakes.push('--mask is for --compare only');
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes };
  return {
    kind: 'flags',
    flags: {
      mode: given.record ? 'record' : 'compare',
      masksTexts: given.mask === 'text',
      only: given.only ?? '',
      show: given.show ?? null,
    },
  };
}
