import type { Random } from '../random.ts';

/** Metrics with labels and some of their texts. */
const METRICS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  cluster_infrastructure_provider: { type: ['AWS', 'Azure', 'None', 'VSphere', 'AWS|GCP'] },
  csv_succeeded: { name: ['gpu-operator-certified.v23.9.1', 'metallb-operatorXv4'], version: ['1'] },
  csv_count: {},
  apiserver_storage_objects: { resource: ['nodes', 'pods', 'egressips.k8s.ovn.org'] },
  cluster_operator_conditions: { name: ['aro', 'dns', 'version'], condition: ['Available', 'Failing'] },
  cluster_version: { type: ['initial', 'current'], version: ['4.15.3'], from_version: [''] },
  kube_node_role: { role: ['master', 'worker'], node: ['m0', 'w0'] },
  kube_node_labels: { node: ['m0'], label_kubernetes_io_arch: ['amd64'], label_a_b_c: ['1'] },
  cluster_proxy_enabled: { type: ['http', 'https'] },
  network_attachment_definition_instances: { networks: ['ptp'] },
  ceph_health_status: {},
};
const PATTERNS = [
  ...['.*', '.+', '', 'A.*', '4[.](9|1[0-9])[.].*', 'http.?', 'AWS|None', 'm\\d', '(?i)aws', '[^a]+'],
  ...['(nodes|pods)', 'nodes|pods', 'a{0,1}ro', 'm.', '|dns', 'V?Sphere|(?:dns|aro)', '.*[.]org', 'w\\w*?'],
];
const LABELS = ['type', 'name', 'resource', 'role', 'node', 'version', '_id', 'x'];
const NUMBERS = ['0', '1', '-1', '2', '0.5', '3'];

/** A query of the supported kind, most of which no risk would ask. */
export function drawQuery(random: Random, depth = 4): string {
  const draw = () => drawQuery(random, depth - 1);
  if (depth <= 0 || random.chance(0.1)) return drawSelector(random);
  const by = random.chance(0.6) ? ` by (${drawLabels(random)})` : '';
  switch (random.below(9)) {
    case 0:
      return `${random.pick(['max', 'min', 'avg', 'last'])}_over_time(${drawSelector(random)}[1h])`;
    case 1:
      return `${random.pick(['group', 'group', 'max', 'min', 'sum', 'count', 'avg'])}${by} (${draw()})`;
    case 2:
      return `${random.pick(['topk', 'bottomk'])}${by} (${random.pick(['1', '1', '2', '0'])}, ${draw()})`;
    case 3:
      return drawReplace(random, draw());
    case 4:
      return drawWithNumber(random, draw());
    case 5:
    case 6:
      return `(${draw()}) ${random.pick(['or', 'or', 'and', 'unless'])} ${drawOn(random)} (${draw()})`;
    case 7:
      return drawCalculation(random, draw(), draw());
    default:
      return random.pick([
        `absent(${draw()})`,
        `vector(${random.pick(NUMBERS)})`,
        `clamp_max(${draw()}, ${random.pick(NUMBERS)})`,
        `clamp_min(${draw()}, ${random.pick(NUMBERS)})`,
        `-${draw()}`,
        `1 * (${draw()})`,
      ]);
  }
}

function drawSelector(random: Random): string {
  const metric = random.pick(Object.keys(METRICS));
  const labels = METRICS[metric]!;
  const matchers = [...Object.keys(labels), '_id']
    .filter(() => random.chance(0.4))
    .map((label) => {
      if (label === '_id') return random.pick(['_id=""', '_id!~".+"', '_id=~".*"']);
      const op = random.pick(['=', '=', '!=', '=~', '=~', '!~']);
      const text = op.endsWith('~') ? random.pick(PATTERNS) : random.pick([...labels[label]!, '']);
      return `${label}${op}${JSON.stringify(text)}`;
    });
  return matchers.length === 0 ? metric : `${metric}{${matchers.join(',')}}`;
}

function drawLabels(random: Random): string {
  return LABELS.filter(() => random.chance(0.2)).join(', ');
}

function drawOn(random: Random): string {
  return random.chance(0.7) ? `on (${drawLabels(random)})` : '';
}

function drawReplace(random: Random, of: string): string {
  const [to, text, from, pattern] = [
    random.pick(LABELS),
    random.pick(['a', '', '$1', '${1}x', '$1x', 'x-$1-$2']),
    random.pick(['', ...LABELS]),
    random.pick(['', '.*', '(.*)', 'A(W)S|(.*)e', '([^.]*)[.](.*)']),
  ].map((part) => JSON.stringify(part));
  return `label_replace(${of}, ${to}, ${text}, ${from}, ${pattern})`;
}

const OPERATORS = ['+', '-', '*', '*', '/', '==', '!=', '>', '<', '>=', '<='];

function drawOperator(random: Random): string {
  const op = random.pick(OPERATORS);
  return /[=<>]/.test(op) && random.chance(0.4) ? `${op} bool` : op;
}

function drawWithNumber(random: Random, of: string): string {
  const op = drawOperator(random);
  const number = random.pick(NUMBERS);
  return random.chance(0.5) ? `(${of}) ${op} ${number}` : `${number} ${op} (${of})`;
}

function drawCalculation(random: Random, left: string, right: string): string {
  const on = drawLabels(random);
  const more = LABELS.filter((label) => !on.split(', ').includes(label) && random.chance(0.1)).join(', ');
  const side = random.pick(['', '', ` group_left (${more})`, ` group_right (${more})`]);
  return `(${left}) ${drawOperator(random)} on (${on})${side} (${right})`;
}

/** The text with a few tokens that are gone, twice there, or elsewhere: most are no queries any more. */
export function disturb(random: Random, promql: string): string {
  const tokens = promql.match(/"(?:[^"\\]|\\.)*"|[\w:.]+|\s+|[^\w\s]/g) ?? [];
  for (let left = 1 + random.below(3); left > 0; left--) {
    const at = random.below(tokens.length);
    const other = random.pick(tokens);
    tokens.splice(at, random.pick([0, 1]), ...random.pick([[], [other], [other]]));
  }
  return tokens.join('');
}
