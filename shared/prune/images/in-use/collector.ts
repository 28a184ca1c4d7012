import type { InputValue } from '../../../input/input-value.ts';
import {
  type ParsedReference,
  parseImageReference,
  parseStreamImage,
  parseStreamTag,
} from '../registry/image-reference.ts';
import { isDigest } from '../registry/storage-layout.ts';

export interface ImageUser {
  /** First object seen: `Pod shop/web-1`. */
  readonly object: string;
  /** In this object and all others. */
  readonly references: number;
}

/** Unreadable reference, which can hide a use. */
export interface UnreadReference {
  readonly object: string;
  /** `container main` */
  readonly place: string;
  readonly reference: string;
  readonly why: string;
  /** Repositories it appears to name. */
  readonly protects: readonly string[];
}

/** Unread references listed; all are counted. */
const MOST_UNREAD = 1000;
const MOST_SHOWN = 300;
/** Matches no part of a word. In JSON text an escape letter can precede a digest at the start of a line. */
const DIGEST = /(?:\b|(?<=\\[bfnrt]))sha256:([0-9a-f]{64})(?![0-9a-f])/g;

export function digestsIn(text: string): string[] {
  if (!text.includes('sha256:')) return [];
  // Copies the digits: a slice would keep the whole text in memory.
  return Array.from(text.matchAll(DIGEST), ([, hex]) => `sha256:${hex!.split('').join('')}`);
}

export class InUseCollector {
  readonly usedImages = new Set<string>();
  readonly usedTags = new Set<string>();
  readonly usedDigests = new Set<string>();
  readonly protectedRepositories = new Set<string>();
  /** By `repository@digest`, `repository:tag` and digest. */
  readonly users = new Map<string, ImageUser>();
  readonly unread: UnreadReference[] = [];
  #unreadTotal = 0;

  get unreadTotal(): number {
    return this.#unreadTotal;
  }

  /** Grows with every new fact. */
  get facts(): number {
    return this.usedImages.size + this.usedTags.size + this.usedDigests.size + this.#unreadTotal;
  }

  /** Returns whether there was a reference. */
  add(parsed: ParsedReference, text: string, object: string, place: string): boolean {
    if (parsed.kind === 'blank') return false;
    if (parsed.kind === 'invalid') {
      this.#addUnread({
        object,
        place,
        reference: text.slice(0, MOST_SHOWN),
        why: parsed.why,
        protects: parsed.repositories,
      });
      return true;
    }
    const { repositories, tag, digest } = parsed;
    for (const repository of repositories) {
      if (tag !== null) this.#use(this.usedTags, `${repository}:${tag}`, object);
      else this.#use(this.usedImages, `${repository}@${digest}`, object);
    }
    // A mirror has the same image under another repository name, and nodes pull it from there.
    if (digest !== null) this.addDigest(digest, object);
    return true;
  }

  addDigest(digest: string, object: string): void {
    this.#use(this.usedDigests, digest, object);
  }

  /** Returns the number of digests found. */
  addDigestsIn(text: string, object: string): number {
    const found = digestsIn(text);
    for (const digest of found) this.addDigest(digest, object);
    return found.length;
  }

  #use(used: Set<string>, key: string, object: string): void {
    used.add(key);
    const user = this.users.get(key);
    this.users.set(key, { object: user?.object ?? object, references: (user?.references ?? 0) + 1 });
  }

  #addUnread(unread: UnreadReference): void {
    this.#unreadTotal++;
    for (const repository of unread.protects) this.protectedRepositories.add(repository);
    if (this.unread.length < MOST_UNREAD) this.unread.push(unread);
  }
}

export interface Referrer {
  readonly object: string;
  readonly namespace: string;
  readonly collector: InUseCollector;
}

const CONTAINERS = [
  ['initContainers', 'init container'],
  ['containers', 'container'],
  ['ephemeralContainers', 'ephemeral container'],
] as const;
const STATUSES = ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'] as const;
const STRATEGIES = ['sourceStrategy', 'dockerStrategy', 'customStrategy'] as const;

