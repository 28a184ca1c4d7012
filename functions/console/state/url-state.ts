import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import { parseMinor, type Minor } from '@cairn/shared/version/minor';
import { parseVersion } from '@cairn/shared/version/release-version';
import { parseChannel } from '@cairn/shared/releases/channel';

/** Which conditional updates a plan may take: none, any where it needs them, or those whose risks are all listed. */
export type RiskChoice = 'avoid' | 'allow' | readonly string[];

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** All that a link to the page says. */
export interface UrlState {
  readonly from: string;
  /** A version, a minor, or empty for the newest. */
  readonly to: string;
  /** Empty: the best is chosen. */
  readonly channel: string;
  readonly arch: Arch;
  readonly risks: RiskChoice;
  readonly nodes: number;
  readonly pause: boolean;
  /** A stored cluster whose plan is shown. */
  readonly cluster: string;
  /** Which of the paths found is shown; 0 is the best. */
  readonly alt: number;
  /** The release that is looked at. */
  readonly sel: string;
  readonly view: 'lanes' | 'table';
  /** Lanes that are unfolded; null leaves it to the page. */
  readonly minors: readonly Minor[] | null;
  /** What a list has unfolded, such as a channel. */
  readonly open: string;
  /** What a list is searched for. */
  readonly find: string;
  readonly theme: Theme | null;
}

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
  open: '',
  find: '',
  theme: null,
};

/** A value of the address that cannot be used. */
export interface UrlMistake {
  readonly key: string;
  readonly value: string;
  readonly accepted: string;
}

export interface ReadUrl {
  readonly state: UrlState;
  readonly mistakes: readonly UrlMistake[];
  /** Keys that are not ours; they stay in the address. */
  readonly others: readonly (readonly [string, string])[];
}

export const MOST_NODES = 5000;
const LONGEST = 2000;

interface Key {
  readonly accepted: string;
  /** Undefined when the text is no value. */
  readonly read: (text: string) => Partial<UrlState> | undefined;
  /** Empty when it goes without saying. */
  readonly write: (state: UrlState) => string;
}

const RISK_NAMES = /^[\w.:,-]{1,1500}$/;
const ID = /^[\w.:-]{1,253}$/;

const KEYS: Readonly<Record<string, Key>> = {
  from: {
    accepted: 'a version such as 4.14.30',
    read: (text) => (parseVersion(text) ? { from: text } : undefined),
    write: ({ from }) => from,
  },
  to: {
    accepted: 'a version such as 4.16.62, a minor such as 4.16, or latest',
    read: (text) => {
      if (text === 'latest') return { to: '' };
      return parseVersion(text) || parseMinor(text) ? { to: text } : undefined;
    },
    write: ({ to }) => to,
  },
  channel: {
    accepted: 'a channel such as stable-4.16',
    read: (text) => (parseChannel(text) ? { channel: text } : undefined),
    write: ({ channel }) => channel,
  },
  arch: {
    accepted: ARCHES.join(', '),
    read: (text) => {
      const arch = ARCHES.find((known) => known === text);
      return arch && { arch };
    },
    write: ({ arch }) => (arch === DEFAULTS.arch ? '' : arch),
  },
  risks: {
    accepted: 'avoid, allow, or names of risks with commas',
    read: (text) => {
      if (text === 'avoid' || text === 'allow') return { risks: text };
      const names = RISK_NAMES.test(text) ? new Set(text.split(',').filter(Boolean)) : [];
      return [...names].length > 0 ? { risks: [...names] } : undefined;
    },
    write: ({ risks }) => (risks === 'avoid' ? '' : typeof risks === 'string' ? risks : risks.join(',')),
  },
  nodes: {
    accepted: `a number from 1 to ${MOST_NODES}`,
    read: (text) => {
      const nodes = /^\d{1,4}$/.test(text) ? Number(text) : 0;
      return nodes >= 1 && nodes <= MOST_NODES ? { nodes } : undefined;
    },
    write: ({ nodes }) => (nodes === DEFAULTS.nodes ? '' : String(nodes)),
  },
  pause: {
    accepted: '1 or 0',
    read: (text) => (text === '1' || text === '0' ? { pause: text === '1' } : undefined),
    write: ({ pause }) => (pause ? '1' : ''),
  },
  cluster: {
    accepted: 'the id of a cluster',
    read: (text) => (ID.test(text) ? { cluster: text } : undefined),
    write: ({ cluster }) => cluster,
  },
  alt: {
    accepted: '0 to 3',
    read: (text) => (/^[0-3]$/.test(text) ? { alt: Number(text) } : undefined),
    write: ({ alt }) => (alt === 0 ? '' : String(alt)),
  },
  sel: {
    accepted: 'a version such as 4.15.40',
    read: (text) => (parseVersion(text) ? { sel: text } : undefined),
    write: ({ sel }) => sel,
  },
  view: {
    accepted: 'lanes or table',
    read: (text) => (text === 'lanes' || text === 'table' ? { view: text } : undefined),
    write: ({ view }) => (view === DEFAULTS.view ? '' : view),
  },
  minors: {
    accepted: 'minors with commas, such as 4.14,4.15, or none',
    read: (text) => {
      if (text === 'none') return { minors: [] };
      const minors = text.split(',').map(parseMinor);
      return minors.includes(null) ? undefined : { minors: minors as Minor[] };
    },
    write: ({ minors }) => (minors?.length === 0 ? 'none' : (minors?.join(',') ?? '')),
  },
  open: {
    accepted: 'up to 253 characters',
    read: (text) => (text.length <= 253 ? { open: text } : undefined),
    write: ({ open }) => open,
  },
  find: {
    accepted: 'up to 100 characters',
    read: (text) => (text.length <= 100 ? { find: text } : undefined),
    write: ({ find }) => find,
  },
  theme: {
    accepted: THEMES.join(', '),
    read: (text) => {
      const theme = THEMES.find((known) => known === text);
      return theme && { theme };
    },
    write: ({ theme }) => theme ?? '',
  },
};

/** What an address says; values that cannot be used are named and left out. `?from=4.14.30&to=latest` */
export function readUrl(search: string): ReadUrl {
  let state = DEFAULTS;
  const mistakes: UrlMistake[] = [];
  const others: [string, string][] = [];
  for (const [key, value] of new URLSearchParams(search.slice(0, LONGEST))) {
    const known = Object.hasOwn(KEYS, key) ? KEYS[key]! : null;
    if (!known) others.push([key, value]);
    else if (value !== '') {
      const read = known.read(value);
      if (read) state = { ...state, ...read };
      else mistakes.push({ key, value, accepted: known.accepted });
    }
  }
  return { state, mistakes, others };
}

/** The same as text, without what goes without saying: `?from=4.14.30&channel=eus-4.16`; empty when that is all. */
export function writeUrl(state: UrlState, others: ReadUrl['others'] = []): string {
  const pairs = Object.entries(KEYS).map(([key, { write }]) => [key, write(state)] as const);
  const query = [...pairs, ...others]
    .filter(([, value]) => value !== '')
    // Commas, colons and dots read better as they are, and a query may hold them.
    .map(
      ([key, value]) =>
        `${encodeURIComponent(key)}=${encodeURIComponent(value).replace(/%2C/g, ',').replace(/%3A/g, ':')}`,
    )
    .join('&');
  return query === '' ? '' : `?${query}`;
}
