/** Documents one after the other, a line each. */
export function textOf(documents: readonly unknown[]): string {
  return documents.map((document) => `${JSON.stringify(document)}\n`).join('');
}
