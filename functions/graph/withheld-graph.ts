import { gzipSync } from 'node:zlib';
import { type ServedGraph, withoutUpdatesTo } from '@cairn/shared/graph/served-graph';
import { excludedTest } from '@cairn/shared/releases/static-releases';
import { mustParseVersion } from '@cairn/shared/version/release-version';
import type { PublishedConfiguration } from '../releases/configuration.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { type CachedPublication, perRevision } from '../store/publication-cache.ts';

/** Built once per graph and configuration. */
const withheldBy = perRevision(({ value }: CachedPublication<PublishedConfiguration>) => {
  const isExcluded = excludedTest(value.excluded?.versions ?? []);
  return perRevision((document: CachedPublication<ServedGraph>) =>
    withhold(document, (version) => isExcluded(mustParseVersion(version))),
  );
});

/** The graph without updates to excluded versions; the document itself if there are none. */
export function withheldGraph(
  document: CachedPublication<ServedGraph>,
  configuration: CachedPublication<PublishedConfiguration>,
): CachedPublication<ServedGraph> {
  return withheldBy(configuration)(document);
}

function withhold(
  document: CachedPublication<ServedGraph>,
  isExcluded: (version: string) => boolean,
): CachedPublication<ServedGraph> {
  const value = withoutUpdatesTo(document.value, isExcluded);
  if (value === document.value) return document;
  const text = JSON.stringify(value);
  return { head: { ...document.head, etag: sha256Hex(text) }, body: gzipSync(text), value };
}
