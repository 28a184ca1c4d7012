import type { CatalogFacts, ExtensionFacts } from '../cluster/extension-facts.ts';
import type { ClusterFacts, OperatorFacts, SubscriptionFacts } from '../cluster/facts.ts';
import { matchesSelector } from '../cluster/labels.ts';
import { groupBy } from '../collection/group-by.ts';
import { quoteValue } from '../text/quote.ts';
import { listInWords, namesInWords } from '../text/words.ts';

export type InstalledFacts = Pick<ClusterFacts, 'operators' | 'subscriptions' | 'extensions' | 'catalogs'>;

export interface InstalledPackage {
  readonly name: string;
  /** Empty if unknown. */
  readonly channels: readonly string[];
  /** CatalogSource `openshift-marketplace/redhat-operators`, or ClusterCatalog `openshift-redhat-operators`. */
  readonly source: string | null;
  /** Image of the catalog without its tag; null if unknown. */
  readonly index: string | null;
  /** Keys of installed ClusterServiceVersions and ClusterExtensions. */
  readonly versions: readonly string[];
}

interface InstalledPackages {
  readonly packages: readonly InstalledPackage[];
  /** Assumptions about the packages. */
  readonly notes: readonly string[];
  /** Packages that are left out, and why. */
  readonly leftOut: readonly string[];
}

/** Valid package, channel and catalog names: other text must not reach a generated file. */
const NAME = /^[A-Za-z0-9](?:[\w.-]{0,251}[A-Za-z0-9])?$/;

/** Operators of OLM v0 and v1. Null if neither is known. */
export function installedPackages(facts: InstalledFacts): InstalledPackages | null {
  const { extensions, catalogs } = facts;
  const former = packagesOfOperators(facts);
  if (!extensions?.length) return former;
  const newer = byExtensions(extensions, catalogs ?? []);
  return {
    packages: [...(former?.packages ?? []), ...newer.packages],
    notes: [...(former?.notes ?? [NO_SUBSCRIPTIONS]), ...newer.notes],
    leftOut: [...(former?.leftOut ?? []), ...newer.leftOut],
  };
}

const SUBSCRIPTIONS = 'oc get subscriptions.operators.coreos.com -A -o json';
const NO_SUBSCRIPTIONS = `Only ClusterExtensions are known. For operators of Subscriptions, send what this prints: ${SUBSCRIPTIONS}`;

/** Reads Subscriptions, or else operator labels, which name only packages. */
function packagesOfOperators({ operators, subscriptions }: InstalledFacts): InstalledPackages | null {
  if (subscriptions !== null) return bySubscriptions(subscriptions, operators ?? []);
  return operators?.every((operator) => labelsOf(operator) !== undefined) ? byLabels(operators) : null;
}

const REGISTRY = 'registry.redhat.io/redhat';
const RED_HAT = `${REGISTRY}/redhat-operator-index`;
/** CatalogSources of every default installation. */
const INDEXES: ReadonlyMap<string, string> = new Map([
  ['openshift-marketplace/redhat-operators', 'redhat-operator-index'],
  ['openshift-marketplace/certified-operators', 'certified-operator-index'],
  ['openshift-marketplace/community-operators', 'community-operator-index'],
  ['openshift-marketplace/redhat-marketplace', 'redhat-marketplace-index'],
]);
/** Names that oc-mirror generates: CatalogSource `cs-redhat-operator-index-v4-14`, ClusterCatalog `cc-…`. */
const MIRRORED =
  /^(?:openshift-marketplace\/cs|cc)-((?:redhat|certified|community)-operator-index|redhat-marketplace-index)(?:-v\d+-\d+)?$/;

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
      channels: [each.channel].filter((channel) => NAME.test(channel)),
      source: keyOf(each.sourceNamespace, each.source),
      index: indexOf(keyOf(each.sourceNamespace, each.source)),
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
      ...aboutMirrors(packages),
      ...about(
        inOrder(packages.flatMap(({ source, index }) => (index === null ? (source ?? []) : []))),
        'The images of these catalogs are not known, so in the configuration they are comments, to be filled in (oc get catalogsources -A -o yaml tells which the cluster uses)',
      ),
      ...about(
        withoutChannel(packages),
        'Of these a Subscription follows no channel that is known; where none is listed, oc-mirror takes the default channel',
      ),
    ],
    leftOut: [
      ...leftOut('their package or their CatalogSource cannot be one', odd.map(keyOfObject)),
      ...leftOut('no Subscription says which catalog they are from', others.map(keyOfObject)),
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
        channels: [],
        source: null,
        index: RED_HAT,
        versions: [keyOf(operator.namespace, operator.name)],
      })),
    ),
    notes:
      read.length === 0
        ? []
        : [
            'Only ClusterServiceVersions are known, which tell neither catalog nor channel: the packages are looked for in the catalog of Red Hat, by their default channels',
            `Move those that are of another catalog, or send what this prints: ${SUBSCRIPTIONS}`,
          ],
    leftOut: leftOut('the label that names their package is cut or cannot be one', cut.map(keyOfObject)),
  };
}

