import * as z from 'zod/mini';
import { lazy } from '../runtime/lazy.ts';

export const syncRunRequest = /* @__PURE__ */ lazy(() =>
  z
    .strictObject({
      accept: z.optional(
        z
          .array(
            z.string().check(
              z.regex(/^[a-z]{2,16}-[0-9]{1,2}\.[0-9]{1,3}\/[a-z0-9]{2,10}$/, {
                error: 'a pair such as stable-4.12/amd64 is accepted',
              }),
            ),
            { error: 'a list of pairs such as ["stable-4.12/amd64"] is accepted' },
          )
          .check(
            z.maxLength(100, { error: 'at most 100 pairs are accepted' }),
            z.describe('Held answers of these pairs are taken as true'),
          ),
      ),
    })
    .check(z.meta({ id: 'SyncRunRequest' })),
);
