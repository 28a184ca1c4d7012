import type { ClusterFacts, NodeFacts } from '../../cluster/facts.ts';
import type { Labels } from '../../cluster/labels.ts';
import {
  ARCH_LABEL,
  FORMER_LABELS,
  HOST_LABEL,
  metricLabel,
  QUERIED_LABELS,
  ROLE_PREFIX,
} from '../../cluster/nodes.ts';
import { groupBy } from '../../collection/group-by.ts';
import { parseVersion } from '../../version/release-version.ts';
import type { Region, Series } from '../family.ts';
import { everything, isWhole, type Metric, NOTHING_SHOWN, type Shown, someOf } from './metric.ts';

const COMMON = { horizon: 'configuration', readFrom: ['nodes'] } as const;
const LABEL = 'label_';

export const NODE_METRICS: Readonly<Record<string, Metric>> = {
  kube_node_labels: {
    ...COMMON,
    labels: { names: ['node'] },
    // The release decides which labels are exported.
    readFrom: ['nodes', 'clusterVersion'],
    isEverywhere: true,
    show: showLabels,
  },
  kube_node_role: { ...COMMON, labels: { names: ['node', 'role'] }, show: showRoles },
};

/** Labels of nodes that facts have: reports leave out those that nothing reads. */
type Kept = 'all' | 'queried' | 'former';

function keptLabels({ nodes, pools }: ClusterFacts): Kept {
  const haveAll = (key: string) => (nodes ?? []).every(({ labels }) => Object.hasOwn(labels, key));
  if (!haveAll(ARCH_LABEL)) return 'former';
  const isSelected = (pools ?? []).some(
    ({ nodeSelector: { matchLabels, matchExpressions } }) =>
      Object.hasOwn(matchLabels, HOST_LABEL) || matchExpressions.some(({ key }) => key === HOST_LABEL),
  );
  return haveAll(HOST_LABEL) && !isSelected ? 'all' : 'queried';
}

function showLabels(facts: ClusterFacts): Shown {
  const { nodes } = facts;
  if (nodes === null) return NOTHING_SHOWN;
  const kept = keptLabels(facts);
  const keys = keysOf(nodes);
  const isOpen = kept === 'all' && exportsAllLabels(facts, keys);
  const names = clearNames(kept === 'former' ? FORMER_NAMES : QUERIED_NAMES, keys);
  const series = (isOpen ? nodes.map(new AllLabels().of) : nodes.map(someLabels(names))).map((labels) => ({
    labels,
    value: 1,
  }));
  const shown = isWhole(facts, 'nodes') ? everything(series) : someOf(series);
  if (isOpen) return { ...shown, labels: { names: ['node'], prefix: LABEL } };
  const labels = { names: ['node', ...names.values()] };
  // Whole documents show the labels that a report leaves out.
  return { ...shown, labels, ...(kept !== 'all' && { wanted: ['nodes'] }) };
}

/** From 4.14 on; the names of labels with capital letters depend on the release. */
function exportsAllLabels({ clusterVersion }: ClusterFacts, keys: ReadonlySet<string>): boolean {
  const version = parseVersion(clusterVersion?.desired.version ?? '');
  if (version === null || (version.major === 4 && version.minor < 14)) return false;
  return ![...keys].some((key) => /[A-Z]/.test(key));
}

const keysOfNodes = new WeakMap<readonly NodeFacts[], ReadonlySet<string>>();

/** Of all nodes, which mostly have the same. */
function keysOf(nodes: readonly NodeFacts[]): ReadonlySet<string> {
  const known = keysOfNodes.get(nodes);
  if (known !== undefined) return known;
  const keys = new Set<string>();
  for (const { labels } of nodes) for (const key of Object.keys(labels)) keys.add(key);
  keysOfNodes.set(nodes, keys);
  return keys;
}

type Names = ReadonlyMap<string, string>;

/** Releases number labels that become the same only if they export both. */
function clearNames(names: Names, keys: ReadonlySet<string>): Names {
  const others = new Set([...keys].filter((key) => !names.has(key)).map(metricLabel));
  return new Map([...names].filter(([, label]) => !others.has(label)));
}

const QUERIED_NAMES: Names = new Map(QUERIED_LABELS.map((key) => [key, metricLabel(key)]));
const FORMER_NAMES: Names = new Map([...QUERIED_NAMES].filter(([key]) => FORMER_LABELS.includes(key)));

const someLabels =
  (names: Names) =>
  ({ name, labels }: NodeFacts): Labels => {
    const exported: Record<string, string> = { node: name };
    for (const [key, label] of names) if (Object.hasOwn(labels, key)) exported[label] = labels[key]!;
    return exported;
  };

class AllLabels {
  readonly #names = new Map<string, string>();

  readonly of = ({ name, labels }: NodeFacts): Labels => {
    const exported: Record<string, string> = { node: name };
    for (const [key, value] of Object.entries(labels)) {
      const label = this.#nameOf(key);
      if (Object.hasOwn(exported, label)) return { ...this.#numbered(labels), node: name };
      exported[label] = value;
    }
    return exported;
  };

  #nameOf(key: string): string {
    let label = this.#names.get(key);
    if (label === undefined) {
      label = metricLabel(key);
      this.#names.set(key, label);
    }
    return label;
  }

  /** Labels that become one get a number each, in the order of their keys. */
  #numbered(labels: Labels): Labels {
    const byLabel = groupBy(Object.keys(labels).toSorted(), (key) => this.#nameOf(key));
    return Object.fromEntries(
      [...byLabel].flatMap(([label, keys]) =>
        keys.map((key, at) => [keys.length === 1 ? label : `${label}_conflict${at + 1}`, labels[key]!]),
      ),
    );
  }
}

function showRoles(facts: ClusterFacts): Shown {
  const { nodes } = facts;
  if (nodes === null) return NOTHING_SHOWN;
  const roles = [...keysOf(nodes)].filter((key) => key.startsWith(ROLE_PREFIX));
  const series: Series[] = [];
  for (const { name, labels } of nodes) {
    for (const key of roles) {
      if (!Object.hasOwn(labels, key)) continue;
      series.push({ labels: { node: name, role: key.slice(ROLE_PREFIX.length) }, value: 1 });
    }
  }
  if (!isWhole(facts, 'nodes')) return someOf(series);
  return keptLabels(facts) === 'former' ? someOf(series, FORMER_ROLES) : everything(series);
}

const FORMER_ROLES: Region = {
  role: {
    in: FORMER_LABELS.filter((key) => key.startsWith(ROLE_PREFIX)).map((key) =>
      key.slice(ROLE_PREFIX.length),
    ),
  },
};
