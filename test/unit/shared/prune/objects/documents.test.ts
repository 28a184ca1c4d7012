import { splitDocuments, splitDocumentStream } from '@cairn/shared/cluster/split-documents';
import { ResourceReader, type ResourceReadOptions } from '@cairn/shared/prune/objects/documents';
import { parseKind } from '@cairn/shared/prune/objects/resource';
import { describe, expect, it } from 'vitest';
import { type Json, listOf, node, typedListOf } from '../../../../helpers/cluster/objects.ts';

const KINDS = ['v1/Pod', 'batch/v1/Job', 'v1/Event', 'events.k8s.io/v1/Event'].map(parseKind);

function reader(options: Partial<ResourceReadOptions> = {}): ResourceReader {
  return new ResourceReader({ kinds: KINDS, labels: true, most: 100, ...options });
}

function read(value: unknown, options: Partial<ResourceReadOptions> = {}) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return splitDocuments(new TextEncoder().encode(text), reader(options));
}

function resources(value: unknown, options: Partial<ResourceReadOptions> = {}) {
  const reading = read(value, options);
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.resources;
}

const whole: Json = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: {
    name: 'nightly-1',
    namespace: 'ci',
    uid: 'u',
    creationTimestamp: '2026-11-01T00:00:00Z',
    deletionTimestamp: '2026-11-02T00:00:00Z',
    labels: { app: 'ci' },
    annotations: { large: 'x'.repeat(1000) },
    ownerReferences: [
      { apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid: 'c', controller: true, other: 1 },
    ],
    managedFields: [{ manager: 'kubectl' }],
  },
  spec: { suspend: true, template: { spec: { containers: [] } } },
  status: {
    active: 1,
    completionTime: '2026-11-01T00:10:00Z',
    conditions: [
      { type: 'Complete', status: 'True', lastTransitionTime: '2026-11-01T00:10:00Z' },
      { type: 'Failed', status: 'False' },
      { type: 'Ready', status: 'True' },
    ],
  },
};

describe('what is kept of an object', () => {
  it('is what a pruner reads', () => {
    expect(resources(whole)).toEqual([
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: {
          name: 'nightly-1',
          namespace: 'ci',
          uid: 'u',
          creationTimestamp: '2026-11-01T00:00:00Z',
          deletionTimestamp: '2026-11-02T00:00:00Z',
          labels: { app: 'ci' },
          ownerReferences: [
            { apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid: 'c', controller: true },
          ],
        },
        spec: { suspend: true },
        status: {
          phase: '',
          completionTime: '2026-11-01T00:10:00Z',
          active: 1,
          conditions: [
            { type: 'Complete', status: 'True' },
            { type: 'Failed', status: 'False' },
          ],
        },
      },
    ]);
    expect(resources(whole, { labels: false })[0]!.metadata).not.toHaveProperty('labels');
  });

  it('may be next to nothing: without name and time it is no mistake', () => {
    const [bare, nulls] = resources([
      { kind: 'Pod' },
      { kind: 'Pod', metadata: { name: null, creationTimestamp: null }, status: null },
    ]);
    expect(bare).toMatchObject({ apiVersion: 'v1', metadata: { name: '', creationTimestamp: '' } });
    expect(nulls).toEqual(bare);
  });

  it('has labels that are named as what objects inherit', () => {
    const [pod] = resources('{"kind":"Pod","metadata":{"labels":{"__proto__":"a","constructor":"b"}}}');
    expect(Object.entries(pod!.metadata.labels!)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });
});

describe('which objects are kept', () => {
  const named = (kind: string, apiVersion: string | undefined, name: string) => ({
    kind,
    ...(apiVersion !== undefined && { apiVersion }),
    metadata: { name },
  });
  it('those of the kinds by group and version; of one that does not say them, the first of that name', () => {
    const reading = read([
      named('Pod', 'v1', 'a'),
      named('Pod', 'v2', 'b'),
      named('Pod', 'metrics.k8s.io/v1', 'c'),
      named('Event', 'events.k8s.io/v1', 'd'),
      named('Event', undefined, 'e'),
      node('w0'),
    ]);
    expect(reading).toMatchObject({
      ok: true,
      resources: [
        { apiVersion: 'v1', metadata: { name: 'a' } },
        { apiVersion: 'events.k8s.io/v1', metadata: { name: 'd' } },
        { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e' } },
      ],
      input: {
        documents: 1,
        objects: 6,
        ignored: [
          { kind: 'Pod', count: 2 },
          { kind: 'Node', count: 1 },
        ],
      },
    });
  });

  it('in lists of any form', () => {
    const pods = ['a', 'b'].map((name) => named('Pod', 'v1', name));
    for (const list of [listOf(...pods), typedListOf('Pod', 'v1', pods), pods]) {
      expect(resources(list).map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    }
  });

  it('in pieces of any size', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(listOf(whole, whole)));
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(await splitDocumentStream(pieces, reader())).toEqual(read(listOf(whole, whole)));
  });
});

describe('mistakes', () => {
  it.each<[string, unknown, object]>([
    ['no JSON', '{"kind":"Pod"', { pointer: '', detail: expect.stringContaining('the text ends') as string }],
    ['nothing', '', { detail: 'expected at least one document, there is nothing' }],
    ['metadata that is none', { kind: 'Pod', metadata: [] }, { pointer: '/metadata' }],
    ['a name that is none', { kind: 'Pod', metadata: { name: 1 } }, { pointer: '/metadata/name' }],
    [
      'a time that is none',
      { kind: 'Pod', metadata: { creationTimestamp: 1 } },
      { pointer: '/metadata/creationTimestamp' },
    ],
    ['labels that are none', { kind: 'Pod', metadata: { labels: ['a'] } }, { pointer: '/metadata/labels' }],
    ['a phase that is none', { kind: 'Pod', status: { phase: {} } }, { pointer: '/status/phase' }],
    ['an object without a kind', {}, { pointer: '/kind' }],
  ])('%s', (_name, value, mistake) => {
    const reading = read(value);
    expect(reading.ok).toBe(false);
    expect(!reading.ok && reading.mistakes[0]).toMatchObject(mistake);
  });

  it('more objects than allowed, reported once', () => {
    const pods = Array.from({ length: 5 }, () => ({ kind: 'Pod' }));
    expect(read(pods, { most: 5 })).toMatchObject({ ok: true });
    expect(read([...pods, ...pods], { most: 5 })).toEqual({
      ok: false,
      mistakes: [
        {
          document: 0,
          pointer: '/5',
          detail: 'expected no more than 5 objects of the kinds that are asked about, found an object',
        },
      ],
    });
  });
});
