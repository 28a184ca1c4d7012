import type * as z from 'zod/mini';

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodMiniType;
  readonly options?: readonly z.ZodMiniType[];
}

/** The types that a field may be of, without whether it may be left out: `string` and `array` for a name or a list. */
export function typesOf(field: z.core.$ZodType): readonly string[] {
  const { type, innerType, options } = field._zod.def as Definition;
  if (innerType) return typesOf(innerType);
  return options ? options.flatMap(typesOf) : [type];
}
