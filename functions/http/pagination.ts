import { Problem } from './problem.ts';

const DEFAULT_LIMIT = 100;

export function limitOf({ limit }: { readonly limit?: string | undefined }): number {
  return limit === undefined ? DEFAULT_LIMIT : Number(limit);
}

/** Position in a list, opaque to clients. */
export function encodeCursor(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Rejects cursors that `check` does not recognize. */
export function decodeCursor<T>(cursor: string, check: (parts: readonly string[]) => T | null): T {
  const parts = partsOf(cursor);
  const place = parts && check(parts);
  if (place !== null) return place;
  const detail = 'the nextCursor of the page before is accepted';
  throw new Problem('invalid-parameter', `cursor=${JSON.stringify(cursor)}: ${detail}`, {
    errors: [{ parameter: 'cursor', value: cursor, detail }],
  });
}

function partsOf(cursor: string): string[] | null {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown;
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string') ? parts : null;
  } catch {
    return null;
  }
}

/** For answers without a field for the cursor. */
export function nextLink(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  cursor: string,
): string {
  const sent = Object.entries({ ...query, cursor }).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  const parameters = new URLSearchParams(sent);
  return `<${path}?${parameters.toString()}>; rel="next"`;
}
