import { FLEET_UPDATE_STATES } from '@cairn/shared/fleet/update-list';
import type { Mistake } from '@cairn/shared/input/input-value';
import { parseChannel } from '@cairn/shared/releases/channel';
import type { Verdict as PlanVerdict } from '@cairn/shared/safety/verdict';
import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import { parseMinor, type Minor } from '@cairn/shared/version/minor';
import { parseVersion } from '@cairn/shared/version/release-version';

/** Allowed conditional updates: none, any if needed, or those with only these risks. */
export type RiskChoice = 'avoid' | 'allow' | readonly string[];

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** By urgency; `pending` before the first assessment. */
export const VERDICTS = [
  'blocked',
  'unknown',
  'action-required',
  'ready-with-warnings',
  'ready',
  'pending',
] as const satisfies readonly (PlanVerdict | 'pending')[];
export type Verdict = (typeof VERDICTS)[number];

/** States of an update, and both of those without trouble. */
export const UPDATE_FILTERS = [...FLEET_UPDATE_STATES, 'on-track'] as const;
export type UpdateFilter = (typeof UPDATE_FILTERS)[number];

/** State in the URL; keys equal the field names. */
export interface UrlState {
  readonly from: string;
  /** A version, a minor, or empty for the newest. */
  readonly to: string;
  /** Chosen automatically if empty. */
  readonly channel: string;
  readonly arch: Arch;
  readonly risks: RiskChoice;
  readonly nodes: number;
  readonly pause: boolean;
  /** Stored cluster of the plan. */
  readonly cluster: string;
  /** Index of the shown path; 0 is the best. */
  readonly alt: number;
  readonly sel: string;
  readonly view: 'lanes' | 'table';
  /** Open lanes; null for the default. */
  readonly minors: readonly Minor[] | null;
  /** Expanded entry of a list, such as a channel. */
  readonly open: string;
  readonly find: string;
  /** Filters of the cluster list; empty matches all. */
  readonly verdict: Verdict | '';
  readonly minor: Minor | '';
  readonly overdue: boolean;
  /** Filters of the updates; empty matches all. */
  readonly state: UpdateFilter | '';
  readonly name: string;
  /** Risks of one channel only; empty matches all. */
  readonly on: string;
  /** Also risks that concern no cluster. */
  readonly all: boolean;
  /** Updates for a screen on a wall. */
  readonly wall: boolean;
  readonly theme: Theme | null;
}

export const WHOLE_LIST = {
  open: '',
  find: '',
  verdict: '',
  minor: '',
  overdue: false,
  state: '',
  name: '',
  on: '',
  all: false,
  wall: false,
} as const;

export const DEFAULTS: UrlState = {
  from: '',
  to: '',
  channel: '',
  arch: 'amd64',
  risks: 'avoid',
  nodes: 6,
  pause: false,
  cluster: '',
  alt: 0,
  sel: '',
  view: 'lanes',
  minors: null,
  ...WHOLE_LIST,
  theme: null,
};

export interface ReadUrl {
  readonly state: UrlState;
  /** Unusable values. */
  readonly mistakes: readonly Mistake[];
  /** Unknown keys; they stay in the URL. */
  readonly others: readonly (readonly [string, string])[];
}

export const MOST_NODES = 5000;
const LONGEST = 2000;

interface Key<Value> {
  readonly accepted: string;
  readonly read: (text: string) => Value | undefined;
  /** Text of a value other than the default; String() if omitted. */
  readonly write?: (value: Value) => string;
}

const RISK_NAMES = /^[\w.:,-]{1,1500}$/;
const ID = /^[\w.:-]{1,253}$/;

const textWith = (isAccepted: (text: string) => unknown) => (text: string) =>
  isAccepted(text) ? text : undefined;

const oneOf = <Name extends string>(names: readonly Name[]) => ({
  accepted: names.join(', '),
  read: (text: string) => names.find((name) => name === text),
});

const FLAG: Key<boolean> = {
  accepted: '1 or 0',
  read: (text) => (text === '1' || text === '0' ? text === '1' : undefined),
  write: () => '1',
};

const CHANNEL: Key<string> = {
  accepted: 'a channel such as stable-4.16',
  read: textWith(parseChannel),
};

