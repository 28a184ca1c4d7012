import { minutesInWords } from '@cairn/shared/plan/words';
import { countInWords } from '@cairn/shared/text/words';
import { mostTelling } from '@cairn/shared/update-status/insights/most-telling';
import type { UpdateStatusView } from '../data/responses.ts';
import type { GlyphName } from './marks.tsx';
import type { PastUpdate } from './pools.tsx';
import { clock, factsIn, markOf, spanInWords } from './words.ts';

interface Verdict {
  readonly glyph: GlyphName;
  readonly title: string;
}

const STATES: Readonly<Record<string, string>> = {
  stalled: 'is stalled',
  silent: 'is silent',
  slow: 'is slow',
  held: 'is paused',
  'on-track': 'is on track',
};

const WHATS = {
  update: 'Update to',
  install: 'Installation of',
  'multi-arch': 'Migration to multi-architecture of',
} as const;

/** `newest` is the last update that the reports of the cluster show. */
export function verdictOf({ state, target }: UpdateStatusView, newest: PastUpdate | null): Verdict {
  if (state === 'none' || target === null) {
    return state === 'completed'
      ? { glyph: 'completed', title: `Update${newest === null ? '' : ` to ${newest.version}`} is complete` }
      : { glyph: 'none', title: 'No update in progress' };
  }
  const mark = markOf(state);
  return { glyph: mark, title: `${WHATS[target.kind]} ${target.version} ${STATES[mark] ?? 'is complete'}` };
}

export interface Reason extends ReturnType<typeof factsIn> {
  readonly subject: string;
  readonly what: string;
}

/** The most telling insight; null if nothing needs attention. A silent cluster needs its reporter first. */
export function reasonOf({ state, insights, collectedAt, at }: UpdateStatusView): Reason | null {
  if (state === 'silent') {
    return {
      subject: '',
      what: `No report since ${clock(collectedAt, Date.parse(at))}`,
      facts: 'Everything here is as of then. A cluster of one node is silent while it reboots.',
      lead: 'If the cluster is up, check its reporter:',
      // Namespace of the manifests in infra/cluster.
      command: 'oc -n cairn-reporter get cronjobs,jobs,pods',
    };
  }
  const worst = mostTelling(insights);
  if (worst === null) return null;
  return { subject: worst.resources[0]?.name ?? '', what: worst.message, ...factsIn(worst.description) };
}

type Fact = readonly [name: string, value: string];

export function factsOf(status: UpdateStatusView): Fact[] {
  const { startedAt, controlPlane, pools, at } = status;
  const now = Date.parse(at);
  if (controlPlane === null) return [];
  const { assessment, completion, durationSeconds } = controlPlane;
  const sumOf = (of: 'updated' | 'total'): number => pools.reduce((sum, { counts }) => sum + counts[of], 0);
  return [
    ...(startedAt === null ? [] : [['Started', clock(startedAt, now)] as const]),
    [
      'Control plane',
      assessment === 'Completed'
        ? `Done in ${spanInWords(1000 * durationSeconds)}`
        : `${completion.updated} of ${completion.total}`,
    ],
    ['Nodes', `${sumOf('updated')} of ${sumOf('total')}`],
    endFact(status),
  ];
}

function endFact({ forecast, state, at }: UpdateStatusView): Fact {
  const whole = forecast?.whole ?? null;
  const now = Date.parse(at);
  if (state === 'silent') return ['Likely end', 'Unknown'];
  if (whole === null) return state === 'held' ? ['Likely end', 'Open'] : ['Likely end', 'Unknown'];
  const left = Date.parse(whole.likelyAt) - now;
  if (state === 'stalled') return ['Left after the fix', left > 0 ? spanInWords(left) : 'Unknown'];
  if (whole.overdueSeconds > 0) return ['Likely end', `${spanInWords(1000 * whole.overdueSeconds)} late`];
  return ['Likely end', clock(whole.likelyAt, now)];
}

/** `Likely end between 20:00 and 20:40. Rests on …`; empty without a forecast. */
export function forecastInWords({ forecast, at, state }: UpdateStatusView): string {
  const whole = forecast?.whole ?? null;
  const now = Date.parse(at);
  const held = forecast?.heldNodes ?? 0;
  const heldNote =
    held > 0
      ? `${countInWords(held, 'node')} of paused pools ${held === 1 ? 'is' : 'are'} not in the forecast.`
      : '';
  // Nothing is known since the last report.
  if (state === 'silent') return '';
  if (whole === null) return heldNote;
  const [earliest, latest] = [clock(whole.earliestAt, now), clock(whole.latestAt, now)];
  const range = state === 'stalled' ? 'If it goes on now, it ends' : 'It likely ends';
  const when = earliest === latest ? `at ${latest}` : `between ${earliest} and ${latest}`;
  return `${range} ${when}. Basis: ${whole.restsOn.replace(/\.$/, '')}. ${heldNote}`.trim();
}

/** Null while the end is not known. */
export function tookInWords({ minutes, forecasts }: PastUpdate): string | null {
  if (minutes.whole === null) return null;
  const took = `Took ${minutesInWords(minutes.whole)} in all`;
  const late = forecasts.begin?.minutesLate.whole ?? null;
  if (late === null) return `${took}.`;
  if (late === 0) return `${took}, as forecast at its start.`;
  return `${took}, ${minutesInWords(Math.abs(late))} ${late > 0 ? 'more' : 'less'} than forecast at its start.`;
}
