import type { DeclaredProperty, OperatorFacts } from '../../cluster/facts.ts';
import { quoteValue } from '../../text/quote.ts';
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
export function operatorLimits({ properties, declaredProperties }: OperatorFacts): LimitsReading {
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
export function firstBlockedMinor(limits: OperatorLimits, hops: readonly Hop[]): Minor | null {
  const hop = hops.find((each) => !worksAfter(limits, each));
  return hop ? minorOf(hop.to) : null;
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
