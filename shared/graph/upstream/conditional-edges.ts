import { isObject } from '../../input/input-value.ts';
import { orderByKeys, type EdgeRows } from '../edge-rows.ts';
import { compareRisks, riskText, type MatchingRule, type Risk, arrow, type GraphParts } from '../graph.ts';
import type { ReadNodes } from './nodes.ts';
import type { Repairs } from './repairs.ts';
import { isHttpUrl, quoted, refuse, tooMany, type Refusal, type Group, type GraphLimits } from './shape.ts';

export interface ReadConditionalEdges {
  readonly ok: true;
  /** All conditional pairs, withheld ones included: none of them can be a recommended edge. */
  readonly rows: EdgeRows;
  readonly pairs: GraphParts['conditional'];
  readonly riskSets: GraphParts['riskSets'];
}

const WITHHELD = -1;

/** A pair in several groups gets all their risks. A pair whose risks clients cannot evaluate is withheld. */
export function readConditionalEdges(
  groups: readonly Group[],
  read: ReadNodes,
  limits: GraphLimits,
  repairs: Repairs,
): ReadConditionalEdges | Refusal {
  const members = readMembers(groups, read, repairs);
  if (!members.ok) return members;
  const { from, to, group } = members;
  const size = read.nodes.length;
  const order = orderByKeys(from.length, [
    [group, groups.length],
    [to, size],
    [from, size],
  ]);

  const sets = new GroupSets(groups, repairs);
  const offsets = new Uint32Array(size + 1);
  const targets: number[] = [];
  const pairs = { from: [] as number[], to: [] as number[], riskSet: [] as number[] };
  let end = 0;
  for (let start = 0; start < order.length; start = end) {
    const source = from[order[start]!]!;
    const target = to[order[start]!]!;
    end = start + 1;
    while (end < order.length && from[order[end]!] === source && to[order[end]!] === target) end++;
    offsets[source + 1]!++;
    targets.push(target);

    let set = sets.of(group[order[start]!]!);
    if (end > start + 1) {
      const named = new Set(Array.from(order.subarray(start, end), (position) => group[position]!));
      repairs.note(named.size > 1 ? 'PairInTwoGroups' : 'DuplicateEdge', arrow(read.nodes, source, target));
      set = sets.ofAll([...named]);
      const refusal = tooMany('TooManyRisks', sets.riskSets[set]?.length ?? 0, limits.risksPerGroup);
      if (refusal !== null) return refusal;
    }
    if (read.isAmbiguous[target] === 1) {
      repairs.note('SharedPayload', arrow(read.nodes, source, target));
    } else if (set === WITHHELD) {
      repairs.note('EdgeWithheld', arrow(read.nodes, source, target));
    } else {
      pairs.from.push(source);
      pairs.to.push(target);
      pairs.riskSet.push(set);
    }
  }
  for (let node = 0; node < size; node++) offsets[node + 1]! += offsets[node]!;
  return {
    ok: true,
    rows: { offsets, targets: Uint32Array.from(targets) },
    pairs,
    riskSets: sets.riskSets,
  };
}

function readMembers(
  groups: readonly Group[],
  read: ReadNodes,
  repairs: Repairs,
): { readonly ok: true; readonly from: number[]; readonly to: number[]; readonly group: number[] } | Refusal {
  const from: number[] = [];
  const to: number[] = [];
  const group: number[] = [];
  for (const [number, { edges }] of groups.entries()) {
    for (const edge of edges) {
      if (!isObject(edge) || typeof edge['from'] !== 'string' || typeof edge['to'] !== 'string') {
        return refuse(
          'BadConditionalEdges',
          `conditionalEdges[${number}] has an edge that is not {from: version, to: version}`,
        );
      }
      if (edge['from'] === edge['to']) {
        return refuse('SelfEdge', `conditionalEdges[${number}] leads from ${quoted(edge['from'])} to itself`);
      }
      const source = read.index.get(edge['from']);
      const target = read.index.get(edge['to']);
      if (source === undefined || target === undefined) {
        repairs.note('EdgeWithoutNode', `${quoted(edge['from'])} → ${quoted(edge['to'])}`);
        continue;
      }
      from.push(source);
      to.push(target);
      group.push(number);
    }
  }
  return { ok: true, from, to, group };
}

