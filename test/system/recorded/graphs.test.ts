import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { judgeAnswer, type HeldUpstreamGraph } from '@cairn/shared/graph/believable';
import { forEachEdge, type EdgeRows } from '@cairn/shared/graph/edge-rows';
import { serializeGraph, type ReleaseGraph } from '@cairn/shared/graph/graph';
import { normalizeGraph } from '@cairn/shared/graph/normalize';
import { findViolations } from '@cairn/shared/graph/publishable';
import { retainVanished } from '@cairn/shared/graph/retain';
import type { RepairReport } from '@cairn/shared/graph/upstream/repairs';
import { scanJson } from '@cairn/shared/json/scan';
import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import { describe, expect, it } from 'vitest';

const data = fileURLToPath(new URL('../../../../shared/data', import.meta.url));
const isPresent = existsSync(data);
if (!isPresent) console.log(`recorded graphs are not at ../shared/data: tests with them are skipped`);

interface RawAnswer {
  nodes: { version: string }[];
  edges: [number, number][];
  conditionalEdges?: { edges: { from: string; to: string }[]; risks: { name: string }[] }[];
}

function graphFiles(folder: string): string[] {
  const names = isPresent ? readdirSync(join(data, folder)) : [];
  return names.filter((name) => name.endsWith('.json.gz')).toSorted();
}

function read(
  folder: string,
  file: string,
): { raw: RawAnswer; arch: Arch; graph: ReleaseGraph; report: RepairReport } {
  const bytes = gunzipSync(readFileSync(join(data, folder, file)));
  expect(scanJson(bytes)).toEqual({ ok: true });
  const raw = JSON.parse(bytes.toString()) as RawAnswer;
  const arch = ARCHES.find((name) => file.includes(`.${name}.`));
  if (arch === undefined) throw new Error(`${file} names no architecture`);
  const result = normalizeGraph(raw, { arch, payloadHosts: ['quay.io'] });
  if (!result.ok) throw new Error(`${file}: ${result.code} ${result.detail}`);
  return { raw, arch, graph: result.graph, report: result.report };
}

function edgesOf(graph: ReleaseGraph, rows: EdgeRows, risks: (position: number) => string): string[] {
  const edges: string[] = [];
  forEachEdge(rows, (from, to, position) => {
    edges.push(`${graph.nodes[from]!.version}>${graph.nodes[to]!.version}${risks(position)}`);
  });
  return edges;
}

/** The same sets worked out the slow and obvious way. */
function expectSameContent({ raw, graph }: ReturnType<typeof read>): void {
  const conditional = new Map<string, string>();
  for (const { edges, risks } of raw.conditionalEdges ?? []) {
    const names = risks.map((risk) => risk.name).toSorted();
    for (const { from, to } of edges) conditional.set(`${from}>${to}`, ` ${names.join()}`);
  }
  const plain = raw.edges
    .map(([from, to]) => `${raw.nodes[from]!.version}>${raw.nodes[to]!.version}`)
    .filter((edge) => !conditional.has(edge));
  const named = (position: number): string =>
    ` ${graph.riskSets[graph.conditional.riskSets[position]!]!.map((risk) => risk.name).join()}`;
  expectSame(
    graph.nodes.map((node) => node.version),
    raw.nodes.map((node) => node.version),
  );
  expectSame(
    edgesOf(graph, graph.edges, () => ''),
    plain,
  );
  expectSame(
    edgesOf(graph, graph.conditional, named),
    [...conditional].map(([edge, names]) => edge + names),
  );
}

/** As one text each: comparing a million strings one by one takes the matcher half a minute. */
function expectSame(found: readonly string[], expected: readonly string[]): void {
  expect(found.toSorted().join('\n')).toBe(expected.toSorted().join('\n'));
}

describe.skipIf(!isPresent)('recorded graphs', () => {
  it('there are 309', () => {
    expect(graphFiles('upstream')).toHaveLength(309);
  });

  it.each(graphFiles('upstream'))('%s', (file) => {
    const answer = read('upstream', file);
    expectSameContent(answer);
    expect(findViolations(answer.graph)).toEqual([]);
    const isSpaced = /^(?:stable|prerelease)-4\.1\.amd64/.test(file);
    expect(answer.report.map(({ code, count }) => [code, count])).toEqual(
      isSpaced ? [['UrlTrimmed', 1]] : [],
    );
    const text = serializeGraph(answer.graph);
    const again = normalizeGraph(JSON.parse(text), { arch: answer.arch });
    if (!again.ok) throw new Error(`${again.code} ${again.detail}`);
    expect(again.report).toEqual([]);
    expect(serializeGraph(again.graph)).toBe(text);
  });

  it('of 2024 lists 136 edges both ways', () => {
    const answer = read('upstream-real/other', 'stable-4.13.amd64.2024.json.gz');
    expectSameContent(answer);
    expect(findViolations(answer.graph)).toEqual([]);
    expect(answer.report).toMatchObject([{ code: 'PlainAndConditional', count: 136 }]);
  });
});

describe.skipIf(!isPresent)('recorded histories', () => {
  /** The states of a folder as answers three hours apart. */
  function replay(folder: string): { verdicts: string[]; served: ReleaseGraph[] } {
    let previous: ReleaseGraph | null = null;
    let held: HeldUpstreamGraph | null = null;
    const verdicts: string[] = [];
    const served: ReleaseGraph[] = [];
    const states = graphFiles(folder).map((file) => read(folder, file).graph);
    for (const [round, next] of states.entries()) {
      const now = new Date(Date.UTC(2026, 0, 1, 3 * round)).toISOString();
      const hash = serializeGraph(next);
      const verdict = judgeAnswer({ previous, next, hash, held, now, acceptedByHand: false });
      verdicts.push(verdict.verdict === 'accept' ? verdict.because : verdict.detail);
      held = verdict.verdict === 'hold' ? verdict.held : null;
      if (verdict.verdict === 'hold') continue;
      const before = served.at(-1) ?? null;
      const { graph } = retainVanished(before, next);
      expect(findViolations(graph, before)).toEqual([]);
      previous = next;
      served.push(graph);
    }
    return { verdicts, served };
  }

  const folders = ['stable-4.12-flapping', 'stable-4.18-every-change', 'stable-4.14', 'stable-4.16'];
  it.each([...folders, 'candidate-4.18', 'eus-4.16'])('%s is believed throughout', (folder) => {
    const [first, ...others] = replay(`upstream-real/history/${folder}`).verdicts;
    expect(first).toBe('first');
    expect(others.filter((verdict) => verdict !== 'believable')).toEqual([]);
  });

  it('4.12.41, which flaps, is served in every round', () => {
    const { served } = replay('upstream-real/history/stable-4.12-flapping');
    expect(served).toHaveLength(20);
    const first = served.findIndex((graph) => graph.nodes.some((node) => node.version === '4.12.41'));
    expect(first).toBeLessThanOrEqual(1);
    for (const graph of served.slice(first)) expect(graph.nodes).toHaveLength(124);
  });

  it('replaying every change ends with what the last answer says', () => {
    const folder = 'upstream-real/history/stable-4.18-every-change';
    const { served } = replay(folder);
    const { graph } = read(folder, graphFiles(folder).at(-1)!);
    expect(serializeGraph(served.at(-1)!)).toBe(serializeGraph(graph));
  });
});
