/**
 * Reads a graph like the Cluster Version Operator, written from its rules and not from our code. Throws where the
 * operator would reject the response, drop a target or panic.
 */
export interface ClusterView {
  readonly versions: readonly string[];
  /** Updates that a cluster on this version sees. */
  readonly offersTo: (version: string) => readonly Offer[];
}

export interface Offer {
  readonly version: string;
  readonly payload: string;
  /** Risk names; empty for a recommended update. */
  readonly risks: readonly string[];
}

interface Node {
  readonly version: string;
  readonly payload: string;
}

const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;
const CHANNELS = 'io.openshift.upgrades.graph.release.channels';
const ARCHITECTURE = 'release.openshift.io/architecture';

export function readAsCluster(bytes: Uint8Array): ClusterView {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const answer = object(JSON.parse(text), 'answer');
  // Go matches field names case-insensitively.
  check(Object.keys(answer).toSorted().join() === 'conditionalEdges,edges,nodes,version', 'four fields');
  check(answer['version'] === 1, 'schema version 1');

  const nodes = array(answer['nodes'], 'nodes').map(readNode);
  const positions = new Map(nodes.map(({ version }, index) => [version, index]));
  check(positions.size === nodes.length, 'every version once');
  const releases = nodes.map(({ version }) => version.replace(/\+.*/, ''));
  check(new Set(releases).size === nodes.length, 'no two versions that differ in their build only');

  const offers: Offer[][] = nodes.map(() => []);
  for (const edge of array(answer['edges'], 'edges')) {
    const pair = array(edge, 'edge');
    check(pair.length === 2, 'an edge has two ends');
    const [from, to] = pair.map((end) => {
      check(
        Number.isInteger(end) && (end as number) >= 0 && (end as number) < nodes.length,
        'index in range',
      );
      return end as number;
    });
    offers[from!]!.push({ ...nodes[to!]!, risks: [] });
  }
  for (const group of array(answer['conditionalEdges'], 'conditionalEdges')) {
    const { edges, risks } = object(group, 'group');
    const names = array(risks, 'risks').map(readRisk);
    check(names.length > 0, 'a conditional update has risks');
    check(array(edges, 'edges of a group').length > 0, 'a group has edges');
    for (const edge of array(edges, 'edges of a group')) {
      const { from, to } = object(edge, 'conditional edge');
      const [source, target] = [positions.get(string(from, 'from')), positions.get(string(to, 'to'))];
      check(target !== undefined, `conditional target ${String(to)} is a node`);
      check(source !== undefined, `conditional source ${String(from)} is a node`);
      offers[source!]!.push({ ...nodes[target!]!, risks: names });
    }
  }
  for (const [index, ofNode] of offers.entries()) {
    // The operator drops two conditional updates with one payload. A recommended one loses against a conditional one.
    const payloads = ofNode.map(({ payload }) => payload);
    check(
      new Set(payloads).size === payloads.length,
      `${nodes[index]!.version} is offered every payload once`,
    );
    check(!payloads.includes(nodes[index]!.payload), `${nodes[index]!.version} is not offered itself`);
  }
  return {
    versions: nodes.map(({ version }) => version),
    offersTo: (version) => {
      const index = positions.get(version);
      if (index === undefined) throw new Error(`VersionNotFound: ${version}`);
      return offers[index]!;
    },
  };
}

function readNode(value: unknown): Node {
  const { version, payload, metadata } = object(value, 'node');
  check(SEMVER.test(string(version, 'version')), `${String(version)} is strict semver`);
  check(string(payload, 'payload') !== '', 'a payload');
  for (const [key, entry] of Object.entries(object(metadata, 'metadata'))) string(entry, key);
  const known = metadata as Record<string, string>;
  if (known['url'] !== undefined) check(URL.canParse(known['url']), `${known['url']} is a URL`);
  const architecture = known[ARCHITECTURE];
  check(architecture === undefined || architecture === 'multi', 'architecture is multi or absent');
  const channels = known[CHANNELS]?.split(',') ?? ['-'];
  check(!channels.includes(''), 'no empty channel');
  return { version: version as string, payload: payload as string };
}

function readRisk(value: unknown): string {
  const { name, message, url, matchingRules } = object(value, 'risk');
  check(string(name, 'risk name') !== '', 'a risk name');
  check(string(message, 'risk message') !== '', 'a risk message');
  check(URL.canParse(string(url, 'risk url')), 'a risk URL');
  const known = array(matchingRules, 'matchingRules').filter((rule) => {
    const { type, promql } = object(rule, 'rule');
    if (string(type, 'rule type') === 'Always') {
      check(promql === undefined, 'Always has no query');
      return true;
    }
    return type === 'PromQL' && string(object(promql, 'promql')['promql'], 'promql.promql') !== '';
  });
  check(known.length > 0, `${String(name)} has a rule that is known`);
  return name as string;
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(`ResponseInvalid: expected ${what}`);
}

/** Go reads null as the zero value, but clients should not depend on it. */
function object(value: unknown, what: string): Record<string, unknown> {
  check(typeof value === 'object' && value !== null && !Array.isArray(value), `${what} is an object`);
  return value as Record<string, unknown>;
}

function array(value: unknown, what: string): unknown[] {
  check(Array.isArray(value), `${what} is a list`);
  return value as unknown[];
}

function string(value: unknown, what: string): string {
  check(typeof value === 'string', `${what} is text`);
  return value as string;
}
