import { isObject } from '../../input/input-value.ts';
import { quoteValue } from '../../text/quote.ts';

export type RefusalCode =
  | 'NotAnObject'
  | 'SchemaVersion'
  | 'NodesMissing'
  | 'EdgesMissing'
  | 'BadEdge'
  | 'BadConditionalEdges'
  | 'DuplicateVersion'
  | 'SelfEdge'
  | 'Cycle'
  | 'TooManyNodes'
  | 'TooManyEdges'
  | 'TooManyConditionalGroups'
  | 'TooManyConditionalEdges'
  | 'TooManyRisks';

export interface Refusal {
  readonly ok: false;
  readonly code: RefusalCode;
  readonly detail: string;
}

export function refuse(code: RefusalCode, detail: string): Refusal {
  return { ok: false, code, detail };
}

export function tooMany(code: RefusalCode, count: number, limit: number): Refusal | null {
  return count > limit ? refuse(code, `${count} in the answer, at most ${limit} are accepted`) : null;
}

export const GRAPH_LIMITS = {
  nodes: 5000,
  edges: 500_000,
  conditionalGroups: 5000,
  /** Over all groups. */
  conditionalEdges: 500_000,
  risksPerGroup: 50,
};
export type GraphLimits = Readonly<typeof GRAPH_LIMITS>;

export interface Group {
  readonly edges: readonly unknown[];
  readonly risks: readonly unknown[];
}

interface Shape {
  readonly ok: true;
  readonly nodes: readonly unknown[];
  readonly edges: readonly unknown[];
  readonly groups: readonly Group[];
}

export function readShape(answer: unknown, limits: GraphLimits): Shape | Refusal {
  if (!isObject(answer)) return refuse('NotAnObject', `the answer is ${quoted(answer)}, not an object`);
  const { version, nodes, edges, conditionalEdges = [] } = answer;
  // The oldest servers omit the schema version and conditional edges.
  if (version !== undefined && version !== 1) {
    return refuse('SchemaVersion', `schema version ${quoted(version)} is not known, accepted is 1`);
  }
  if (!Array.isArray(nodes)) return refuse('NodesMissing', `nodes is ${quoted(nodes)}, not an array`);
  if (!Array.isArray(edges)) return refuse('EdgesMissing', `edges is ${quoted(edges)}, not an array`);
  if (!Array.isArray(conditionalEdges)) {
    return refuse('BadConditionalEdges', `conditionalEdges is ${quoted(conditionalEdges)}, not an array`);
  }
  const groups = readGroups(conditionalEdges);
  if (!Array.isArray(groups)) return groups;
  const conditional = groups.reduce((sum, group) => sum + group.edges.length, 0);
  const longest = groups.reduce((most, group) => Math.max(most, group.risks.length), 0);
  const refusal =
    tooMany('TooManyNodes', nodes.length, limits.nodes) ??
    tooMany('TooManyEdges', edges.length, limits.edges) ??
    tooMany('TooManyConditionalGroups', groups.length, limits.conditionalGroups) ??
    tooMany('TooManyConditionalEdges', conditional, limits.conditionalEdges) ??
    tooMany('TooManyRisks', longest, limits.risksPerGroup);
  return refusal ?? { ok: true, nodes, edges, groups };
}

function readGroups(raw: readonly unknown[]): Group[] | Refusal {
  const groups: Group[] = [];
  for (const [position, group] of raw.entries()) {
    const { edges, risks } = isObject(group) ? group : {};
    if (!Array.isArray(edges) || !Array.isArray(risks)) {
      return refuse('BadConditionalEdges', `conditionalEdges[${position}] is not {edges: […], risks: […]}`);
    }
    groups.push({ edges, risks });
  }
  return groups;
}

/** Stricter than browsers, because clients parse with Go: visible ASCII and complete percent escapes only. */
const HTTP_URL = /^https?:\/\/[a-z0-9][a-z0-9.-]*(?::\d{1,5})?(?:[/?#](?:[!-$&-~]|%[0-9a-f]{2})*)?$/i;

export function isHttpUrl(text: string): boolean {
  return HTTP_URL.test(text) && URL.canParse(text);
}

/** Quotes an upstream value for a report or a log line. */
export function quoted(value: unknown): string {
  return quoteValue(value, { longest: 64, escapesUnseen: true });
}