/** Collects all images of a pod; returns the number of references. */
export function readPodSpec(spec: InputValue, referrer: Referrer): number {
  let references = 0;
  for (const [list, what] of CONTAINERS) {
    for (const container of spec.at(list).items()) {
      references += readImage(container.at('image'), `${what} ${container.at('name').text()}`, referrer);
      references += readContainerTexts(container, referrer);
    }
  }
  for (const volume of spec.at('volumes').items()) {
    const image = volume.at('image', 'reference');
    if (!image.isMissing) references += readImage(image, `volume ${volume.at('name').text()}`, referrer);
  }
  return references;
}

/** Operators get image references through these. */
function readContainerTexts(container: InputValue, { collector, object }: Referrer): number {
  const texts = [
    ...container.at('command').items(),
    ...container.at('args').items(),
    ...container
      .at('env')
      .items()
      .map((variable) => variable.at('value')),
  ];
  return texts.reduce((found, text) => found + collector.addDigestsIn(text.text(Infinity), object), 0);
}

/** Images that nodes run, which differ from the spec after a tag has moved. */
export function readPodStatus(status: InputValue, { collector, object }: Referrer): number {
  let references = 0;
  for (const list of STATUSES) {
    for (const container of status.at(list).items()) {
      const text = container.at('imageID').text(Infinity);
      const id = text.replace(/^[a-z-]+:\/\//, '');
      const digest = /^[0-9a-f]{64}$/.test(id) ? `sha256:${id}` : id;
      const parsed = parseImageReference(id);
      if (isDigest(digest)) {
        collector.addDigest(digest, object);
        references++;
      } else if (parsed.kind === 'image' && parsed.digest !== null) {
        collector.add(parsed, text, object, 'status');
        references++;
      }
    }
  }
  return references;
}

/** Collects the source, copied and output images of a Build or BuildConfig. */
export function readBuildSpec(spec: InputValue, referrer: Referrer): number {
  let references = 0;
  for (const strategy of STRATEGIES) {
    const from = spec.at('strategy', strategy, 'from');
    references += readObjectReference(from, strategy, referrer);
  }
  for (const image of spec.at('source', 'images').items()) {
    references += readObjectReference(image.at('from'), 'source image', referrer);
  }
  references += readObjectReference(spec.at('output', 'to'), 'output', referrer);
  return references + readTriggers(spec, 'imageChange', referrer);
}

export function readTriggers(
  spec: InputValue,
  parameters: 'imageChange' | 'imageChangeParams',
  referrer: Referrer,
): number {
  const triggers = spec.at('triggers').items();
  return triggers.reduce(
    (references, trigger) =>
      references + readObjectReference(trigger.at(parameters, 'from'), 'image change trigger', referrer),
    0,
  );
}

/** `{"kind": "ImageStreamTag", "name": "web:v2", "namespace": "shop"}` */
function readObjectReference(from: InputValue, place: string, referrer: Referrer): number {
  if (from.isMissing) return 0;
  const name = from.at('name').text(Infinity);
  const namespace = from.at('namespace').text() || referrer.namespace;
  const parsed = parseObjectReference(from.at('kind').text(), name, namespace);
  return referrer.collector.add(parsed, name, referrer.object, place) ? 1 : 0;
}

function parseObjectReference(kind: string, name: string, namespace: string): ParsedReference {
  if (name.trim() === '') return { kind: 'blank' };
  if (kind === 'DockerImage') return parseImageReference(name);
  if (kind === 'ImageStreamTag') return parseStreamTag(name, namespace);
  if (kind === 'ImageStreamImage') return parseStreamImage(name, namespace);
  return { kind: 'blank' };
}

function readImage(image: InputValue, place: string, { collector, object }: Referrer): number {
  const text = image.text(Infinity);
  return collector.add(parseImageReference(text), text, object, place) ? 1 : 0;
}
