interface Answer {
  readonly nodes: readonly { version: string; payload: string; metadata: Readonly<Record<string, string>> }[];
  readonly edges: readonly (readonly [number, number])[];
  readonly conditionalEdges?: readonly {
    readonly edges: readonly { from: string; to: string }[];
    readonly risks: readonly Risk[];
  }[];
}

interface Risk {
  readonly name: string;
  readonly message: string;
  readonly url: string;
  readonly matchingRules: readonly { type: string; promql?: { promql: string } }[];
}

/**
 * Order-independent text of a Cincinnati response: nodes, recommended and conditional updates as sorted lines. An
 * update in both forms is conditional. Equal responses give equal texts.
 */
export function graphContent(text: string): string {
  const { nodes, edges, conditionalEdges = [] } = JSON.parse(text) as Answer;
  // Risks by list position: their texts are long, and sorting them with every update takes seconds.
  const groups = conditionalEdges.map(({ edges: updates, risks }) => ({
    updates,
    risks: risks.map(riskLine),
  }));
  const riskLines = [...new Set(groups.flatMap(({ risks }) => risks))].toSorted();
  const places = new Map(riskLines.map((line, place) => [line, place]));
  const conditional = new Map<string, number[]>();
  for (const { updates, risks } of groups) {
    const named = risks.map((line) => places.get(line)!);
    for (const { from, to } of updates) {
      const pair = `${from} → ${to}`;
      conditional.set(pair, [...(conditional.get(pair) ?? []), ...named]);
    }
  }
  const plain = edges
    .map(([from, to]) => `${nodes[from]!.version} → ${nodes[to]!.version}`)
    .filter((pair) => !conditional.has(pair));
  return [
    ...nodes.map(nodeLine).toSorted(),
    ...plain.toSorted(),
    ...riskLines,
    ...[...conditional]
      .map(([pair, risks]) => `${pair} ${risks.toSorted((a, b) => a - b).join(' ')}`)
      .toSorted(),
  ].join('\n');
}

function nodeLine({ version, payload, metadata }: Answer['nodes'][number]): string {
  const kept = Object.entries(metadata)
    // Internal metadata of the upstream builder.
    .filter(([key]) => !key.startsWith('io.openshift.upgrades.graph.previous.remove'))
    .map(([key, value]) => `${key}=${value.trim()}`);
  return [version, payload, ...kept.toSorted()].join(' ');
}

function riskLine({ name, message, url, matchingRules }: Risk): string {
  return JSON.stringify([
    name,
    message,
    url,
    matchingRules.map(({ type, promql }) => [type, promql?.promql]),
  ]);
}
