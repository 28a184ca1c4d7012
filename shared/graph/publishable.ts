import type { EdgeRows } from './edge-rows.ts';
import type { ReleaseGraph, ReleaseNode, Risk } from './graph.ts';

/**
 * Invariants of Cluster Version Operators: 1 versions are strict semver; 2 recommended edges are indices in range; 3 so
 * are conditional edges; 4 metadata is well-formed; 5 one risk list per source and target; 6 no target is both
 * recommended and conditional; 7 every risk can be evaluated; 8 no node disappears. 0 covers the structure of the
 * graph.
 */
export interface Violation {
  readonly invariant: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  readonly detail: string;
}

type Report = (invariant: Violation['invariant'], detail: string) => void;

/** A broken graph has thousands of violations; the first few show the cause. */
const MAX_VIOLATIONS = 20;

/**
 * Validates a graph before publication. One bad version or index makes every cluster of the channel discard the whole
 * graph, so this repeats all checks of the reader. Nodes of `served` must stay.
 */
export function findViolations(graph: ReleaseGraph, served: ReleaseGraph | null = null): Violation[] {
  const violations: Violation[] = [];
  const report: Report = (invariant, detail) => {
    if (violations.length < MAX_VIOLATIONS) violations.push({ invariant, detail });
  };
  checkNodes(graph.nodes, report);
  checkRisks(graph, report);
  checkKept(graph, served, report);
  const isPlainSound = checkRows(graph.edges, graph.nodes.length, 2, report);
  const isConditionalSound = checkRows(graph.conditional, graph.nodes.length, 3, report);
  // The checks below follow indices, which must be valid.
  if (!isPlainSound || !isConditionalSound) return violations;
  checkTargets(graph, report);
  if (hasLoop(graph)) report(0, 'edges form a loop');
  return violations;
}

function checkNodes(nodes: readonly ReleaseNode[], report: Report): void {
  const versions = new Set<string>();
  for (const { version, payload, metadata } of nodes) {
    if (!isStrictSemver(version)) report(1, `version ${JSON.stringify(version)} is not strict semver`);
    if (versions.has(version)) report(0, `version ${version} comes twice`);
    versions.add(version);
    if (typeof payload !== 'string' || !payload.includes('@sha256:')) {
      report(0, `${version} has no payload by digest`);
    }
    checkMetadata(version, metadata, report);
  }
}

function checkMetadata(version: string, metadata: ReleaseNode['metadata'], report: Report): void {
  for (const key of Object.keys(metadata)) {
    const value: unknown = metadata[key];
    if (typeof value !== 'string') {
      report(4, `${version} has metadata ${key} that is not text`);
    } else if (key === 'url' && !isWebAddress(value)) {
      report(4, `${version} has the url ${JSON.stringify(value)}`);
    } else if (key === 'release.openshift.io/architecture' && value !== 'multi') {
      report(4, `${version} has the architecture ${JSON.stringify(value)}`);
    } else if (key === 'io.openshift.upgrades.graph.release.channels' && value.split(',').includes('')) {
      report(4, `${version} has an empty entry in its channels`);
    }
  }
}

/** Checks that offsets tile the targets, and that targets are ascending node indices. */
function checkRows(rows: EdgeRows, size: number, invariant: 2 | 3, report: Report): boolean {
  const { offsets, targets } = rows;
  if (offsets.length !== size + 1 || offsets[0] !== 0 || offsets[size] !== targets.length) {
    report(invariant, `${offsets.length} row offsets do not fit ${size} nodes and ${targets.length} edges`);
    return false;
  }
  let isSound = true;
  const fail = (detail: string): void => {
    isSound = false;
    report(invariant, detail);
  };
  for (let node = 0; node < size; node++) {
    const start = offsets[node]!;
    const end = offsets[node + 1]!;
    if (start > end) fail(`the row of node ${node} ends before it starts`);
    for (let at = start; at < end; at++) {
      const target = targets[at]!;
      if (target >= size) fail(`node ${node} leads to node ${target}, there are ${size}`);
      if (target === node) report(0, `node ${node} leads to itself`);
      if (at > start && target <= targets[at - 1]!) report(0, `the edges of node ${node} repeat or go down`);
    }
  }
  return isSound;
}

