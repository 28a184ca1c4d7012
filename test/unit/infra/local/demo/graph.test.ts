import { createHash } from 'node:crypto';
import { normalizeGraph } from '@cairn/shared/graph/normalize';
import { findViolations } from '@cairn/shared/graph/publishable';
import { ARCHES } from '@cairn/shared/version/arch';
import { compare, parse, SemVer } from 'semver';
import { describe, expect, it } from 'vitest';
import { DEMO_CHANNELS, RELEASES, TRAINS } from '../../../../../infra/local/demo/channels.ts';
import { demoGraph, type CincinnatiGraph } from '../../../../../infra/local/demo/graph.ts';

const MINORS: readonly string[] = TRAINS.map((train) => train.minor);

interface Update {
  readonly from: string;
  readonly to: string;
}

const graphs = new Map<string, CincinnatiGraph>();

/** Made once: every test looks at most of them. */
function graphOf(channel: string, arch = 'amd64'): CincinnatiGraph {
  const name = `${channel}/${arch}`;
  const graph = graphs.get(name) ?? demoGraph(channel, arch)!;
  graphs.set(name, graph);
  return graph;
}

const orders = new Map<string, SemVer>();

/** As semver orders them, without reading a version for each of its updates. */
function compareVersions(a: string, b: string): number {
  const [one, other] = [a, b].map((version) => {
    const order = orders.get(version) ?? new SemVer(version);
    orders.set(version, order);
    return order;
  });
  return one!.compare(other!);
}

function minorOf(version: string): string {
  return version.split('.', 2).join('.');
}

function isPrerelease(version: string): boolean {
  return version.includes('-');
}

function plainUpdates({ nodes, edges }: CincinnatiGraph): Update[] {
  return edges.map(([from, to]) => ({ from: nodes[from]!.version, to: nodes[to]!.version }));
}

function conditionalUpdates(graph: CincinnatiGraph): (Update & { risks: string[] })[] {
  return graph.conditionalEdges.flatMap(({ edges, risks }) =>
    edges.map((edge) => ({ ...edge, risks: risks.map((risk) => risk.name) })),
  );
}

function allUpdates(graph: CincinnatiGraph): Update[] {
  return [...plainUpdates(graph), ...conditionalUpdates(graph)];
}

/** The versions of a channel by minor, oldest first. */
function versionsByMinor(channel: string, arch?: string): Map<string, string[]> {
  const versions = graphOf(channel, arch).nodes.map((node) => node.version);
  return Map.groupBy(versions, minorOf);
}

function newest(channel: string, minor: string): string {
  return versionsByMinor(channel).get(minor)!.at(-1)!;
}

function repeated(texts: readonly string[]): string[] {
  return texts.filter((text, index) => texts.indexOf(text) !== index);
}

describe('the same everywhere', () => {
  it('pins the bytes of a channel', () => {
    const text = JSON.stringify(demoGraph('stable-4.18', 'amd64'));
    const hash = createHash('sha256').update(text).digest('hex');
    expect(hash).toBe('ef9a5410ae14ec546326f8fdba366a6c8a7e3d90a09af75b52aa78eebf58f887');
  });

  it.each([
    ['stable-4.11', 'amd64'],
    ['stable-5.0', 'amd64'],
    ['eus-4.13', 'amd64'],
    ['stable-4.18', 'x86_64'],
    ['__proto__', 'amd64'],
    ['stable-4.18', '__proto__'],
    ['', ''],
  ])('knows no channel %j for %j', (channel, arch) => {
    expect(demoGraph(channel, arch)).toBeNull();
  });
});

