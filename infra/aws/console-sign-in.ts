import type { SignIn } from '../../functions/site/sign-in.ts';
import { scopesOf } from './route-access.ts';
import type { AccessSettings } from './settings/settings.ts';

/** How people sign in to the console of a deployment. */
export function consoleSignIn({ jwt }: AccessSettings): SignIn {
  if (!jwt) return { kind: 'iam' };
  const { issuer, signIn } = jwt;
  if (!signIn) return { kind: 'token' };
  return { kind: 'oidc', issuer, ...signIn, scopes: askedScopes(signIn.scopes) };
}

/**
 * What the issuer is asked for: an id token, what the settings name, and every scope of a route, of which it gives each
 * person those they may have. Settings that name scopes of routes themselves ask for no others: an issuer may know them
 * with a prefix, and a team may want people to look only.
 */
function askedScopes(scopes: readonly string[]): string[] {
  const namesOwn = scopes.some((scope) => scope.includes('fleet:'));
  return [...new Set(['openid', ...scopes, ...(namesOwn ? [] : scopesOf('read'))])];
}

/** What a person has to know or do before the console shows something: at `url`, and at that of CloudFront where there is one. */
export function consoleHint(url: string, { jwt }: AccessSettings, cloudFrontUrl?: string): string {
  if (!jwt) {
    return `A browser cannot sign AWS requests. Run: npm run console -- --url ${url} (or set access.jwt.signIn)`;
  }
  const places = [url, ...(cloudFrontUrl === undefined ? [] : [cloudFrontUrl])];
  const redirects = places.map((place) => `${place}/signed-in`);
  return jwt.signIn
    ? `Let the issuer redirect to ${redirects.join(' and ')} and answer pages of ${places.join(' and ')}; then open ${url}`
    : `Open ${url} and paste a token of the issuer under "Sign in"`;
}