function checkRisks({ conditional, riskSets }: ReleaseGraph, report: Report): void {
  if (conditional.riskSets.length !== conditional.targets.length) {
    report(7, 'not every conditional edge has risks');
  }
  for (const set of conditional.riskSets) {
    if (set >= riskSets.length) report(7, `a conditional edge has risk list ${set} of ${riskSets.length}`);
  }
  for (const risks of riskSets) {
    if (risks.length === 0) report(7, 'a risk list is empty');
    if (new Set(risks.map((risk) => risk.name)).size < risks.length) {
      report(7, `a risk list names ${risks[0]!.name} or another risk twice`);
    }
    for (const risk of risks) if (!isJudgeable(risk)) report(7, `clients cannot judge the risk ${risk.name}`);
  }
}

function isJudgeable({ name, message, url, matchingRules }: Risk): boolean {
  return (
    name !== '' &&
    message !== '' &&
    isWebAddress(url) &&
    matchingRules.length > 0 &&
    matchingRules.every(
      (rule) => rule.type === 'Always' || (rule.type === 'PromQL' && rule.promql.promql.trim() !== ''),
    )
  );
}

/** Clients identify targets by release image: a source must not offer one twice, conditionally or both ways. */
function checkTargets({ nodes, edges, conditional }: ReleaseGraph, report: Report): void {
  const numbers = new Map<string, number>();
  for (const { payload } of nodes) if (!numbers.has(payload)) numbers.set(payload, numbers.size);
  const payloads = Uint32Array.from(nodes, ({ payload }) => numbers.get(payload)!);
  // Per release image, the last source that offered it conditionally, plus one.
  const offeredBy = new Uint32Array(numbers.size);
  for (const [source, { version }] of nodes.entries()) {
    for (let at = conditional.offsets[source]!; at < conditional.offsets[source + 1]!; at++) {
      const payload = payloads[conditional.targets[at]!]!;
      if (offeredBy[payload] === source + 1) report(5, `${version} has two risk lists for one target`);
      offeredBy[payload] = source + 1;
    }
    for (let at = edges.offsets[source]!; at < edges.offsets[source + 1]!; at++) {
      const target = edges.targets[at]!;
      if (offeredBy[payloads[target]!] !== source + 1) continue;
      report(6, `${version} → ${nodes[target]!.version} is plain and conditional`);
    }
  }
}

/** Removes nodes without incoming edges until none remain, or only loops. */
function hasLoop({ nodes, edges, conditional }: ReleaseGraph): boolean {
  const incoming = new Uint32Array(nodes.length);
  for (const { targets } of [edges, conditional]) for (const target of targets) incoming[target]!++;
  const free: number[] = [];
  for (const [node, count] of incoming.entries()) if (count === 0) free.push(node);
  for (let done = 0; done < free.length; done++) {
    const node = free[done]!;
    for (const { offsets, targets } of [edges, conditional]) {
      for (let at = offsets[node]!; at < offsets[node + 1]!; at++) {
        if (--incoming[targets[at]!]! === 0) free.push(targets[at]!);
      }
    }
  }
  return free.length < nodes.length;
}

function checkKept(graph: ReleaseGraph, served: ReleaseGraph | null, report: Report): void {
  const versions = new Set(graph.nodes.map((node) => node.version));
  for (const { version } of served?.nodes ?? []) {
    if (!versions.has(version)) report(8, `${version} is served and would be gone`);
  }
}

function isStrictSemver(version: string): boolean {
  const dash = version.indexOf('-');
  const numbers = (dash === -1 ? version : version.slice(0, dash)).split('.');
  const identifiers = dash === -1 ? [] : version.slice(dash + 1).split('.');
  return (
    numbers.length === 3 &&
    numbers.every((number) => /^(?:0|[1-9]\d{0,9})$/.test(number)) &&
    identifiers.every((identifier) => /^[0-9A-Za-z-]+$/.test(identifier) && !/^0\d+$/.test(identifier))
  );
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text);
}
