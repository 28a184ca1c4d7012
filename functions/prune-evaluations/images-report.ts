import {
  type GoingImage,
  type GoingItem,
  keptCounts,
} from '@cairn/shared/prune/images/cluster/cluster-images';
import { shortDigest } from '@cairn/shared/prune/images/registry/storage-layout';
import type { KeptFor } from '@cairn/shared/prune/images/values';
import { asShell } from '@cairn/shared/text/as-text';
import { type Block, lines, listing } from '@cairn/shared/text/blocks';
import { durationText } from '@cairn/shared/text/duration';
import { countInWords, joinInWords } from '@cairn/shared/text/words';
import { type ImageEvaluation, type ImagePolicy, imagePolicyView } from './images.ts';

/** Per list; `…Total` has the full number. */
const MOST_LISTED = 1000;
/** Rows per list in the text. JSON has more. */
const MOST_ROWS = 100;
/** Reasons that mean use, or possible use. */
const IN_USE: ReadonlySet<KeptFor> = new Set(['tag in use', 'image in use', 'invalid reference']);

export function imageVerdictView(evaluation: ImageEvaluation, policy: ImagePolicy) {
  const { reading, verdict, blockers, commands } = evaluation;
  const { inUse, kinds, otherKinds, missing, unread, unreadTotal, images, input } = reading;
  const { items = [], keptItems = [], emptiedTags = [], images: going = [] } = verdict ?? {};
  const { links = [], blobs = [] } = verdict ?? {};
  const inUseObjects = protectedObjects(evaluation);
  return {
    policy: imagePolicyView(policy),
    blockers,
    examined: {
      imageStreams: inUse.streams?.size ?? 0,
      tagItems: items.length + keptItems.length,
      images: images?.size ?? 0,
    },
    tagItemsTotal: items.length,
    tagItems: items.slice(0, MOST_LISTED).map((item) => itemView(item, policy)),
    emptiedTagsTotal: emptiedTags.length,
    emptiedTags: emptiedTags.slice(0, MOST_LISTED).map(({ repository, tag }) => `${repository}:${tag}`),
    imagesTotal: going.length,
    images: going.slice(0, MOST_LISTED).map((image) => imageView(image, policy)),
    manifestLinksTotal: sum(links.map(({ manifests }) => manifests.length)),
    layerLinksTotal: sum(links.map(({ layers }) => layers.length)),
    links: listedLinks(links),
    blobsTotal: blobs.length,
    protectedTotal: inUseObjects.length,
    protected: inUseObjects.slice(0, MOST_LISTED),
    kept: (verdict === null ? [] : keptCounts(verdict)).toSorted(
      (a, b) => b.tagItems + b.images - a.tagItems - a.images,
    ),
    inUse: {
      complete: inUse.complete,
      missing,
      kinds,
      otherKinds,
      images: inUse.usedImages.size,
      tags: inUse.usedTags.size,
      digests: inUse.usedDigests.size,
      protectedRepositories: [...inUse.protectedRepositories].slice(0, MOST_LISTED),
    },
    invalidReferencesTotal: unreadTotal,
    invalidReferences: unread,
    inCommands: { tagItems: commands.tagItemsInCommands, images: commands.imagesInCommands },
    commands: [...commands.streams, ...commands.images].map(({ command }) => command),
    input,
  };
}

type View = ReturnType<typeof imageVerdictView>;
type Links = NonNullable<ImageEvaluation['verdict']>['links'];

/** Limits the links over all repositories. */
function listedLinks(links: Links): Links {
  const listed: Links[number][] = [];
  let room = MOST_LISTED;
  for (const { repository, manifests, layers } of links) {
    if (room === 0) break;
    const some = { repository, manifests: manifests.slice(0, room), layers: [] as readonly string[] };
    room -= some.manifests.length;
    some.layers = layers.slice(0, room);
    room -= some.layers.length;
    listed.push(some);
  }
  return listed;
}

function itemView({ repository, tag, revision, digest, created, reason }: GoingItem, policy: ImagePolicy) {
  return { repository, tag, revision, digest, ...timeView(created, policy), reason };
}

function imageView({ digest, created, isManaged, reason }: GoingImage, policy: ImagePolicy) {
  return { digest, ...timeView(created, policy), pushed: isManaged, reason };
}

function timeView(created: number | null, { now }: ImagePolicy) {
  return {
    createdAt: created === null ? null : new Date(created).toISOString(),
    age: created === null ? null : durationText(now - created, 2),
  };
}

function protectedObjects({ verdict }: ImageEvaluation) {
  const items = (verdict?.keptItems ?? [])
    .filter((item) => IN_USE.has(item.for))
    .map(({ repository, tag, digest, reason }) => ({ object: `${repository}:${tag}`, digest, reason }));
  const images = (verdict?.keptImages ?? [])
    .filter((image) => IN_USE.has(image.for))
    .map(({ digest, reason }) => ({ object: 'Image', digest, reason }));
  return [...items, ...images];
}

