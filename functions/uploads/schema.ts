import * as z from 'zod/mini';
import { lazy } from '../runtime/lazy.ts';

export const UploadCreated = /* @__PURE__ */ lazy(() =>
  z
    .object({
      upload: z
        .string()
        .check(
          z.describe('Once sent, `{"upload": "…"}` is accepted wherever `{"documents": […]}` is, for a day'),
        ),
      url: z.string().check(z.describe('Takes the documents, as they are or compressed by gzip')),
      method: z.literal('PUT'),
      expiresAt: z.string().check(z.describe('When the address stops taking them, in ISO 8601, UTC')),
      maxBytes: z.int().check(z.describe('The most that will be read of them, inflated')),
    })
    .check(z.meta({ id: 'UploadCreated', description: 'Where to send documents' })),
);
