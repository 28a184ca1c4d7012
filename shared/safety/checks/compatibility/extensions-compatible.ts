import type { ExtensionFacts, ExtensionProblem, ObjectSetFacts } from '../../../cluster/extension-facts.ts';
import { isDeprecation, isFailure } from '../../../cluster/extensions.ts';
import type { ClusterCondition, ClusterFacts, ReportedKind } from '../../../cluster/facts.ts';
import { groupBy } from '../../../collection/group-by.ts';
import { excerpt } from '../../../text/quote.ts';
import { countInWords, listInWords } from '../../../text/words.ts';
import { minorOf } from '../../../version/minor.ts';
import { ordinalOf } from '../../../version/release-line.ts';
import { parseVersion } from '../../../version/release-version.ts';
import {
  type Check,
  type ConditionObject,
  type Finding,
  asExpected,
  finding,
  notChecked,
} from '../../condition.ts';
import { corroborations, quotedMessage } from '../../evidence/operator-health.ts';
import {
  incompatibleInWords,
  incompatibleWith,
  limitDetail,
  operatorLimits,
  type ReadLimits,
} from '../../evidence/operator-limits.ts';
import { entersMinor, type Hop, type HopContext } from '../../hop.ts';

export const EXTENSIONS = 'ExtensionsCompatible';
/** First release with ClusterExtensions. */
const FIRST_MINOR = 18;
const LIST = 'oc get clusterextensions -o wide';

/** Blocks a hop beyond the maximum version of a ClusterExtension: by the cluster's report, and by our computation. */
export const extensionsCompatible: Check = (context) => {
  const { facts, current, hop } = context;
  const hasExtensions = (facts.extensions ?? facts.objectSets ?? []).length > 0;
  const isOlder = current !== null && ordinalOf(current) < FIRST_MINOR;
  const reported = reportOf(facts);
  if (isOlder && !hasExtensions && reported === null) return [];
  if (facts.extensions === null && facts.objectSets === null && reported === null) {
    return hop.index === 0 ? [notChecked(EXTENSIONS, 'ClusterExtensions were', ['extensions'])] : [];
  }
  return [
    compatibility(context, reported),
    // Equal for every hop, so reported with the first.
    ...(hop.index === 0 ? [...deprecated(facts), ...notReady(facts)] : []),
  ];
};

/** Revisions of extensions decide only if there are extensions. */
export function decidesExtensions(fact: ReportedKind, { clusterVersion, extensions }: ClusterFacts): boolean {
  const current = parseVersion(clusterVersion?.desired.version ?? '');
  if (current !== null && ordinalOf(current) < FIRST_MINOR) return false;
  return fact === 'extensions' || extensions === null || extensions.length > 0;
}

/** What the ClusterOperator `olm` reports about incompatible extensions. */
function reportOf(facts: ClusterFacts): ClusterCondition | null {
  return corroborations(facts).find(({ checks }) => checks.includes(EXTENSIONS))?.condition ?? null;
}

interface ReadExtension extends ReadLimits {
  readonly bundle: string;
}

function compatibility({ facts, hop, hops }: HopContext, reported: ClusterCondition | null): Finding {
  const revisions = newestRevisions(facts);
  const known = revisions.flatMap(limitsOf);
  const against = incompatibleWith(known, hop);
  if (reported !== null || against.length > 0) return incompatible(reported, against, hop, hops);
  const unknown = withoutLimits(facts, revisions, known);
  if (unknown.length > 0) return limitsUnknown(unknown, hop, isClearedByCluster(facts));
  const checked =
    known.length === 0
      ? 'No ClusterExtension is installed'
      : `${countInWords(known.length, 'ClusterExtension')} checked, all may go to ${minorOf(hop.to)}`;
  return asExpected(EXTENSIONS, checked);
}

/** Newest revision of each extension that exists. */
function newestRevisions({ extensions, objectSets }: ClusterFacts): ObjectSetFacts[] {
  const existing = extensions && new Set(extensions.map(({ name }) => name));
  const byExtension = groupBy(
    (objectSets ?? []).filter(({ extension }) => existing?.has(extension) ?? true),
    ({ extension }) => extension,
  );
  return Array.from(byExtension.values(), (revisions) => revisions.reduce(newer)).toSorted((a, b) =>
    a.extension < b.extension ? -1 : 1,
  );
}

function limitsOf({ extension, bundle, properties }: ObjectSetFacts): ReadExtension[] {
  // Without the annotation, the limit is where documents do not show it.
  if (properties === null) return [];
  const reading = operatorLimits({ properties: null, declaredProperties: properties });
  return [{ name: extension, bundle, reading }];
}

function newer(a: ObjectSetFacts, b: ObjectSetFacts): ObjectSetFacts {
  return b.revision > a.revision ? b : a;
}

function withoutLimits(
  { extensions }: ClusterFacts,
  revisions: readonly ObjectSetFacts[],
  known: readonly ReadExtension[],
): ConditionObject[] {
  const names = new Set(known.map(({ name }) => name));
  const installed =
    extensions === null
      ? revisions.map(({ extension }) => ({ kind: 'ClusterExtension', name: extension }))
      : extensions.filter((each) => each.installed !== null).map(extensionObject);
  return installed.filter(({ name }) => !names.has(name));
}

/** The operator reads limits that documents do not contain, but only for the next minor. */
function isClearedByCluster({ clusterOperators }: ClusterFacts): boolean {
  return (clusterOperators ?? []).some(
    ({ name, conditions }) =>
      name === 'olm' && conditions.some(({ type, status }) => type === 'Upgradeable' && status === 'True'),
  );
}

