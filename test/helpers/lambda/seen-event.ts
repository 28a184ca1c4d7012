import type { CairnEvent } from '../../../functions/runtime/events.ts';

/** An event of any type, whose detail a test reads field by field. */
export interface SeenEvent {
  readonly id: string;
  readonly type: CairnEvent['type'];
  readonly at: string;
  readonly detail: Readonly<Record<string, unknown>>;
}
