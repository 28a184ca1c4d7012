export type MatchingRule =
  | { readonly type: 'Always' }
  | { readonly type: 'PromQL'; readonly promql: { readonly promql: string } };

/** Why an update may be wrong for some clusters. A cluster tries the rules in order; the first it can evaluate decides. */
export interface Risk {
  readonly url: string;
  readonly name: string;
  readonly message: string;
  readonly matchingRules: readonly MatchingRule[];
}

/** The risk as canonical JSON, keys sorted. Equal texts are equal risks. */
export function riskText(risk: Risk): string {
  const rules = risk.matchingRules.map((rule) =>
    rule.type === 'Always'
      ? '{"type":"Always"}'
      : `{"promql":{"promql":${JSON.stringify(rule.promql.promql)}},"type":"PromQL"}`,
  );
  return (
    `{"matchingRules":[${rules.join(',')}],"message":${JSON.stringify(risk.message)},` +
    `"name":${JSON.stringify(risk.name)},"url":${JSON.stringify(risk.url)}}`
  );
}

/**
 * Canonical order: by name, then the one that always applies, then by text. Always comes first because where two risks
 * claim one name the first is kept, and that has to be the stricter.
 */
export function compareRisks(a: Risk, b: Risk): number {
  if (a === b) return 0;
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  const [always, otherAlways] = [a, b].map((risk) => risk.matchingRules[0]?.type === 'Always');
  if (always !== otherAlways) return always ? -1 : 1;
  const [text, otherText] = [riskText(a), riskText(b)];
  return text < otherText ? -1 : text > otherText ? 1 : 0;
}
