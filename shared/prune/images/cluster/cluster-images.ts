import { durationText } from '../../../text/duration.ts';
import type { ImageUser } from '../in-use/collector.ts';
import type { ImageFacts, ImageStreamFacts, InUse, StreamTagItem } from '../in-use/facts.ts';
import type { KeptFor } from '../values.ts';

export interface ClusterImages {
  /** By digest. */
  readonly images: ReadonlyMap<string, ImageFacts>;
  /** By `repository@digest`, `repository:tag` and digest. */
  readonly users: ReadonlyMap<string, ImageUser>;
}

export interface ClusterImagePolicy {
  readonly keepTagRevisions: number;
  readonly keepYoungerThanMs: number;
  /** Include imported images, not only pushed ones. */
  readonly all: boolean;
  /** Only streams of this namespace, and no Images: other namespaces can use them. */
  readonly namespace: string | null;
  readonly now: number;
}

export interface TagItem {
  readonly repository: string;
  readonly tag: string;
  /** Index of the tag in the stream status. */
  readonly tagIndex: number;
  /** 0 is the newest. */
  readonly revision: number;
  readonly digest: string;
  /** Digest of revision 0. */
  readonly newest: string;
  readonly created: number | null;
}

export type GoingItem = TagItem & { readonly reason: string };
export type KeptItem = TagItem & { readonly for: KeptFor; readonly reason: string };
export type GoingImage = ImageFacts & { readonly reason: string };
export type KeptImage = ImageFacts & { readonly for: KeptFor; readonly reason: string };

export interface GoingLinks {
  readonly repository: string;
  readonly manifests: readonly string[];
  readonly layers: readonly string[];
}

export interface ClusterImageVerdict {
  readonly items: readonly GoingItem[];
  readonly keptItems: readonly KeptItem[];
  readonly emptiedTags: readonly { readonly repository: string; readonly tag: string }[];
  /** Oldest first. */
  readonly images: readonly GoingImage[];
  readonly keptImages: readonly KeptImage[];
  readonly links: readonly GoingLinks[];
  /** Blobs of deleted images that no other image needs. */
  readonly blobs: readonly string[];
}

export interface ClusterImageInput extends ClusterImages {
  readonly streams: ReadonlyMap<string, ImageStreamFacts>;
  readonly inUse: InUse;
  readonly policy: ClusterImagePolicy;
}

/**
 * Judges the ImageStreams and Images of a cluster: first tag revisions beyond the limit, then Images without a
 * reference. Like `oc adm prune images`, but it also keeps what that command is known to break: digests in use in any
 * repository, indexes at any depth, young images with an old tag.
 */
export function judgeClusterImages(input: ClusterImageInput): ClusterImageVerdict {
  const items: GoingItem[] = [];
  const keptItems: KeptItem[] = [];
  const emptiedTags: { repository: string; tag: string }[] = [];
  const links: GoingLinks[] = [];
  const usedIn = digestsByRepository(input.inUse.usedImages);
  for (const [repository, stream] of input.streams) {
    const going: GoingItem[] = [];
    const kept: KeptItem[] = [];
    for (const [tagIndex, [tag, revisions]] of [...stream.tags].entries()) {
      const goingBefore = going.length;
      for (const [revision, { digest, created }] of revisions.entries()) {
        const item = { repository, tag, tagIndex, revision, digest, newest: revisions[0]!.digest, created };
        const { for: keptFor, reason } = judgeItem(item, stream, input);
        if (keptFor === null) going.push({ ...item, reason });
        else kept.push({ ...item, for: keptFor, reason });
      }
      const isEmptied = revisions.length > 0 && going.length - goingBefore === revisions.length;
      if (isEmptied) emptiedTags.push({ repository, tag });
    }
    const stayingDigests = [...kept.map(({ digest }) => digest), ...(usedIn.get(repository) ?? [])];
    const ofRepository = goingLinks(repository, going, stayingDigests, input.images);
    if (ofRepository !== null) links.push(ofRepository);
    for (const item of going) items.push(item);
    for (const item of kept) keptItems.push(item);
  }
  return { items, keptItems, emptiedTags, links, ...judgeImages(keptItems, input) };
}

