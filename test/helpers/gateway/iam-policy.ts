/** A policy document, as far as ours go. */
export interface PolicyDocument {
  readonly Statement: readonly PolicyStatement[];
}

export interface PolicyStatement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: unknown;
}

/** As IAM decides: what is denied is denied, what nobody allows is not allowed. */
export function isAllowed(policies: readonly PolicyDocument[], action: string, resource: string): boolean {
  const statements = policies.flatMap(({ Statement }) => Statement);
  const applying = statements.filter((statement) => {
    if (statement.Condition !== undefined) {
      throw new Error(`conditions are not understood here: ${JSON.stringify(statement.Condition)}`);
    }
    // Names of actions have no case, those of resources do.
    const actions = [statement.Action].flat().map((pattern) => pattern.toLowerCase());
    return (
      actions.some((pattern) => matchesWildcard(pattern, action.toLowerCase())) &&
      [statement.Resource].flat().some((pattern) => matchesWildcard(pattern, resource))
    );
  });
  return (
    applying.some(({ Effect }) => Effect === 'Allow') && !applying.some(({ Effect }) => Effect === 'Deny')
  );
}

/** `*` is any text, slashes and colons included; `?` is one character. */
export function matchesWildcard(pattern: string, text: string): boolean {
  let [at, inText, star, afterStar] = [0, 0, -1, 0];
  while (inText < text.length) {
    if (pattern[at] === '*') [star, afterStar] = [at++, inText];
    else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[inText])) {
      at++;
      inText++;
    } else if (star === -1) return false;
    else [at, inText] = [star + 1, ++afterStar];
  }
  return /^\**$/.test(pattern.slice(at));
}
