/** The subset of a policy document that the templates use. */
export interface PolicyDocument {
  readonly Statement: readonly PolicyStatement[];
}

export interface PolicyStatement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: unknown;
}

/** IAM evaluation: an explicit deny wins, and the default is deny. */
export function isAllowed(policies: readonly PolicyDocument[], action: string, resource: string): boolean {
  const statements = policies.flatMap(({ Statement }) => Statement);
  const applying = statements.filter((statement) => {
    if (statement.Condition !== undefined) {
      throw new Error(`conditions are not understood here: ${JSON.stringify(statement.Condition)}`);
    }
    // Action names are case-insensitive, resource names are not.
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

/** `*` matches any text including slashes and colons, `?` one character. */
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
