/** Alias of `@smithy/core/event-streams`: no function reads event streams, so using one throws. */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;

export const eventStreamSerdeProvider = (): never => {
  throw new Error('event streams are left out of the bundles');
};

export const EventStreamSerde = undefined;
