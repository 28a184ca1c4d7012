import { forEachEdge } from '@cairn/shared/graph/edge-rows';
import { buildGraph, type ReleaseGraph } from '@cairn/shared/graph/graph';
import { prepareGraph } from '@cairn/shared/path/prepared-graph';
import { describe, expect, it } from 'vitest';
import { aRisk, payloadOf } from '../../../helpers/path/answers.ts';
import { solve, versionsOf } from '../../../helpers/path/channels.ts';

/** Numbers below 1 that are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** `[from, to, risk names]`; no names is plain. */
type Drawn = readonly [number, number, (readonly string[])?];

function graphOf(versions: readonly string[], edges: readonly Drawn[]): ReleaseGraph {
  const plain = edges.filter(([, , names]) => names === undefined);
  const conditional = edges.filter(([, , names]) => names !== undefined);
  return buildGraph({
    nodes: versions.map((version) => ({ version, payload: payloadOf(version), metadata: {} })),
    edges: { from: plain.map(([from]) => from), to: plain.map(([, to]) => to) },
    conditional: {
      from: conditional.map(([from]) => from),
      to: conditional.map(([, to]) => to),
      riskSet: conditional.map((_, set) => set),
    },
    riskSets: conditional.map(([, , names]) => names!.map((name) => aRisk(name))),
  });
}

/** `width` releases in each minor; every one of a minor leads to every one of the next, with the risks told. */
function lattice(
  minors: number,
  width: number,
  names?: (from: number, to: number) => string[],
): ReleaseGraph {
  const versions = Array.from(
    { length: minors * width },
    (_, node) => `4.${Math.floor(node / width)}.${node % width}`,
  );
  const edges: Drawn[] = [];
  for (let from = 0; from < (minors - 1) * width; from++) {
    for (let z = 0; z < width; z++) {
      const to = (Math.floor(from / width) + 1) * width + z;
      edges.push(names === undefined ? [from, to] : [from, to, names(from, to)]);
    }
  }
  return graphOf(versions, edges);
}

describe('T10: a graph of 10,000 versions', () => {
  const [minors, size, random] = [100, 100, numbers(7)];
  const versions = Array.from(
    { length: minors * size },
    (_, node) => `4.${Math.floor(node / size)}.${node % size}`,
  );
  const edges: Drawn[] = [];
  for (let from = 0; from < versions.length; from++) {
    for (let count = 0; count < 8; count++) {
      const to = from + 1 + Math.floor(random() * size);
      if (to < versions.length) edges.push(random() < 0.3 ? [from, to, [`R${count}`]] : [from, to]);
    }
  }
  const graph = graphOf(versions, edges);
  const prepared = prepareGraph([{ channel: 'c', graph }]);

  it.each(['none', 'all'] as const)('is crossed in the fewest hops, risk %s', (risk) => {
    const distance = new Map([[0, 0]]);
    const next = new Map<number, number[]>();
    const add = (from: number, to: number) => next.set(from, [...(next.get(from) ?? []), to]);
    forEachEdge(graph.edges, add);
    if (risk === 'all') forEachEdge(graph.conditional, add);
    for (const [node, hops] of distance) {
      for (const target of next.get(node) ?? []) if (!distance.has(target)) distance.set(target, hops + 1);
    }
    const to = Math.max(...distance.keys());
    const result = solve(prepared, '4.0.0', versions[to]!, { risk, prefer: 'shortest', alternatives: 2 });
    expect(result).toMatchObject({ exact: true, stats: { hops: distance.get(to) } });
  });
});

describe('more shortest paths than a number can count', () => {
  it('takes the newest z everywhere', () => {
    const prepared = prepareGraph([{ channel: 'c', graph: lattice(60, 3) }]);
    const result = solve(prepared, '4.0.0', '4.59.2', { alternatives: 3 });
    expect(versionsOf(result)).toEqual([
      '4.0.0',
      ...Array.from({ length: 59 }, (_, minor) => `4.${minor + 1}.2`),
    ]);
    const others = result.found ? result.alternatives : [];
    expect(new Set(others.map((path) => versionsOf(path).join()))).toHaveProperty('size', 3);
    expect(others.map(({ stats }) => stats.hops)).toEqual([59, 59, 59]);
  });

  it('finds the fewest risks among them while the risks are few', () => {
    const graph = lattice(60, 3, (from, to) => [`R${from % 3}${to % 3}`]);
    const result = solve(prepareGraph([{ channel: 'c', graph }]), '4.0.0', '4.59.2', { risk: 'all' });
    expect(result).toMatchObject({ exact: true, stats: { riskyHops: 59, distinctRisks: 2 } });
  });

  it('gives a good path, and reports that it is perhaps not the best, when they are many', () => {
    const random = numbers(3);
    const pick = (): string => `R${Math.floor(random() * 60)}`;
    const graph = lattice(40, 4, () => [...new Set([pick(), pick(), pick()])]);
    const question = [prepareGraph([{ channel: 'c', graph }]), '4.0.0', '4.39.3'] as const;
    const result = solve(...question, { risk: 'all', alternatives: 3 });
    expect(result).toMatchObject({ exact: false, stats: { hops: 39, riskyHops: 39 } });
    expect(solve(...question, { risk: 'all', alternatives: 3 })).toEqual(result);
  });

  it('ends also when equally close ways meet ever more sets of risks', () => {
    // Two minors side by side: every walk changes between them as it likes and meets a set of its own.
    const length = 60;
    const versions = [1, 2].flatMap((minor) => Array.from({ length }, (_, z) => `4.${minor}.${z}`));
    const edges: Drawn[] = [[2 * length - 1, 2 * length]];
    for (let z = 0; z + 1 < length; z++) {
      for (const from of [z, length + z]) {
        for (const to of [z + 1, length + z + 1]) edges.push([from, to, [`R${from < length}${to}`]]);
      }
    }
    const graph = graphOf([...versions, '4.3.0'], edges);
    const result = solve(prepareGraph([{ channel: 'c', graph }]), '4.1.0', '4.3.0', { risk: 'all' });
    expect(result).toMatchObject({ exact: false, stats: { hops: length, distinctRisks: length - 1 } });
  });
});
