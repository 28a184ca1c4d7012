import type { CairnEvent } from '../../../functions/runtime/events.ts';

/** An event of any type, for tests that read single fields. */
export interface SeenEvent {
  readonly id: string;
  readonly type: CairnEvent['type'];
  readonly at: string;
  readonly detail: Readonly<Record<string, unknown>>;
}
