import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type * as z from 'zod/mini';
import type { EVENT_DETAILS } from './event-schemas.ts';
import type { DeepReadonly } from './lazy.ts';
import { EVENT_SOURCE } from './names.ts';

/** Something that happened, for whoever listens. May arrive more than once; `id` tells repeats. */
export type CairnEvent<Type extends EventType = EventType> = Type extends unknown
  ? {
      readonly id: string;
      readonly type: Type;
      readonly at: string;
      /** As its schema has it; the id is added when it is sent. */
      readonly detail: DeepReadonly<Omit<z.output<EventDetails[Type]>, 'id'>>;
    }
  : never;

type EventDetails = ReturnType<typeof EVENT_DETAILS>;
type EventType = keyof EventDetails;

/** Where events go: EventBridge on AWS, the log in the local run. */
export interface EventSink {
  /** Returns the events that could not be delivered. */
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
        // A refused entry comes back at its position, in an answer that is otherwise a success.
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
