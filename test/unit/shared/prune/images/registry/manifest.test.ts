import { readManifest } from '@cairn/shared/prune/images/registry/manifest';
import { describe, expect, it } from 'vitest';

const digest = (digit: string) => `sha256:${digit.repeat(64)}`;
const IMAGE = 'application/vnd.oci.image.manifest.v1+json';
const INDEX = 'application/vnd.oci.image.index.v1+json';
const config = { digest: digest('c'), size: 7 };
const layers = [{ digest: digest('1'), size: 10 }, { digest: digest('2') }];

const read = (document: unknown) =>
  readManifest(new TextEncoder().encode(typeof document === 'string' ? document : JSON.stringify(document)));

describe('manifests', () => {
  it.each([
    ['an OCI image', { schemaVersion: 2, mediaType: IMAGE, config, layers }, IMAGE],
    [
      'a docker image',
      { mediaType: 'application/vnd.docker.distribution.manifest.v2+json', config, layers },
      'application/vnd.docker.distribution.manifest.v2+json',
    ],
    ['an image that does not tell its type', { schemaVersion: 2, config, layers }, IMAGE],
  ])('%s has its config and its layers', (_, document, mediaType) => {
    expect(read(document)).toEqual({
      mediaType,
      references: [
        { digest: digest('c'), size: 7, kind: 'config' },
        { digest: digest('1'), size: 10, kind: 'layer' },
        { digest: digest('2'), size: 0, kind: 'layer' },
      ],
      subject: null,
    });
  });

  it.each([
    [INDEX, { mediaType: INDEX, manifests: [{ digest: digest('a'), size: 5 }] }],
    [INDEX, { schemaVersion: 2, manifests: [{ digest: digest('a'), size: 5 }] }],
    [
      'application/vnd.docker.distribution.manifest.list.v2+json',
      {
        mediaType: 'application/vnd.docker.distribution.manifest.list.v2+json',
        manifests: [{ digest: digest('a'), size: 5 }],
      },
    ],
  ])('an index %s has its manifests', (mediaType, document) => {
    const references = [{ digest: digest('a'), size: 5, kind: 'manifest' }];
    expect(read(document)).toEqual({ mediaType, references, subject: null });
  });

  it('have a subject', () => {
    const document = { mediaType: IMAGE, config, layers: [], subject: { digest: digest('d'), size: 1 } };
    expect(read(document)).toMatchObject({ subject: digest('d') });
  });

  it('of schema 1 have layers', () => {
    expect(read({ schemaVersion: 1, fsLayers: [{ blobSum: digest('1') }] })).toMatchObject({
      references: [{ digest: digest('1'), size: 0, kind: 'layer' }],
    });
  });

  it('of artifacts have blobs', () => {
    const mediaType = 'application/vnd.oci.artifact.manifest.v1+json';
    expect(read({ mediaType, blobs: layers })).toMatchObject({
      references: [{ kind: 'layer' }, { kind: 'layer' }],
    });
  });

  it('of an empty index have nothing', () => {
    expect(read({ mediaType: INDEX, manifests: null })).toMatchObject({ references: [] });
  });

  it.each([
    ['{', 'it is no JSON'],
    ['[]', 'it is no JSON object'],
    ['{}', 'its media type undefined is unknown'],
    [{ schemaVersion: 2, mediaType: 'text/plain' }, 'its media type "text/plain" is unknown'],
    [{ schemaVersion: 2, mediaType: 5, config, layers }, 'its media type 5 is unknown'],
    [{ schemaVersion: 2, config, layers, manifests: [] }, 'its media type undefined is unknown'],
    [{ mediaType: IMAGE, layers }, 'its config has the digest undefined'],
    [
      { mediaType: IMAGE, config, layers: [{ digest: 'sha256:1' }] },
      'its layers[0] has the digest "sha256:1"',
    ],
    [{ mediaType: IMAGE, config, layers: {} }, 'its layers are no list'],
    [{ mediaType: INDEX, manifests: [null] }, 'its manifests[0] has the digest undefined'],
    [{ mediaType: IMAGE, config, layers, subject: {} }, 'its subject has the digest undefined'],
    [{ schemaVersion: 1 }, 'its fsLayers are no list'],
  ])('%j cannot be read', (document, unreadable) => {
    expect(read(document)).toEqual({ unreadable });
  });

  it('that are no UTF-8 cannot be read', () => {
    expect(readManifest(Uint8Array.of(0x22, 0xff, 0x22))).toEqual({ unreadable: 'it is no JSON' });
  });
});
