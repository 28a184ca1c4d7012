import type { Schedule } from '@cairn/shared/prune/schedule/next-times';
import { readSchedule } from '@cairn/shared/prune/schedule/read-schedule';
import type { PrunerScheduleDefinition } from '../../../functions/pruners/schedules.ts';

export function scheduleOf(text: string): Schedule {
  const read = readSchedule(text);
  if (!read.ok) throw new TypeError(read.problem);
  return read.schedule;
}

export function definition(
  schedule: string,
  others: Partial<PrunerScheduleDefinition> = {},
): PrunerScheduleDefinition {
  return {
    schedule: scheduleOf(schedule),
    timeZone: 'UTC',
    suspend: false,
    startingDeadlineSeconds: 3600,
    ...others,
  };
}
