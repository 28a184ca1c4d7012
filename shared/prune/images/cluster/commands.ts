import { groupBy } from '../../../collection/group-by.ts';
import { shellWord } from '../../../text/quote.ts';
import { countInWords } from '../../../text/words.ts';
import { canBeInCommand } from '../../objects/delete-commands.ts';
import { isDigest } from '../registry/storage-layout.ts';
import type { ClusterImageVerdict, GoingItem } from './cluster-images.ts';

export interface ImageCommand {
  readonly command: string;
  readonly about: string;
}

export interface ImageCommands {
  /** Run before `images`: an Image can be deleted only after the tags that reference it. */
  readonly streams: readonly ImageCommand[];
  readonly images: readonly ImageCommand[];
  readonly tagItemsInCommands: number;
  readonly imagesInCommands: number;
}

/** Objects per response; limits its size. */
const MOST_OBJECTS = 5000;
/** Images per command; longer lines are hard to review. */
const MOST_IMAGES = 50;
const MOST_REMOVALS = 50;
const TAG = /^\w[\w.-]{0,127}$/;

/**
 * `oc` cannot remove a tag revision, so the stream status is patched. Each patch first tests that the tag is unchanged
 * and otherwise does nothing.
 */
export function clusterImageCommands({ items, emptiedTags, images }: ClusterImageVerdict): ImageCommands {
  const emptied = new Set(emptiedTags.map(({ repository, tag }) => `${repository}:${tag}`));
  const streams: ImageCommand[] = [];
  const leftOut = new Set<string>();
  let room = MOST_OBJECTS;
  for (const [repository, going] of groupBy(items, (item) => item.repository)) {
    // From the last revision to the first, so that a removal does not shift the following ones.
    const fromEnd = going.toSorted((a, b) => b.tagIndex - a.tagIndex || b.revision - a.revision);
    const taken = canPatch(repository, going) ? fromEnd.slice(0, room) : [];
    for (const { digest } of fromEnd.slice(taken.length)) leftOut.add(digest);
    for (const command of patchStream(repository, taken, emptied)) streams.push(command);
    room -= taken.length;
  }
  const deletable = images
    .filter(({ digest }) => isDigest(digest) && !leftOut.has(digest))
    .slice(0, MOST_OBJECTS);
  const deletions = Array.from({ length: Math.ceil(deletable.length / MOST_IMAGES) }, (_, index) => {
    const some = deletable.slice(index * MOST_IMAGES, (index + 1) * MOST_IMAGES);
    return {
      command: `oc delete images.image.openshift.io --ignore-not-found ${some.map(({ digest }) => digest).join(' ')}`,
      about: countInWords(some.length, 'Image'),
    };
  });
  return {
    streams,
    images: deletions,
    tagItemsInCommands: MOST_OBJECTS - room,
    imagesInCommands: deletable.length,
  };
}

/** Names come from untrusted documents. */
function canPatch(repository: string, items: readonly GoingItem[]): boolean {
  const { namespace, name } = partsOf(repository);
  return (
    namespace !== '' &&
    canBeInCommand({ namespace, name }) &&
    items.every(({ tag, digest, newest }) => TAG.test(tag) && isDigest(digest) && isDigest(newest))
  );
}

interface Operation {
  readonly op: 'test' | 'remove';
  readonly path: string;
  readonly value?: string;
}

function patchStream(
  repository: string,
  items: readonly GoingItem[],
  emptied: ReadonlySet<string>,
): ImageCommand[] {
  const { namespace, name } = partsOf(repository);
  // The newest revision is last: if it is included, so are all revisions of its tag.
  const wholeTags = new Set(
    items
      .filter(({ tag, revision }) => revision === 0 && emptied.has(`${repository}:${tag}`))
      .map(({ tag }) => tag),
  );
  const removals = items.filter(({ tag, revision }) => revision === 0 || !wholeTags.has(tag));
  return Array.from({ length: Math.ceil(removals.length / MOST_REMOVALS) }, (_, index) => {
    const some = removals.slice(index * MOST_REMOVALS, (index + 1) * MOST_REMOVALS);
    const operations = some.flatMap((item, at) => [
      ...(item.tag === some[at - 1]?.tag ? [] : tagIsAsItWas(item)),
      ...removal(item, wholeTags.has(item.tag)),
    ]);
    const words = ['oc patch imagestreams.image.openshift.io', shellWord(name), '-n', shellWord(namespace)];
    return {
      command: `${words.join(' ')} --subresource=status --type=json -p ${shellWord(JSON.stringify(operations))}`,
      about: `${countInWords(some.length, 'removal')} in the status of ${repository}`,
    };
  });
}

/** New revisions are added at the front, so a changed tag has another first image. */
function tagIsAsItWas({ tagIndex, tag, newest }: GoingItem): Operation[] {
  return [
    { op: 'test', path: `/status/tags/${tagIndex}/tag`, value: tag },
    { op: 'test', path: `/status/tags/${tagIndex}/items/0/image`, value: newest },
  ];
}

function removal({ tagIndex, revision, digest }: GoingItem, isWholeTag: boolean): Operation[] {
  if (isWholeTag) return [{ op: 'remove', path: `/status/tags/${tagIndex}` }];
  const path = `/status/tags/${tagIndex}/items/${revision}`;
  return [
    { op: 'test', path: `${path}/image`, value: digest },
    { op: 'remove', path },
  ];
}

function partsOf(repository: string): { namespace: string; name: string } {
  const slash = repository.indexOf('/');
  return { namespace: repository.slice(0, Math.max(slash, 0)), name: repository.slice(slash + 1) };
}