describe.each(ARCHES)('what clients demand of a graph, on %s', (arch) => {
  /** Looks at every channel; what it finds is told with the channel. */
  function findInAll(look: (graph: CincinnatiGraph) => readonly unknown[]): unknown[] {
    return DEMO_CHANNELS.flatMap((channel) =>
      look(graphOf(channel, arch)).map((found) => ({ channel, found })),
    );
  }

  it('versions are strict semver, each there once', () => {
    expect(findInAll(({ nodes }) => repeated(nodes.map((node) => node.version)))).toEqual([]);
    expect(
      findInAll(({ nodes }) => nodes.filter((node) => parse(node.version)?.version !== node.version)),
    ).toEqual([]);
  });

  it('edges lead to nodes', () => {
    expect(
      findInAll(({ nodes, edges }) => edges.filter((edge) => edge.some((index) => !nodes[index]))),
    ).toEqual([]);
    const dangling = findInAll((graph) => {
      const versions = new Set(graph.nodes.map((node) => node.version));
      return conditionalUpdates(graph).filter(({ from, to }) => !versions.has(from) || !versions.has(to));
    });
    expect(dangling).toEqual([]);
  });

  it('no update is there twice: neither in two groups nor plain and conditional', () => {
    const withRepeats = findInAll((graph) => {
      const updates = allUpdates(graph);
      const distinct = new Set(updates.map(({ from, to }) => `${from} ${to}`)).size;
      return distinct === updates.length ? [] : [updates.length - distinct];
    });
    expect(withRepeats).toEqual([]);
  });

  it('updates lead forward, so there is no cycle, and skip no minor', () => {
    const minorsCrossed = ({ from, to }: Update) =>
      MINORS.indexOf(minorOf(to)) - MINORS.indexOf(minorOf(from));
    expect(
      findInAll((graph) => allUpdates(graph).filter(({ from, to }) => compareVersions(from, to) >= 0)),
    ).toEqual([]);
    expect(findInAll((graph) => allUpdates(graph).filter((update) => minorsCrossed(update) > 1))).toEqual([]);
  });

  it('a sync has nothing to repair and nothing to withhold', () => {
    const faults = DEMO_CHANNELS.flatMap((channel): unknown[] => {
      const result = normalizeGraph(graphOf(channel, arch), { arch });
      return result.ok ? [...result.report, ...findViolations(result.graph)] : [result];
    });
    expect(faults).toEqual([]);
  });

  it('risks can be shown and evaluated', () => {
    const groups = DEMO_CHANNELS.flatMap((channel) => graphOf(channel, arch).conditionalEdges);
    expect(groups.filter(({ edges, risks }) => edges.length === 0 || risks.length === 0)).toEqual([]);
    expect(groups.flatMap(({ risks }) => repeated(risks.map((risk) => risk.name)))).toEqual([]);
    for (const { name, url, message, matchingRules } of new Set(groups.flatMap((group) => group.risks))) {
      expect(name).toMatch(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/);
      expect(url).toMatch(/^https:\/\/issues\.example\.com\/browse\/DEMO-\d+$/);
      expect(message).toMatch(/^[A-Z].+\.$/);
      const rules = matchingRules.map((rule) => (rule.type === 'PromQL' ? rule.promql.promql : rule.type));
      expect(rules).toEqual([expect.stringMatching(/^Always$|^group\(.+\)\nor\n0 \* group\(.+\)$/)]);
    }
  });

  it('nodes carry the digest, the errata and the channels that real ones carry', () => {
    const holders = new Map<string, string[]>();
    for (const channel of DEMO_CHANNELS) {
      for (const { version } of graphOf(channel, arch).nodes) {
        holders.set(version, [...(holders.get(version) ?? []), channel]);
      }
    }
    const nodes = new Set(DEMO_CHANNELS.flatMap((channel) => graphOf(channel, arch).nodes));
    for (const { version, payload, metadata } of nodes) {
      const digest = `sha256:${createHash('sha256').update(`demo ${version}${arch}`).digest('hex')}`;
      const errata = expect.stringMatching(/^https:\/\/access\.redhat\.com\/errata\/RHSA-202[3-6]:9\d{4}$/);
      expect(payload).toBe(`quay.io/openshift-release-dev/ocp-release@${digest}`);
      expect(metadata).toStrictEqual({
        'io.openshift.upgrades.graph.release.channels': holders.get(version)!.join(','),
        'io.openshift.upgrades.graph.release.manifestref': digest,
        ...(arch === 'multi' && { 'release.openshift.io/architecture': 'multi' }),
        ...(!isPrerelease(version) && { url: errata }),
      });
    }
  });

  it('tested channels hold no pre-release, and all in them reach the newest by at most 3 plain updates', () => {
    const tested = DEMO_CHANNELS.filter((channel) => !channel.startsWith('candidate-'));
    for (const channel of tested) {
      const graph = graphOf(channel, arch);
      expect(graph.nodes.filter((node) => isPrerelease(node.version))).toEqual([]);
      const hops = new Map([[graph.nodes.length - 1, 0]]);
      // Updates lead forward, so taking them from the last source to the first settles each node once.
      for (const [from, to] of graph.edges.toSorted((a, b) => b[0] - a[0])) {
        hops.set(from, Math.min(hops.get(from) ?? Infinity, (hops.get(to) ?? Infinity) + 1));
      }
      expect(hops.size).toBe(graph.nodes.length);
      expect(Math.max(...hops.values())).toBeLessThanOrEqual(3);
    }
  });
});

