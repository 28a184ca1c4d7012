/** One part of a registry's storage that is listed by itself. */
export interface ListingPart {
  readonly name: string;
  readonly prefix: string;
  /** Keys up to and including this one belong to other parts. */
  readonly after: string | null;
  /** Keys from this one on belong to other parts. */
  readonly until: string | null;
}

const whole = { after: null, until: null };

export function repositoriesPart(root: string): ListingPart {
  return { name: 'repositories', prefix: `${root}repositories/`, ...whole };
}

/** All blobs; where they are many, `blobParts` in its place. */
export function allBlobsPart(root: string): ListingPart {
  return { name: 'blobs', prefix: `${root}blobs/`, ...whole };
}

/**
 * Parts that together are all blobs, so that several can be listed at once: those of SHA-256 by their first two digits, and
 * those of other algorithms, which sort before and after.
 */
export function blobParts(root: string): readonly ListingPart[] {
  const blobs = `${root}blobs/`;
  const sha256 = `${blobs}sha256/`;
  const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
  return [
    ...bytes.map((byte) => ({ name: byte, prefix: `${sha256}${byte}/`, ...whole })),
    { name: 'before', prefix: blobs, after: null, until: sha256 },
    // No digit sorts after a tilde.
    { name: 'after', prefix: blobs, after: `${sha256}~`, until: null },
  ];
}
