/** The console as a client of an OIDC issuer: a public one, with the code flow and PKCE. */
export interface IssuerSignIn {
  readonly kind: 'oidc';
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Both, or neither: then the issuer's discovery document names them. */
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
}

/**
 * How a person gets to what is not open, as `GET /sign-in.json` says it: by a token that they have, by signing in at an
 * issuer, or not in a browser, as only signed AWS requests are taken (`iam`). In `signed` something between the page and
 * the service signs them.
 */
export type SignIn = { readonly kind: 'token' | 'iam' | 'signed' } | IssuerSignIn;
