import { countInWords } from '@cairn/shared/text/words';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { FleetRisk, RisksAnswer } from '../data/responses.ts';
import { useJson } from '../data/use-query.ts';
import { Skeleton } from '../fleet/parts.tsx';
import { setState } from '../state/navigation.ts';
import { WHOLE_LIST, type UrlState } from '../state/url-state.ts';
import { announce } from '../ui/announce.ts';
import { Button, download, PageLink, Select } from '../ui/controls.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { SearchField } from '../ui/fields.tsx';
import { lazy, useRoomFor } from '../ui/lazy.tsx';
import { useListKeys } from '../ui/list-keys.ts';
import { Glyph } from '../updates/marks.tsx';
import {
  byExposure,
  channelsOf,
  exposureInWords,
  filterRisks,
  headlineOf,
  minorsInWords,
  risksAsCsv,
  titleOfRisk,
  worstExposure,
} from './exposure.ts';
import { ExposureBar, ExposureMark } from './marks.tsx';

const RiskDetail = lazy(async () => (await import('./risk-detail.tsx')).RiskDetail);

interface FleetProps {
  readonly state: UrlState;
  /** Clusters of the fleet. */
  readonly fleet: number;
}

/** Which known risks apply to the clusters: a list by exposure, and one of them in detail. */
export function FleetRisks({ state, fleet }: FleetProps) {
  const { value, error, reload } = useJson<RisksAnswer>('/v1/risks');
  const risks = useMemo(() => value && byExposure(value.risks), [value]);
  return (
    <div class="upd-page">
      {risks === null && <h1>Risks</h1>}
      {error && <ErrorNote error={error} onRetry={reload} />}
      {risks === null && !error && <Skeleton />}
      {risks && <Listed risks={risks} state={state} fleet={fleet} onChange={reload} />}
    </div>
  );
}

interface ListedProps extends FleetProps {
  readonly risks: readonly FleetRisk[];
  readonly onChange: () => void;
}

function Listed({ risks, state, fleet, onChange }: ListedProps) {
  const hasColumns = useRoomFor('columns');
  const channels = [...new Set(risks.flatMap(channelsOf))].toSorted(byNumber);
  const filtered = filterRisks(risks, state);
  const concerning = filtered.filter((risk) => worstExposure(risk) !== 'no');
  const shown = state.all ? filtered : concerning;
  const named = risks.find(({ name }) => name === state.open);
  const open = named ?? (hasColumns ? shown[0] : undefined);
  useListKeys({ Escape: () => setState({ open: '' }, { push: false }) });
  const detail = useFocusOnChange(state.open);
  const isList = hasColumns || !named;
  return (
    <>
      <Head risks={risks} shown={shown} channel={state.channel || channels.at(-1)} />
      {state.open !== '' && !named && <p class="note cond">No followed channel has the risk {state.open}.</p>}
      <div class="risk-columns">
        {isList && (
          <section class="upd-panel risk-list" aria-label="Known risks">
            <Filters channels={channels} state={state} counts={[concerning.length, filtered.length]} />
            {shown.length === 0 ? (
              <Nothing all={filtered.length} isFiltered={filtered.length < risks.length} />
            ) : (
              <RiskTable risks={shown} open={open?.name ?? ''} fleet={fleet} />
            )}
          </section>
        )}
        {open && (
          <div ref={detail} class="risk-side" tabIndex={-1}>
            {!hasColumns && (
              <p>
                <PageLink to="risks" patch={{ open: '' }}>
                  All risks
                </PageLink>
              </p>
            )}
            <RiskDetail key={open.name} risk={open} onChange={onChange} />
          </div>
        )}
      </div>
    </>
  );
}

/** In one column the link that was followed is gone, and with it the focus. */
function useFocusOnChange(open: string) {
  const detail = useRef<HTMLDivElement>(null);
  const before = useRef(open);
  useEffect(() => {
    if (before.current !== open && document.activeElement === document.body) detail.current?.focus();
    before.current = open;
  }, [open]);
  return detail;
}

const FILE = 'risks.csv';

interface HeadProps extends Record<'risks' | 'shown', readonly FleetRisk[]> {
  readonly channel: string | undefined;
}

