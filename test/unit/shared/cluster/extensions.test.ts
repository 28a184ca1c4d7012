import { describe, expect, it } from 'vitest';
import { readDocuments } from '../../../helpers/cluster/cluster-documents.ts';
import type { Json } from '../../../helpers/cluster/objects.ts';
import { everyOtherKind } from '../../../helpers/cluster/other-objects.ts';

const V1 = 'olm.operatorframework.io/v1';
const read = (...documents: readonly Json[]) =>
  readDocuments(JSON.stringify(documents), { isRemovedApi: () => false });

function factsOf(...documents: readonly Json[]) {
  const reading = read(...documents);
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.facts;
}

const [objectSet] = everyOtherKind.filter(({ kind }) => kind === 'ClusterObjectSet') as [
  Json & { metadata: Json; spec: Json },
];

describe('objects of OLM v1', () => {
  it('keep of a ClusterExtension what it wants, what is installed and its state', () => {
    expect(factsOf(...everyOtherKind).extensions).toMatchObject([
      {
        name: 'pipelines',
        package: 'openshift-pipelines-operator-rh',
        channels: ['latest'],
        version: '1.18.x',
        installed: { name: 'pipelines.v1.18.0', version: '1.18.0' },
        problems: [{ type: 'Deprecated', message: 'use another' }],
      },
      { name: 'waiting', package: 'waiting', channels: [], version: '', installed: null, problems: [] },
    ]);
  });

  it('keep of a ClusterCatalog where it comes from', () => {
    expect(factsOf(...everyOtherKind).catalogs).toMatchObject([
      { name: 'catalog-Available', priority: -100, isAvailable: true },
      { name: 'catalog-Unavailable', isAvailable: false },
    ]);
    const bare = { kind: 'ClusterCatalog', apiVersion: V1, metadata: { name: 'bare' } };
    expect(factsOf(bare).catalogs).toMatchObject([{ image: '', priority: 0, isAvailable: true }]);
  });

  it('keep of a ClusterObjectSet its limits, and none of its objects', () => {
    const { objectSets } = factsOf(...everyOtherKind);
    expect(objectSets).toEqual([
      {
        name: 'pipelines-2',
        extension: 'pipelines',
        revision: 2,
        bundle: 'pipelines.v1.18.0',
        version: '1.18.0',
        properties: [{ type: 'olm.maxOpenShiftVersion', value: '4.20' }],
      },
    ]);
  });

  it('omit a ClusterObjectSet of another owner', () => {
    const other = { ...objectSet, metadata: { ...objectSet.metadata, labels: {} } };
    expect(factsOf(other).objectSets).toEqual([]);
  });

  it('are not taken from other API groups', () => {
    const other = { kind: 'ClusterExtension', apiVersion: 'example.com/v1', metadata: { name: 'a' } };
    expect(factsOf(other).extensions).toBeNull();
  });

  it('name the place of a wrong value', () => {
    const wrong = {
      kind: 'ClusterCatalog',
      apiVersion: V1,
      metadata: { name: 'a' },
      spec: { priority: 'high' },
    };
    expect(read(wrong)).toMatchObject({ ok: false, mistakes: [{ pointer: '/0/spec/priority' }] });
  });
});
