import { createHash } from 'node:crypto';
import { digestOf } from '../registry/test-registry.ts';
import type { StubSource } from '../upstream/cincinnati-stub.ts';

const numbered = (minor: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, patch) => `${minor}.${from + patch}`);

/** Two channels that are retired later, and six that the dump follows. */
const CHANNELS: Readonly<Record<string, (day: number) => readonly string[]>> = {
  'stable-4.12/amd64': () => numbered('4.12', 1, 3),
  'stable-4.13/amd64': () => numbered('4.13', 1, 4),
  'stable-4.14/amd64': (day) => numbered('4.14', 1, day < 16 ? 12 : day < 18 ? 13 : 14),
  'stable-4.15/amd64': (day) => [
    ...numbered('4.14', 8, 12),
    // One release is withdrawn by day 16, another one is missing from day 15 on.
    ...numbered('4.15', 1, 12 + Number(day >= 15) + Number(day >= 16))
      .filter((version) => day < 10 || version !== '4.15.5')
      .filter((version) => day < 15 || version !== '4.15.4'),
  ],
  'stable-4.16/amd64': (day) => [...numbered('4.15', 8, 12), ...numbered('4.16', 1, day < 17 ? 6 : 7)],
  'eus-4.16/amd64': () => [
    ...numbered('4.14', 10, 12),
    ...numbered('4.15', 10, 12),
    ...numbered('4.16', 2, 6),
  ],
  // From day 16 on it loses too much and is held for review.
  'fast-4.16/amd64': (day) => numbered('4.16', 1, day < 16 ? 30 : 9),
  'stable-4.16/multi': (day) => numbered('4.16', 1, day < 17 ? 4 : 5),
};

/** Conditional updates of a channel: from each of its releases to this one. */
const RISKS: Readonly<Record<string, readonly string[]>> = {
  '4.14.9': ['SlowDrain'],
  '4.15.6': ['BrokenVolumes', 'SlowDrain'],
  '4.15.12': ['NewRisk'],
  '4.16.4': ['BrokenVolumes'],
};

export function upstreamOn(day: number): StubSource {
  return (channel, arch) => {
    if (day === 16 && arch === 'multi') return { status: 500, body: 'out of order' };
    const versions = CHANNELS[`${channel}/${arch}`]?.(day);
    return versions ? graphOf(versions, channel, arch) : null;
  };
}

/** The `releases.json` of a day. It lacks 4.12 from day 1 on, and 4.13 on days 5 and 6 and from day 10 on. */
export function releasesOn(day: number): unknown {
  const dropped = [...(day < 1 ? [] : ['4.12']), ...([5, 6].includes(day) || day >= 10 ? ['4.13'] : [])];
  const pairs = Object.keys(CHANNELS).map((pair) => {
    const [, prefix = '', minor = '', arch = ''] = /^(\w+)-([\d.]+)\/(\w+)$/.exec(pair)!;
    return { prefix, minor, cpu: arch === 'amd64' ? 'x86_64' : arch };
  });
  const followed = pairs.filter(({ minor }) => !dropped.includes(minor));
  return {
    release_sources: [...Map.groupBy(followed, ({ minor }) => minor)].map(([minor, ofMinor]) => ({
      openshift_version: minor,
      upgrade_channels: [...Map.groupBy(ofMinor, ({ cpu }) => cpu)].map(([cpu, same]) => ({
        cpu_architecture: cpu,
        channels: same.map(({ prefix }) => prefix),
      })),
    })),
    release_images: [
      {
        openshift_version: '4.14',
        cpu_architecture: 'x86_64',
        url: 'registry.example.com/ocp/release:4.14.99-x86_64',
        version: '4.14.99',
      },
    ],
    // Releases exclude versions in different places; from day 17 on two of them are compared.
    ignored_openshift_versions: day < 17 ? ['4.15.3'] : [],
    support_levels: { '4.14': 'maintenance' },
  };
}

function graphOf(versions: readonly string[], channel: string, arch: string): unknown {
  const edges: [number, number][] = [];
  const conditionalEdges: unknown[] = [];
  for (const [to, version] of versions.entries()) {
    const risks = RISKS[version];
    const froms = Array.from({ length: to }, (_, from) => from);
    if (risks === undefined) edges.push(...froms.map((from): [number, number] => [from, to]));
    else if (to > 0) {
      conditionalEdges.push({
        edges: froms.map((from) => ({ from: versions[from], to: version })),
        risks: risks.map(riskOf),
      });
    }
  }
  // Upstream has faults: a repeated update, and another image for a known version.
  if (channel === 'eus-4.16') edges.push([0, 1]);
  const imageOf = (version: string) =>
    digestOf(version + arch + (channel === 'fast-4.16' && version === '4.16.1' ? ' again' : ''));
  const nodes = versions.map((version) => ({
    version,
    payload: `quay.io/openshift-release-dev/ocp-release@${imageOf(version)}`,
    metadata: {
      url: `https://access.redhat.com/errata/RHBA-2026:${createHash('md5').update(version).digest('hex').slice(0, 4)}`,
      'io.openshift.upgrades.graph.release.channels': channel,
      ...(arch === 'multi' && { 'release.openshift.io/architecture': 'multi' }),
    },
  }));
  return { version: 1, nodes, edges, conditionalEdges };
}

function riskOf(name: string) {
  return {
    url: `https://issues.redhat.com/browse/${name}`,
    name,
    message: `${name} may happen.`,
    matchingRules:
      name === 'SlowDrain'
        ? [{ type: 'Always' }]
        : [{ type: 'PromQL', promql: { promql: `cluster_infrastructure_provider{type="${name}"}` } }],
  };
}
