import type { PlanQuestion } from '@cairn/shared/plan/figures';
import { planWindows } from '@cairn/shared/plan/windows/fit';
import { type MaintenanceWindows, readWindows } from '@cairn/shared/plan/windows/maintenance-windows';

export function windowsOf(windows: string, timeZone = 'UTC'): MaintenanceWindows {
  const reading = readWindows({ windows, timeZone });
  if (!reading.ok) throw new TypeError(reading.mistakes.map(({ problem }) => problem).join('; '));
  return reading.windows;
}

/** Plans in these windows. */
export function inWindows(...given: Parameters<typeof windowsOf>): NonNullable<PlanQuestion['windows']> {
  return (figures, now) => planWindows(windowsOf(...given), figures, now);
}
