import type { ClusterFacts, OperatorFacts, SubscriptionFacts } from '../cluster/facts.ts';
import { groupBy } from '../collection/group-by.ts';
import { namesInWords } from '../text/words.ts';
import { showValue } from '../text/quote.ts';

/** An operator of a cluster, by the names that a catalog has for it. */
export interface InstalledPackage {
  readonly name: string;
  /** Null when it is not known. */
  readonly channel: string | null;
  /** The CatalogSource, `openshift-marketplace/redhat-operators`; null when it is not known. */
  readonly source: string | null;
  /** The ClusterServiceVersions that it is installed as, `namespace/name`. */
  readonly versions: readonly string[];
}

export interface InstalledPackages {
  readonly packages: readonly InstalledPackage[];
  /** What is left out, and what for. */
  readonly notes: readonly string[];
}

/** Names of packages, channels and catalogs; what is none must not get into a file that somebody feeds to a program. */
const NAME = /^[A-Za-z0-9](?:[\w.-]{0,251}[A-Za-z0-9])?$/;

/**
 * What a cluster has installed from catalogs, by its Subscriptions; without them by the labels of its operators, which tell
 * only packages. Null when nothing is known.
 */
export function installedPackages({
  operators,
  subscriptions,
}: Pick<ClusterFacts, 'operators' | 'subscriptions'>): InstalledPackages | null {
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
  // What is part of the release, such as the package server, has no such label.
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

/** Clusters that were stored before labels were read do not have them. */
function labelsOf({ components }: OperatorFacts): readonly string[] | undefined {
  return components;
}

/** `cluster-logging` of `cluster-logging.openshift-logging`; none where the label was cut, so that the end is missing. */
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
    return NAME.test(namespace) && NAME.test(name) ? key : showValue(key);
  });
  return [`Left out, as ${why}: ${namesInWords(names)}`];
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function divided<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
