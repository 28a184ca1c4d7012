import { expect, it } from 'vitest';
import {
  clustersAddress,
  isFiltered,
  type FleetFilter,
} from '../../../../../functions/console/fleet/filters.tsx';
import { withCursor } from '../../../../../functions/console/fleet/use-pages.ts';
import { WHOLE_LIST } from '../../../../../functions/console/state/url-state.ts';

it.each<[Partial<FleetFilter>, address: string]>([
  [{}, '/v1/clusters'],
  [{ find: '  ' }, '/v1/clusters'],
  [{ find: ' a&b ' }, '/v1/clusters?name=a%26b'],
  [{ verdict: 'pending' }, '/v1/clusters?verdict=pending'],
  [
    { find: 'prod', verdict: 'blocked', minor: '4.14', overdue: true },
    '/v1/clusters?name=prod&verdict=blocked&minor=4.14&overdue=true',
  ],
])('%j is asked for at %s', (filter, address) => {
  const whole = { ...WHOLE_LIST, ...filter };
  expect(clustersAddress(whole)).toBe(address);
  expect(isFiltered(whole)).toBe(address !== '/v1/clusters');
});

it('is asked for as a sheet', () => {
  expect(clustersAddress(WHOLE_LIST, 'csv')).toBe('/v1/clusters?format=csv');
});

it.each([
  ['/v1/clusters', '/v1/clusters?cursor=a%3D%3D'],
  ['/v1/clusters?name=b', '/v1/clusters?name=b&cursor=a%3D%3D'],
])('goes on from %s', (address, next) => {
  expect(withCursor(address, 'a==')).toBe(next);
});