function Head({ risks, shown, channel }: HeadProps) {
  const { mark, title, detail } = headlineOf(risks);
  const save = (): void => {
    download(FILE, risksAsCsv(shown), 'text/csv');
    announce(`${FILE} is made`);
  };
  return (
    <header class="risk-head">
      <Glyph name={mark} size={32} />
      <div class="upd-headline">
        <h1 data-verdict>{title}</h1>
        <p>{detail}</p>
      </div>
      <div class="row no-print">
        {channel !== undefined && (
          <PageLink to="risks" patch={{ ...WHOLE_LIST, open: channel }}>
            Choose risks for a plan
          </PageLink>
        )}
        <Button onClick={save}>Export CSV</Button>
      </div>
    </header>
  );
}

interface FiltersProps extends Pick<ListedProps, 'state'> {
  readonly channels: readonly string[];
  readonly counts: readonly [concerning: number, all: number];
}

function Filters({ channels, state, counts: [concerning, all] }: FiltersProps) {
  const scopes = [
    [false, `Concerns us ${concerning}`],
    [true, `All ${all}`],
  ] as const;
  return (
    <div class="risk-filters no-print">
      <SearchField
        label="Search for a risk"
        find={state.find}
        placeholder="Name, text or channel"
        found={countInWords(state.all ? all : concerning, 'risk')}
      />
      <Select label="Channel" value={state.on} onChange={(on) => setState({ on }, { push: true })}>
        <option value="">Any</option>
        {channels.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
      <div class="risk-scopes" role="group" aria-label="Risks to list">
        {scopes.map(([isAll, words]) => (
          <Button
            key={words}
            aria-pressed={state.all === isAll}
            onClick={() => setState({ all: isAll }, { push: true })}
          >
            {words}
          </Button>
        ))}
      </div>
    </div>
  );
}

const byNumber = new Intl.Collator('en', { numeric: true }).compare;

function Nothing({ all, isFiltered }: { readonly all: number; readonly isFiltered: boolean }) {
  return (
    <p class="upd-empty">
      {all > 0
        ? 'None of them concerns your clusters.'
        : isFiltered
          ? 'No risk matches.'
          : 'The followed channels have no conditional updates.'}
      {all > 0 ? (
        <PageLink to="risks" patch={{ all: true }}>
          Show all risks
        </PageLink>
      ) : (
        isFiltered && (
          <PageLink to="risks" patch={{ find: '', on: '' }}>
            Remove the filters
          </PageLink>
        )
      )}
    </p>
  );
}

interface TableProps extends Pick<ListedProps, 'risks' | 'fleet'> {
  readonly open: string;
}

function RiskTable({ risks, open, fleet }: TableProps) {
  return (
    <table class="upd-table risk-table">
      <thead>
        <tr>
          <th scope="col">Risk</th>
          <th scope="col">Exposure</th>
          <th scope="col">{countInWords(fleet, 'cluster')}</th>
        </tr>
      </thead>
      <tbody>
        {risks.map((risk) => (
          <Row key={risk.name} risk={risk} isOpen={risk.name === open} fleet={fleet} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Pick<TableProps, 'fleet'> {
  readonly risk: FleetRisk;
  readonly isOpen: boolean;
}

function Row({ risk, isOpen, fleet }: RowProps) {
  const { name, clusters } = risk;
  const worst = worstExposure(risk);
  const minors = minorsInWords(risk);
  return (
    <tr class={isOpen ? 'opened' : ''}>
      <th scope="row">
        <span class="upd-name">
          <ExposureMark exposure={worst} />
          <span>
            <PageLink
              class="upd-open"
              to="risks"
              patch={{ open: name }}
              aria-current={isOpen ? 'true' : undefined}
            >
              {titleOfRisk(risk)}
            </PageLink>
            <span class="risk-caption">
              {name}
              {minors !== '' && `, ${minors}`}
            </span>
          </span>
        </span>
      </th>
      <td class={`risk-exposure ${worst}`}>{exposureInWords(risk)}</td>
      <td class="risk-bar-cell">
        <ExposureBar clusters={clusters} of={fleet} />
        <span class="visually-hidden">
          {clusters.yes} yes, {clusters.accepted} accepted, {clusters.unknown} not known, {clusters.no} no
        </span>
      </td>
    </tr>
  );
}
