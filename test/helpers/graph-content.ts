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
 * What a Cincinnati answer says, without order: its nodes, plain and conditional updates as sorted lines. Where an
 * update comes both ways it is conditional. Two answers that say the same give the same text.
 */
export function graphContent(text: string): string {
  const { nodes, edges, conditionalEdges = [] } = JSON.parse(text) as Answer;
  const conditional = new Map<string, string[]>();
  for (const group of conditionalEdges) {
    const risks = group.risks.map(riskLine);
    for (const { from, to } of group.edges) {
      const pair = `${from} → ${to}`;
      conditional.set(pair, [...(conditional.get(pair) ?? []), ...risks]);
    }
  }
  const plain = edges
    .map(([from, to]) => `${nodes[from]!.version} → ${nodes[to]!.version}`)
    .filter((pair) => !conditional.has(pair));
  return [
    ...nodes.map(nodeLine).toSorted(),
    ...plain.toSorted(),
    ...[...conditional].map(([pair, risks]) => `${pair} ${risks.toSorted().join(' ')}`).toSorted(),
  ].join('\n');
}

function nodeLine({ version, payload, metadata }: Answer['nodes'][number]): string {
  const kept = Object.entries(metadata)
    // How the upstream builder takes edges away is not for clients.
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
