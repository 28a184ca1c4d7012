import * as z from 'zod/mini';
import { METHODS } from '../http/route.ts';
import { lazy } from '../runtime/lazy.ts';

/** `iam`: no browser access, only signed AWS requests. `signed`: a proxy between page and service signs requests. */
const KINDS_WITHOUT_ISSUER = ['token', 'iam', 'signed'] as const;

/** Sign-in settings, as `GET /sign-in.json` returns them. */
export const SignIn = /* @__PURE__ */ lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(KINDS_WITHOUT_ISSUER) }),
    // Public OIDC client: authorization code flow with PKCE.
    z.object({
      kind: z.literal('oidc'),
      issuer: z.string(),
      clientId: z.string(),
      scopes: z.readonly(z.array(z.string())),
      // Both or neither; without them, the issuer's discovery document has them.
      authorizationEndpoint: z.optional(z.string()),
      tokenEndpoint: z.optional(z.string()),
    }),
  ]),
);

export type SignIn = z.output<ReturnType<typeof SignIn>>;
export type IssuerSignIn = Extract<SignIn, { kind: 'oidc' }>;

export const ServiceIndex = /* @__PURE__ */ lazy(() =>
  z.object({
    name: z.string(),
    version: z.string(),
    routes: z.array(z.object({ method: z.enum(METHODS), path: z.string(), summary: z.string() })),
  }),
);

export const Health = /* @__PURE__ */ lazy(() => z.object({ status: z.literal('ok') }));

export const OpenapiDocument = /* @__PURE__ */ lazy(() => z.record(z.string(), z.unknown()));
