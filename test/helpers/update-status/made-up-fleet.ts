import type { HistoryEntry } from '@cairn/shared/cluster/facts';
import { Random } from '../random.ts';
import { simulateUpdate } from './simulator.ts';
import { statusFrom } from './statuses.ts';

const DAY = 24 * 60;
const START = Date.parse('2026-11-16T08:00:00Z');

/** Former updates, newest first, with an installation behind them; minutes that each took. */
export function historyOf(...updates: readonly [version: string, minutes: number][]): HistoryEntry[] {
  const time = (minute: number) => new Date(START + minute * 60_000).toISOString();
  return [...updates, ['4.12.0', 40] as const].map(([version, minutes], index) => ({
    state: 'Completed',
    version,
    image: `${version}-${index}`,
    startedTime: time(-(index + 1) * 30 * DAY),
    completionTime: time(-(index + 1) * 30 * DAY + minutes),
    verified: true,
    acceptedRisks: '',
  }));
}

/** Error of the forecast, as a multiple of the error of the remaining time of `oc`, over whole updates of a fleet. */
export function forecastErrorRatio(clusters: number): number {
  const random = new Random(7);
  const errors = Array.from({ length: clusters }, () => {
    const pace = 2 + random.next() * 5;
    const scenario = { minutesPerOperator: pace, masters: 3, phases: [3, 2, 3 + random.below(6)] as const };
    const end = simulateUpdate(scenario).controlPlaneEnd;
    const usual = (version: string): [string, number] => [version, end * (0.8 + random.next() * 0.5)];
    const history = historyOf(usual('4.14.0'), usual('4.13.9'), usual('4.13.5'), usual('4.13.2'));
    const update = simulateUpdate({ ...scenario, from: '4.14.0', history });
    return [0.02, 0.3, 0.6, 0.9].map((share) => {
      const minute = share * end;
      const status = statusFrom(update.facts(minute), Date.parse(update.time(minute)));
      const likely = (Date.parse(status.forecast!.controlPlane!.likelyAt) - START) / 60_000;
      const byRemaining = minute + status.controlPlane!.remaining!.seconds / 60;
      return { forecast: Math.abs(likely - end), remaining: Math.abs(byRemaining - end) };
    });
  }).flat();
  const sum = (of: 'forecast' | 'remaining') => errors.reduce((total, error) => total + error[of], 0);
  return sum('forecast') / sum('remaining');
}
