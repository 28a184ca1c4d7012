import { splitDocuments } from '@cairn/shared/cluster/split-documents';
import {
  type ClusterImagePolicy,
  judgeClusterImages,
} from '@cairn/shared/prune/images/cluster/cluster-images';
import { InUseReader, type InUseReadOptions } from '@cairn/shared/prune/images/in-use/documents';
import type { Json } from '../cluster/objects.ts';

/** Images are two hours old by default; one hour counts as young. */
export const NOW = Date.parse('2026-11-16T08:00:00Z');
const MINUTE = 60_000;
export const minutesAgo = (minutes: number) => new Date(NOW - minutes * MINUTE).toISOString();
const OLD = 120;

/** A digest that is readable in assertions: `D0`, `L3`, `C1`. */
export const digest = (name: string) => `sha256:${Buffer.from(name).toString('hex').padEnd(64, '0')}`;
export const nameOf = (text: string) =>
  Buffer.from(text.replace('sha256:', '').replace(/(00)+$/, ''), 'hex').toString();

const REGISTRY = 'image-registry.openshift-image-registry.svc:5000';
export const byDigest = (repository: string, name: string, host = REGISTRY) =>
  `${host}/${repository}@${digest(name)}`;
export const byTag = (repository: string, tag: string, host = REGISTRY) => `${host}/${repository}:${tag}`;

const SCHEMA2 = 'application/vnd.docker.distribution.manifest.v2+json';
export const OCI = 'application/vnd.oci.image.manifest.v1+json';
export const OCI_INDEX = 'application/vnd.oci.image.index.v1+json';
export const DOCKER_LIST = 'application/vnd.docker.distribution.manifest.list.v2+json';

interface ImageChanges {
  readonly age?: number;
  readonly layers?: readonly string[];
  readonly config?: string;
  readonly mediaType?: string;
  readonly children?: readonly string[];
  readonly annotations?: Json | null;
}

/** Five layers, of which the first and the last are equal. */
export function image(name: string, changes: ImageChanges = {}): Json {
  const { age = OLD, layers = ['L1', 'L2', 'L3', 'L4', 'L1'], config, mediaType, children } = changes;
  const { annotations = { 'openshift.io/image.managed': 'true' } } = changes;
  return {
    apiVersion: 'image.openshift.io/v1',
    kind: 'Image',
    metadata: {
      name: digest(name),
      creationTimestamp: minutesAgo(age),
      ...(annotations !== null && { annotations }),
    },
    dockerImageLayers: children
      ? []
      : layers.map((layer) => ({ name: digest(layer), size: 1, mediaType: 'x' })),
    dockerImageManifestMediaType: mediaType ?? (config === undefined ? undefined : SCHEMA2),
    dockerImageMetadata: config === undefined ? {} : { Id: digest(config) },
    ...(children && {
      dockerImageManifests: children.map((child) => ({ digest: digest(child), manifestSize: 1 })),
    }),
  };
}

/** A tag revision: an image, and its age in minutes. */
export type Revision = string | readonly [image: string, age: number];

export function stream(
  repository: string,
  tags: Readonly<Record<string, readonly Revision[]>>,
  age = OLD,
): Json {
  const [namespace, name] = repository.split('/');
  return {
    apiVersion: 'image.openshift.io/v1',
    kind: 'ImageStream',
    metadata: { namespace, name, uid: repository, creationTimestamp: minutesAgo(age) },
    status: {
      dockerImageRepository: `${REGISTRY}/${repository}`,
      tags: Object.entries(tags).map(([tag, revisions]) => ({
        tag,
        items: revisions
          .map((revision) => (typeof revision === 'string' ? ([revision, OLD] as const) : revision))
          .map(([of, created]) => ({
            created: minutesAgo(created),
            image: digest(of),
            dockerImageReference: byDigest(repository, of),
          })),
      })),
    },
  };
}

const containers = (images: readonly string[]) => ({
  containers: images.map((reference, index) => ({ name: `c${index}`, image: reference })),
});

