import { useEffect, useRef, useState } from 'preact/hooks';
import { withQuery } from '../data/api.ts';
import type { FleetUpdatesAnswer } from '../data/responses.ts';
import { useLive, useNow, type Live } from '../data/use-live.ts';
import { ShowMore, Skeleton } from '../fleet/parts.tsx';
import { useSettled } from '../fleet/use-pages.ts';
import { go, setState, type Place } from '../state/navigation.ts';
import { DEFAULTS } from '../state/url-state.ts';
import { announce, useShortcuts } from '../ui/announce.ts';
import { Button, PageLink } from '../ui/controls.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { SearchField } from '../ui/fields.tsx';
import { lazy } from '../ui/lazy.tsx';
import { useListKeys } from '../ui/list-keys.ts';
import { StalledCards, UpdatesStrip, UpdatesTable } from '../updates/list.tsx';
import { Glyph } from '../updates/marks.tsx';
import { briefly, headlineOf, noteOf, statesOf, underWay } from '../updates/words.ts';

const ClusterUpdate = lazy(async () => (await import('../updates/cluster-update.tsx')).ClusterUpdate);
const CheckDocuments = lazy(async () => (await import('../updates/check-documents.tsx')).CheckDocuments);

const TYPING_MS = 250;
const PAGE = 200;
/** Limit of the service. */
const MOST = 1000;

export function UpdatesView({ place }: { readonly place: Place }) {
  const { cluster, wall } = place.state;
  useShortcuts({
    w: () => setState({ wall: !wall }, { push: true }),
    Escape: () => {
      if (wall) setState({ wall: false }, { push: false });
      else if (cluster !== '') go('updates', { cluster: '' });
    },
  });
  const main = useFocusOnChange(cluster);
  return (
    <div ref={main} class="upd-page" tabIndex={-1}>
      {cluster === '' ? <Fleet place={place} /> : <ClusterUpdate key={cluster} id={cluster} />}
    </div>
  );
}

/** The link that was followed is gone, and with it the focus. */
function useFocusOnChange(cluster: string) {
  const main = useRef<HTMLDivElement>(null);
  const before = useRef(cluster);
  useEffect(() => {
    if (before.current !== cluster && document.activeElement === document.body) main.current?.focus();
    before.current = cluster;
  }, [cluster]);
  return main;
}

function Fleet({ place }: { readonly place: Place }) {
  const { state, name, wall } = place.state;
  const [limit, setLimit] = useState(PAGE);
  const [isChecking, setChecking] = useState(false);
  const settledName = useSettled(name, TYPING_MS).trim();
  const asked = { state: statesOf(state), name: settledName, limit: String(limit) };
  // With a name, the counts are of its clusters only.
  const isMoving = ({ counts }: FleetUpdatesAnswer): boolean => underWay(counts) > 0 || settledName !== '';
  const updates = useLive(withQuery('/v1/fleet/updates', asked), isMoving);
  const { value, error, reload } = updates;
  useListKeys();
  const found = value === null ? '' : `${value.clusters.length} updates`;
  return (
    <>
      <Head updates={updates} state={state} wall={wall} />
      {error && <ErrorNote error={error} onRetry={reload} />}
      {!wall && (
        <div class="row filter-bar no-print">
          <SearchField label="Find by name" of="name" find={name} placeholder="prod" found={found} />
        </div>
      )}
      {value === null && !error && <Skeleton />}
      {value && <Lines answer={value} isFiltered={state !== '' || name !== ''} />}
      {value?.nextCursor && limit < MOST && (
        <ShowMore isLoading={updates.isLoading} onMore={() => setLimit(Math.min(limit + PAGE, MOST))} />
      )}
      {!wall && (
        <details class="upd-panel fold no-print" onToggle={(event) => setChecking(event.currentTarget.open)}>
          <summary>Check documents of a cluster</summary>
          {isChecking && <CheckDocuments />}
        </details>
      )}
    </>
  );
}

interface HeadProps {
  readonly updates: Live<FleetUpdatesAnswer>;
  readonly state: Place['state']['state'];
  readonly wall: boolean;
}

function Head({ updates: { value, readAt, error }, state, wall }: HeadProps) {
  const now = useNow();
  const headline = value && headlineOf(value.counts);
  const title = headline?.title ?? 'Updates';
  // Read out when it changes, but not on arrival.
  const before = useRef(title);
  useEffect(() => {
    if (before.current !== title && before.current !== 'Updates') announce(title);
    before.current = title;
  }, [title]);
  const reasons = value?.clusters
    .filter((line) => line.state === headline?.mark)
    .slice(0, 2)
    .map((line) => `${line.id}: ${briefly(noteOf(line, now))}`);
  return (
    <header class="upd-head">
      {headline && <Glyph name={headline.mark} size={32} />}
      <div class="upd-headline">
        <h1 data-verdict>{title}</h1>
        {reasons && reasons.length > 0 && <p>{reasons.join('. ')}.</p>}
      </div>
      {value && (
        <UpdatesStrip
          counts={value.counts}
          chosen={state}
          onChoose={(mark) => setState({ state: mark }, { push: true })}
        />
      )}
      <p class="upd-live">
        {readAt !== null && (error ? `Data of ${timeOfDay(readAt)}` : `Live, ${timeOfDay(readAt)}`)}
        <Button kind="plain" onClick={() => setState({ wall: !wall }, { push: true })}>
          <kbd>w</kbd> {wall ? 'Leave wall mode' : 'Wall mode'}
        </Button>
      </p>
    </header>
  );
}

/** `19:42:10 UTC` */
function timeOfDay(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
}

interface LinesProps {
  readonly answer: FleetUpdatesAnswer;
  readonly isFiltered: boolean;
}

function Lines({ answer: { clusters, counts }, isFiltered }: LinesProps) {
  const now = useNow();
  const stalled = clusters.filter(({ state }) => state === 'stalled');
  const others = clusters.filter(({ state }) => state !== 'stalled');
  if (clusters.length === 0) {
    return isFiltered ? (
      <p class="row">
        No update matches.
        <PageLink to="updates" patch={{ state: DEFAULTS.state, name: DEFAULTS.name }}>
          Show all updates
        </PageLink>
      </p>
    ) : (
      <div class="upd-panel upd-empty">
        <Glyph name="none" size={20} />
        <p>
          {underWay(counts) === 0 &&
            'Updates of clusters that report appear here while they run, and for a day after. '}
          To report every 5 minutes during an update, install the reporter, or run <code>cairn report</code>.
        </p>
      </div>
    );
  }
  return (
    <>
      {stalled.length > 0 && <StalledCards lines={stalled} now={now} />}
      {others.length > 0 && <UpdatesTable lines={others} now={now} />}
    </>
  );
}
