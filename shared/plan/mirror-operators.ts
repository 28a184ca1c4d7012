import type { ClusterFacts, OperatorFacts, SubscriptionFacts } from '../cluster/facts.ts';
import { groupBy } from '../collection/group-by.ts';
import {
  type OperatorCatalog,
  type OperatorContent,
  type OperatorPackage,
  PLATFORM_ONLY,
} from '../path/mirror-list.ts';
import { quoteValue } from '../text/quote.ts';
import { namesInWords, joinInWords, listInWords } from '../text/words.ts';
import { type Minor, minorOf } from '../version/minor.ts';
import { mustParseVersion } from '../version/release-version.ts';
import type { PlanHop } from './figures.ts';

type InstalledFacts = Pick<ClusterFacts, 'operators' | 'subscriptions'>;

interface OperatorsQuestion {
  readonly facts: InstalledFacts;
  /** Versions of the path, current version first; empty without a path. */
  readonly path: readonly string[];
  readonly hops: readonly Pick<PlanHop, 'minorDistance' | 'conditions'>[];
}

const RED_HAT = 'redhat-operator-index';
/** CatalogSources of every default installation. */
const INDEXES: ReadonlyMap<string, string> = new Map([
  ['openshift-marketplace/redhat-operators', RED_HAT],
  ['openshift-marketplace/certified-operators', 'certified-operator-index'],
  ['openshift-marketplace/community-operators', 'community-operator-index'],
  ['openshift-marketplace/redhat-marketplace', 'redhat-marketplace-index'],
]);
/** CatalogSource names that oc-mirror generates: `cs-redhat-operator-index-v4-14`. */
const MIRRORED =
  /^openshift-marketplace\/cs-((?:redhat|certified|community)-operator-index|redhat-marketplace-index)(?:-v\d+-\d+)?$/;

/**
 * Lists the catalogs of every later minor with the installed packages. The mirror already has the catalogs of the
 * current minor. The exception: packages that block leaving the minor may need a newer catalog than the mirror has.
 */
export function operatorsToMirror({ facts, path, hops }: OperatorsQuestion): OperatorContent {
  const installed = installedPackages(facts);
  if (installed === null) return PLATFORM_ONLY;
  const [current, ...passed] = [...new Set(path.map((version) => minorOf(mustParseVersion(version))))];
  if (current === undefined) return { catalogs: [], notes: [] };
  const none = (...notes: readonly string[]): OperatorContent => ({ catalogs: [], notes });
  if (passed.length === 0) {
    return none(`No operators: the way stays in ${current}, whose catalogs the cluster has`);
  }
  const { packages, notes } = installed;
  if (packages.length === 0) return none('No operators: none is from a catalog', ...notes);
  const urgent = packages.filter(isToBeUpdatedFirst(hops));
  return {
    catalogs: [...catalogsOf(current, urgent), ...passed.flatMap((minor) => catalogsOf(minor, packages))],
    notes: [scopeInWords(current, passed, urgent), ...assumptions(packages), ...notes],
  };
}

/** Selects operators that are incompatible with the next minor. */
function isToBeUpdatedFirst(hops: OperatorsQuestion['hops']): (installed: InstalledPackage) => boolean {
  const leaving = hops.find(({ minorDistance }) => minorDistance > 0)?.conditions ?? [];
  const against = new Set(
    leaving
      .filter(({ reason }) => reason === 'IncompatibleOperatorsInstalled')
      .flatMap(({ objects = [] }) => objects.map(({ namespace = '', name }) => keyOf(namespace, name))),
  );
  return ({ versions }) => versions.some((version) => against.has(version));
}

