import { expect, it } from 'vitest';
import { clustersByVersion, supportBadges } from '../../../../../functions/console/lanes/release-graph.tsx';
import { CALENDAR } from '../../../../helpers/path/builders.ts';
import { releases } from '../../../../helpers/path/releases.ts';

it('marks every minor with its phase and last day, and pre-releases alone as beta', async () => {
  const known = releases({
    'stable-5.0': ['4.11.3 > 4.13.1', '4.13.1 > 4.18.3', '4.18.3 > 4.22.1', '4.22.1 > 5.0.0-ec.1'],
  });
  const badges = supportBadges(await known.prepare(['stable-5.0']), CALENDAR);
  expect([...badges]).toEqual([
    ['5.0', { words: 'beta', until: null }],
    ['4.22', { words: 'full support', until: '2029-06-09' }],
    ['4.18', { words: 'EUS term 1', until: '2028-02-25' }],
    ['4.13', { words: 'end of life', until: '2024-11-17' }],
    ['4.11', { words: 'end of life', until: null }],
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
