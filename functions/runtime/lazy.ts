import type * as z from 'zod/mini';

/** Makes a schema when it is first used: those of all routes together are a noticeable part of a cold start. */
export function lazy<Schema>(make: () => Schema): () => Schema {
  let made: Schema | undefined;
  return () => (made ??= make());
}

/** The same value, with nothing in it that may be changed. */
export type DeepReadonly<T> = T extends readonly (infer Element)[]
  ? readonly DeepReadonly<Element>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** What the schema gives, as values that nothing changes. */
export type Output<Lazy extends () => z.ZodMiniType> = DeepReadonly<z.output<ReturnType<Lazy>>>;
