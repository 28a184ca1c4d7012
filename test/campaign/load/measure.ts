/** In milliseconds on the clock. */
export function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

/** The most memory that this process ever had, in megabytes. */
export function mostMemory(): number {
  return process.resourceUsage().maxRSS / 1000;
}

/** An answer of an update service with so many releases and so many updates between them, always the same. */
export function answerOf(
  nodes: number,
  edges: number,
): { readonly text: string; readonly versions: readonly string[] } {
  const perMinor = Math.ceil(nodes / 20);
  const versions = Array.from(
    { length: nodes },
    (_, place) => `4.${1 + Math.floor(place / perMinor)}.${place % perMinor}`,
  );
  // From near to far, so that the way from the first to the last has many hops. Joined row by row: half a million texts
  // would be most of the memory that is measured.
  const rows: string[] = [];
  for (let by = 1, left = edges; left > 0 && by < nodes; by++) {
    const length = Math.min(left, nodes - by);
    rows.push(Array.from({ length }, (_, from) => `[${from},${from + by}]`).join(','));
    left -= length;
  }
  const releases = versions.map((version, place) => ({
    version,
    payload: `quay.io/openshift-release-dev/ocp-release@sha256:${place.toString(16).padStart(64, '0')}`,
    metadata: { url: `https://access.redhat.com/errata/RHBA-2026:${place}` },
  }));
  const text = `{"version":1,"nodes":${JSON.stringify(releases)},"edges":[${rows.join(',')}],"conditionalEdges":[]}`;
  return { text, versions };
}
