import type { ManifestFacts, ManifestReference } from '@cairn/shared/prune/images/registry/manifest';

type Line = readonly [
  digest: string,
  mediaType: string,
  subject: string | null,
  references: readonly Reference[],
  modified: number,
];
type Reference = readonly [digest: string, size: number, kind: ManifestReference['kind']];

/** When the blob of a digest was written, in ms; null when there is none. */
type Modified = (digest: string) => number | null;

/** What is known of manifests: each is read once for all runs, and again when its blob was written anew. */
export class ManifestCache {
  readonly #manifests = new Map<string, ManifestFacts>();

  /** Lines as `text` writes them; `modifiedOf` is of now. */
  static of(text: string, modifiedOf: Modified): ManifestCache {
    const cache = new ManifestCache();
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const [digest, mediaType, subject, references, modified] = JSON.parse(line) as Line;
      if (modified !== modifiedOf(digest)) continue;
      cache.set(digest, {
        mediaType,
        subject,
        references: references.map(([of, size, kind]) => ({ digest: of, size, kind })),
      });
    }
    return cache;
  }

  get(digest: string): ManifestFacts | undefined {
    return this.#manifests.get(digest);
  }

  set(digest: string, facts: ManifestFacts): void {
    this.#manifests.set(digest, facts);
  }

  /** Of those that are still there. */
  text(modifiedOf: Modified): string {
    const lines: string[] = [];
    for (const [digest, { mediaType, subject, references }] of this.#manifests) {
      const modified = modifiedOf(digest);
      if (modified === null) continue;
      const line: Line = [
        digest,
        mediaType,
        subject,
        references.map(({ digest: of, size, kind }): Reference => [of, size, kind]),
        modified,
      ];
      lines.push(`${JSON.stringify(line)}\n`);
    }
    return lines.join('');
  }
}
