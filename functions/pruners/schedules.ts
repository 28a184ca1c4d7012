import type { Schedule } from '@cairn/shared/prune/schedule/next-times';

export interface PrunerScheduleDefinition {
  readonly schedule: Schedule;
  readonly timeZone: string;
  /** Whether it is kept, but does not fire. */
  readonly suspend: boolean;
  readonly startingDeadlineSeconds: number;
}

/** What a schedule sends when it fires. The same time may come twice: `scheduledTime` tells. */
export interface PrunerFiring {
  readonly pruner: string;
  readonly scheduledTime: string;
  readonly trigger: 'schedule';
  /** Which delivery it was, for the log; only on AWS. */
  readonly executionId?: string;
  readonly attempt?: string;
}

/** The schedules of pruners: EventBridge Scheduler on AWS, a clock in the process of the local run. */
export interface PrunerSchedules {
  /** Creates the schedule of a pruner or makes it what it is to be. Intervals begin anew with it. */
  put(pruner: string, definition: PrunerScheduleDefinition): Promise<void>;
  /** Whether exactly this is in force; `put` repairs what is not. */
  holds(pruner: string, definition: PrunerScheduleDefinition): Promise<boolean>;
  /** One that is not there is no error. */
  remove(pruner: string): Promise<void>;
}
