import type { UpdateStatusView } from '../data/responses.ts';
import { TableHead } from '../ui/controls.tsx';
import { clock } from './words.ts';

type Forecast = NonNullable<NonNullable<UpdateStatusView['forecast']>['whole']>;

export interface ChartPoint {
  readonly at: number;
  /** Shares from 0 to 1. */
  readonly operators: number;
  readonly nodes: number;
}

export interface Chart {
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly points: readonly ChartPoint[];
  readonly ticks: readonly number[];
  readonly forecast: { readonly earliest: number; readonly likely: number; readonly latest: number } | null;
}

const MINUTE_MS = 60_000;
const STEPS = [5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10_080].map(
  (minutes) => minutes * MINUTE_MS,
);

/** Null without a run. Time runs from the begin of the update to the latest end of the forecast. */
export function chartOf(status: UpdateStatusView): Chart | null {
  const { run, controlPlane, pools, forecast } = status;
  if (run === null || controlPlane === null || run.points.length === 0) return null;
  const nodes = pools.reduce((sum, { counts }) => sum + counts.total, 0);
  const share = (part: number, total: number): number => (total === 0 ? 0 : Math.min(part / total, 1));
  const points = run.points.map((point) => ({
    at: Date.parse(point.at),
    operators: share(point.operators, controlPlane.completion.total),
    nodes: share(point.nodes, nodes),
  }));
  const isSilent = status.state === 'silent';
  const now = Date.parse(isSilent ? status.collectedAt : status.at);
  const from = Math.min(Date.parse(run.startedAt), points[0]!.at);
  const band = isSilent ? null : bandOf(forecast?.whole ?? null);
  const to = Math.max(now, points.at(-1)!.at, band?.latest ?? 0, from + 10 * MINUTE_MS);
  return { from, to, now, points, ticks: ticksOf(from, to), forecast: band };
}

function bandOf(forecast: Forecast | null): Chart['forecast'] {
  if (forecast === null) return null;
  return {
    earliest: Date.parse(forecast.earliestAt),
    likely: Date.parse(forecast.likelyAt),
    latest: Date.parse(forecast.latestAt),
  };
}

/** At most eight full times. */
function ticksOf(from: number, to: number): number[] {
  const step = STEPS.find((each) => (to - from) / each <= 7) ?? STEPS.at(-1)!;
  const offset = new Date(from).getTimezoneOffset() * MINUTE_MS;
  const ticks: number[] = [];
  for (let at = Math.ceil((from - offset) / step) * step + offset; at <= to; at += step) ticks.push(at);
  return ticks;
}

const [WIDTH, HEIGHT] = [1000, 100];

export function RunTimeline({ status }: { readonly status: UpdateStatusView }) {
  const chart = chartOf(status);
  if (chart === null) return null;
  const { points, forecast } = chart;
  const last = points.at(-1)!;
  return (
    <section class="upd-panel" aria-labelledby="upd-timeline">
      <div class="upd-panel-head">
        <h2 id="upd-timeline">Timeline</h2>
        <span class="muted">{status.run!.reports} reports</span>
        <ul class="upd-legend" aria-hidden="true">
          <li>
            <i class="upd-key operators" /> Operators {percent(last.operators)}
          </li>
          <li>
            <i class="upd-key nodes" /> Nodes {percent(last.nodes)}
          </li>
          {forecast && (
            <li>
              <i class="upd-key forecast" /> Forecast of the end
            </li>
          )}
        </ul>
      </div>
      <Drawing
        chart={chart}
        label={labelOf(chart)}
        last={status.state === 'silent' ? 'Last report' : 'Now'}
      />
      <Points chart={chart} />
    </section>
  );
}

const percent = (share: number): string => `${Math.round(100 * share)}%`;
const clockAt = (at: number, now: number): string => clock(new Date(at).toISOString(), now);

function labelOf({ points, from, now, forecast }: Chart): string {
  const last = points.at(-1)!;
  const progress = `Operators ${percent(last.operators)} and nodes ${percent(last.nodes)} updated since ${clockAt(from, now)}`;
  return forecast === null ? progress : `${progress}, likely end ${clockAt(forecast.likely, now)}`;
}

interface DrawingProps {
  readonly chart: Chart;
  readonly label: string;
  /** Word at the moment of the assessment. */
  readonly last: string;
}

function Drawing({ chart, label, last }: DrawingProps) {
  const { from, to, now, ticks, forecast } = chart;
  const x = (at: number): number => ((at - from) / (to - from)) * WIDTH;
  const left = (at: number): { left: string } => ({ left: `${x(at) / 10}%` });
  return (
    <div class="upd-chart" role="img" aria-label={label}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
        {ticks.map((at) => (
          <path key={at} class="upd-chart-tick" d={`M${x(at)} 0V${HEIGHT}`} />
        ))}
        {forecast && (
          <>
            <rect
              class="upd-chart-band"
              x={x(forecast.earliest)}
              width={Math.max(x(forecast.latest) - x(forecast.earliest), 2)}
              height={HEIGHT}
            />
            <path class="upd-chart-likely" d={`M${x(forecast.likely)} 0V${HEIGHT}`} />
          </>
        )}
        <path class="upd-chart-nodes" d={stepsOf(chart, ({ nodes }) => nodes, x)} />
        <path class="upd-chart-operators" d={stepsOf(chart, ({ operators }) => operators, x)} />
        <path class="upd-chart-now" d={`M${x(now)} 0V${HEIGHT}`} />
      </svg>
      {ticks.map((at) => (
        <span key={at} class="upd-chart-label" style={left(at)}>
          {clockAt(at, now)}
        </span>
      ))}
      <span class={`upd-chart-label now ${last === 'Now' ? '' : 'silent'}`} style={left(now)}>
        {last}
      </span>
    </div>
  );
}

/** Stays at a value until the next point; the last value holds until now. */
function stepsOf(
  { points, now, from }: Chart,
  valueOf: (point: ChartPoint) => number,
  x: (at: number) => number,
): string {
  const y = (point: ChartPoint): number => HEIGHT - 2 - valueOf(point) * (HEIGHT - 4);
  const steps = points.map((point) => `H${x(point.at)}V${y(point)}`);
  return `M${x(from)} ${HEIGHT - 2}${steps.join('')}H${x(Math.max(now, points.at(-1)!.at))}`;
}

function Points({ chart: { points, now } }: { readonly chart: Chart }) {
  return (
    <details class="upd-row small no-print">
      <summary>As a table</summary>
      <div class="table-box" tabIndex={0} role="region" aria-label="Progress by time">
        <table class="table">
          <TableHead titles={['Time', 'Operators updated', 'Nodes updated']} />
          <tbody>
            {points.map(({ at, operators, nodes }) => (
              <tr key={at}>
                <th scope="row">{clockAt(at, now)}</th>
                <td>{Math.round(100 * operators)}%</td>
                <td>{Math.round(100 * nodes)}%</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
