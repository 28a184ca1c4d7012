import { readCommandLine } from '../../helpers/cli/command-line.ts';

export interface FuzzFlags {
  readonly requests: number;
  readonly seed: number;
  /** Only the request with this number of the seed. */
  readonly only: number | null;
  /** A file of requests that failed. */
  readonly replay: string | null;
}

export type FuzzFlagReading =
  | { readonly kind: 'flags'; readonly flags: FuzzFlags }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly string[] };

const OPTIONS = {
  requests: { type: 'string' },
  seed: { type: 'string' },
  only: { type: 'string' },
  replay: { type: 'string' },
  help: { type: 'boolean' },
} as const;

const DEFAULT_REQUESTS = 50_000;
const MOST = 2 ** 31 - 1;

export const FUZZ_HELP = `Sends made-up requests to every route of a local run and checks each answer.

Usage: npm run fuzz -- [flags]

  --requests NUMBER  how many (${DEFAULT_REQUESTS})
  --seed NUMBER      which ones; the same number gives the same requests (drawn)
  --only NUMBER      only the request with this number of the seed
  --replay FILE      the requests of a file that a run left in .tmp/fuzz
  --help             this text

It exits with 1 when an answer is not as it should be: any 5xx but a 503 that
is documented, an error without a documented type, data that is not as the
interface document says, a header that came out of a request, a crash, or
memory that grows by more than a tenth.
`;

/** Reads the command line; every mistake is told at once, with what would be accepted. */
export function readFuzzFlags(argv: readonly string[], drawnSeed: number): FuzzFlagReading {
  const { values, mistakes } = readCommandLine(argv, OPTIONS);
  const given = values as Partial<Record<keyof typeof OPTIONS, string>>;
  const numberOf = (name: 'requests' | 'seed' | 'only'): number | null => {
    const text = given[name];
    if (text === undefined) return null;
    if (/^\d{1,10}$/.test(text) && Number(text) <= MOST) return Number(text);
    mistakes.push(`--${name} "${text}" is not accepted, a whole number up to ${MOST} is`);
    return null;
  };
  const flags: FuzzFlags = {
    requests: numberOf('requests') ?? DEFAULT_REQUESTS,
    seed: numberOf('seed') ?? drawnSeed,
    only: numberOf('only'),
    replay: given.replay ?? null,
  };
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes };
  return given.help ? { kind: 'help' } : { kind: 'flags', flags };
}
