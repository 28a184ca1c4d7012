import * as z from 'zod/mini';

/** RFC 9457, the error of every route of our own. */
export const ProblemBody = z
  .object({
    type: z.string().check(z.describe('Stable identifier of the kind of problem, see docs/problems.md')),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.optional(z.string().check(z.describe('Identifier of the request, as found in the logs'))),
    errors: z.optional(
      z.array(
        z.object({
          parameter: z.optional(z.string()),
          pointer: z.optional(z.string().check(z.describe('JSON pointer into the request body'))),
          value: z.optional(z.unknown()),
          detail: z.string(),
        }),
      ),
    ),
  })
  .check(z.meta({ id: 'Problem', description: 'What went wrong and how to mend it' }));

/** The error of assisted-service, kept for its clients on `/v2`. */
export const AssistedErrorBody = z
  .object({
    kind: z.literal('Error'),
    id: z.int(),
    href: z.string(),
    code: z.string(),
    reason: z.string(),
  })
  .check(z.meta({ id: 'AssistedError', description: 'Error in the shape of assisted-service' }));
