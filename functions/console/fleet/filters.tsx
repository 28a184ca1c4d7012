import { compareMinors, type Minor } from '@cairn/shared/version/minor';
import { withQuery } from '../data/api.ts';
import { fetchSheet } from '../data/sheet.ts';
import { setState } from '../state/navigation.ts';
import { VERDICTS, type UrlState } from '../state/url-state.ts';
import { announce } from '../ui/announce.ts';
import { download, Button, Check, Select } from '../ui/controls.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { SearchField } from '../ui/fields.tsx';
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
        <Check checked={filter.overdue} onChange={(overdue) => choose({ overdue })}>
          Report overdue
        </Check>
        <Button kind="push" disabled={isBusy} onClick={() => void run(save)}>
          Download CSV
        </Button>
      </div>
      {error && <ErrorNote error={error} />}
    </div>
  );
}

/** Applies to all pages. */
export type FleetFilter = Pick<UrlState, 'find' | 'verdict' | 'minor' | 'overdue'>;

/** `/v1/clusters?name=prod&verdict=blocked` */
export function clustersAddress({ find, verdict, minor, overdue }: FleetFilter, format = ''): string {
  const asked = { name: find.trim(), verdict, minor, overdue: overdue ? 'true' : '', format };
  return withQuery('/v1/clusters', asked);
}

export function isFiltered(filter: FleetFilter): boolean {
  return clustersAddress(filter) !== '/v1/clusters';
}
