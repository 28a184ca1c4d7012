import { matchesEntityTag } from './negotiation.ts';
import { Problem } from './problem.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/** Throws unless If-Match and If-None-Match allow to change what has this entity tag; null when nothing is there. */
export function checkPreconditions(headers: Headers, etag: string | null): void {
  const ifMatch = headers['if-match'];
  const current = etag === null ? 'nothing is there' : `it is ${etag} now`;
  if (ifMatch !== undefined && !isNamed(ifMatch, etag)) {
    throw new Problem(
      'precondition-failed',
      `if-match asks for ${JSON.stringify(ifMatch.slice(0, 100))}, ${current}`,
    );
  }
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined && etag !== null && matchesEntityTag(ifNoneMatch, [etag])) {
    throw new Problem('precondition-failed', `if-none-match asks that nothing is there, ${current}`);
  }
}

/** A weak tag says that something is much the same, which is not enough to change it. */
function isNamed(ifMatch: string, etag: string | null): boolean {
  if (etag === null) return false;
  return ifMatch.trim() === '*' || ifMatch.split(',').some((tag) => tag.trim() === etag);
}
