import { judgeAnswer } from '@cairn/shared/graph/believable';
import { diffGraphs } from '@cairn/shared/graph/diff';
import { serializeGraph, type ReleaseGraph } from '@cairn/shared/graph/graph';
import { normalizeGraph } from '@cairn/shared/graph/normalize';
import { findViolations } from '@cairn/shared/graph/publishable';
import { retainVanished } from '@cairn/shared/graph/retain';
import { readServedGraph, type ServedGraph } from '@cairn/shared/graph/served-graph';
import { scanJson } from '@cairn/shared/json/scan';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aGroup,
  aNode,
  ARCHITECTURE,
  aRisk,
  CHANNELS,
  graphOf,
  payloadOf,
  plainEdges,
  conditionalEdges,
  type Answer,
} from '../../../helpers/path/answers.ts';
import { sized } from '../../../helpers/size.ts';

const VERSIONS = ['4.9.0-rc.1', '4.9.0', '4.9.10', '4.10.0', '4.10.1', '4.22.0', '5.0.0-ec.1', '5.0.0'];
const RISKS = [
  aRisk('A'),
  aRisk('A', { matchingRules: [{ type: 'Always' }] }),
  aRisk('B'),
  aRisk('B', { message: 'another message' }),
  aRisk('C'),
];

/** Two different versions, the lower first, so that no loop can come of them. */
const forward = fc
  .uniqueArray(fc.nat(VERSIONS.length - 1), { minLength: 2, maxLength: 2 })
  .map((pair) => pair.toSorted((a, b) => a - b) as [number, number]);

/** Well-formed answers that overlap in every way: a pair plain and conditional, in several groups, named twice. */
const answer: fc.Arbitrary<Answer> = fc
  .record({
    present: fc.uniqueArray(fc.nat(VERSIONS.length - 1)),
    metadata: fc.array(fc.dictionary(fc.constantFrom('a', 'b', '1', 'url'), fc.constant('https://e.com')), {
      minLength: VERSIONS.length,
      maxLength: VERSIONS.length,
    }),
    edges: fc.array(forward, { maxLength: 20 }),
    groups: fc.array(fc.tuple(fc.array(forward, { maxLength: 6 }), fc.subarray(RISKS, { minLength: 1 })), {
      maxLength: 5,
    }),
  })
  .map(({ present, metadata, edges, groups }) => {
    const place = new Map(present.map((index, position) => [index, position]));
    return {
      version: 1,
      nodes: present.map((index) => aNode(VERSIONS[index]!, { metadata: metadata[index] })),
      edges: edges
        .filter(([from, to]) => place.has(from) && place.has(to))
        .map(([from, to]) => [place.get(from)!, place.get(to)!]),
      conditionalEdges: groups.map(([pairs, risks]) =>
        aGroup(
          pairs.map(([from, to]) => [VERSIONS[from]!, VERSIONS[to]!]),
          ...risks,
        ),
      ),
    };
  });
const graph = answer.map((one) => graphOf(one));