export function pod(phase: string, reference: string, { age = OLD, spec = {}, status = {} } = {}): Json {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'shop', name: `pod-${phase.toLowerCase()}`, creationTimestamp: minutesAgo(age) },
    spec: { ...containers([reference]), ...spec },
    status: { phase, ...status },
  };
}

const API_VERSIONS = {
  ReplicationController: 'v1',
  DeploymentConfig: 'apps.openshift.io/v1',
  ReplicaSet: 'apps/v1',
  Deployment: 'apps/v1',
  DaemonSet: 'apps/v1',
  StatefulSet: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
} as const;

/** Any kind with a pod template, scaled to zero, which must not matter. */
export function workload(kind: keyof typeof API_VERSIONS, ...references: readonly string[]): Json {
  const template = { template: { spec: containers(references) } };
  return {
    apiVersion: API_VERSIONS[kind],
    kind,
    metadata: { namespace: 'shop', name: kind.toLowerCase(), creationTimestamp: minutesAgo(9999) },
    spec: kind === 'CronJob' ? { jobTemplate: { spec: template } } : { replicas: 0, ...template },
  };
}

export const STRATEGIES = ['sourceStrategy', 'dockerStrategy', 'customStrategy'] as const;

export function build(kind: 'Build' | 'BuildConfig', spec: Json): Json {
  return {
    apiVersion: 'build.openshift.io/v1',
    kind,
    metadata: { namespace: 'foo', name: 'app', creationTimestamp: minutesAgo(9999) },
    spec,
  };
}

export function fromStrategy(strategy: (typeof STRATEGIES)[number], kind: string, name: string): Json {
  return { strategy: { type: 'x', [strategy]: { from: { kind, name } } } };
}

const POLICY: ClusterImagePolicy = {
  keepTagRevisions: 3,
  keepYoungerThanMs: 60 * MINUTE,
  all: true,
  namespace: null,
  now: NOW,
};

export function read(objects: readonly Json[] | string, options: Partial<InUseReadOptions> = {}) {
  const text = typeof objects === 'string' ? objects : JSON.stringify({ kind: 'List', items: objects });
  return splitDocuments(
    new TextEncoder().encode(text),
    new InUseReader({
      youngerThan: NOW - 60 * MINUTE,
      collectedAt: NOW,
      asked: [],
      images: true,
      ...options,
    }),
  );
}

export function reading(objects: readonly Json[] | string, options: Partial<InUseReadOptions> = {}) {
  const outcome = read(objects, options);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.mistakes));
  return outcome;
}

export function verdictOn(objects: readonly Json[], policy: Partial<ClusterImagePolicy> = {}) {
  const merged = { ...POLICY, ...policy };
  const { inUse, users, images } = reading(objects, { youngerThan: NOW - merged.keepYoungerThanMs });
  return judgeClusterImages({
    streams: inUse.streams ?? new Map(),
    images: images ?? new Map(),
    inUse,
    users,
    policy: merged,
  });
}

/** Verdict by names: items as `foo/bar:latest#0 D0`, links as `foo/bar: D0 | L1 L2`. */
export function outcome(objects: readonly Json[], policy: Partial<ClusterImagePolicy> = {}) {
  const { items, emptiedTags, images, links, blobs } = verdictOn(objects, policy);
  return {
    items: items.map(
      ({ repository, tag, revision, digest: of }) => `${repository}:${tag}#${revision} ${nameOf(of)}`,
    ),
    emptied: emptiedTags.map(({ repository, tag }) => `${repository}:${tag}`),
    images: images.map(({ digest: of }) => nameOf(of)).toSorted(),
    links: links.map(
      ({ repository, manifests, layers }) =>
        `${repository}: ${manifests.map(nameOf).join(' ')} | ${layers.map(nameOf).join(' ')}`,
    ),
    blobs: blobs.map(nameOf).toSorted(),
  };
}