/** `for` is null for a revision that goes. */
function judgeItem(
  item: TagItem,
  stream: ImageStreamFacts,
  input: ClusterImageInput,
): { readonly for: KeptFor | null; readonly reason: string } {
  const { repository, tag, revision, digest } = item;
  const { images, inUse, users, policy } = input;
  const { keepTagRevisions, namespace } = policy;
  const image = images.get(digest);
  if (namespace !== null && !repository.startsWith(`${namespace}/`)) {
    return { for: 'namespace', reason: `it is not in the namespace ${namespace}` };
  }
  if (isYoung(stream, policy)) return { for: 'young', reason: `the stream is ${youngText(policy)}` };
  if (inUse.protectedRepositories.has(repository)) {
    return { for: 'invalid reference', reason: 'a reference that is not valid seems to name the stream' };
  }
  if (isYoung(item, policy)) return { for: 'young', reason: youngText(policy) };
  const name = `${repository}:${tag}`;
  if (revision === 0 && inUse.usedTags.has(name)) {
    return { for: 'tag in use', reason: `the tag is used by ${userText(users.get(name))}` };
  }
  if (image === undefined) return { for: null, reason: 'there is no Image of it any more' };
  if (revision < keepTagRevisions) {
    const newest = keepTagRevisions === 1 ? 'the newest' : `among the ${keepTagRevisions} newest`;
    return { for: 'revision', reason: `${newest} of its tag` };
  }
  const user = users.get(`${repository}@${digest}`) ?? users.get(digest);
  if (inUse.usedImages.has(`${repository}@${digest}`) || inUse.usedDigests.has(digest)) {
    return { for: 'image in use', reason: `the image is used by ${userText(user)}` };
  }
  if (isYoung(image, policy)) return { for: 'young', reason: `its image is ${youngText(policy)}` };
  return { for: null, reason: whyRevisionGoes(item, policy) };
}

function judgeImages(
  keptItems: readonly KeptItem[],
  { images, inUse, users, policy }: ClusterImageInput,
): Pick<ClusterImageVerdict, 'images' | 'keptImages' | 'blobs'> {
  const tagged = withChildren(
    keptItems.map(({ digest }) => digest),
    images,
  );
  const used = withChildren(inUse.usedDigests, images);
  const going: GoingImage[] = [];
  const kept: KeptImage[] = [];
  for (const image of images.values()) {
    const keep = (reason: KeptFor, text: string) => kept.push({ ...image, for: reason, reason: text });
    const { digest } = image;
    if (policy.namespace !== null) {
      keep('namespace', 'images go only where all namespaces are looked at');
    } else if (tagged.has(digest)) {
      keep('tagged', 'a tag of a stream names it');
    } else if (used.has(digest)) {
      const user = users.get(digest);
      keep('image in use', user ? `it is used by ${userText(user)}` : 'it is of an index that is in use');
    } else if (!policy.all && !image.isManaged) {
      keep('imported', 'it was imported, and only pushed images go');
    } else if (isYoung(image, policy)) {
      keep('young', youngText(policy));
    } else {
      going.push({ ...image, reason: 'no tag would name it, and nothing uses it' });
    }
  }
  const keptBlobs = blobsOf(kept);
  return {
    images: going.toSorted((a, b) => a.created! - b.created! || (a.digest < b.digest ? -1 : 1)),
    keptImages: kept,
    blobs: [...blobsOf(going)].filter((blob) => !keptBlobs.has(blob)),
  };
}

/** Kept revisions and Images by the reason, in the order of the first of each. */
export function keptCounts({ keptItems, keptImages }: ClusterImageVerdict) {
  const counts = new Map<KeptFor, { for: KeptFor; tagItems: number; images: number }>();
  const countOf = (why: KeptFor) => {
    const known = counts.get(why) ?? { for: why, tagItems: 0, images: 0 };
    counts.set(why, known);
    return known;
  };
  for (const item of keptItems) countOf(item.for).tagItems++;
  for (const image of keptImages) countOf(image.for).images++;
  return [...counts.values()];
}

