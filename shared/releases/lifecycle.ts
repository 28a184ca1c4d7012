import type { InputValue } from '../input/input-value.ts';
import { quoteValue } from '../text/quote.ts';
import { compareMinors, type Minor, parseMinor } from '../version/minor.ts';
import type { EusTerms, SupportPhase, SupportTerm } from './values.ts';

/** Last days of support, as 2027-06-27. */
export interface SupportDates {
  /** Null if it does not matter any more: the minor has ended. */
  readonly ga: string | null;
  readonly maintenance: string;
  /** Extended Update Support terms 1 to 3, as far as published. */
  readonly eus: readonly string[];
  /** Computed, not published: general availability plus 18, 24 and 36 months. */
  readonly assumed?: true;
}

export type SupportDateTable = Readonly<Partial<Record<Minor, SupportDates>>>;

/** Red Hat OpenShift life cycle, November 2026. Older minors have ended. */
const SUPPORT_DATES: SupportDateTable = {
  '4.12': { ga: '2023-01-17', maintenance: '2024-07-17', eus: ['2025-01-17', '2026-01-17'] },
  '4.13': { ga: null, maintenance: '2024-11-17', eus: [] },
  '4.14': { ga: '2023-10-31', maintenance: '2025-05-01', eus: ['2025-10-31', '2026-10-31'] },
  '4.15': { ga: null, maintenance: '2025-08-27', eus: [] },
  '4.16': { ga: '2024-06-27', maintenance: '2025-12-27', eus: ['2026-06-27', '2027-06-27'] },
  '4.17': { ga: '2024-10-01', maintenance: '2026-04-01', eus: [] },
  '4.18': { ga: '2025-02-25', maintenance: '2026-08-25', eus: ['2027-02-25', '2028-02-25'] },
  '4.19': { ga: '2025-06-17', maintenance: '2026-12-17', eus: [] },
  '4.20': { ga: '2025-10-21', maintenance: '2027-04-21', eus: ['2027-10-21', '2028-10-21'] },
  '4.21': { ga: '2026-02-03', maintenance: '2027-08-03', eus: [] },
  '4.22': { ga: '2026-06-09', maintenance: '2027-12-09', eus: ['2028-06-09', '2029-06-09'], assumed: true },
};

/** Every published term. */
export const DEFAULT_EUS_TERMS: EusTerms = 2;

export interface SupportSettings {
  readonly eusTerms: EusTerms;
  /** Replace rows of the built-in table, or add some. */
  readonly dates: SupportDateTable;
}

export const DEFAULT_SUPPORT: SupportSettings = { eusTerms: DEFAULT_EUS_TERMS, dates: {} };

export interface MinorSupport {
  readonly minor: Minor;
  readonly phase: SupportPhase;
  /** Last day with the counted terms; null if no date is known. */
  readonly supportedUntil: string | null;
  /** Term that ends on that day. */
  readonly restsOn: SupportTerm | null;
  /** Last day with every subscription. */
  readonly supportEnds: string | null;
  /** Last day with the last published Extended Update Support term; null if there is none. */
  readonly extendedSupportEnds: string | null;
  /** The dates are computed, or the minor is newer than the table. */
  readonly assumed: boolean;
}

/** Support of any minor on one day. */
export type SupportCalendar = (minor: Minor) => MinorSupport;

/** Expects `today` as 2026-11-17. */
export function supportCalendar({ eusTerms, dates }: SupportSettings, today: string): SupportCalendar {
  const table = tableOf(dates);
  return (minor) => {
    const row = table.get(minor);
    if (row === undefined) return unlisted(minor, [...table.keys()]);
    const until = lastTerm(row, eusTerms);
    return {
      minor,
      phase: phaseOf(row, nextGa(table, minor), until, today),
      supportedUntil: until.day,
      restsOn: until.term,
      supportEnds: row.maintenance,
      extendedSupportEnds: row.eus.at(-1) ?? null,
      assumed: row.assumed === true,
    };
  };
}

/** Minors of the table with those added, oldest first. */
export function listSupport(
  settings: SupportSettings,
  today: string,
  more: readonly Minor[],
): readonly MinorSupport[] {
  const minors = new Set([...tableOf(settings.dates).keys(), ...more]);
  return [...minors].toSorted(compareMinors).map(supportCalendar(settings, today));
}

/** Calendar from the list of a service. */
export function listedCalendar(listed: readonly MinorSupport[]): SupportCalendar {
  const byMinor = new Map(listed.map((support) => [support.minor, support]));
  return (minor) => byMinor.get(minor) ?? unlisted(minor, [...byMinor.keys()]);
}

/** A newer minor than any listed is assumed to be supported; others without a row ended before the table begins. */
function unlisted(minor: Minor, listed: readonly Minor[]): MinorSupport {
  const isNewer = listed.every((known) => compareMinors(minor, known) > 0);
  return {
    minor,
    phase: isNewer ? 'full' : 'ended',
    supportedUntil: null,
    restsOn: null,
    supportEnds: null,
    extendedSupportEnds: null,
    assumed: isNewer,
  };
}

