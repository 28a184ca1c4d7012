/** A sentence of the service, which begins in lower case and has no period. Names and versions stay as they are. */
export function sentence(text: string): string {
  const begun = /^[a-z]+[ ,']/.test(text) ? text[0]!.toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** `sha256:20b5c12f3ca2…fb9136`: enough to compare by eye. */
export function shortDigest(digest: string): string {
  return digest.length > 30 ? `${digest.slice(0, 19)}…${digest.slice(-6)}` : digest;
}
