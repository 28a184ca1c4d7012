import { compareMinors, type Minor } from '@cairn/shared/version/minor';
import { setState } from '../state/navigation.ts';
import { VERDICTS, type UrlState } from '../state/url-state.ts';
import { announce } from '../ui/announce.ts';
import { download } from '../ui/copy.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { SearchField, Select } from '../ui/fields.tsx';
import { fetchSheet } from './fleet-table.tsx';
import { useAction } from './parts.tsx';
import { VERDICT_MARKS } from './rows.ts';

interface BarProps {
  readonly filter: FleetFilter;
  readonly minors: readonly Minor[];
  /** Result count for screen readers: `3 clusters`. */
  readonly found: string;
}

const FILE = 'clusters.csv';

export function FilterBar({ filter, minors, found }: BarProps) {
  const { error, isBusy, run } = useAction();
  const chosen = filter.minor === '' ? [] : [filter.minor];
  const offered = [...new Set([...minors, ...chosen])].toSorted((a, b) => compareMinors(b, a));
  const choose = (patch: Partial<UrlState>): void => setState(patch, { push: true });
  const save = async (): Promise<void> => {
    download(FILE, await fetchSheet(clustersAddress(filter, 'csv')), 'text/csv');
    announce(`${FILE} is made`);
  };
  return (
    <div class="stack-small no-print">
      <div class="row filter-bar">
        <SearchField label="Find by name" find={filter.find} placeholder="prod" found={found} />
        <Select
          label="Verdict"
          value={filter.verdict}
          onChange={(verdict) => choose({ verdict: verdict as FleetFilter['verdict'] })}
        >
          <option value="">Any</option>
          {VERDICTS.map((verdict) => (
            <option key={verdict} value={verdict}>
              {VERDICT_MARKS[verdict][1]}
            </option>
          ))}
        </Select>
        <Select
          label="Minor"
          value={filter.minor}
          onChange={(minor) => choose({ minor: minor as FleetFilter['minor'] })}
        >
          <option value="">Any</option>
          {offered.map((minor) => (
            <option key={minor}>{minor}</option>
          ))}
        </Select>
        <label class="check">
          <input
            type="checkbox"
            checked={filter.overdue}
            onChange={(event) => choose({ overdue: event.currentTarget.checked })}
          />
          Report overdue
        </label>
        <button type="button" class="button push" disabled={isBusy} onClick={() => void run(save)}>
          Download CSV
        </button>
      </div>
      {error && <ErrorNote error={error} />}
    </div>
  );
}

/** Applies to all pages. */
export type FleetFilter = Pick<UrlState, 'find' | 'verdict' | 'minor' | 'overdue'>;

/** `/v1/clusters?name=prod&verdict=blocked` */
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
