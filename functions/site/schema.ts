import * as z from 'zod/mini';
import { METHODS } from '../http/route.ts';
import { lazy } from '../runtime/lazy.ts';

/** `iam`: not in a browser, as only signed AWS requests are taken. `signed`: something between the page and the service signs them. */
const KINDS_WITHOUT_ISSUER = ['token', 'iam', 'signed'] as const;

/** How a person gets to what is not open, as `GET /sign-in.json` answers it. */
export const SignIn = /* @__PURE__ */ lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(KINDS_WITHOUT_ISSUER) }),
    // The console as a client of an OIDC issuer: a public one, with the code flow and PKCE.
    z.object({
      kind: z.literal('oidc'),
      issuer: z.string(),
      clientId: z.string(),
      scopes: z.readonly(z.array(z.string())),
      // Both, or neither: then the issuer's discovery document names them.
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
