import { describe, expect, it } from 'vitest';
import { consoleHint, consoleSignIn } from '../../../../infra/aws/domain.ts';
import type { AccessSettings, SignInSettings } from '../../../../infra/aws/settings/settings.ts';
import { templateOf, textsIn } from '../../../helpers/template/template.ts';

const ISSUER = 'https://login.example.com/realms/ops';
const withSignIn = (signIn?: SignInSettings): AccessSettings => ({
  publicReleaseData: 'none',
  jwt: { issuer: ISSUER, audience: ['cairn'], ...(signIn && { signIn }) },
});
const client = { clientId: 'cairn-console', scopes: ['openid'] };
const ROUTES = ['fleet:read', 'fleet:write', 'fleet:admin'];

describe('how people sign in to the console', () => {
  it('is not in a browser where only signed requests are taken', () => {
    expect(consoleSignIn({ publicReleaseData: 'all' })).toEqual({ kind: 'iam' });
  });

  it('is by a token that they have where the console is no client of the issuer', () => {
    expect(consoleSignIn(withSignIn())).toEqual({ kind: 'token' });
  });

  it('is at the issuer', () => {
    const endpoints = {
      authorizationEndpoint: `${ISSUER}/authorize`,
      tokenEndpoint: 'https://tokens.example.com/token',
    };
    expect(consoleSignIn(withSignIn({ ...client, ...endpoints }))).toEqual({
      kind: 'oidc',
      issuer: ISSUER,
      clientId: 'cairn-console',
      scopes: ['openid', ...ROUTES],
      ...endpoints,
    });
  });

  it.each([
    ['beside those of the settings', ['profile', 'offline_access'], ['profile', 'offline_access', ...ROUTES]],
    ['once each', ['openid', 'fleet:read', 'fleet:write'], ['fleet:read', 'fleet:write']],
    ['not where the settings name some of them', ['fleet:read'], ['fleet:read']],
    ['not where the issuer has them with a prefix', ['api://cairn/fleet:read'], ['api://cairn/fleet:read']],
  ])('scopes of the routes are asked for %s', (_what, scopes, asked) => {
    expect(consoleSignIn(withSignIn({ ...client, scopes }))).toMatchObject({ scopes: ['openid', ...asked] });
  });
});

describe('the hint of the deployment', () => {
  const url = 'https://cairn.example.com';

  it.each<[string, AccessSettings, string]>([
    [
      'how to get in without a browser that signs',
      { publicReleaseData: 'none' },
      'A browser cannot sign AWS requests. Run: npm run console -- --url https://cairn.example.com (or set access.jwt.signIn)',
    ],
    [
      'where to paste a token',
      withSignIn(),
      'Open https://cairn.example.com and paste a token of the issuer under "Sign in"',
    ],
    [
      'what the issuer has to know',
      withSignIn(client),
      'Let the issuer redirect to https://cairn.example.com/signed-in and answer pages of https://cairn.example.com; then open https://cairn.example.com',
    ],
  ])('says %s', (_what, access, words) => {
    expect(consoleHint(url, access)).toBe(words);
  });

  it('names the address of CloudFront to the issuer too', () => {
    expect(consoleHint(url, withSignIn(client), 'https://d1.cloudfront.net')).toBe(
      'Let the issuer redirect to https://cairn.example.com/signed-in and https://d1.cloudfront.net/signed-in and answer pages of https://cairn.example.com and https://d1.cloudfront.net; then open https://cairn.example.com',
    );
  });

  it('has the address of CloudFront where there is one', async () => {
    const access: AccessSettings = { ...withSignIn(client), publicReleaseData: 'graph' };
    const { output, idOf } = await templateOf({ access, cloudFront: true });
    expect(textsIn(output('ConsoleHint')).join('')).toContain(
      ` and https://${idOf('Cdn/Distribution')}DomainName/signed-in and answer`,
    );
  });
});