/** Risk list of each group, and of groups that share a pair. */
class GroupSets {
  readonly riskSets: (readonly Risk[])[] = [];
  readonly #reader: RiskReader;
  readonly #ofGroup: readonly number[];
  readonly #unions = new Map<string, number>();

  constructor(groups: readonly Group[], repairs: Repairs) {
    this.#reader = new RiskReader(repairs);
    this.#ofGroup = groups.map((group) => this.#add(this.#reader.readSet(group.risks)));
  }

  of(group: number): number {
    return this.#ofGroup[group]!;
  }

  ofAll(groups: readonly number[]): number {
    const sets = groups.map((group) => this.of(group));
    if (sets.includes(WITHHELD)) return WITHHELD;
    if (sets.length === 1) return sets[0]!;
    const key = sets.join();
    const known = this.#unions.get(key);
    if (known !== undefined) return known;
    const union = this.#add(this.#reader.merge(sets.flatMap((set) => this.riskSets[set]!)));
    this.#unions.set(key, union);
    return union;
  }

  #add(risks: readonly Risk[] | null): number {
    return risks === null ? WITHHELD : this.riskSets.push(risks) - 1;
  }
}

/** Interns risks: equal risks repeat in many groups. */
class RiskReader {
  readonly #repairs: Repairs;
  readonly #known = new Map<string, Risk>();

  constructor(repairs: Repairs) {
    this.#repairs = repairs;
  }

  /** In canonical order; null if clients cannot evaluate one of them. */
  readSet(raw: readonly unknown[]): readonly Risk[] | null {
    if (raw.length === 0) {
      this.#repairs.note('RiskUnusable', 'a group without risks');
      return null;
    }
    const risks = raw.map((risk) => this.#read(risk));
    return risks.includes(null) ? null : this.merge(risks.filter((risk) => risk !== null));
  }

  merge(risks: readonly Risk[]): readonly Risk[] {
    const merged: Risk[] = [];
    // Equal risks are one object, so the Set leaves only risks that differ.
    for (const risk of [...new Set(risks)].toSorted(compareRisks)) {
      if (merged.at(-1)?.name === risk.name) this.#repairs.note('RiskNameConflict', quoted(risk.name));
      else merged.push(risk);
    }
    return merged;
  }

  #read(raw: unknown): Risk | null {
    const { url, name, message, matchingRules } = isObject(raw) ? raw : {};
    const rules = Array.isArray(matchingRules) ? matchingRules.map(readRule) : [];
    const known = rules.filter((rule) => rule !== null);
    if (!isFilled(name) || !isFilled(message) || typeof url !== 'string' || !isHttpUrl(url.trim())) {
      this.#repairs.note('RiskUnusable', `${quoted(name)} without a name, a message or an http(s) url`);
      return null;
    }
    if (known.length === 0) {
      this.#repairs.note('RiskUnusable', `${quoted(name)} without a rule that clients know`);
      return null;
    }
    if (known.length < rules.length) this.#repairs.note('RulePruned', quoted(name));
    if (url !== url.trim()) this.#repairs.note('UrlTrimmed', `${quoted(name)} ${quoted(url)}`);
    const risk: Risk = { url: url.trim(), name, message, matchingRules: known };
    const text = riskText(risk);
    const same = this.#known.get(text) ?? risk;
    this.#known.set(text, same);
    return same;
  }
}

/** Accepts only rules that clients evaluate: `{type: 'Always'}`, or `PromQL` with a query. */
function readRule(raw: unknown): MatchingRule | null {
  if (!isObject(raw)) return null;
  if (raw['type'] === 'Always') return { type: 'Always' };
  if (raw['type'] !== 'PromQL' || !isObject(raw['promql'])) return null;
  const { promql } = raw['promql'];
  return isFilled(promql) ? { type: 'PromQL', promql: { promql } } : null;
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
