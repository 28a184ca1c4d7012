/** What a series of a metric means, if the metric has it or not. Null if there are no words for the value. */
type Meaning = (value: string, count: string) => readonly [is: string, isNot: string] | null;

const INITIAL = 'type="initial"';

/** By metric and the label that matters. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  'cluster_infrastructure_provider type': (name) => [
    `the platform is ${name}`,
    `the platform is not ${name}`,
  ],
  'cluster_installer invoker': (name) =>
    name === 'hypershift' ? ['the control plane is hosted', 'the control plane is not hosted'] : null,
  'csv_succeeded name': (name) => [`operator ${name} is installed`, `operator ${name} is not installed`],
  'apiserver_storage_objects resource': (names, count) => {
    const kinds = names.replaceAll(/\.\S+/g, '');
    return [count === '' ? `it has ${kinds}` : `it has ${count} ${kinds}`, `it does not serve ${kinds}`];
  },
  'kube_node_labels label_node_openshift_io_os_id': (name) => [
    `a node runs ${name.toUpperCase()}`,
    `no node runs ${name.toUpperCase()}`,
  ],
  'kube_node_labels label_kubernetes_io_arch': (name) => [`a node is ${name}`, `no node is ${name}`],
  'kube_node_role role': (name) => [`a node has role ${name}`, `no node has role ${name}`],
  'cluster_operator_conditions name': (name) =>
    name === 'aro' ? ['it is Azure Red Hat OpenShift', 'it is not Azure Red Hat OpenShift'] : null,
  'cluster_version_capability name': (name) => [
    `capability ${name} is enabled`,
    `capability ${name} is not enabled`,
  ],
  'cluster_version version': (version) => [
    `it was installed with ${version}`,
    `it was not installed with ${version}`,
  ],
};

const SELECTOR = /^([a-z_:]+)(?:\{(.*)\})?$/i;
const MATCHER = /(\w+) ?(=~|=|!=|!~) ?"([^"\\]*)",? ?/y;
/** Alternatives without other signs of patterns: `a[.]b|c`. */
const LITERALS = /^[\w.|-]+$/;
/** Versions up to one of ten minors: `4[.]([0-9]|1[0-3])[.].*`. */
const UP_TO = /^4\[\.\](?:\[0-(9)\]|\(\[0-9\]\|(?:1\[0-(\d)\]|(10))\))\[\.\]\.\*$/;

interface Matcher {
  readonly label: string;
  /** Null if the matcher is not a choice of texts. */
  readonly value: string | null;
}

function matchersIn(text: string): readonly Matcher[] | null {
  const found: Matcher[] = [];
  MATCHER.lastIndex = 0;
  while (MATCHER.lastIndex < text.length) {
    const [, label = '', operator = '', value = ''] = MATCHER.exec(text) ?? [];
    if (label === '') return null;
    found.push({ label, value: valueInWords(operator, value) });
  }
  return found;
}

function valueInWords(operator: string, text: string): string | null {
  if (operator === '=') return text.includes('|') ? null : text;
  if (operator !== '=~') return null;
  const [upTo, single, teen, ten] = UP_TO.exec(text) ?? [];
  if (upTo !== undefined) return `4.${single ?? ten ?? `1${teen}`} or earlier`;
  const literal = text.replace(/\[\.\]\.\*$/, '').replaceAll('[.]', '.');
  return LITERALS.test(literal) ? literal.split('|').join(' or ') : null;
}

/** `cluster_infrastructure_provider{type="AWS"}`: what it means that there is such a series, and that there is none. */
function meaningOf(selector: string, count = ''): readonly [is: string, isNot: string] | null {
  const [, metric = '', inside = ''] = SELECTOR.exec(selector.trim()) ?? [];
  const isVersion = metric === 'cluster_version';
  if (isVersion && !inside.includes(INITIAL)) return null;
  for (const { label, value } of matchersIn(inside) ?? []) {
    const meaning = MEANINGS[`${metric} ${label}`];
    if (meaning) return value === null || value === '' ? null : meaning(value, count);
  }
  return null;
}

const EVIDENCE = /^(.*?)(?: → (none)| ([\d.e+]+))?$/;

/** `cluster_infrastructure_provider{type="AWS"} 1` is `the platform is AWS`; null if there are no words for it. */
export function evidenceInWords(evidence: string): string | null {
  if (evidence === 'Always') return 'it applies to every cluster';
  const [, selector = '', none, value = ''] = EVIDENCE.exec(evidence)!;
  const isCount = selector.startsWith('apiserver_storage_objects');
  const [is, isNot] = meaningOf(selector, isCount ? value : '') ?? [];
  const isOff = selector.startsWith('cluster_version_capability') && value === '0';
  return (none !== undefined || isOff ? isNot : is) ?? null;
}

/** A group of what is exposed, and 0 for clusters that have the metric at all, without a further condition. */
const HAS =
  /^group(?: by \([\w, ]+\))? ?\((?:max_over_time\(([^()]*)\[1h\]\) > 0|([^()]*(?:"[^"]*"[^()]*)*))\) or (?:on \((?:_id)?\) )?0 \* (?!.* (?:or|and|unless) )(?!.*\) [*+-] )/;
/** 0 for what is exposed to nothing, a group of all others. */
const HAS_NOT =
  /^0 \* group(?: by \([\w, ]+\))? ?\(([^()]*)\) or (?:on \((?:_id)?\) )?group(?: by \([\w, ]+\))? ?\(([a-z_]+)(?:\{\})?\)$/;
const MAXIMUM = /^(1 - )?max\(([^()]*)\)$/;

/**
 * When a query returns 1, in words: `the platform is AWS`. Null unless the whole query has one of the usual simple forms:
 * words that are almost right would mislead.
 */
export function ruleInWords(promql: string): string | null {
  const query = simplified(promql);
  const [, counted, plain] = HAS.exec(query) ?? [];
  if (counted !== undefined || plain !== undefined) return meaningOf(counted ?? plain ?? '')?.[0] ?? null;
  const [, absent = '', all = '-'] = HAS_NOT.exec(query) ?? [];
  if (absent.startsWith(`${all}{`)) return meaningOf(absent)?.[1] ?? null;
  const [, minus, capability = ''] = MAXIMUM.exec(query) ?? [];
  if (!capability.startsWith('cluster_version_capability{')) return null;
  return meaningOf(capability)?.[minus === undefined ? 0 : 1] ?? null;
}

const AROUND = [/^\( ?(.*?) ?\)$/, /^topk(?: by \(_id\))? ?\(1, ?(.*?) ?\)$/];
/** Picks one of several objects, which does not change the answer. */
const CHOSEN = /^topk\(1, ?(group.*?\[1h\]\) > 0\))\) or /;
const RELABELED =
  /label_replace\(((?:[^()]|\([^()]*\)|\((?:[^()]|\([^()]*\))*\))*?), ?"\w+", ?"[^"]*", ?"", ?""\)/g;

/** Without what changes nothing: line breaks, matchers of no cluster id, parentheses around all, labels for people. */
function simplified(promql: string): string {
  let query = promql
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/_id="",? ?/g, '')
    .replaceAll(/([({]) | (?=[)}])/g, '$1')
    .replaceAll(RELABELED, '$1')
    .replace(CHOSEN, '$1 or ');
  for (const around of AROUND) {
    const inner = around.exec(query)?.[1];
    if (inner !== undefined && isBalanced(inner)) query = inner.trim();
  }
  return query;
}

/** No parenthesis closes one outside of the text. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.replaceAll(/"[^"]*"/g, '').matchAll(/[()]/g)) {
    depth += sign === '(' ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
