import type * as z from 'zod/mini';

/** Builds a schema on first use: the schemas of all routes slow a cold start. */
export function lazy<Schema>(make: () => Schema): () => Schema {
  let made: Schema | undefined;
  return () => (made ??= make());
}

export type DeepReadonly<T> = T extends readonly (infer Element)[]
  ? readonly DeepReadonly<Element>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

export type Output<Lazy extends () => z.ZodMiniType> = DeepReadonly<z.output<ReturnType<Lazy>>>;
