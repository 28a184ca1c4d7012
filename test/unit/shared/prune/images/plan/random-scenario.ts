import {
  layerLinkKey,
  parseStorageKey,
  revisionLinkKey,
} from '@cairn/shared/prune/images/registry/storage-layout';
import fc from 'fast-check';
import { NOW, OLD, ROOT, Scenario } from '../../../../../helpers/prune/scenario.ts';

const REPOSITORIES = ['a', 'a-b', 'a/b'];
const TAGS = ['v1', 'v1.1', 'latest'];
const LAYERS = 6;
const IMAGES = 5;
const INDEXES = 3;

interface Draw {
  /** The layers of each image, as bits. */
  readonly images: readonly number[];
  /** The manifests of each index, images and earlier indexes, as bits. */
  readonly indexes: readonly number[];
  readonly repositories: readonly {
    readonly manifests: number;
    /** Linked whether its manifests have them or not. */
    readonly extraLayers: number;
    /** What each tag was pointed at, one after the other. */
    readonly tags: readonly (readonly number[])[];
  }[];
  readonly orphans: number;
}

const bits = (count: number) => fc.nat({ max: 2 ** count - 1 });

const draws: fc.Arbitrary<Draw> = fc.record({
  images: fc.array(bits(LAYERS), { minLength: IMAGES, maxLength: IMAGES }),
  indexes: fc.array(bits(IMAGES + INDEXES), { minLength: INDEXES, maxLength: INDEXES }),
  repositories: fc.array(
    fc.record({
      manifests: bits(IMAGES + INDEXES),
      extraLayers: bits(LAYERS),
      tags: fc.array(fc.array(fc.nat({ max: IMAGES + INDEXES - 1 }), { maxLength: 3 }), {
        maxLength: TAGS.length,
      }),
    }),
    { minLength: 1, maxLength: REPOSITORIES.length },
  ),
  orphans: bits(3),
});

/** Small registries in which a tag points at a manifest of its repository; an index may miss its children. */
export const scenarios: fc.Arbitrary<Scenario> = draws.map(buildScenario);

/** As `scenarios`, with some keys that are young. */
export const scenariosOfAllAges: fc.Arbitrary<Scenario> = fc
  .tuple(scenarios, fc.infiniteStream(fc.nat({ max: 9 })))
  .map(([scenario, ages]) => {
    for (const [key, { size }] of scenario.keys) {
      scenario.keys.set(key, { size, modified: ages.next().value === 0 ? NOW : OLD });
    }
    return scenario;
  });

function manifestName(number: number): string {
  return number < IMAGES ? `m${number}` : `i${number - IMAGES}`;
}

function buildScenario(draw: Draw): Scenario {
  const scenario = new Scenario();
  for (const [rank, { manifests, extraLayers, tags }] of draw.repositories.entries()) {
    const repository = REPOSITORIES[rank]!;
    const has = (number: number) => isSet(manifests, number);
    for (let number = 0; number < IMAGES; number++) {
      if (has(number)) scenario.image(repository, manifestName(number), layersOf(draw.images[number]!));
    }
    for (let number = 0; number < INDEXES; number++) {
      // Only earlier indexes: no digest is made of itself.
      const children = Array.from({ length: IMAGES + number }, (_, child) => child).filter((child) =>
        isSet(draw.indexes[number]!, child),
      );
      if (has(IMAGES + number)) scenario.index(repository, `i${number}`, children.map(manifestName));
    }
    for (const layer of layersOf(extraLayers)) scenario.layer(repository, layer);
    for (const [at, history] of tags.entries()) {
      const pushed = history.filter(has);
      for (const [age, number] of pushed.entries()) {
        scenario.tag(repository, TAGS[at]!, manifestName(number), OLD + age);
      }
    }
  }
  for (const layer of layersOf(draw.orphans)) scenario.blob(`o${layer}`);
  return scenario;
}

function layersOf(set: number): string[] {
  return Array.from({ length: LAYERS }, (_, layer) => layer)
    .filter((layer) => isSet(set, layer))
    .map((layer) => `l${layer}`);
}

function isSet(set: number, bit: number): boolean {
  return (set & (1 << bit)) !== 0;
}

/** What is missing for pulling a manifest from a repository, to any depth; children that were never there excepted. */
export function missingFor(
  scenario: Scenario,
  repository: string,
  target: string,
  before: Scenario,
): string[] {
  const key = revisionLinkKey(ROOT, repository, target);
  const missing = scenario.has(key) ? [] : [key];
  const facts = scenario.manifests.get(target);
  if (facts === undefined || 'unreadable' in facts) return missing;
  for (const reference of facts.references) {
    if (reference.kind === 'manifest') {
      if (before.has(revisionLinkKey(ROOT, repository, reference.digest))) {
        missing.push(...missingFor(scenario, repository, reference.digest, before));
      }
      continue;
    }
    const link = layerLinkKey(ROOT, repository, reference.digest);
    if (before.has(link) && !scenario.has(link)) missing.push(link);
  }
  return missing;
}

/** Links whose blob is gone, and tags and indexes whose manifests are, though they were there before. */
export function danglingIn(scenario: Scenario, before: Scenario): string[] {
  const dangling: string[] = [];
  const hasLost = (key: string) => before.has(key) && !scenario.has(key);
  for (const key of scenario.keys.keys()) {
    const parsed = parseStorageKey(ROOT, key);
    const target =
      'digest' in parsed
        ? parsed.digest
        : parsed.kind === 'tag-current'
          ? scenario.tags.get(`${parsed.repository}:${parsed.tag}`)!
          : null;
    if (target === null || parsed.kind === 'blob' || !('repository' in parsed)) continue;
    const hex = target.slice('sha256:'.length);
    const blob = `${ROOT}blobs/sha256/${hex.slice(0, 2)}/${hex}/data`;
    if (hasLost(blob)) dangling.push(`${key} -> blob`);
    const isTag = parsed.kind === 'tag-current' || parsed.kind === 'tag-index';
    if (isTag && hasLost(revisionLinkKey(ROOT, parsed.repository, target)))
      dangling.push(`${key} -> revision`);
    const facts = scenario.manifests.get(target);
    if (parsed.kind !== 'revision-link' || facts === undefined || 'unreadable' in facts) continue;
    for (const reference of facts.references) {
      const link = (reference.kind === 'manifest' ? revisionLinkKey : layerLinkKey)(
        ROOT,
        parsed.repository,
        reference.digest,
      );
      if (hasLost(link)) dangling.push(`${key} -> ${link}`);
    }
  }
  return dangling;
}
