import type { UrlState } from '../state/url-state.ts';

/** Which clusters are listed, of all pages. */
export type FleetFilter = Pick<UrlState, 'find' | 'verdict' | 'minor' | 'overdue'>;

/** Where the service lists them: `/v1/clusters?name=prod&verdict=blocked`. */
export function clustersAddress(filter: FleetFilter, format?: 'csv'): string {
  const asked = {
    name: filter.find.trim(),
    verdict: filter.verdict,
    minor: filter.minor,
    overdue: filter.overdue ? 'true' : '',
    format: format ?? '',
  };
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== '')).toString();
  return `/v1/clusters${query && `?${query}`}`;
}

export function isFiltered(filter: FleetFilter): boolean {
  return clustersAddress(filter) !== '/v1/clusters';
}
