/** Stands in for `@smithy/core/event-streams`: no function reads a stream of events, and asking for one says so. */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;

export const eventStreamSerdeProvider = (): never => {
  throw new Error('event streams are left out of the bundles');
};

export const EventStreamSerde = undefined;
