/** Makes a schema when it is first used: those of all routes together are a noticeable part of a cold start. */
export function lazy<Schema>(make: () => Schema): () => Schema {
  let made: Schema | undefined;
  return () => (made ??= make());
}
