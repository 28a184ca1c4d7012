import type { ManifestFacts, ManifestReference } from '@cairn/shared/prune/images/manifest';

type Line = readonly [
  digest: string,
  mediaType: string,
  subject: string | null,
  references: readonly Reference[],
];
type Reference = readonly [digest: string, size: number, kind: ManifestReference['kind']];

/** What is known of manifests: a digest never stands for another one, so each is read once for all runs. */
export class ManifestCache {
  readonly #manifests = new Map<string, ManifestFacts>();

  /** Lines as `text` writes them. */
  static of(text: string): ManifestCache {
    const cache = new ManifestCache();
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const [digest, mediaType, subject, references] = JSON.parse(line) as Line;
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
  text(isThere: (digest: string) => boolean): string {
    const lines: string[] = [];
    for (const [digest, { mediaType, subject, references }] of this.#manifests) {
      if (!isThere(digest)) continue;
      const line: Line = [
        digest,
        mediaType,
        subject,
        references.map(({ digest: of, size, kind }): Reference => [of, size, kind]),
      ];
      lines.push(`${JSON.stringify(line)}\n`);
    }
    return lines.join('');
  }
}
