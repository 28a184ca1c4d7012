import type { DeclaredProperty } from '../../cluster/extension-facts.ts';
import type { OperatorFacts } from '../../cluster/facts.ts';
import { quoteValue } from '../../text/quote.ts';
import { countInWords } from '../../text/words.ts';
import { minorOf, type Minor } from '../../version/minor.ts';
import { ordinalOf } from '../../version/release-line.ts';
import type { Hop } from '../hop.ts';

const MAX_OPENSHIFT = 'olm.maxOpenShiftVersion';
/** Cairn's own property, for operators that depend on the API server rather than on a release. */
const MAX_KUBERNETES = 'olm.maxKubeVersion';

const INSTALLED = 'operatorframework.io/properties';
const DECLARED = 'olm.properties';

interface MinorRelease {
  readonly major: number;
  readonly minor: number;
}

/** Inclusive maximum versions that an operator declares. */
export interface OperatorLimits {
  readonly maxOpenShift: MinorRelease | null;
  readonly maxKubernetes: MinorRelease | null;
  /** `installed`: recorded by OLM; `declared`: only in the author's annotation. */
  readonly source: 'installed' | 'declared';
}

export type LimitsReading =
  | { readonly ok: true; readonly limits: OperatorLimits }
  | { readonly ok: false; readonly problem: string };

/** Treats an unreadable limit as a problem, not as no limit. */
export function operatorLimits({
  properties,
  declaredProperties,
}: Pick<OperatorFacts, 'properties' | 'declaredProperties'>): LimitsReading {
  const source = properties === null ? 'declared' : 'installed';
  const found = properties ?? declaredProperties ?? [];
  if ('unreadable' in found) {
    const annotation = source === 'installed' ? INSTALLED : DECLARED;
    return { ok: false, problem: `the annotation ${annotation} cannot be read, ${found.unreadable}` };
  }
  const openShift = limitOf(found, MAX_OPENSHIFT);
  if (typeof openShift === 'string') return { ok: false, problem: openShift };
  const kubernetes = limitOf(found, MAX_KUBERNETES);
  if (typeof kubernetes === 'string') return { ok: false, problem: kubernetes };
  return { ok: true, limits: { maxOpenShift: openShift, maxKubernetes: kubernetes, source } };
}

/** The author's limit if it differs from the installed one, as written: `4.9`. */
export function differingDeclaration({ properties, declaredProperties }: OperatorFacts): string | null {
  if (properties === null || declaredProperties === null) return null;
  if ('unreadable' in properties || 'unreadable' in declaredProperties) return null;
  const [installed, declared] = [properties, declaredProperties].map((some) =>
    some.filter(({ type }) => type === MAX_OPENSHIFT).map(({ value }) => normalized(value)),
  );
  const differs = declared!.length > 0 && declared!.join() !== installed!.join();
  return differs ? declared!.join(', ') : null;
}

/** A limit of 4.8 includes 4.8 and excludes 4.9. */
export function worksAfter({ maxOpenShift, maxKubernetes }: OperatorLimits, { to, kubeTo }: Hop): boolean {
  return (
    (maxOpenShift === null || isAtLeast(maxOpenShift, to)) &&
    (maxKubernetes === null || maxKubernetes.major > 1 || maxKubernetes.minor >= kubeTo)
  );
}

/** First minor beyond the limit: 4.9 for hops to 4.7, 4.8, 4.9 with limit 4.8. */
function firstBlockedMinor(limits: OperatorLimits, hops: readonly Hop[]): Minor | null {
  const hop = hops.find((each) => !worksAfter(limits, each));
  return hop ? minorOf(hop.to) : null;
}

/** Operator or extension whose limits were read. */
export interface ReadLimits {
  readonly name: string;
  readonly reading: LimitsReading;
}

/** Those that do not work after the hop, unreadable limits first. */
export function incompatibleWith<Item extends Pick<ReadLimits, 'reading'>>(
  checked: readonly Item[],
  hop: Hop,
): Item[] {
  return [
    ...checked.filter(({ reading }) => !reading.ok),
    ...checked.filter(({ reading }) => reading.ok && !worksAfter(reading.limits, hop)),
  ];
}

const SHOWN = 10;

/** `2 operators do not support OpenShift 4.15:`, then a line each. */
export function incompatibleInWords(noun: string, against: readonly ReadLimits[], hop: Hop): string {
  const lines = against.map(({ name, reading }) => `${name}: ${limitInWords(reading, hop)}`);
  return [
    `${countInWords(against.length, noun)} ${against.length === 1 ? 'does' : 'do'} not support OpenShift ${minorOf(hop.to)}:`,
    ...lines.slice(0, SHOWN),
    ...(lines.length > SHOWN ? [`and ${lines.length - SHOWN} more`] : []),
  ].join('\n');
}

function limitInWords(reading: LimitsReading, hop: Hop): string {
  if (!reading.ok) return `property invalid: ${reading.problem}`;
  const { maxOpenShift, maxKubernetes } = reading.limits;
  return maxOpenShift !== null && !worksAfter({ ...reading.limits, maxKubernetes: null }, hop)
    ? `newest supported OpenShift is ${minorOf(maxOpenShift)}`
    : `newest supported Kubernetes is ${minorOf(maxKubernetes!)}`;
}

/** An unreadable limit blocks the first hop, whatever the target. */
export function limitDetail(reading: LimitsReading, hop: Hop, hops: readonly Hop[]): Record<string, unknown> {
  if (!reading.ok) return { problem: reading.problem, firstBlockedMinor: minorOf((hops[0] ?? hop).to) };
  const { maxOpenShift, maxKubernetes, source } = reading.limits;
  return {
    max: maxOpenShift && minorOf(maxOpenShift),
    ...(maxKubernetes && { maxKubernetes: minorOf(maxKubernetes) }),
    source,
    firstBlockedMinor: firstBlockedMinor(reading.limits, hops),
  };
}

/** From 4 on, minors form one line on which 4.23 is 5.0; earlier majors compare separately. */
function isAtLeast(limit: MinorRelease, release: MinorRelease): boolean {
  if (limit.major >= 4 && release.major >= 4) return ordinalOf(limit) >= ordinalOf(release);
  return limit.major === release.major ? limit.minor >= release.minor : limit.major > release.major;
}

/** The limit, null if there is none, or the problem as text. */
function limitOf(properties: readonly DeclaredProperty[], wanted: string): MinorRelease | string | null {
  const [property, ...others] = properties.filter(({ type }) => type === wanted);
  if (!property) return null;
  if (others.length > 0) return `${wanted} is given ${others.length + 1} times, expected at most once`;
  const limit = parseLimit(property.value);
  return limit ?? `${wanted} is ${quoteValue(property.value)}, expected a minor such as "4.8"`;
}

const MAX_LENGTH = 128;
const LIMIT = /^v?(\d{1,9})(?:\.(\d{1,9})(?:\.0{1,9}(?:\+[0-9A-Za-z.-]{1,64})?)?)?$/;

/** Accepts `4.8`, `"4.8"`, `v4.08`, `4.8.0+build`; rejects patches and pre-releases. */
export function parseLimit(value: string): MinorRelease | null {
  if (value.length > MAX_LENGTH) return null;
  const [, major, minor] = LIMIT.exec(unquoted(value)) ?? [];
  return major === undefined ? null : { major: Number(major), minor: Number(minor ?? 0) };
}

function normalized(value: string): string {
  const limit = parseLimit(value);
  return limit ? minorOf(limit) : value;
}

function unquoted(value: string): string {
  return value.replace(/^"+/, '').replace(/"+$/, '').trim();
}