/** Answers with anything anywhere, most of them close enough to be read far. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    ' ',
    '__proto__',
    'constructor',
    'toString',
    'javascript:alert(1)',
    ' https://e.com',
    'a,,b',
  ),
);
const anything = fc.oneof({ weight: 1, arbitrary: fc.anything() }, { weight: 3, arbitrary: text });
const mostly = <T>(usual: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: anything });
const version = fc.constantFrom(...VERSIONS);
const hostileNode = fc.record({
  version: mostly(version),
  payload: mostly(version.map(payloadOf)),
  metadata: mostly(
    fc.dictionary(
      fc.oneof(fc.constantFrom(ARCHITECTURE, CHANNELS, 'url', '__proto__', 'constructor'), fc.string()),
      fc.oneof(text, fc.constantFrom('multi', 'https://e.com', 'stable-4.9,eus-4.10'), fc.anything()),
    ),
  ),
});
const hostileRule = mostly(
  fc.constantFrom<unknown>(
    { type: 'Always' },
    { type: 'PromQL', promql: { promql: 'up' } },
    { type: 'PromQL' },
  ),
);
const hostileRisk = fc.record({
  name: mostly(fc.constantFrom('A', 'B')),
  message: mostly(fc.constant('m')),
  url: mostly(fc.constant('https://e.com')),
  matchingRules: mostly(fc.array(hostileRule, { minLength: 1, maxLength: 3 })),
});
const hostile = fc.record(
  {
    version: fc.constant(1),
    nodes: fc.uniqueArray(mostly(hostileNode), {
      maxLength: 10,
      selector: (node) => (node as { version?: unknown } | null)?.version,
    }),
    edges: fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 3 }),
    conditionalEdges: fc.array(
      fc.record({
        edges: fc.array(fc.record({ from: fc.oneof(version, text), to: version }), { maxLength: 3 }),
        risks: fc.array(mostly(hostileRisk), { maxLength: 3 }),
      }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ['nodes', 'edges'] },
);

function shuffled<T>(items: readonly T[], order: readonly number[]): T[] {
  return items.toSorted((a, b) => keyOf(items, a, order) - keyOf(items, b, order));
}
function keyOf<T>(items: readonly T[], item: T, order: readonly number[]): number {
  return order[items.indexOf(item) % order.length]!;
}

/** The same content with nodes, edges, groups, members, risks and keys in another order. */
function reordered(original: Answer, order: readonly number[]): Answer {
  const nodes = shuffled(original.nodes, order);
  const place = original.nodes.map((node) => nodes.indexOf(node));
  const edges = original.edges.map(([from, to]): [number, number] => [place[from]!, place[to]!]);
  const groups = original.conditionalEdges.map((group) => ({
    risks: shuffled(group.risks, order),
    edges: shuffled(group.edges, order),
  }));
  return {
    conditionalEdges: shuffled(groups, order),
    edges: shuffled(edges, order),
    nodes: nodes.map(({ version, payload, metadata }) => ({
      payload,
      version,
      metadata: Object.fromEntries(Object.entries(metadata as object).toReversed()),
    })),
    version: 1,
  };
}

describe('graphs', () => {
  const order = fc.uniqueArray(fc.nat(10_000), { minLength: 30, maxLength: 30 });

  it('are the same bytes, and repaired alike, whatever the order of the answer', () => {
    fc.assert(
      fc.property(answer, order, (original, keys) => {
        const one = normalizeGraph(original, { arch: 'amd64' });
        const other = normalizeGraph(reordered(original, keys), { arch: 'amd64' });
        expect(other).toEqual(one);
        if (!one.ok || !other.ok) throw new Error('refused');
        expect(serializeGraph(other.graph)).toBe(serializeGraph(one.graph));
      }),
      { numRuns: sized(50, 500) },
    );
  });

  it('come back unchanged from their own bytes', () => {
    fc.assert(
      fc.property(graph, (original) => {
        const bytes = serializeGraph(original);
        expect(scanJson(new TextEncoder().encode(bytes))).toEqual({ ok: true });
        expect(normalizeGraph(JSON.parse(bytes), { arch: 'amd64' })).toEqual({
          ok: true,
          graph: original,
          report: [],
        });
        expect(readServedGraph(JSON.parse(bytes) as ServedGraph)).toEqual(original);
      }),
      { numRuns: sized(50, 500) },
    );
  });

  it('made of hostile answers hurt no client, and reading them never throws', () => {
    let accepted = 0;
    fc.assert(
      fc.property(hostile, fc.constantFrom('amd64', 'multi'), (one, arch) => {
        const result = normalizeGraph(one, { arch });
        if (!result.ok) return;
        accepted++;
        expect(findViolations(result.graph)).toEqual([]);
        const bytes = serializeGraph(result.graph);
        expect(normalizeGraph(JSON.parse(bytes), { arch })).toEqual({
          ok: true,
          graph: result.graph,
          report: [],
        });
      }),
      { numRuns: sized(150, 1500) },
    );
    // Otherwise the generator has drifted off and the property says nothing.
    expect(accepted).toBeGreaterThan(sized(15, 250));
  });

  it('are never made of nonsense by throwing', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const { ok } = normalizeGraph(value, { arch: 'amd64' });
        expect(typeof ok).toBe('boolean');
      }),
      { numRuns: sized(200, 2000) },
    );
  });
});