function limitsUnknown(unknown: readonly ConditionObject[], hop: Hop, isCleared: boolean): Finding {
  const isNext = entersMinor(hop) && hop.minorDistance === 1;
  if (isNext && isCleared) {
    return asExpected(
      EXTENSIONS,
      `The ClusterOperator olm allows ${countInWords(unknown.length, 'ClusterExtension')} to go to ${minorOf(hop.to)}`,
    );
  }
  const names = listInWords(unknown.map(({ name }) => name));
  const message = `The documents do not contain the newest OpenShift that these ClusterExtensions support: ${names}`;
  return {
    ...finding({
      type: EXTENSIONS,
      status: 'Unknown',
      reason: 'ExtensionLimitsUnknown',
      message,
      effect: isNext ? 'warn' : 'info',
    }),
    objects: unknown,
    remediation: [
      `Check in the documentation of each ClusterExtension that its version supports ${minorOf(hop.to)}; if not, raise spec.source.catalog.version or remove it`,
      LIST,
    ],
  };
}

const REPORTED_NAMES =
  /ClusterExtension "([^"\s]{1,253})"|cluster extension ([a-z0-9.-]{1,253}):|deployed release for ([a-z0-9.-]{1,253})/g;

function incompatible(
  reported: ClusterCondition | null,
  against: readonly ReadExtension[],
  hop: Hop,
  hops: HopContext['hops'],
): Finding {
  const names = new Set(against.map(({ name }) => name));
  const others = namesIn(reported).filter((name) => !names.has(name));
  // The cluster reports about the next minor, also before a patch.
  const next = hops.find(entersMinor);
  const isAhead = against.length === 0 && !entersMinor(hop);
  const wanted = isAhead ? (next ? minorOf(next.to) : 'the next minor') : minorOf(hop.to);
  const message = [
    ...(reported === null ? [] : [`The ClusterOperator olm reports: ${quotedMessage(reported)}`]),
    ...(against.length === 0 ? [] : [incompatibleInWords('ClusterExtension', against, hop)]),
  ].join('\n');
  return {
    ...finding({ type: EXTENSIONS, status: 'False', reason: reasonOf(reported), message, effect: 'block' }),
    ...(reported !== null && { origin: 'reported' }),
    ...(reported !== null && reported.since !== null && { since: reported.since }),
    objects: [
      ...others.map((name) => ({ kind: 'ClusterExtension', name })),
      ...against.map(({ name, bundle, reading }) => ({
        kind: 'ClusterExtension',
        name,
        detail: { bundle, ...limitDetail(reading, hop, hops) },
      })),
    ],
    remediation: [
      `Raise spec.source.catalog.version of the ClusterExtension to a version that supports ${wanted}, or remove it`,
      LIST,
    ],
  };
}

/** Without the prefix that the ClusterOperator adds. */
function reasonOf(reported: ClusterCondition | null): string {
  return reported?.reason.endsWith('FailureGettingExtensionMetadata')
    ? 'FailureGettingExtensionMetadata'
    : 'IncompatibleOperatorsInstalled';
}

function namesIn(reported: ClusterCondition | null): string[] {
  const found = (reported?.message ?? '').matchAll(REPORTED_NAMES);
  return [
    ...new Set(Array.from(found, ([, ...names]) => names.find((name) => name !== undefined)!)),
  ].toSorted();
}

function deprecated({ extensions }: ClusterFacts): Finding[] {
  return noted(withProblem(extensions, isDeprecation), {
    reason: 'ExtensionDeprecated',
    what: 'deprecated in the catalog',
    advice: 'Move each deprecated ClusterExtension to a supported package, channel or version',
  });
}

function notReady({ extensions }: ClusterFacts): Finding[] {
  return noted(withProblem(extensions, isFailure), {
    reason: 'ExtensionNotReady',
    what: 'not installed, or cannot be updated',
    advice: 'Repair each ClusterExtension that fails, or remove it',
  });
}

interface NotedExtension {
  readonly extension: ExtensionFacts;
  readonly problem: ExtensionProblem;
}

function withProblem(
  extensions: ClusterFacts['extensions'],
  isMeant: (problem: ExtensionProblem) => boolean,
): NotedExtension[] {
  return (extensions ?? []).flatMap((extension) => {
    const problem = extension.problems.find(isMeant);
    return problem ? [{ extension, problem }] : [];
  });
}

function noted(
  found: readonly NotedExtension[],
  { reason, what, advice }: { readonly reason: string; readonly what: string; readonly advice: string },
): Finding[] {
  if (found.length === 0) return [];
  const lines = found.map(({ extension, problem }) =>
    [extension.name, excerpt(problem.message) || problem.reason].filter((part) => part !== '').join(': '),
  );
  const message = `${countInWords(found.length, 'ClusterExtension')} ${found.length === 1 ? 'is' : 'are'} ${what}: ${listInWords(lines)}`;
  return [
    {
      ...finding({ type: EXTENSIONS, status: 'False', reason, message, effect: 'warn' }),
      origin: 'reported',
      objects: found.map(({ extension, problem: { type, reason: cause, message: text } }) => ({
        ...extensionObject(extension),
        detail: { condition: type, reason: cause, message: excerpt(text) },
      })),
      remediation: [advice, LIST],
    },
  ];
}

function extensionObject({ name, version, installed }: ExtensionFacts): ConditionObject {
  return {
    kind: 'ClusterExtension',
    name,
    detail: { wanted: version, installed: installed?.version ?? null },
  };
}