/** Renders a shell script with the commands. */
export function imageVerdictAsText(evaluation: ImageEvaluation, policy: ImagePolicy): string {
  const { blockers, commands } = evaluation;
  const view = imageVerdictView(evaluation, policy);
  return asShell([
    lines(policyInWords(policy), ...outcomeInWords(evaluation, view)),
    ...listing(
      'No commands:',
      blockers.length,
      blockers.map(({ message }) => message),
    ),
    ...objectTables(view),
    ...commandBlocks(commands, view),
  ]);
}

function objectTables(view: View): Block[] {
  return [
    ...listing('Revisions of tags that would go:', view.tagItemsTotal, {
      header: ['TAG', 'REVISION', 'IMAGE', 'AGE', 'REASON'],
      rows: view.tagItems
        .slice(0, MOST_ROWS)
        .map(({ repository, tag, revision, digest, age, reason }) => [
          `${repository}:${tag}`,
          String(revision + 1),
          shortDigest(digest),
          age ?? '-',
          reason,
        ]),
      numbers: [1, 3],
    }),
    ...listing('Images that would go, oldest first:', view.imagesTotal, {
      header: ['IMAGE', 'AGE', 'REASON'],
      rows: view.images
        .slice(0, MOST_ROWS)
        .map(({ digest, age, reason }) => [shortDigest(digest), age ?? '-', reason]),
      numbers: [1],
    }),
    ...listing('In use:', view.protectedTotal, {
      header: ['OBJECT', 'IMAGE', 'REASON'],
      rows: view.protected
        .slice(0, MOST_ROWS)
        .map(({ object, digest, reason }) => [object, shortDigest(digest), reason]),
    }),
    ...listing('References that are not valid:', view.invalidReferencesTotal, {
      header: ['OBJECT', 'PLACE', 'REFERENCE', 'WHY', 'LEFT ALONE'],
      rows: view.invalidReferences
        .slice(0, MOST_ROWS)
        .map(({ object, place, reference, why, protects }) => [
          object,
          place,
          JSON.stringify(reference),
          why,
          protects.join(', ') || '-',
        ]),
    }),
  ];
}

function commandBlocks(
  { streams, images, tagItemsInCommands, imagesInCommands }: ImageEvaluation['commands'],
  view: View,
): Block[] {
  if (streams.length + images.length === 0) return [];
  const isWhole = tagItemsInCommands === view.tagItemsTotal && imagesInCommands === view.imagesTotal;
  return [
    lines(
      ...(isWhole ? [] : ['The commands are for a part of them; ask again when these are gone.']),
      'No command of oc removes a revision of a tag: the status of its stream is patched. A patch does nothing and says so',
      'when the tag has changed meanwhile; then ask again before any Image is deleted. A tag that spec imports on a schedule',
      'comes back. Layers in the storage of the registry stay.',
    ),
    ...[...streams, ...images].map((command): Block => ({ kind: 'command', ...command })),
  ];
}

function policyInWords(policy: ImagePolicy): string {
  const { keepTagRevisions, keepYoungerThan, all, namespace } = imagePolicyView(policy);
  const revisions = keepTagRevisions === 1 ? 'revision' : 'revisions';
  const parts = [
    `${keepTagRevisions} ${revisions} of each tag and what is not older than ${keepYoungerThan} are kept`,
    ...(all ? [] : ['imported images are kept']),
    ...(namespace === null ? [] : [`only in the namespace ${namespace}, where no images go`]),
  ];
  return `Policy: ${parts.join('; ')}`;
}

function outcomeInWords({ verdict }: ImageEvaluation, view: View): string[] {
  const { imageStreams, tagItems, images } = view.examined;
  const examined = joinInWords([
    countInWords(imageStreams, 'ImageStream'),
    countInWords(tagItems, 'revision'),
    countInWords(images, 'Image'),
  ]);
  const time = view.policy.now.replace('.000Z', 'Z');
  if (verdict === null) return [`At ${time}: ${examined}, too little to say what would go`];
  const going = joinInWords([
    countInWords(view.tagItemsTotal, 'revision'),
    `${countInWords(view.imagesTotal, 'Image')} would go`,
  ]);
  const links = `${countInWords(view.manifestLinksTotal, 'manifest link')}, ${countInWords(view.layerLinksTotal, 'layer link')}`;
  return [
    `At ${time}: ${examined} examined, ${going}`,
    `In the registry, when it is pruned as well: ${links} and ${countInWords(view.blobsTotal, 'blob')}`,
  ];
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
