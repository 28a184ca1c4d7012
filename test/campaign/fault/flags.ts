import { availableParallelism } from 'node:os';
import { readCommandLine } from '../../helpers/cli/command-line.ts';
import type { EngineName } from './rig/stage.ts';
import { CAMPAIGNS } from './runner/campaigns.ts';
import { parseUnit, type Unit } from './runner/units.ts';
import { WORLD_NAMES } from './worlds.ts';

export interface FaultFlags {
  readonly isSmoke: boolean;
  /** Null is all of them. */
  readonly campaign: string | null;
  /** Units of each campaign; null is as many as it has. */
  readonly seeds: number | null;
  readonly first: number;
  readonly workers: number;
  readonly engine: EngineName;
  /** One unit again, in the place of campaigns. */
  readonly again: Unit | null;
  readonly isVerbose: boolean;
}

export type FaultFlagReading =
  | { readonly kind: 'flags'; readonly flags: FaultFlags }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly string[] };

export const BUGS = 'bugs';
const CAMPAIGN_NAMES = [...CAMPAIGNS.map(({ name }) => name), BUGS];
/** Those whose units are more than a seed: they are played again by `--replay`. */
const NOT_BY_SEED = ['crash', 'outages', BUGS];
const ENGINES: readonly EngineName[] = ['dynalite', 'dynamodb-local'];
const WORKERS = availableParallelism();

export const FAULT_HELP = `Puts the product among faults, and checks that every promise holds.
docs/reliability.md says what is promised and what is done to break it.

Usage: npm run fault -- [flags]

  --smoke          a small part of everything, within three minutes on two cores
  --campaign NAME  only this one: ${CAMPAIGN_NAMES.join(', ')}
  --seeds NUMBER   as many units of each campaign
  --first NUMBER   seeds from this one on (1)
  --workers NUMBER processes at once (one per core: ${WORKERS})
  --engine NAME    dynalite, or dynamodb-local, which needs java and takes longer
  --replay "..."   one unit again, as a failure tells it
  --seed NUMBER    one trial again, with --campaign (any), and --world
                   ${WORLD_NAMES.join(', ')} (${WORLD_NAMES[0]})
  --verbose        with --replay or --seed: every step of it
  --help           this text

The figures are kept in .tmp/fault.json. It exits with 1 when a promise was
broken or a planted bug was not found.
`;

const OPTIONS = {
  smoke: { type: 'boolean' },
  campaign: { type: 'string' },
  seeds: { type: 'string' },
  first: { type: 'string' },
  workers: { type: 'string' },
  engine: { type: 'string' },
  replay: { type: 'string' },
  seed: { type: 'string' },
  world: { type: 'string' },
  verbose: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

type Given = Partial<Record<keyof typeof OPTIONS, string>>;

/** Reads the command line; every mistake is told at once, with what would be accepted. */
export function readFaultFlags(argv: readonly string[]): FaultFlagReading {
  const { values, mistakes } = readCommandLine(argv, OPTIONS);
  const given = values as Given;
  const numberOf = (name: 'seeds' | 'first' | 'workers' | 'seed'): number | null => {
    const text = given[name];
    if (text === undefined) return null;
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
    mistakes.push(`--${name} "${text}" is not accepted, a whole number from 1 is`);
    return null;
  };
  const oneOf = <Name extends string>(name: keyof Given, accepted: readonly Name[]): Name | null => {
    const text = given[name];
    if (text === undefined || accepted.includes(text as Name)) return (text as Name | undefined) ?? null;
    mistakes.push(`--${name} "${text}" is not accepted, ${accepted.join(', ')} are`);
    return null;
  };
  const campaign = oneOf('campaign', CAMPAIGN_NAMES);
  const world = oneOf('world', WORLD_NAMES) ?? WORLD_NAMES[0]!;
  const seed = numberOf('seed');
  if (seed !== null && campaign !== null && NOT_BY_SEED.includes(campaign)) {
    mistakes.push(`--seed does not go with --campaign ${campaign}, use --replay as a failure tells it`);
  }
  const flags: FaultFlags = {
    isSmoke: values['smoke'] === true,
    campaign,
    seeds: numberOf('seeds'),
    first: numberOf('first') ?? 1,
    workers: numberOf('workers') ?? WORKERS,
    engine: oneOf('engine', ENGINES) ?? 'dynalite',
    again: given.replay === undefined ? trialOf(campaign ?? 'any', world, seed) : parseUnit(given.replay),
    isVerbose: values['verbose'] === true,
  };
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes };
  return values['help'] === true ? { kind: 'help' } : { kind: 'flags', flags };
}

function trialOf(campaign: string, world: string, seed: number | null): Unit | null {
  if (seed === null) return null;
  if (campaign === 'blast-radius') return parseUnit(`blast seed=${seed}`);
  if (campaign === 'kill') return parseUnit(`kill seed=${seed}`);
  return parseUnit(`trial world=${world} kind=${campaign} seed=${seed}`);
}
