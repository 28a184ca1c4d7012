/**
 * Whether a text matches a pattern in which `*` stands for any characters, slashes included, and `?` for any one;
 * nothing else is special: `matchesGlob('v4.*', 'v4.18.3')`. At worst it takes the product of both lengths.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let inPattern = 0;
  let inText = 0;
  let starAt = -1;
  let retryAt = 0;
  while (inText < text.length) {
    const wanted = pattern[inPattern];
    if (wanted === '*') {
      starAt = inPattern++;
      retryAt = inText;
    } else if (wanted !== undefined && (wanted === '?' || wanted === text[inText])) {
      inPattern++;
      inText++;
    } else if (starAt !== -1) {
      // The last star takes one character more; earlier stars need not be tried again.
      inPattern = starAt + 1;
      inText = ++retryAt;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}

/** Whether a pattern of protected tags names this one, by `tag` or by `repository:tag`. */
export function isProtectedTag(patterns: readonly string[], repository: string, tag: string): boolean {
  return patterns.some((pattern) =>
    // A tag has no colon, so that a pattern with one is about a repository too.
    matchesGlob(pattern, pattern.includes(':') ? `${repository}:${tag}` : tag),
  );
}

export function isProtectedRepository(patterns: readonly string[], repository: string): boolean {
  return patterns.some((pattern) => matchesGlob(pattern, repository));
}
