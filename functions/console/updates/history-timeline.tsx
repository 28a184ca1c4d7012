import type { ClusterHistoryAnswer } from '../data/responses.ts';
import { useJson } from '../data/use-query.ts';
import { Day, Table } from '../fleet/parts.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { useRoomFor } from '../ui/lazy.tsx';
import { Glyph, type GlyphName } from './marks.tsx';
import { spanInWords } from './words.ts';

type Entry = ClusterHistoryAnswer['entries'][number];

interface Stay {
  readonly version: string;
  /** Begin of the update to it. */
  readonly from: number;
  readonly to: number;
  readonly state: 'completed' | 'partial' | 'in-progress';
  /** Duration of the update; null while it runs, and if it did not complete. */
  readonly took: number | null;
}

export interface Course {
  readonly from: number;
  readonly to: number;
  /** Oldest first. */
  readonly stays: readonly Stay[];
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
}

const DAY_MS = 24 * 3600_000;

/** Null without an update that has a start. */
export function courseOf(entries: readonly Entry[], now: number): Course | null {
  const known = entries
    .flatMap((entry) => {
      const from = Date.parse(entry.startedTime ?? '');
      return Number.isNaN(from) || from > now ? [] : [{ entry, from }];
    })
    .toSorted((a, b) => a.from - b.from);
  const [first] = known;
  if (first === undefined) return null;
  const stays = known.map(({ entry, from }, index): Stay => {
    const isLast = index === known.length - 1;
    const end = Date.parse(entry.completionTime ?? '');
    const isCompleted = entry.state === 'Completed';
    return {
      version: entry.version || entry.image,
      from,
      to: known[index + 1]?.from ?? now,
      state: isCompleted ? 'completed' : isLast ? 'in-progress' : 'partial',
      took: isCompleted && end >= from ? end - from : null,
    };
  });
  // An installation of today is still a visible line.
  const from = Math.min(first.from, now - DAY_MS);
  return { from, to: now, stays, ticks: ticksOf(from, now) };
}

const MONTHS = [1, 3, 6, 12, 24, 48];

/** Begins of months or years; days within two months. */
function ticksOf(from: number, to: number): Course['ticks'] {
  const begin = new Date(from);
  const days = (to - from) / DAY_MS;
  const ticks: { at: number; label: string }[] = [];
  const add = (date: Date, options: Intl.DateTimeFormatOptions): void => {
    const at = date.getTime();
    if (at >= from && at <= to) ticks.push({ at, label: date.toLocaleDateString(undefined, options) });
  };
  if (days < 62) {
    const step = Math.max(1, Math.ceil(days / 7));
    for (let day = 0; day <= days + 1; day += step) {
      const date = new Date(begin.getFullYear(), begin.getMonth(), begin.getDate() + day);
      add(date, { day: 'numeric', month: 'short' });
    }
    return ticks;
  }
  const step = MONTHS.find((each) => days / 30 / each <= 8) ?? 96;
  for (let month = 0; month <= days / 28; month += 1) {
    const date = new Date(begin.getFullYear(), begin.getMonth() + month, 1);
    const isShown = (date.getFullYear() * 12 + date.getMonth()) % step === 0;
    if (isShown) add(date, { month: 'short', year: 'numeric' });
  }
  return ticks;
}

const GLYPHS: Readonly<Record<Stay['state'], GlyphName>> = {
  completed: 'completed',
  partial: 'Warning',
  'in-progress': 'on-track',
};
const STATES: Readonly<Record<Stay['state'], string>> = {
  completed: 'Completed',
  partial: 'Did not complete',
  'in-progress': 'In progress',
};

/** Share of the width that a label needs. */
const LABEL = { wide: 0.075, narrow: 0.25 } as const;

/** Versions that the cluster ran, and its updates with their durations. */
export function HistoryTimeline({ id, revision }: { readonly id: string; readonly revision: string }) {
  const path = `/v1/clusters/${encodeURIComponent(id)}/history`;
  const { value, error, reload } = useJson<ClusterHistoryAnswer>(path, revision);
  if (error) return <ErrorNote error={error} onRetry={reload} />;
  const course = value && courseOf(value.entries, Date.now());
  if (!course) return null;
  const { stays } = course;
  return (
    <section class="upd-panel" aria-labelledby="upd-history">
      <div class="upd-panel-head">
        <h2 id="upd-history">History</h2>
        <span class="muted">
          since <Day day={new Date(stays[0]!.from).toISOString()} />
        </span>
      </div>
      <HistoryRows course={course} />
      <details class="upd-row small no-print">
        <summary>As a table</summary>
        <Table
          label="Versions by time"
          head={['Version', 'Started', 'Took', 'State']}
          rows={stays
            .toReversed()
            .map(({ version, from, took, state }) => [
              version,
              <Day day={new Date(from).toISOString()} />,
              took === null ? '–' : spanInWords(took),
              STATES[state],
            ])}
        />
      </details>
    </section>
  );
}

function HistoryRows({ course: { from, to, stays, ticks } }: { readonly course: Course }) {
  const label = useRoomFor('lanes') ? LABEL.wide : LABEL.narrow;
  const share = (at: number): number => (at - from) / (to - from);
  const percent = (part: number): string => `${100 * part}%`;
  return (
    <div
      class="upd-history"
      role="img"
      aria-label={`Versions: ${stays.map(({ version }) => version).join(', ')}`}
    >
      <div class="upd-history-row ticks">
        {ticks.map(({ at, label }) => (
          <span key={at} style={{ left: percent(share(at)) }}>
            {label}
          </span>
        ))}
      </div>
      <span class="upd-history-name">Version</span>
      <div class="upd-history-row">
        {stays.map((stay) => {
          const width = share(stay.to) - share(stay.from);
          return (
            <span
              key={stay.from}
              class={`upd-stay ${stay.state}`}
              title={stay.version}
              style={{ left: percent(share(stay.from)), width: percent(width) }}
            >
              {width >= label && stay.version}
            </span>
          );
        })}
      </div>
      <span class="upd-history-name">Updates</span>
      <div class="upd-history-row">
        {stays.map((stay, index) => {
          const next = stays[index + 1];
          const hasRoom = next === undefined || share(next.from) - share(stay.from) >= label;
          return (
            <span
              key={stay.from}
              class={`upd-mark ${share(stay.from) > 1 - label ? 'at-end' : ''}`}
              title={`${stay.version}, ${STATES[stay.state]}`}
              style={{ left: percent(share(stay.from)) }}
            >
              <Glyph name={GLYPHS[stay.state]} size={14} />
              {hasRoom && stay.took !== null && <span>{spanInWords(stay.took)}</span>}
            </span>
          );
        })}
      </div>
    </div>
  );
}
