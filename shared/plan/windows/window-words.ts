import { countInWords, listInWords } from '../../text/words.ts';
import { localInWords, spanInWords, WEEKDAYS } from '../../time/local-time.ts';
import { minutesInWords } from '../words.ts';
import { type WeeklyWindow, windowText } from './maintenance-windows.ts';
import {
  minutesOf,
  type HopFit,
  type HopWork,
  LOOK_AHEAD_WEEKS,
  minutesOfWork,
  type Placement,
  type Shortage,
} from './openings.ts';

type OffsetAt = (instant: number) => number;

/** `Sat 22:00-04:00 and Mon-Fri 01:00-03:30`: joins equal times on consecutive days. */
export function weeklyInWords(windows: readonly WeeklyWindow[]): string {
  const spans: { readonly first: WeeklyWindow; last: WeeklyWindow }[] = [];
  for (const window of windows) {
    const span = spans.at(-1);
    if (span && window.day !== span.first.day && isDayAfter(span.last, window)) span.last = window;
    else spans.push({ first: window, last: window });
  }
  return listInWords(
    spans.map(({ first, last }) => `${first === last ? '' : `${first.day}-`}${windowText(last)}`),
  );
}

function isDayAfter(before: WeeklyWindow, { day, start, end }: WeeklyWindow): boolean {
  const next = WEEKDAYS[(WEEKDAYS.indexOf(before.day) + 1) % WEEKDAYS.length];
  return day === next && start === before.start && end === before.end;
}

/** `Hop 1 to 4.15.3: Sat 2026-06-06 22:00 to Sun 2026-06-07 01:05 +02:00 at the latest, in the window …` */
export function fitInWords(
  { index, to, work }: { readonly index: number; readonly to: string; readonly work: HopWork },
  fit: HopFit,
  offsetAt: OffsetAt,
  whyNotKnown: string | null,
): string {
  return `Hop ${index + 1} to ${to}: ${said(work, fit, offsetAt, whyNotKnown)}`;
}

function said(work: HopWork, fit: HopFit, offsetAt: OffsetAt, whyNotKnown: string | null): string {
  switch (fit.fit) {
    case 'whole':
      return `${placeInWords(fit, offsetAt)}. It takes ${workInWords(work)}`;
    case 'control-plane':
      return `only the control plane fits, ${placeInWords(fit, offsetAt)}. ${workersInWords(work, fit.shortage, offsetAt)}`;
    case 'too-long':
      return `fits in no window. It takes ${workInWords(work)}, ${shortageInWords(fit.shortage, offsetAt)}`;
    case 'not-known':
      return `how long it takes is not known: ${whyNotKnown ?? 'a pool that is rolled before it is of no known size'}`;
    default:
      return `waits for hop ${fit.waitsFor + 1}, of which the end is not known`;
  }
}

function placeInWords({ start, end, window }: Placement, offsetAt: OffsetAt): string {
  const at = spanInWords({ start, end }, offsetAt);
  if (window.end === Infinity) return `${at} at the latest, as the windows never close`;
  const left = minutesInWords(minutesOf({ start: end, end: window.end }));
  return `${at} at the latest, in the window ${spanInWords(window, offsetAt)}, which leaves ${left}`;
}

function workersInWords(work: HopWork, shortage: Shortage | null, offsetAt: OffsetAt): string {
  if (shortage === null) return 'How long its workers take is not known';
  return (
    `With its workers it takes ${workInWords(work)}, ${shortageInWords(shortage, offsetAt)}; ` +
    'hold the pools back and roll them in windows of their own'
  );
}

/** `up to 3 h 5 min: control plane 2 h 5 min, workers 60 min`; without workers only the total. */
function workInWords(work: HopWork): string {
  const { workersBefore, controlPlane, workersAfter } = work;
  const parts: readonly (readonly [string, number | null])[] = [
    ['workers first', workersBefore],
    ['control plane', controlPlane],
    ['workers', workersAfter],
  ];
  const told = parts
    .filter(([, minutes]) => minutes !== 0)
    .map(([name, minutes]) => `${name} ${inWords(minutes)}`);
  const total = minutesOfWork(work);
  if (total === null) return told.join(', ');
  return told.length === 1 ? `up to ${inWords(total)}` : `up to ${inWords(total)}: ${told.join(', ')}`;
}

function inWords(minutes: number | null): string {
  return minutes === null ? 'not known' : minutesInWords(minutes);
}

function shortageInWords(shortage: Shortage | null, offsetAt: OffsetAt): string {
  const within = `within ${LOOK_AHEAD_WEEKS} weeks`;
  if (shortage === null) return `and no window opens ${within}`;
  const { longest, missing } = shortage;
  return (
    `and the longest window ${within}, ${spanInWords(longest, offsetAt)}, lasts ${minutesInWords(minutesOf(longest))}: ` +
    `${minutesInWords(missing)} are missing`
  );
}

/**
 * `3 of 3 hops in 2 windows, done by Sun 2026-06-14 01:05 +02:00 at the latest`, or the first hop that does not fit,
 * and why.
 */
export function summaryInWords(fits: readonly HopFit[], offsetAt: OffsetAt): string {
  if (fits.length === 0) return 'There is no hop to find a window for';
  const whole = fits.filter((fit) => fit.fit === 'whole');
  const stop = fits[whole.length];
  const last = whole.at(-1);
  if (!last) return `No hop fits whole; ${whyNot(stop!, 1)}`;
  const windows = new Set(whole.map(({ window }) => window.start)).size;
  const told = `${whole.length} of ${countInWords(fits.length, 'hop')} in ${countInWords(windows, 'window')}`;
  return stop
    ? `${told}; ${whyNot(stop, whole.length + 1)}`
    : `${told}, done by ${localInWords(last.end, offsetAt(last.end))} at the latest`;
}

function whyNot({ fit }: HopFit, hop: number): string {
  if (fit === 'not-known') return `how long hop ${hop} takes is not known`;
  return fit === 'control-plane'
    ? `of hop ${hop} only the control plane fits, without its workers`
    : `hop ${hop} is longer than every window`;
}
