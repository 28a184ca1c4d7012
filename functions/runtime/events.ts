import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type * as z from 'zod/mini';
import type { EVENT_DETAILS } from './event-schemas.ts';
import type { DeepReadonly } from './lazy.ts';
import { EVENT_SOURCE } from './names.ts';

/** Event for subscribers. Can arrive more than once; repeats have the same `id`. */
export type CairnEvent<Type extends EventType = EventType> = Type extends unknown
  ? {
      readonly id: string;
      readonly type: Type;
      readonly at: string;
      /** Follows its schema; sending adds the id. */
      readonly detail: DeepReadonly<Omit<z.output<EventDetails[Type]>, 'id'>>;
    }
  : never;

type EventDetails = ReturnType<typeof EVENT_DETAILS>;
type EventType = keyof EventDetails;

/** EventBridge on AWS, the log in a local run. */
export interface EventSink {
  /** Returns undelivered events. */
  publish(events: readonly CairnEvent[]): Promise<readonly CairnEvent[]>;
}

const EVENTS_PER_CALL = 10;

export function eventBridgeSink(client: EventBridgeClient, busName: string): EventSink {
  return {
    async publish(events) {
      const undelivered: CairnEvent[] = [];
      for (let start = 0; start < events.length; start += EVENTS_PER_CALL) {
        const batch = events.slice(start, start + EVENTS_PER_CALL);
        const { Entries } = await client.send(
          new PutEventsCommand({ Entries: batch.map((event) => entryOf(event, busName)) }),
        );
        // A failed entry is reported at its position in a successful response.
        undelivered.push(...batch.filter((_event, index) => !Entries?.[index]?.EventId));
      }
      return undelivered;
    },
  };
}

function entryOf(event: CairnEvent, busName: string) {
  return {
    EventBusName: busName,
    Source: EVENT_SOURCE,
    DetailType: event.type,
    Time: new Date(event.at),
    Detail: JSON.stringify({ id: event.id, ...event.detail }),
  };
}
