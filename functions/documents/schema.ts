import * as z from 'zod/mini';
import { lazy } from '../runtime/lazy.ts';

export const ReadInput = /* @__PURE__ */ lazy(() =>
  z.object({
    documents: z.int(),
    objects: z.int(),
    emptyLists: z.int(),
    ignored: z
      .array(z.object({ kind: z.string(), count: z.int() }))
      .check(z.describe('Objects of kinds that are not read, the most frequent first')),
  }),
);