/** Image whose tag is a minor. */
const MINOR_IMAGE = /^([\w.-]{1,253}(?::\d{1,5})?(?:\/[\w.-]{1,253}){1,9}):v\d{1,3}\.\d{1,3}$/;

function byExtensions(
  extensions: readonly ExtensionFacts[],
  catalogs: readonly CatalogFacts[],
): InstalledPackages {
  const [read, odd] = divided(extensions, (each) => NAME.test(each.package));
  const found = read.map((extension) => {
    const [catalog, other] = catalogsFor(extension, catalogs);
    const installed: InstalledPackage = {
      name: extension.package,
      channels: extension.channels.filter((channel) => NAME.test(channel)),
      source: catalog?.name ?? null,
      index: catalog ? indexOfCatalog(catalog) : RED_HAT,
      // An extension has no namespace.
      versions: [keyOf('', extension.name)],
    };
    return { installed, isGuess: catalog === undefined || other !== undefined };
  });
  const packages = found.map(({ installed }) => installed);
  const guesses = found.filter(({ isGuess }) => isGuess).map(({ installed }) => installed.name);
  return {
    packages,
    notes: [
      ...about(
        inOrder(guesses),
        'Several catalogs can have the packages of these ClusterExtensions. The configuration uses the catalog with the highest priority, or that of Red Hat; check which catalog has them',
      ),
      ...aboutMirrors(packages),
      ...about(
        inOrder(packages.flatMap(({ source, index }) => (index === null ? (source ?? []) : []))),
        'The images of these ClusterCatalogs have no minor in their tag, so the configuration has them as comments. Fill in the images',
      ),
      ...about(
        withoutChannel(packages),
        'These ClusterExtensions follow all channels of their package; oc-mirror takes the default channel',
      ),
    ],
    leftOut: leftOut(
      'their package cannot be one',
      odd.map(({ name }) => name),
    ),
  };
}

/** Catalogs that an extension may come from, the highest priority first. */
function catalogsFor({ catalogSelector }: ExtensionFacts, catalogs: readonly CatalogFacts[]): CatalogFacts[] {
  return catalogs
    .filter(({ name, isAvailable }) => isAvailable && NAME.test(name))
    .filter(({ labels }) => matchesSelector(catalogSelector, labels))
    .toSorted((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1));
}

function indexOfCatalog({ name, image }: CatalogFacts): string | null {
  return indexOf(name) ?? MINOR_IMAGE.exec(image)?.[1] ?? null;
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

/** Null for a custom catalog. */
function indexOf(source: string): string | null {
  const index = INDEXES.get(source) ?? MIRRORED.exec(source)?.[1];
  return index === undefined ? null : `${REGISTRY}/${index}`;
}

function aboutMirrors(packages: readonly InstalledPackage[]): string[] {
  const mirrored = packages.flatMap(({ source }) =>
    source !== null && MIRRORED.test(source) ? [source] : [],
  );
  return about(
    inOrder(mirrored),
    'By the names that oc-mirror gives they are taken for mirrors of catalogs of Red Hat',
  );
}

function withoutChannel(packages: readonly InstalledPackage[]): string[] {
  return inOrder(packages.filter(({ channels }) => channels.length === 0).map(({ name }) => name));
}

function about(names: readonly string[], what: string): string[] {
  return names.length === 0 ? [] : [`${what}: ${listInWords(names)}`];
}

function leftOut(why: string, keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  const names = keys.map((key) => (key.split('/').every((part) => NAME.test(part)) ? key : quoteValue(key)));
  return [`Left out, as ${why}: ${namesInWords(names)}`];
}

function keyOfObject({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return keyOf(namespace, name);
}

export function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function divided<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

export function inOrder(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted();
}