describe('the demo graph', () => {
  it('has the channels of the real service', () => {
    const expected = Array.from({ length: 11 }, (_, index) => 12 + index).flatMap((minor) => {
      const prefixes =
        minor % 2 === 0 ? ['candidate', 'eus', 'fast', 'stable'] : ['candidate', 'fast', 'stable'];
      return prefixes.map((prefix) => `${prefix}-4.${minor}`);
    });
    expect(DEMO_CHANNELS).toEqual([...expected, 'candidate-5.0']);
  });

  it.each(MINORS.slice(0, -1))('ships 20 to 60 releases of %s, about weekly', (minor) => {
    const stream = RELEASES.filter((release) => release.minor === minor && release.stage === 'ga');
    expect(stream[0]!.version).toBe(`${minor}.0`);
    expect(stream.length).toBeGreaterThanOrEqual(20);
    expect(stream.length).toBeLessThanOrEqual(60);
    const gaps = stream.slice(1).map((release, index) => release.day - stream[index]!.day);
    expect(Math.min(...gaps)).toBeGreaterThan(0);
    expect(gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)]).toBeLessThanOrEqual(10);
  });

  it('has nothing but engineering candidates of 5.0', () => {
    const expected = Array.from({ length: 7 }, (_, number) => `5.0.0-ec.${number}`);
    expect(versionsByMinor('candidate-5.0').get('5.0')).toEqual(expected);
  });

  it.each([
    ['stable-4.13', ['4.12', '4.13']],
    ['stable-4.14', ['4.12', '4.13', '4.14']],
    ['eus-4.18', ['4.16', '4.17', '4.18']],
    ['candidate-4.20', ['4.18', '4.19', '4.20']],
    ['fast-4.21', ['4.20', '4.21']],
    ['candidate-5.0', ['4.22', '5.0']],
  ])('%s holds the minors %j', (channel, expected) => {
    expect([...versionsByMinor(channel).keys()]).toEqual(expected);
  });

  it.each(MINORS.slice(1, -1))('stable-%s has 80 to 180 releases', (minor) => {
    const size = graphOf(`stable-${minor}`).nodes.length;
    expect(size).toBeGreaterThanOrEqual(80);
    expect(size).toBeLessThanOrEqual(180);
  });

  it.each(['4.12', '4.14', '4.16'])(
    'promotes late releases of %s to fast and eus, not to stable',
    (minor) => {
      expect(newest(`eus-${minor}`, minor)).toBe(newest(`fast-${minor}`, minor));
      expect(compare(newest(`eus-${minor}`, minor), newest(`stable-${minor}`, minor))).toBe(1);
    },
  );

  it('promotes a new release step by step', () => {
    const heads = ['stable', 'eus', 'fast', 'candidate'].map((prefix) => newest(`${prefix}-4.22`, '4.22'));
    expect(heads).toEqual([...new Set(heads)].toSorted(compare));
  });

  it.each([
    ['4.12', '4.13'],
    ['4.14', '4.15'],
    ['4.16', '4.17'],
    ['4.22', '5.0'],
  ])('leaves the newest %s in candidate-%s without an update', (previous, minor) => {
    const channel = `candidate-${minor}`;
    const head = newest(channel, previous);
    expect(allUpdates(graphOf(channel)).filter(({ from }) => from === head)).toEqual([]);
  });

  it.each(MINORS.slice(1, -1))('leads to %s.0 only over conditional updates', (minor) => {
    const graph = graphOf(`stable-${minor}`);
    const leadsThere = ({ to }: Update) => to === `${minor}.0`;
    expect(plainUpdates(graph).filter(leadsThere)).toEqual([]);
    expect(conditionalUpdates(graph).filter(leadsThere).length).toBeGreaterThan(0);
  });

  it('has dense updates inside a minor, and into the next one from a z that is new enough', () => {
    const updates = allUpdates(graphOf('stable-4.18'));
    const own = versionsByMinor('stable-4.18').get('4.18')!.length;
    const inside = updates.filter(({ from, to }) => minorOf(from) === '4.18' && minorOf(to) === '4.18');
    expect(inside).toHaveLength((own * (own - 1)) / 2);
    const entries = updates.filter(({ from, to }) => minorOf(from) === '4.17' && minorOf(to) === '4.18');
    expect(entries.length).toBeGreaterThan(500);
    expect(Math.min(...entries.map(({ from }) => parse(from)!.patch))).toBeGreaterThanOrEqual(4);
  });

  it('lets release candidates go on only at their own risk', () => {
    const graph = graphOf('candidate-4.18');
    const goesOn = ({ from, to }: Update) => isPrerelease(from) && !isPrerelease(to);
    expect(plainUpdates(graph).filter(goesOn)).toEqual([]);
    const risks = conditionalUpdates(graph)
      .filter(goesOn)
      .map((update) => update.risks);
    expect(risks.length).toBeGreaterThan(0);
    expect(risks.filter((names) => !names.includes('ReleaseCandidateOrigin'))).toEqual([]);
  });

  it('has 18 risks, 5 of which always apply; some come alone, some together', () => {
    const groups = DEMO_CHANNELS.flatMap((channel) => graphOf(channel).conditionalEdges);
    const risks = [...new Set(groups.flatMap((group) => group.risks))];
    expect(risks).toHaveLength(18);
    expect(repeated(risks.map((risk) => risk.name))).toEqual([]);
    expect(repeated(risks.map((risk) => risk.url))).toEqual([]);
    expect(risks.filter((risk) => risk.matchingRules[0]?.type === 'Always')).toHaveLength(5);
    expect(new Set(groups.map((group) => group.risks.length))).toEqual(new Set([1, 2, 3]));
  });

  it.each(['arm64', 'ppc64le', 's390x', 'multi'])(
    'has fewer releases on %s, none of them late in life',
    (arch) => {
      const all = versionsByMinor('candidate-4.16').get('4.16')!;
      const some = versionsByMinor('candidate-4.16', arch).get('4.16')!;
      expect(some.length).toBeLessThan(all.length);
      expect(some.filter((version) => !all.includes(version))).toEqual([]);
      expect(compare(some.at(-1)!, newest('eus-4.16', '4.16'))).toBe(-1);
    },
  );
});
