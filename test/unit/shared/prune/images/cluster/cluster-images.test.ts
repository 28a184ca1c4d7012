import {
  clusterImagesFromJson,
  clusterImagesToJson,
} from '@cairn/shared/prune/images/cluster/cluster-images';
import { describe, expect, it } from 'vitest';
import {
  byTag,
  digest,
  image,
  OCI_INDEX,
  pod,
  reading,
} from '../../../../../helpers/prune/cluster-scenario.ts';

describe('Images of a cluster, stored', () => {
  it('come back but for their layers', () => {
    const { images, users } = reading([
      image('D0', { annotations: null }),
      image('D1', { children: ['D0'], mediaType: OCI_INDEX }),
      pod('Running', byTag('foo/bar', 'latest')),
      pod('Pending', byTag('foo/bar', 'latest')),
    ]);
    const stored = clusterImagesFromJson(clusterImagesToJson({ images: images!, users }));
    const withoutLayers = new Map([...images!].map(([key, facts]) => [key, { ...facts, blobs: [] }]));
    expect(stored.images).toEqual(withoutLayers);
    expect(stored.images.get(digest('D1'))).toMatchObject({ isManaged: true, children: [digest('D0')] });
    expect(stored.users).toEqual(users);
    expect(stored.users.get('foo/bar:latest')).toMatchObject({ references: 2 });
  });
});
