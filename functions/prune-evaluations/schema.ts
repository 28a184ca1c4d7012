import * as z from 'zod/mini';
import { unknownName } from '../http/request.ts';
import { oneOf, text, TEXT_FORMATS } from '../http/schema-fields.ts';

/** Fields that requests for evaluations have. */

export const format = () => z.optional(oneOf(TEXT_FORMATS, '`json` when not given'));

export const count = (least: number, most: number, description: string) => {
  const error = `a whole number from ${least} to ${most} is accepted`;
  return z
    .int({ error })
    .check(z.minimum(least, { error }), z.maximum(most, { error }), z.describe(description));
};

export const time = () =>
  text(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/,
    'a time such as 2026-11-16T08:00:00Z is accepted',
    'The time by which objects are so old; when it is, when not given',
  );

/** An object below the top of a body, whose names only its schema knows. */
export const strict = <Shape extends Record<string, z.ZodMiniType>>(shape: Shape, error: string) =>
  z.strictObject(shape, {
    error: ({ code, keys }) => {
      if (code !== 'unrecognized_keys') return error;
      const [name, ...others] = keys;
      const known = Object.keys(shape);
      // One message is for all of them.
      return others.length === 0
        ? unknownName(name!, known)
        : `is not known, accepted are ${known.join(', ')}`;
    },
  });
