import { asCsv, type CsvColumns } from '@cairn/shared/fleet/cluster-row';
import { parseChannel } from '@cairn/shared/releases/channel';
import { countInWords } from '@cairn/shared/text/words';
import { compareMinors, type Minor } from '@cairn/shared/version/minor';
import type { FleetRisk, RiskCluster } from '../data/responses.ts';
import type { GlyphName } from '../updates/marks.tsx';

/** Worst first. */
export const EXPOSURES = ['yes', 'unknown', 'accepted', 'no'] as const;
export type Exposure = (typeof EXPOSURES)[number];

export const MARKS: Readonly<Record<Exposure, GlyphName>> = {
  yes: 'Critical',
  unknown: 'unknown',
  accepted: 'held',
  no: 'none',
};

export function exposureOf({ applies, accepted }: Pick<RiskCluster, 'applies' | 'accepted'>): Exposure {
  return accepted && applies !== 'no' ? 'accepted' : applies;
}

/** Exposure of the cluster that is affected most. */
export function worstExposure({ clusters }: Pick<FleetRisk, 'clusters'>): Exposure {
  return EXPOSURES.find((exposure) => clusters[exposure] > 0) ?? 'no';
}

/** `6 apply`, `1 applies`, `none` */
export function exposureInWords({ clusters }: Pick<FleetRisk, 'clusters'>): string {
  const worst = worstExposure({ clusters });
  return worst === 'no' ? 'none' : countWords(clusters[worst], worst);
}

export function countWords(count: number, exposure: Exposure): string {
  return `${count} ${wordOf(count, exposure)}`;
}

export function wordOf(count: number, exposure: Exposure): string {
  const isOne = count === 1;
  const words = { yes: isOne ? 'applies' : 'apply', no: isOne ? 'does not apply' : 'do not apply' };
  return exposure === 'yes' || exposure === 'no' ? words[exposure] : exposure;
}

/** By exposure, then by the number of clusters, then the newest first. */
export function byExposure(risks: readonly FleetRisk[]): FleetRisk[] {
  const rank = (risk: FleetRisk): number => EXPOSURES.indexOf(worstExposure(risk));
  const count = (risk: FleetRisk): number =>
    worstExposure(risk) === 'no' ? 0 : risk.clusters[worstExposure(risk)];
  return risks.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      count(b) - count(a) ||
      (a.firstSeen < b.firstSeen ? 1 : a.firstSeen > b.firstSeen ? -1 : a.name < b.name ? -1 : 1),
  );
}

interface RiskFilter {
  readonly find: string;
  /** Name of a channel; empty matches all. */
  readonly on: string;
}

export function filterRisks(risks: readonly FleetRisk[], { find, on }: RiskFilter): FleetRisk[] {
  const wanted = find.trim().toLowerCase();
  return risks.filter(
    (risk) =>
      (on === '' || channelsOf(risk).includes(on)) &&
      [risk.name, risk.message, ...channelsOf(risk)].some((text) => text.toLowerCase().includes(wanted)),
  );
}

/** Without architectures. */
export function channelsOf({ channels }: Pick<FleetRisk, 'channels'>): string[] {
  return [...new Set(channels.map((pair) => pair.split('/')[0]!))];
}

/** `4.20 to 4.21`: minors of the channels. Empty if the channels have none. */
export function minorsInWords(risk: Pick<FleetRisk, 'channels'>): string {
  const minors = channelsOf(risk).flatMap((name): Minor[] => {
    const channel = parseChannel(name);
    return channel ? [channel.minor] : [];
  });
  const [first, ...others] = [...new Set(minors)].toSorted(compareMinors);
  if (first === undefined) return '';
  return others.length === 0 ? first : `${first} to ${others.at(-1)!}`;
}

export interface Headline {
  readonly mark: GlyphName;
  readonly title: string;
  readonly detail: string;
}

export function headlineOf(risks: readonly FleetRisk[]): Headline {
  const some = Object.fromEntries(
    EXPOSURES.map((exposure) => [exposure, risks.filter((risk) => worstExposure(risk) === exposure)]),
  ) as Record<Exposure, FleetRisk[]>;
  const [worst = 'no'] = EXPOSURES.filter((exposure) => some[exposure].length > 0);
  const clauses = [
    some.no.length > 0 && `${countWords(some.no.length, 'no')} to any cluster`,
    some.unknown.length > 0 && `${some.unknown.length} ${isAre(some.unknown)} unknown for at least one`,
    some.accepted.length > 0 && `${some.accepted.length} ${isAre(some.accepted)} accepted`,
  ].filter((clause) => clause !== false);
  const all = `${countInWords(risks.length, 'known risk')} in the followed channels.`;
  return {
    mark: worst === 'no' ? 'completed' : MARKS[worst],
    title: titleFor(worst, some),
    detail: clauses.length === 0 ? all : `${all} ${clauses.join(', ')}.`,
  };
}

const isAre = ({ length }: readonly unknown[]): string => (length === 1 ? 'is' : 'are');

function titleFor(worst: Exposure, some: Readonly<Record<Exposure, readonly FleetRisk[]>>): string {
  const count = countInWords(some[worst].length, 'known risk');
  if (worst === 'no') return 'No known risk applies to your clusters';
  if (worst === 'accepted') return `${count} ${isAre(some.accepted)} accepted, no other applies`;
  if (worst === 'unknown') return `${count} may apply to your clusters`;
  // Clusters can have several risks, so the numbers must not be added.
  const most = Math.max(...some.yes.map(({ clusters }) => clusters.yes));
  const least = some.yes.length > 1 ? 'at least ' : '';
  return `${count} ${wordOf(some.yes.length, 'yes')} to ${least}${most} of your clusters`;
}

const LONGEST_TITLE = 96;
const FIRST_SENTENCE = /^.+?[\w)"']{2}[.](?= [A-Z*])/;

/** First sentence of the message, since a name such as `CephCapDropPanic` is not for people. */
export function titleOfRisk({ name, message }: Pick<FleetRisk, 'name' | 'message'>): string {
  const text = message.trim().replaceAll(/\s+/g, ' ');
  const title = (FIRST_SENTENCE.exec(text)?.[0] ?? text).replace(/\.$/, '');
  if (title.length <= LONGEST_TITLE) return title || name;
  const end = title.lastIndexOf(' ', LONGEST_TITLE - 1);
  return `${title.slice(0, end > 0 ? end : LONGEST_TITLE - 1)}…`;
}

/** Message without the sentence that is the title; all of it if the title is shortened. */
export function restOfMessage(risk: Pick<FleetRisk, 'name' | 'message'>): string {
  const message = risk.message.trim();
  const title = titleOfRisk(risk);
  return message.startsWith(title) ? message.slice(title.length).replace(/^\./, '').trim() : message;
}

const COLUMNS = {
  risk: ({ name }) => name,
  applies: ({ clusters }) => clusters.yes,
  accepted: ({ clusters }) => clusters.accepted,
  unknown: ({ clusters }) => clusters.unknown,
  does_not_apply: ({ clusters }) => clusters.no,
  rule: ({ rule }) => rule,
  first_seen: ({ firstSeen }) => firstSeen,
  channels: ({ channels }) => channels.join(' '),
  url: ({ url }) => url,
  message: ({ message }) => message,
} as const satisfies CsvColumns<FleetRisk>;

export function risksAsCsv(risks: readonly FleetRisk[]): string {
  return asCsv(COLUMNS, risks);
}
