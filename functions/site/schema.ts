import { lazy } from '../runtime/lazy.ts';
import * as z from 'zod/mini';
import { METHODS } from '../http/route.ts';

export const ServiceIndex = /* @__PURE__ */ lazy(() =>
  z.object({
    name: z.string(),
    version: z.string(),
    routes: z.array(z.object({ method: z.enum(METHODS), path: z.string(), summary: z.string() })),
  }),
);

export const Health = /* @__PURE__ */ lazy(() => z.object({ status: z.literal('ok') }));

export const OpenapiDocument = /* @__PURE__ */ lazy(() => z.record(z.string(), z.unknown()));
