import { readSchedule } from '@cairn/shared/prune/schedule/read-schedule';
import type { Schedule } from '@cairn/shared/prune/schedule/schedule';

export function scheduleOf(text: string): Schedule {
  const read = readSchedule(text);
  if (!read.ok) throw new TypeError(read.problem);
  return read.schedule;
}
