import type { StubSource } from './cincinnati-stub.ts';

export const LARGE_CHANNEL = 'stable-4.17';
export const LARGE_MINORS: readonly string[] = [10, 11, 12, 13, 14, 15, 16, 17].map((minor) => `4.${minor}`);
const PATCHES = 75;
/** Maximum patches ahead of an update, within its minor and into the next. */
const AHEAD = 13;
const ACROSS = 6;

/** 600 releases and about 10,000 updates, a fifth of them conditional: three times the size of current channels. */
export const largeSource: StubSource = (channel, arch) =>
  channel === LARGE_CHANNEL && arch === 'amd64' ? largeAnswer() : null;

function largeAnswer() {
  const versions = LARGE_MINORS.flatMap((minor) =>
    Array.from({ length: PATCHES }, (_, patch) => `${minor}.${patch}`),
  );
  const edges: [number, number][] = [];
  const conditional = new Map<string, { from: string; to: string }[]>();
  const pairsOf = (name: string): { from: string; to: string }[] => {
    const pairs = conditional.get(name) ?? [];
    conditional.set(name, pairs);
    return pairs;
  };
  const lead = (from: number, to: number): void => {
    const patch = to % PATCHES;
    if (patch % 5 !== 3) edges.push([from, to]);
    else pairsOf(`Risk${patch}`).push({ from: versions[from]!, to: versions[to]! });
  };
  for (const [from] of versions.entries()) {
    const patch = from % PATCHES;
    for (let by = 1; by <= AHEAD && patch + by < PATCHES; by++) lead(from, from + by);
    const next = from + PATCHES;
    for (let by = 0; by < ACROSS && patch + by < PATCHES && next < versions.length; by++)
      lead(from, next + by);
  }
  return {
    version: 1,
    nodes: versions.map((version, place) => ({
      version,
      payload: `quay.io/openshift-release-dev/ocp-release@sha256:${place.toString(16).padStart(64, '0')}`,
      metadata: {
        'io.openshift.upgrades.graph.release.channels': LARGE_CHANNEL,
        url: `https://access.redhat.com/errata/RHBA-2026:${1000 + place}`,
      },
    })),
    edges,
    conditionalEdges: [...conditional].map(([name, pairs]) => ({
      edges: pairs,
      risks: [
        {
          name,
          url: `https://example.com/${name}`,
          message: `Clusters with slow disks may wait longer than usual (${name}).`,
          matchingRules: [{ type: 'PromQL', promql: { promql: `group(slow_disk{risk="${name}"})` } }],
        },
      ],
    })),
  };
}
