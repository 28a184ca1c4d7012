import { isObject, type Mistake } from '../../../input/input-value.ts';
import type { ObjectSink, SourceObject } from '../../../json/frames.ts';
import { digestsIn } from './collector.ts';
import { InUseReader, type InUseReading, type InUseReadOptions } from './documents.ts';
import { IMAGE_GROUPS, isOfGroups, USING_KINDS } from './kinds.ts';

type Json = Readonly<Record<string, unknown>>;

export type InUseReduction =
  | {
      readonly ok: true;
      /** Lists of the kinds present, then objects of other kinds. */
      readonly documents: readonly Json[];
      readonly reading: Extract<InUseReading, { ok: true }>;
    }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] };

/**
 * Reads like `InUseReader` and keeps a minimal set of documents: only objects that name a new image, with their name
 * and references. Reading or reducing the result gives the same images, tags and digests. A thousand Pods of one image
 * become one; other fields, especially variables, are dropped.
 */
export class InUseReducer {
  readonly objects: ObjectSink;
  readonly #reader: InUseReader;
  readonly #kept = new Map<string, Json[]>();
  readonly #others: Json[] = [];

  constructor(options: InUseReadOptions) {
    const reader = new InUseReader(options);
    this.#reader = reader;
    this.objects = {
      get fault() {
        return reader.objects.fault;
      },
      object: (source) => this.#take(source),
      list: (list, items) => reader.objects.list(list, items),
    };
  }

  /** `fault` explains why the text could not be read to its end. */
  finish(documents: number, fault: Mistake | null): InUseReduction {
    const reading = this.#reader.finish(documents, fault);
    if (!reading.ok) return reading;
    const { missing, inUse, images } = reading;
    const isThere = (kind: string) =>
      this.#kept.has(kind) ||
      (kind === 'ImageStream'
        ? inUse.streams !== null
        : kind === 'Image'
          ? images !== null
          : !missing.includes(kind));
    const lists = Array.from(REDUCED_KINDS.values())
      .filter(({ kind }) => isThere(kind))
      .map(({ kind, groups: [group] }) => ({
        kind: `${kind}List`,
        apiVersion: group === '' ? 'v1' : `${group}/v1`,
        items: this.#kept.get(kind) ?? [],
      }));
    return { ok: true, documents: [...lists, ...this.#others], reading };
  }

  #take(source: SourceObject): void {
    const before = this.#reader.facts;
    this.#reader.objects.object(source);
    const { kind, apiVersion, bytes } = source;
    if (this.#reader.facts === before || bytes === null) return;
    const object = JSON.parse(new TextDecoder().decode(bytes)) as Json;
    const known = REDUCED_KINDS.get(kind!);
    if (known !== undefined && isOfGroups(apiVersion, known.groups)) {
      const kept = this.#kept.get(known.kind) ?? [];
      this.#kept.set(known.kind, kept);
      kept.push(partOf(object, known.part) as Json);
    } else {
      const digests = [...new Set(digestsIn(JSON.stringify(object)))];
      this.#others.push({ apiVersion, kind, ...(partOf(object, { metadata: NAMES }) as Json), digests });
    }
  }
}

/** Kept part of a value: all of it, the result of a function, or these members. Applies to every item of a list. */
type Part = true | ((value: Json) => Json) | { readonly [member: string]: Part };

function partOf(value: unknown, part: Part): unknown {
  if (part === true) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => partOf(item, part));
  // The reader has already reported a wrong type.
  if (!isObject(value)) return value;
  if (typeof part === 'function') return part(value);
  return Object.fromEntries(
    Object.entries(part)
      .filter(([member]) => Object.hasOwn(value, member) && value[member] !== null)
      .map(([member, inner]) => [member, partOf(value[member], inner)]),
  );
}

const NAMES = { namespace: true, name: true } as const;
const REFERENCE = { kind: true, namespace: true, name: true } as const;
/** Without phase and time a Pod always counts: the reader has already dropped the others. */
const POD_STATUS = {
  initContainerStatuses: { imageID: true },
  containerStatuses: { imageID: true },
  ephemeralContainerStatuses: { imageID: true },
} as const;
const POD_SPEC = {
  initContainers: containerPart,
  containers: containerPart,
  ephemeralContainers: containerPart,
  volumes: (volume) =>
    Object.hasOwn(volume, 'image')
      ? (partOf(volume, { name: true, image: { reference: true } }) as Json)
      : {},
} as const satisfies Part;
const TEMPLATE = { spec: { template: { spec: POD_SPEC } } } as const;
const BUILD = {
  spec: {
    strategy: {
      sourceStrategy: { from: REFERENCE },
      dockerStrategy: { from: REFERENCE },
      customStrategy: { from: REFERENCE },
    },
    source: { images: { from: REFERENCE } },
    output: { to: REFERENCE },
    triggers: { imageChange: { from: REFERENCE } },
  },
} as const;

/** Keeps only the digests of arguments and variables, as an argument. */
function containerPart(container: Json): Json {
  const { command, args, env } = container;
  const texts = [command, args, env]
    .flat()
    .map((given) => (isObject(given) ? given['value'] : given))
    .filter((text) => typeof text === 'string');
  const digests = [...new Set(texts.flatMap(digestsIn))];
  return {
    ...(partOf(container, { name: true, image: true }) as Json),
    ...(digests.length > 0 && { args: digests }),
  };
}

const PARTS: Readonly<Record<string, Part>> = {
  Pod: { spec: POD_SPEC, status: POD_STATUS },
  CronJob: { spec: { jobTemplate: TEMPLATE } },
  Build: BUILD,
  BuildConfig: BUILD,
  DeploymentConfig: {
    spec: { ...TEMPLATE.spec, triggers: { imageChangeParams: { from: REFERENCE } } },
  },
};

interface ReducedKind {
  readonly kind: string;
  readonly groups: readonly string[];
  readonly part: Part;
}

const REDUCED_KINDS: ReadonlyMap<string, ReducedKind> = new Map(
  [
    ...USING_KINDS.map(({ kind, groups }) => ({
      kind,
      groups,
      part: { metadata: NAMES, ...((PARTS[kind] ?? TEMPLATE) as object) },
    })),
    {
      kind: 'ImageStream',
      groups: IMAGE_GROUPS,
      part: {
        metadata: { ...NAMES, uid: true, creationTimestamp: true },
        status: { tags: { tag: true, items: { image: true, created: true } } },
      },
    },
    {
      kind: 'Image',
      groups: IMAGE_GROUPS,
      part: {
        metadata: {
          name: true,
          creationTimestamp: true,
          annotations: { 'openshift.io/image.managed': true },
        },
        dockerImageManifests: { digest: true },
      },
    },
  ].map((reduced) => [reduced.kind, reduced as ReducedKind] as const),
);
