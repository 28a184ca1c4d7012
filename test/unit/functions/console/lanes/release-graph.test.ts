import { expect, it } from 'vitest';
import { clustersByVersion, supportOf } from '../../../../../functions/console/lanes/release-graph.tsx';

const version = (support_level: 'beta' | 'production' | 'maintenance' | 'end-of-life') => ({
  display_name: '',
  support_level,
  cpu_architectures: [],
});

it('names what is not in full support', () => {
  const support = supportOf({
    '5.0.0-ec.1': version('beta'),
    '4.18.3': version('production'),
    '4.16.9-multi': version('maintenance'),
    '4.12.1': version('end-of-life'),
    nonsense: version('beta'),
  });
  expect([...support]).toEqual([
    ['5.0', 'beta'],
    ['4.16', 'maintenance'],
    ['4.12', 'end of life'],
  ]);
});

it('counts clusters by version', () => {
  const clusters = ['4.14.1', null, '4.14.1', '4.15.2'].map((running) => ({ version: running }));
  const page = { clusters, nextCursor: null } as unknown as Parameters<typeof clustersByVersion>[0];
  expect([...clustersByVersion(page)]).toEqual([
    ['4.14.1', 2],
    ['4.15.2', 1],
  ]);
});
