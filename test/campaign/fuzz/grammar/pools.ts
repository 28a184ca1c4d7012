import type { DrawnUpstream } from '../../../helpers/upstream/drawn-upstream.ts';

/** What the fuzzed service follows: small, with risks, dead ends, prereleases and two architectures. */
export const CHANNELS = {
  amd64: {
    'stable-4.12': ['4.12.10 > 4.12.30', '4.12.10 > 4.12.40 Leaky', '4.12.30 > 4.12.40'],
    'stable-4.13': ['4.12.30 > 4.13.20', '4.12.40 > 4.13.20 Slow', '4.13.20 > 4.13.30 AlwaysBad', '4.13.99'],
    'stable-4.14': ['4.13.20 > 4.14.20', '4.13.30 > 4.14.20', '4.14.20 > 4.14.30 Leaky,Slow'],
    'eus-4.14': ['4.12.30 > 4.13.20', '4.13.20 > 4.14.20', '4.14.20 > 4.14.30'],
    'candidate-4.15': ['4.14.20 > 4.15.0-rc.1', '4.15.0-rc.1 > 4.15.0'],
    'fast-4.15': [],
  },
  arm64: { 'stable-4.14': ['4.14.20 > 4.14.30'] },
} as const satisfies DrawnUpstream;

export const VERSIONS: readonly string[] = [
  '4.12.10',
  '4.12.30',
  '4.12.40',
  '4.13.20',
  '4.13.30',
  '4.13.99',
  '4.14.20',
  '4.14.30',
  '4.15.0-rc.1',
  '4.15.0',
  '4.99.0',
];

/** Few, so that what one request makes another one meets. */
export const CLUSTER_IDS: readonly string[] = ['one', 'One', 'two', 'three', 'four.x', 'five_y', 'six-z'];
export const PRUNER_NAMES: readonly string[] = ['nightly', 'weekly', 'a.b', 'cluster'];
/** By which everything can be stopped by hand. */
export const SWITCHES: readonly string[] = ['sync', 'prune', 'write'];

const TIMES = ['2026-01-01T00:00:00Z', '2026-11-01T12:00:00.5+02:00', '2020-02-29T23:59:59Z'];
const FLAGS = ['true', 'false', '1', '0', ''];

/** Values that mean something to the service, by the name of their parameter; `@…@` is what an earlier answer said. */
export const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  channel: [...Object.keys(CHANNELS.amd64), 'stable-9.9', 'stable-4.12,stable-4.13,stable-4.14'],
  arch: ['amd64', 'x86_64', 'arm64', 'aarch64', 'multi', 's390x'],
  version: VERSIONS,
  from: VERSIONS,
  to: [...VERSIONS, 'latest', '4.14'],
  target: [...VERSIONS, 'latest', '4.14'],
  id: CLUSTER_IDS,
  name: [...PRUNER_NAMES, ...SWITCHES],
  run: ['@run@', '2026-01-01T00:00:00.000Z'],
  cursor: ['@cursor@'],
  limit: ['1', '2', '1000'],
  since: TIMES,
  now: TIMES,
  collected_at: TIMES,
  accept_risk: ['Leaky', 'Slow', 'Leaky,Slow', 'AlwaysBad'],
  accept: ['Leaky'],
  format: ['json', 'text', 'markdown', 'imageset'],
  file: ['1', '2', '999'],
  minor: ['4.12', '4.14'],
  trim: ['reachable'],
  strict: FLAGS,
  replace: ['true', 'false'],
  labels: ['app=x', 'app in (a,b),!tier', 'app!=x'],
  older_than: ['0s', '1h', '30d', '1h30m'],
  keep_younger_than: ['0s', '1h'],
  keep_newest: ['0', '1', '1000000'],
  kinds: ['Pod', 'Job', 'pods'],
  collected: ['pods', 'imagestreams'],
  'If-Match': ['@etag@', '*', '"x"', 'W/"x"'],
  'If-None-Match': ['@etag@', '*', '"x"', 'W/"x", @etag@'],
};
