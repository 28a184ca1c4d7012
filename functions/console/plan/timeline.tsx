import { minutesInWords } from '@cairn/shared/plan/words';
import { TableHead } from '../ui/controls.tsx';
import type { PlanModel } from './plan-model.ts';

const ROW = 22;
const GAP = 4;
/** Below these shares of the width, a label does not fit. */
const VERSION_FITS = 0.2;
const WORD_FITS = 0.13;
const NUMBER_FITS = 0.05;

const percent = (part: number, total: number): string => `${(100 * part) / total}%`;

/** Draws the schedule to scale; screen readers and print get a table. */
export function TimelineFigure({ model }: { readonly model: PlanModel }) {
  const timeline = timelineOf(model);
  if (timeline === null) return null;
  const { total, controlPlane, workers, unpauses } = timeline;
  return (
    <figure class="timeline">
      <div class="timeline-rows screen-only">
        <div class="timeline-names small muted" aria-hidden="true">
          <span>Control plane</span>
          {workers.length > 0 && <span>Workers</span>}
        </div>
        <svg
          role="img"
          aria-label={`Timeline: about ${minutesInWords(total)} in all. The table below says the same.`}
          height={workers.length > 0 ? 2 * ROW + GAP : ROW}
          width="100%"
        >
          <defs>
            <pattern
              id="hatch"
              width="8"
              height="8"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <rect class="hatch-ground" width="8" height="8" />
              <rect class="hatch-line" width="3" height="8" />
            </pattern>
          </defs>
          {controlPlane.map((span) => (
            <Block key={span.start} span={span} total={total} y={0} />
          ))}
          {workers.map((span) => (
            <Block key={span.start} span={span} total={total} y={ROW + GAP} />
          ))}
          {unpauses.map(({ at }) => (
            <line
              key={at}
              class="unpause"
              x1={percent(at, total)}
              x2={percent(at, total)}
              y1={0}
              y2={2 * ROW + GAP}
            />
          ))}
        </svg>
      </div>
      {unpauses.length > 0 && (
        <p class="small unpause-note">
          <span aria-hidden="true">┃ </span>Unpause workers at{' '}
          {unpauses.map(({ version }) => version).join(', ')}: the next hop waits for them.
        </p>
      )}
      <div class="visually-hidden timeline-table">
        <TimelineTable timeline={timeline} />
      </div>
    </figure>
  );
}

function Block({ span, total, y }: { readonly span: Span; readonly total: number; readonly y: number }) {
  const { kind, start, length } = span;
  return (
    // A nested SVG clips text that does not fit.
    <svg x={percent(start, total)} y={y} width={percent(length, total)} height={ROW}>
      <rect class={`span ${kind}`} width="100%" height="100%" rx="3" />
      <text class={`span-label ${kind}`} x="50%" y={ROW / 2} text-anchor="middle" dominant-baseline="central">
        {labelOf(span, length / total)}
      </text>
    </svg>
  );
}

function labelOf({ kind, version, hop }: Span, share: number): string {
  if (kind !== 'update') return share >= WORD_FITS ? kind : '';
  if (share >= VERSION_FITS) return version;
  return share >= NUMBER_FITS ? String(hop) : '';
}

function TimelineTable({ timeline: { controlPlane, workers } }: { readonly timeline: Timeline }) {
  const rows = [...controlPlane, ...workers.filter(({ kind }) => kind === 'rollout')].toSorted(
    (a, b) => a.start - b.start,
  );
  return (
    <table class="table">
      <caption>Timeline, by the expected minutes</caption>
      <TableHead titles={['From', 'What', 'Takes']} />
      <tbody>
        {rows.map(({ kind, start, length, version }) => (
          <tr key={`${kind} ${start}`}>
            <td>{minutesInWords(start)}</td>
            <td>{kind === 'update' ? `Control plane to ${version}` : `Workers to ${version}`}</td>
            <td>{minutesInWords(length)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Part of a row, in minutes from the start. */
interface Span {
  readonly kind: 'update' | 'rollout' | 'paused';
  readonly start: number;
  readonly length: number;
  /** `4.15.64` */
  readonly version: string;
  /** Number of the hop; only updates have one. */
  readonly hop?: number;
}

type Timeline = NonNullable<ReturnType<typeof timelineOf>>;

/** Keeps a rollout of unknown length visible. */
const UNKNOWN_ROLLOUT = 15;

/** Places hops on one axis: each starts after the previous one and after required worker rollouts. */
export function timelineOf({ hops, rollouts, isPaused }: Pick<PlanModel, 'hops' | 'rollouts' | 'isPaused'>) {
  if (hops.length === 0 || hops.some(({ minutes }) => minutes === null)) return null;
  const controlPlane: Span[] = [];
  const workers: Span[] = [];
  // Points where paused workers must be unpaused before the next hop.
  const unpauses: { at: number; version: string }[] = [];
  let now = 0;
  let pausedSince = 0;
  const rollOut = (beforeHop: number | null): void => {
    const rollout = rollouts.find((each) => each.beforeHop === beforeHop);
    if (!rollout) return;
    if (isPaused && now > pausedSince) {
      workers.push({ kind: 'paused', start: pausedSince, length: now - pausedSince, version: '' });
    }
    if (isPaused && beforeHop !== null) unpauses.push({ at: now, version: rollout.version });
    const length = rollout.minutes?.expected ?? UNKNOWN_ROLLOUT;
    workers.push({ kind: 'rollout', start: now, length, version: rollout.version });
    now += length;
    pausedSince = now;
  };
  for (const [index, { to, minutes }] of hops.entries()) {
    rollOut(index);
    const length = minutes!.expected;
    controlPlane.push({ kind: 'update', start: now, length, version: to, hop: index + 1 });
    now += length;
  }
  rollOut(null);
  return { total: now, controlPlane, workers, unpauses };
}