const KEYS: { readonly [Name in keyof UrlState]: Key<UrlState[Name]> } = {
  from: { accepted: 'a version such as 4.14.30', read: textWith(parseVersion) },
  to: {
    accepted: 'a version such as 4.16.62, a minor such as 4.16, or latest',
    read: (text) => (text === 'latest' || parseVersion(text) || parseMinor(text) ? text : undefined),
  },
  channel: CHANNEL,
  arch: oneOf(ARCHES),
  risks: {
    accepted: 'avoid, allow, or names of risks with commas',
    read: (text) => {
      if (text === 'avoid' || text === 'allow') return text;
      const names = RISK_NAMES.test(text) ? new Set(text.split(',').filter(Boolean)) : [];
      return [...names].length > 0 ? [...names] : undefined;
    },
  },
  nodes: {
    accepted: `a number from 1 to ${MOST_NODES}`,
    read: (text) => {
      const nodes = /^\d{1,4}$/.test(text) ? Number(text) : 0;
      return nodes >= 1 && nodes <= MOST_NODES ? nodes : undefined;
    },
  },
  pause: FLAG,
  cluster: { accepted: 'the id of a cluster', read: textWith((text) => ID.test(text)) },
  alt: { accepted: '0 to 3', read: (text) => (/^[0-3]$/.test(text) ? Number(text) : undefined) },
  sel: { accepted: 'a version such as 4.15.40', read: textWith(parseVersion) },
  view: { ...oneOf(['lanes', 'table']), accepted: 'lanes or table' },
  minors: {
    accepted: 'minors with commas, such as 4.14,4.15, or none',
    read: (text) => {
      if (text === 'none') return [];
      const minors = text.split(',').map(parseMinor);
      return minors.includes(null) ? undefined : (minors as Minor[]);
    },
    write: (minors) => String(minors) || 'none',
  },
  open: { accepted: 'up to 253 characters', read: textWith((text) => text.length <= 253) },
  find: { accepted: 'up to 100 characters', read: textWith((text) => text.length <= 100) },
  verdict: oneOf(VERDICTS),
  minor: { accepted: 'a minor such as 4.16', read: (text) => parseMinor(text) ?? undefined },
  overdue: FLAG,
  state: oneOf(UPDATE_FILTERS),
  name: { accepted: 'up to 100 characters', read: textWith((text) => text.length <= 100) },
  on: CHANNEL,
  all: FLAG,
  wall: FLAG,
  theme: oneOf(THEMES),
};

/** Reports invalid values and ignores them. `?from=4.14.30&to=latest` */
export function readUrl(search: string): ReadUrl {
  let state = DEFAULTS;
  const mistakes: Mistake[] = [];
  const others: [string, string][] = [];
  for (const [key, value] of new URLSearchParams(search.slice(0, LONGEST))) {
    const known = Object.hasOwn(KEYS, key) ? KEYS[key as keyof UrlState] : null;
    if (!known) others.push([key, value]);
    else if (value !== '') {
      const read = known.read(value);
      if (read === undefined) {
        const detail = 'was left out';
        mistakes.push({ pointer: '', parameter: key, value, detail, accepted: known.accepted });
      } else state = { ...state, [key]: read };
    }
  }
  return { state, mistakes, others };
}

/** Omits defaults: `?from=4.14.30&channel=eus-4.16`; empty if all are defaults. */
export function writeUrl(state: UrlState, others: ReadUrl['others'] = []): string {
  const pairs = Object.entries<Pick<Key<never>, 'write'>>(KEYS).map(([key, { write = String }]) => {
    const value = state[key as keyof UrlState];
    return [key, value === DEFAULTS[key as keyof UrlState] ? '' : write(value as never)] as const;
  });
  const query = [...pairs, ...others]
    .filter(([, value]) => value !== '')
    // Keep commas and colons readable; a query can contain them.
    .map(
      ([key, value]) =>
        `${encodeURIComponent(key)}=${encodeURIComponent(value).replace(/%2C/g, ',').replace(/%3A/g, ':')}`,
    )
    .join('&');
  return query === '' ? '' : `?${query}`;
}
