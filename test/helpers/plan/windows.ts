import { type MaintenanceWindows, readWindows } from '@cairn/shared/plan/windows/maintenance-windows';

export function windowsOf(windows: string, timeZone = 'UTC'): MaintenanceWindows {
  const reading = readWindows({ windows, timeZone });
  if (!reading.ok) throw new TypeError(reading.mistakes.map(({ problem }) => problem).join('; '));
  return reading.windows;
}