describe('vanished nodes', () => {
  it('are never lost, nothing leads to them, and what the answer says stands', () => {
    fc.assert(
      fc.property(graph, graph, (served, next) => {
        const { graph: kept, vanished } = retainVanished(served, next);
        const versions = kept.nodes.map((node) => node.version);
        expect(versions.toSorted()).toEqual([...new Set([...namesOf(served), ...namesOf(next)])].toSorted());
        expect(vanished).toEqual(namesOf(served).filter((name) => !namesOf(next).includes(name)));
        expect(findViolations(kept, served)).toEqual([]);
        const isOwn = (edge: string): boolean => !vanished.includes(edge.split('>')[0]!);
        expect(plainEdges(kept).filter(isOwn)).toEqual(plainEdges(next));
        expect(conditionalEdges(kept).filter(isOwn)).toEqual(conditionalEdges(next));
        const targets = [...plainEdges(kept), ...conditionalEdges(kept)].map(
          (edge) => edge.split(/[> ]/)[1]!,
        );
        expect(targets.filter((target) => vanished.includes(target))).toEqual([]);
        expect(serializeGraph(retainVanished(kept, next).graph)).toBe(serializeGraph(kept));
      }),
      { numRuns: sized(50, 500) },
    );
  });
});

describe('differences', () => {
  it('are empty exactly between equal graphs', () => {
    fc.assert(
      fc.property(graph, graph, (before, after) => {
        const none = diffGraphs(before, before);
        expect(Object.values(none).flat().filter(Boolean)).toEqual([]);
        const isSame = serializeGraph(before) === serializeGraph(after);
        expect(JSON.stringify(diffGraphs(before, after)) === JSON.stringify(none)).toBe(isSame);
      }),
      { numRuns: sized(50, 500) },
    );
  });

  it('mirror each other', () => {
    fc.assert(
      fc.property(graph, graph, (before, after) => {
        const [there, back] = [diffGraphs(before, after), diffGraphs(after, before)];
        expect(there.versionsAdded).toEqual(back.versionsRemoved);
        expect(there.edgesAdded).toBe(back.edgesRemoved);
        expect(there.turnedConditional).toEqual(back.turnedPlain);
        expect(there.edgesWithOtherRisks).toBe(back.edgesWithOtherRisks);
        expect(there.risksNew).toEqual(back.risksGone);
      }),
      { numRuns: sized(50, 500) },
    );
  });
});

it('an answer equal to the last is always believed', () => {
  fc.assert(
    fc.property(graph, (same: ReleaseGraph) => {
      const verdict = judgeAnswer({
        previous: same,
        next: same,
        hash: 'h',
        held: null,
        now: '2026-08-21T12:00:00Z',
        acceptedByHand: false,
      });
      expect(verdict.verdict).toBe('accept');
    }),
  );
});

it('UTF-8 is judged as the platform judges it', () => {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const isValid = (bytes: Uint8Array): boolean => {
    try {
      strict.decode(bytes);
      return true;
    } catch {
      return false;
    }
  };
  const byte = fc.oneof(
    fc.integer({ min: 0x80, max: 0xff }),
    fc.constantFrom(0x41, 0x80, 0xbf, 0xc2, 0xe0, 0xed, 0xf0, 0xf4),
  );
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 6 }), (inside) => {
      const bytes = Uint8Array.from([0x22, ...inside, 0x22]);
      expect(scanJson(bytes).ok).toBe(isValid(bytes));
    }),
    { numRuns: sized(500, 5000) },
  );
});

function namesOf(one: ReleaseGraph): string[] {
  return one.nodes.map((node) => node.version);
}