function catalogsOf(minor: Minor, packages: readonly InstalledPackage[]): OperatorCatalog[] {
  const byCatalog = groupBy(packages, ({ source }) => imageOf(source, minor) ?? source);
  return [...byCatalog.values()]
    .map((same): OperatorCatalog => ({
      minor,
      catalog: imageOf(same[0]!.source, minor),
      sources: inOrder(same.flatMap(({ source }) => source ?? [])),
      packages: byPackage(same),
    }))
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

function byPackage(installed: readonly InstalledPackage[]): OperatorPackage[] {
  const byName = groupBy(installed, ({ name }) => name);
  return Array.from(byName, ([name, same]) => ({
    name,
    channels: inOrder(same.flatMap(({ channel }) => channel ?? [])),
  })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Sorts catalogs with an image first: `~` sorts after every name. */
function orderOf({ catalog, sources }: OperatorCatalog): string {
  return catalog ?? `~${sources.join()}`;
}

/** Null for a custom catalog; an unknown source falls back to the Red Hat catalog, which most operators use. */
function imageOf(source: string | null, minor: Minor): string | null {
  const index = source === null ? RED_HAT : (INDEXES.get(source) ?? MIRRORED.exec(source)?.[1]);
  return index === undefined ? null : `registry.redhat.io/redhat/${index}:v${minor}`;
}

function inOrder(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted();
}

function scopeInWords(current: Minor, passed: readonly Minor[], urgent: readonly InstalledPackage[]): string {
  const scope = `Operators of the catalogs of ${joinInWords(passed)}; those of ${current} are left out, as the cluster has them`;
  if (urgent.length === 0) return scope;
  const names = listInWords(inOrder(urgent.map(({ name }) => name)));
  return `${scope}, but for what has to be updated before it leaves ${current}: ${names}`;
}

function assumptions(packages: readonly InstalledPackage[]): string[] {
  const sources = inOrder(packages.flatMap(({ source }) => source ?? []));
  const withoutChannel = packages.filter(({ source, channel }) => source !== null && channel === null);
  return [
    ...(packages.some(({ source }) => source === null)
      ? [
          'Only ClusterServiceVersions are known, which tell neither catalog nor channel: the packages are looked for in the catalog of Red Hat, by their default channels',
          'Move those that are of another catalog, or send what this prints: oc get subscriptions.operators.coreos.com -A -o json',
        ]
      : []),
    ...about(
      sources.filter((source) => MIRRORED.test(source)),
      'By the names that oc-mirror gives they are taken for mirrors of catalogs of Red Hat',
    ),
    ...about(
      sources.filter((source) => !INDEXES.has(source) && !MIRRORED.test(source)),
      'The images of these catalogs are not known, so in the configuration they are comments, to be filled in (oc get catalogsources -A -o yaml tells which the cluster uses)',
    ),
    ...about(
      inOrder(withoutChannel.map(({ name }) => name)),
      'Of these a Subscription follows no channel that is known; where none is listed, oc-mirror takes the default channel',
    ),
  ];
}

function about(names: readonly string[], what: string): string[] {
  return names.length === 0 ? [] : [`${what}: ${listInWords(names)}`];
}

interface InstalledPackage {
  readonly name: string;
  /** Null if unknown. */
  readonly channel: string | null;
  /** CatalogSource, `openshift-marketplace/redhat-operators`; null if unknown. */
  readonly source: string | null;
  /** Installed ClusterServiceVersions, `namespace/name`. */
  readonly versions: readonly string[];
}

interface InstalledPackages {
  readonly packages: readonly InstalledPackage[];
  /** Packages that are left out, and why. */
  readonly notes: readonly string[];
}

/** Valid package, channel and catalog names: other text must not reach a generated file. */
const NAME = /^[A-Za-z0-9](?:[\w.-]{0,251}[A-Za-z0-9])?$/;

/** Reads Subscriptions, or else operator labels, which name only packages. Null if neither is known. */
function installedPackages({ operators, subscriptions }: InstalledFacts): InstalledPackages | null {
  if (subscriptions !== null) return bySubscriptions(subscriptions, operators ?? []);
  return operators?.every((operator) => labelsOf(operator) !== undefined) ? byLabels(operators) : null;
}

function bySubscriptions(
  subscriptions: readonly SubscriptionFacts[],
  operators: readonly OperatorFacts[],
): InstalledPackages {
  const [read, odd] = divided(
    subscriptions,
    (each) => NAME.test(each.package) && NAME.test(each.source) && NAME.test(each.sourceNamespace),
  );
  const labelled = groupBy(
    operators.flatMap((operator) => packagesOf(operator).map((name) => ({ name, operator }))),
    ({ name, operator }) => keyOf(operator.namespace, name),
  );
  const packages = read.map((each): InstalledPackage => {
    const same = labelled.get(keyOf(each.namespace, each.package)) ?? [];
    return {
      name: each.package,
      channel: NAME.test(each.channel) ? each.channel : null,
      source: keyOf(each.sourceNamespace, each.source),
      versions: [
        ...[each.installedCsv, each.currentCsv].map((name) => keyOf(each.namespace, name)),
        ...same.map(({ operator }) => keyOf(operator.namespace, operator.name)),
      ],
    };
  });
  const known = new Set(packages.flatMap(({ versions }) => versions));
  const others = operators
    .filter((operator) => labelsOf(operator)?.length)
    .filter(({ namespace, name }) => !known.has(keyOf(namespace, name)));
  return {
    packages,
    notes: [
      ...leftOut('their package or their CatalogSource cannot be one', odd),
      ...leftOut('no Subscription says which catalog they are from', others),
    ],
  };
}

function byLabels(operators: readonly OperatorFacts[]): InstalledPackages {
  // Operators of the release, such as the package server, have no such label.
  const labelled = operators.filter(({ components }) => components.length > 0);
  const [read, cut] = divided(labelled, (operator) => packagesOf(operator).length > 0);
  return {
    packages: read.flatMap((operator) =>
      packagesOf(operator).map((name) => ({
        name,
        channel: null,
        source: null,
        versions: [keyOf(operator.namespace, operator.name)],
      })),
    ),
    notes: leftOut('the label that names their package is cut or cannot be one', cut),
  };
}

/** Clusters stored by former versions lack labels. */
function labelsOf({ components }: OperatorFacts): readonly string[] | undefined {
  return components;
}

/** `cluster-logging.openshift-logging` → `cluster-logging`; empty if the label was truncated before its end. */
function packagesOf(operator: OperatorFacts): string[] {
  const end = `.${operator.namespace}`;
  return (labelsOf(operator) ?? [])
    .filter((component) => component.endsWith(end))
    .map((component) => component.slice(0, -end.length))
    .filter((name) => NAME.test(name));
}

function leftOut(
  why: string,
  objects: readonly { readonly namespace: string; readonly name: string }[],
): string[] {
  if (objects.length === 0) return [];
  const names = objects.map(({ namespace, name }) => {
    const key = keyOf(namespace, name);
    return NAME.test(namespace) && NAME.test(name) ? key : quoteValue(key);
  });
  return [`Left out, as ${why}: ${namesInWords(names)}`];
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function divided<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
