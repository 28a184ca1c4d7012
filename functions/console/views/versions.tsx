import { groupBy } from '@cairn/shared/collection/group-by';
import type { SupportCalendar } from '@cairn/shared/releases/lifecycle';
import { useMemo, useState } from 'preact/hooks';
import { readCalendar } from '../data/releases.ts';
import type { SourcesAnswer, VersionsAnswer } from '../data/responses.ts';
import { useJson, useQuery } from '../data/use-query.ts';
import { counted } from '../lanes/model.ts';
import {
  COLUMNS,
  isArchFollowed,
  minorsWithout,
  minorsWithReleases,
  newestOfMinors,
  VersionRow,
  versionsFor,
  type ListedVersion,
} from '../releases/version-list.tsx';
import { setState, type Place } from '../state/navigation.ts';
import type { UrlState } from '../state/url-state.ts';
import { Button, ArchSelect, TableHead } from '../ui/controls.tsx';
import { SearchField } from '../ui/fields.tsx';
import { Loaded } from '../ui/lazy.tsx';

const ADDRESS = '/v2/openshift-versions?exclude_withdrawn=true';
const ROWS = 200;
const ALL = 'all';

/** The newest of every minor first, all on demand. */
export function VersionsView({ place: { state } }: { readonly place: Place }) {
  const latest = useJson<VersionsAnswer>(`${ADDRESS}&only_latest=true`);
  return (
    <div class="page stack">
      <div class="row spread">
        <div>
          <h1>Versions</h1>
          <p class="muted">What the followed channels offer, the newest of every minor first.</p>
        </div>
        <ArchSelect
          arch={state.arch}
          onChange={(arch) => setState({ arch, open: state.open.startsWith(ALL) ? ALL : '' }, { push: true })}
        />
      </div>
      <Loaded resource={latest} what="versions">
        {(answer) => <Versions latest={answer} state={state} />}
      </Loaded>
    </div>
  );
}

function Versions({ latest, state }: { readonly latest: VersionsAnswer; readonly state: UrlState }) {
  const { arch, find } = state;
  const [which, opened = ''] = state.open.startsWith(ALL) ? state.open.split(' ') : ['', state.open];
  const chosen = versionsFor(arch, latest);
  const isAsked = which === ALL || find !== '';
  const isNeeded =
    isAsked || minorsWithout(chosen, latest).length > 0 || (opened !== '' && !isAmong(chosen, opened));
  const all = useJson<VersionsAnswer>(isNeeded ? ADDRESS : null);
  const newest = newestOfMinors(arch, latest, all.value);
  // A link to an older version shows the whole list.
  const isWhole = isAsked || (opened !== '' && all.value !== null && !isAmong(newest, opened));
  const calendar = useQuery('support', readCalendar).value;
  const sources = useJson<SourcesAnswer>('/v2/release-sources').value;
  const rows = { state, opened, calendar, sources, open: isWhole ? ALL : '' };
  const first = () => (
    <VersionTable {...rows} versions={newest} caption={`The newest versions for ${arch}`} />
  );
  return (
    <>
      {!isWhole && !isNeeded && first()}
      {!isWhole && isNeeded && (
        <Loaded resource={all} what="versions">
          {first}
        </Loaded>
      )}
      <div class="row">
        <Button
          aria-expanded={isWhole}
          onClick={() => setState({ open: isWhole ? '' : ALL, find: '' }, { push: true })}
        >
          {isWhole ? 'Show only the newest versions' : 'Show all available versions'}
        </Button>
      </div>
      {isWhole && (
        <Loaded resource={all} what="all versions">
          {(answer) => <AllVersions {...rows} answer={answer} />}
        </Loaded>
      )}
    </>
  );
}

function isAmong(versions: readonly ListedVersion[], wanted: string): boolean {
  return versions.some(({ name }) => name === wanted);
}

interface RowsProps {
  readonly state: UrlState;
  readonly opened: string;
  readonly calendar: SupportCalendar | null;
  /** Null until they are loaded. */
  readonly sources: SourcesAnswer | null;
  /** Value of `open` in the URL without a version. */
  readonly open: string;
}

function AllVersions({ answer, ...rows }: RowsProps & { readonly answer: VersionsAnswer }) {
  const { arch, find } = rows.state;
  const wanted = find.trim();
  const versions = useMemo(() => versionsFor(arch, answer), [arch, answer]);
  const found = versions.filter(({ name }) => name.includes(wanted));
  return (
    <>
      <SearchField
        label="Search for a version"
        find={find}
        placeholder="4.16.1"
        found={counted(found.length, 'version')}
        // Keep the list expanded for an empty field.
        also={{ open: ALL }}
      />
      {wanted && found.length === 0 ? (
        <p class="card muted">No version matches {wanted}.</p>
      ) : (
        <VersionTable {...rows} versions={found} caption={`All versions for ${arch}`} isGrouped />
      )}
    </>
  );
}

interface VersionTableProps extends RowsProps {
  readonly versions: readonly ListedVersion[];
  readonly caption: string;
  /** With a heading per minor. */
  readonly isGrouped?: boolean;
}

function VersionTable({ versions, caption, isGrouped, ...rows }: VersionTableProps) {
  const { state, opened, calendar, sources, open } = rows;
  const followed = useMemo(() => sources && minorsWithReleases(sources), [sources]);
  const [most, setMost] = useState(ROWS);
  // Always show the opened version.
  const at = versions.findIndex(({ name }) => name === opened);
  const shown = versions.slice(0, Math.max(most, at + 1));
  if (versions.length === 0) {
    const isFollowed = sources === null || isArchFollowed(state.arch, sources);
    return (
      <p class="card muted">
        {isFollowed
          ? `The followed channels have no version for ${state.arch}.`
          : `The configuration follows no channel for ${state.arch}.`}
      </p>
    );
  }
  const groups = isGrouped ? groupBy(shown, ({ minor }) => minor) : new Map([['', shown]]);
  return (
    <div class="card releases-table">
      <table class="table releases-cards releases-versions">
        <caption class="visually-hidden">{caption}</caption>
        <TableHead titles={COLUMNS} />
        {[...groups].map(([minor, same]) => (
          <tbody key={minor}>
            {minor && (
              <tr>
                <th class="releases-minor" scope="rowgroup" colSpan={COLUMNS.length}>
                  {minor}{' '}
                  <span class="small muted">
                    {counted(versions.filter((listed) => listed.minor === minor).length, 'version')}
                  </span>
                </th>
              </tr>
            )}
            {same.map((listed) => (
              <VersionRow
                key={listed.name}
                listed={listed}
                state={state}
                calendar={calendar}
                followed={followed}
                isOpen={listed.name === opened}
                openNext={listed.name === opened ? open : `${open} ${listed.name}`.trim()}
              />
            ))}
          </tbody>
        ))}
      </table>
      {shown.length < versions.length && (
        <p class="row">
          <Button onClick={() => setMost(shown.length + ROWS)}>Show more</Button>
          <span class="muted">
            {shown.length} of {versions.length} shown
          </span>
        </p>
      )}
    </div>
  );
}