/** Links that only deleted revisions use. The links of an absent Image are unknown and stay. */
function goingLinks(
  repository: string,
  going: readonly TagItem[],
  stayingDigests: readonly string[],
  images: ReadonlyMap<string, ImageFacts>,
): GoingLinks | null {
  const goingImages = [...new Set(going.map(({ digest }) => digest))].flatMap((digest) => {
    const image = images.get(digest);
    return image === undefined ? [] : [image];
  });
  if (goingImages.length === 0) return null;
  const staying = withChildren(stayingDigests, images);
  const stayingLayers = new Set([...staying].flatMap((digest) => images.get(digest)?.blobs ?? []));
  const manifests = goingImages.map(({ digest }) => digest).filter((digest) => !staying.has(digest));
  const layers = new Set(
    goingImages.flatMap(({ blobs }) => blobs).filter((blob) => !stayingLayers.has(blob)),
  );
  if (manifests.length === 0 && layers.size === 0) return null;
  return { repository, manifests, layers: [...layers] };
}

/** Adds the manifests of indexes at any depth. */
function withChildren(digests: Iterable<string>, images: ReadonlyMap<string, ImageFacts>): Set<string> {
  const found = new Set(digests);
  for (const digest of found) {
    for (const child of images.get(digest)?.children ?? []) found.add(child);
  }
  return found;
}

/** The manifest of an image is a blob too. */
function blobsOf(images: readonly ImageFacts[]): Set<string> {
  const blobs = new Set<string>();
  for (const image of images) {
    blobs.add(image.digest);
    for (const blob of image.blobs) blobs.add(blob);
  }
  return blobs;
}

function digestsByRepository(usedImages: ReadonlySet<string>): Map<string, string[]> {
  const byRepository = new Map<string, string[]>();
  for (const used of usedImages) {
    const at = used.indexOf('@');
    const repository = used.slice(0, at);
    const digests = byRepository.get(repository) ?? [];
    digests.push(used.slice(at + 1));
    byRepository.set(repository, digests);
  }
  return byRepository;
}

/** Unknown times count as young. */
function isYoung(
  { created }: Pick<StreamTagItem, 'created'>,
  { now, keepYoungerThanMs }: ClusterImagePolicy,
): boolean {
  return created === null || created >= now - keepYoungerThanMs;
}

function youngText({ keepYoungerThanMs }: ClusterImagePolicy): string {
  return `not older than ${durationText(keepYoungerThanMs)}`;
}

function whyRevisionGoes({ revision }: TagItem, { keepTagRevisions }: ClusterImagePolicy): string {
  if (keepTagRevisions === 0) return 'nothing uses it, and no revisions are kept';
  return `nothing uses it, and revision ${revision + 1} of its tag is beyond the ${keepTagRevisions} that are kept`;
}

function userText(user: ImageUser | undefined): string {
  if (user === undefined) return 'something';
  const others = user.references - 1;
  return others === 0 ? user.object : `${user.object} and ${others} more`;
}

interface StoredImages {
  readonly images: readonly (readonly [
    digest: string,
    created: number | null,
    isManaged: boolean,
    children: readonly string[],
  ])[];
  readonly users: readonly (readonly [key: string, object: string, references: number])[];
}

/** Stores no layers: they are most of the data, and only registry storage has them. */
export function clusterImagesToJson({ images, users }: ClusterImages): string {
  const stored: StoredImages = {
    images: Array.from(images.values(), ({ digest, created, isManaged, children }) => [
      digest,
      created,
      isManaged,
      children,
    ]),
    users: Array.from(users, ([key, { object, references }]) => [key, object, references]),
  };
  return JSON.stringify(stored);
}

export function clusterImagesFromJson(text: string): ClusterImages {
  const { images, users } = JSON.parse(text) as StoredImages;
  return {
    images: new Map(
      images.map(([digest, created, isManaged, children]) => [
        digest,
        { digest, created, isManaged, blobs: [], children },
      ]),
    ),
    users: new Map(users.map(([key, object, references]) => [key, { object, references }])),
  };
}