function tableOf(dates: SupportDateTable): ReadonlyMap<Minor, SupportDates> {
  const rows = Object.entries({ ...SUPPORT_DATES, ...dates }) as [Minor, SupportDates][];
  return new Map(rows.toSorted(([a], [b]) => compareMinors(a, b)));
}

function nextGa(table: ReadonlyMap<Minor, SupportDates>, minor: Minor): string | null {
  const next = [...table.keys()].find((other) => compareMinors(other, minor) > 0);
  return (next && table.get(next)?.ga) ?? null;
}

function lastTerm({ maintenance, eus }: SupportDates, eusTerms: EusTerms) {
  const terms = Math.min(eusTerms, eus.length);
  return terms === 0
    ? { day: maintenance, term: 'maintenance' as const }
    : { day: eus[terms - 1]!, term: EUS_PHASES[terms - 1]! };
}

const EUS_PHASES = ['eus1', 'eus2', 'eus3'] as const;

function phaseOf(
  row: SupportDates,
  next: string | null,
  until: { readonly day: string },
  today: string,
): SupportPhase {
  if (today > until.day) return 'ended';
  if (today <= row.maintenance) return today <= fullSupportEnds(row, next) ? 'full' : 'maintenance';
  return EUS_PHASES[row.eus.findIndex((day) => today <= day)]!;
}

const DAY_MS = 24 * 3600_000;

/** Six months, or until 90 days after the next minor, whichever is later; open while there is no next minor. */
function fullSupportEnds({ ga, maintenance }: SupportDates, next: string | null): string {
  if (next === null) return maintenance;
  const halfYear = new Date(ga ?? next);
  halfYear.setUTCMonth(halfYear.getUTCMonth() + 6);
  const overlap = new Date(Date.parse(next) + 90 * DAY_MS);
  return dayOf(Math.max(halfYear.getTime(), overlap.getTime()));
}

/** `2026-11-17` */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_TEXT = 'a day such as "2027-06-27"';
const DATES_TEXT =
  'an object such as {"4.22": {"ga": "2026-06-09", "maintenance": "2027-12-09", "eus": ["2028-06-09"]}}';

/** Reads the `support_dates` of the configuration. */
export function readSupportDates(node: InputValue): SupportDateTable {
  const rows: [Minor, SupportDates][] = [];
  for (const [key, item] of node.entries(DATES_TEXT)) {
    const minor = parseMinor(key);
    if (minor === null)
      item.refuse(`the key ${quoteValue(key)} is not a minor`, 'a minor such as "4.14"', key);
    const row = readRow(item);
    if (minor !== null && row !== null) rows.push([minor, row]);
  }
  return Object.fromEntries(rows.toSorted(([a], [b]) => compareMinors(a, b)));
}

function readRow(node: InputValue): SupportDates | null {
  const fields = node.fields({ required: ['ga', 'maintenance'], optional: ['eus'] });
  const [ga, maintenance] = [fields.get('ga'), fields.get('maintenance')].map(
    (item) => item && readDay(item),
  );
  const eus = fields.get('eus')?.items(`up to three days, each ${DAY_TEXT}`) ?? [];
  if (eus.length > EUS_PHASES.length) {
    fields.get('eus')!.refuse(`${eus.length} are too many`, `up to three days, each ${DAY_TEXT}`);
  }
  const terms = eus.flatMap((item) => readDay(item) ?? []);
  if (!ga || !maintenance) return null;
  const days = [ga, maintenance, ...terms];
  if (days.some((day, at) => at > 0 && day < days[at - 1]!)) {
    return node.refuse('the days are not in order', 'general availability, maintenance, then the terms');
  }
  return { ga, maintenance, eus: terms };
}

function readDay(node: InputValue): string | null {
  const parse = (text: string): string | null =>
    DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
  return node.parsedText(parse, 'a day', DAY_TEXT);
}

/** For marks. */
export const PHASE_WORDS: Readonly<Record<SupportPhase, string>> = {
  full: 'full support',
  maintenance: 'maintenance',
  eus1: 'EUS term 1',
  eus2: 'EUS term 2',
  eus3: 'EUS term 3',
  ended: 'end of life',
};

const TERM_WORDS: Readonly<Record<SupportTerm, string>> = {
  ...PHASE_WORDS,
  maintenance: 'end of maintenance',
};

/** `supported until 2027-06-27 (EUS term 2)`, `end of life since 2025-08-27` */
export function supportInWords({ phase, supportedUntil, restsOn, assumed }: MinorSupport): string {
  if (phase === 'ended') {
    return supportedUntil === null ? 'end of life' : `end of life since ${supportedUntil}`;
  }
  if (supportedUntil === null || restsOn === null) return 'assumed to be supported, without published dates';
  return `supported until ${supportedUntil} (${TERM_WORDS[restsOn]}${assumed ? ', assumed' : ''})`;
}
