import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startSignedFront } from '../../../functions/cli/commands/console-proxy.ts';
import { launchChromium, withoutBrowser } from '../../helpers/browser/chromium.ts';
import { type GuardedSite, guardSite } from '../../helpers/browser/guarded-site.ts';
import { focused, tabTo } from '../../helpers/browser/keys.ts';
import { type OidcIssuer, startIssuer } from '../../helpers/browser/oidc-issuer.ts';
import { expectHops } from '../../helpers/browser/shown-plan.ts';
import { drawnSite, type Site } from '../../helpers/browser/site.ts';
import {
  accessibilityFaults,
  intercept,
  openPage,
  settled,
  visit,
  type Visit,
} from '../../helpers/browser/visit.ts';

const CHANNELS = { 'stable-4.15': ['4.14.1 > 4.14.8', '4.14.8 > 4.15.6'] };
const PLAN = '/?from=4.14.1&to=4.15.6&nodes=7&sel=4.14.8';
const SCOPES = ['openid', 'fleet:read', 'fleet:write', 'fleet:admin'];

describe.skipIf(withoutBrowser)('signing in at an issuer', () => {
  let issuer: OidcIssuer;
  let site: Site;
  let guarded: GuardedSite;
  let browser: Browser;
  beforeAll(async () => {
    issuer = await startIssuer('cairn-console', 'cairn');
    const { url, clientId } = issuer;
    [site, browser] = await Promise.all([
      drawnSite({ amd64: CHANNELS }, { signIn: { kind: 'oidc', issuer: url, clientId, scopes: SCOPES } }),
      launchChromium(),
    ]);
    guarded = await guardSite(site, issuer);
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([guarded.close(), site.close(), issuer.close()]);
  });
  afterEach(() => {
    issuer.behave();
    issuer.asked.tokens.length = 0;
    guarded.refusals.length = 0;
  });

  const open = (path = PLAN) => openPage(browser, guarded, path);
  const openDialog = async (page: Page, name = 'Sign in') => {
    await page.getByRole('banner').getByRole('button', { name }).click();
    const dialog = page.getByRole('dialog', { name });
    await dialog.locator('p').first().waitFor();
    return dialog;
  };
  const goToIssuer = async (page: Page): Promise<void> => {
    const dialog = await openDialog(page);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in as Jo?' }).waitFor();
  };
  const decide = async (page: Page, decision: 'Yes' | 'No'): Promise<void> => {
    await page.getByRole('button', { name: decision }).click();
    await page.waitForURL(({ href }) => href.startsWith(guarded.url) && !href.includes('code='));
    await settled(page);
  };
  const signedIn = async (path = PLAN): Promise<Visit> => {
    const visited = await open(path);
    await goToIssuer(visited.page);
    await decide(visited.page, 'Yes');
    await expect.poll(() => visited.page.url()).toBe(guarded.url + path);
    await settled(visited.page);
    return visited;
  };
  const stored = (page: Page, key: string): Promise<string | null> =>
    page.evaluate((name) => sessionStorage.getItem(name), key);

  it('leads back to the plan that a link named, and leaves no trace of a token anywhere', async () => {
    const { page, goto } = await visit(browser, guarded);
    const asked: { url: string; referrer: string | undefined }[] = [];
    page.on('request', (request) => {
      asked.push({ url: request.url(), referrer: request.headers()['referer'] });
    });
    await goto(PLAN);
    await page.getByRole('alert').getByText('Use “Sign in” at the top.').first().waitFor();
    const dialog = await openDialog(page);
    expect(await dialog.innerText()).toContain(`You sign in at ${new URL(issuer.url).host}`);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in as Jo?' }).waitFor();
    expect(Object.fromEntries(issuer.asked.authorization!)).toEqual({
      response_type: 'code',
      client_id: 'cairn-console',
      redirect_uri: `${guarded.url}/signed-in`,
      scope: 'openid fleet:read fleet:write fleet:admin',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    await decide(page, 'Yes');
    await expectHops(page, '4.14.8', '4.15.6');
    expect(page.url()).toBe(guarded.url + PLAN);
    expect(await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).count()).toBe(0);

    const token = (await stored(page, 'cairn-token'))!;
    expect(issuer.tokens).toContain(token);
    const codes = issuer.asked.tokens.map((form) => form.get('code'));
    const secrets = issuer.tokens.filter((secret) => !codes.includes(secret));
    expect(asked.filter(({ url }) => secrets.some((secret) => url.includes(secret)))).toEqual([]);
    const byThePage = asked.filter(({ url }) => /authorize\?|openid-configuration|token$/.test(url));
    expect(byThePage.length).toBe(3);
    expect(byThePage.filter(({ referrer }) => referrer)).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify(localStorage) + document.cookie)).not.toContain(token);
    // The verifier is of no use any more.
    expect(await stored(page, 'cairn-sign-in')).toBeNull();

    await page.reload();
    await expectHops(page, '4.14.8', '4.15.6');
  });

  it('is done by keyboard alone, and gives axe nothing to complain about', async () => {
    const { page } = await open();
    const check = async (): Promise<string[]> => {
      const inLight = await accessibilityFaults(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      const inDark = await accessibilityFaults(page, ['color-contrast', 'link-in-text-block']);
      await page.emulateMedia({ colorScheme: 'light' });
      return [...inLight, ...inDark];
    };
    await tabTo(page, '.header .button.primary');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('You sign in at').waitFor();
    expect(await check()).toEqual([]);
    await tabTo(page, 'dialog .button.primary');
    expect(await focused(page)).toBe('button Sign in');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in as Jo?' }).waitFor();
    await page.keyboard.press('Enter');
    await expectHops(page, '4.14.8', '4.15.6');

    await tabTo(page, '.header .push .button:not(.icon)');
    expect(await focused(page)).toBe('button Account');
    await page.keyboard.press('Enter');
    await page.getByText('You are signed in as').waitFor();
    expect(await check()).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('button Account');
  });

  it('shows who signed in as text, and forgets all of it on request', async () => {
    const { page } = await signedIn();
    const dialog = await openDialog(page, 'Account');
    expect(await dialog.innerText()).toContain('You are signed in as Jo <b>Bloggs</b>.');
    const keptAnswers = (): Promise<number> =>
      page.evaluate(async () => (await (await caches.open('cairn-1')).keys()).length);
    expect(await keptAnswers()).toBeGreaterThan(0);
    const loaded = page.waitForEvent('load');
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await loaded;
    await page.getByRole('alert').first().waitFor();
    expect(page.url()).toBe(guarded.url + PLAN);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    expect(await keptAnswers()).toBe(0);
    expect(await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).count()).toBe(1);
  });

  it.each([
    ['email', { email: 'jo@example.com', preferred_username: 'jo.b' }, 'jo@example.com'],
    ['user name', { name: ' ', preferred_username: 'jo.b' }, 'jo.b'],
    ['subject', { name: 7 }, 'jo'],
  ])('calls a person by their %s where there is nothing better', async (_what, claims, name) => {
    issuer.mood.claims = claims;
    const { page } = await signedIn();
    const dialog = await openDialog(page, 'Account');
    expect(await dialog.innerText()).toContain(`You are signed in as ${name}.`);
  });

  it('renews a token whose time is over once, quietly, however many requests it fails', async () => {
    const { page, follow } = await signedIn();
    const before = (await stored(page, 'cairn-token'))!;
    guarded.ended.add(before);
    await follow('/clusters');
    await page.getByText('There are no clusters here yet.').waitFor();
    await follow('/channels');
    await page.getByRole('link', { name: 'stable-4.15' }).waitFor();
    expect(issuer.asked.tokens.map((form) => form.get('grant_type'))).toEqual([
      'authorization_code',
      'refresh_token',
    ]);
    expect(await stored(page, 'cairn-token')).not.toBe(before);
    expect(await page.getByRole('alert').count()).toBe(0);
    // The next one is good too, as refresh tokens are good once.
    guarded.ended.add((await stored(page, 'cairn-token'))!);
    await page.reload();
    await page.getByRole('link', { name: 'stable-4.15' }).waitFor();
    expect(issuer.asked.tokens.length).toBe(3);
    expect(await page.getByRole('banner').getByRole('button', { name: 'Account' }).count()).toBe(1);
  });

  it('offers to sign in again where nothing can be renewed, and goes nowhere by itself', async () => {
    issuer.mood.lifetime = 1;
    issuer.mood.refusesRefresh = true;
    const { page, follow } = await signedIn();
    await expect
      .poll(async () => Date.now() >= JSON.parse((await stored(page, 'cairn-session'))!).expiresAt)
      .toBe(true);
    await follow('/clusters');
    await page.getByRole('alert').first().waitFor();
    await page.reload();
    await page.getByRole('alert').first().waitFor();
    expect(page.url()).toBe(`${guarded.url}/clusters`);
    expect(issuer.asked.tokens.map((form) => form.get('grant_type'))).toEqual([
      'authorization_code',
      'refresh_token',
    ]);
    issuer.behave();
    const dialog = await openDialog(page);
    expect(await dialog.innerText()).toContain('Your sign-in has ended.');
    await dialog.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.getByText('There are no clusters here yet.').waitFor();
    expect(page.url()).toBe(`${guarded.url}/clusters`);
  });

  it('says so when the service does not take what the issuer gave', async () => {
    issuer.mood.givesRefreshTokens = false;
    const { page } = await signedIn();
    guarded.ended.add((await stored(page, 'cairn-token'))!);
    await page.reload();
    const dialog = await openDialog(page);
    expect(await dialog.innerText()).toContain('but this service does not take the token');
  });

  it('shows the refusal of the service, and lets another user sign in', async () => {
    issuer.mood.grants = ['openid'];
    const { page } = await open();
    await goToIssuer(page);
    await decide(page, 'Yes');
    await page.getByRole('alert').first().waitFor();
    const dialog = await openDialog(page);
    const words = await dialog.innerText();
    expect(words).toContain('You are signed in as Jo <b>Bloggs</b>, but may not do that.');
    expect(words).toContain('The service says: Forbidden.');
    expect(await accessibilityFaults(page)).toEqual([]);
    issuer.behave();
    await dialog.getByRole('button', { name: 'Sign in as somebody else' }).click();
    await page.getByRole('heading', { name: 'Sign in as Jo?' }).waitFor();
    expect(issuer.asked.authorization!.get('prompt')).toBe('login');
    await decide(page, 'Yes');
    await expectHops(page, '4.14.8', '4.15.6');
  });

  it('shows the refusal of the issuer, and tries again from there', async () => {
    const { page } = await open();
    await goToIssuer(page);
    await decide(page, 'No');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toBe(
      'The issuer did not let you in. It says: <b>Jo</b> is not in the group',
    );
    expect(page.url()).toBe(`${guarded.url}/signed-in`);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await decide(page, 'No');
    await page.getByRole('link', { name: 'Back to the page' }).click();
    await page.getByRole('alert').first().waitFor();
    expect(page.url()).toBe(guarded.url + PLAN);
  });

  it.each<[string, Partial<OidcIssuer['mood']>, string, number]>([
    ['of another sign-in', { state: 'other' }, 'This is not the answer to the sign-in that was begun', 0],
    ['with an id token of another sign-in', { nonce: 'other' }, 'is not the answer to this sign-in', 1],
    ['for another client', { claims: { aud: 'other' } }, 'is not the answer to this sign-in', 1],
  ])('takes nothing from an answer %s', async (_what, mood, words, tokensAsked) => {
    Object.assign(issuer.mood, mood);
    const { page } = await open();
    await goToIssuer(page);
    await decide(page, 'Yes');
    await page.getByRole('alert').getByText(words).waitFor();
    expect(issuer.asked.tokens.length).toBe(tokensAsked);
    expect(page.url()).toBe(`${guarded.url}/signed-in`);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it('ignores an answer to a request that this tab did not make', async () => {
    const { page } = await open('/signed-in?code=abc&state=def');
    await page.getByRole('alert').getByText('No sign-in is under way in this tab.').waitFor();
    expect(page.url()).toBe(`${guarded.url}/signed-in`);
    expect(issuer.asked.tokens).toEqual([]);
    await page.getByRole('link', { name: 'Back to the page' }).click();
    await page.waitForURL(`${guarded.url}/`);
  });

  it.each<[string, Partial<OidcIssuer['mood']>, string]>([
    [
      'is another one than the service expects',
      { issuer: 'https://elsewhere.example/<b>' },
      'says that it is the issuer “https://elsewhere.example/<b>”, this service expects',
    ],
    [
      'gives out tokens where the page may not ask',
      { tokenEndpoint: 'http://tokens.example/token' },
      'gives out tokens at tokens.example, which this page may not ask.',
    ],
    ['names no place that can be asked', { tokenEndpoint: 'javascript:alert(1)' }, 'names no token_endpoint'],
  ])('stays where it is when the issuer %s', async (_what, mood, words) => {
    Object.assign(issuer.mood, mood);
    const { page } = await open();
    const dialog = await openDialog(page);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('alert').getByText(words).waitFor();
    expect(page.url()).toBe(guarded.url + PLAN);
    expect(await focused(page)).toBe('button Sign in');
  });

  it('says when the issuer cannot be reached, before and after the person was there', async () => {
    const { page } = await open();
    await intercept(page, '**/.well-known/*', (route) => route.abort());
    const dialog = await openDialog(page);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('alert').getByText('cannot be reached').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.unrouteAll();
    await intercept(page, '**/token', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in as Jo?' }).waitFor();
    await decide(page, 'Yes');
    await page.getByRole('alert').getByText('cannot be reached').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await decide(page, 'Yes');
    await expectHops(page, '4.14.8', '4.15.6');
    expect(page.url()).toBe(guarded.url + PLAN);
  });

  it('says that a browser cannot sign where only signed requests are taken, and what to run', async () => {
    const { page } = await open();
    await intercept(page, '**/sign-in.json', (route) => route.fulfill({ json: { kind: 'iam' } }));
    const dialog = await openDialog(page);
    expect(await dialog.innerText()).toContain(`npm run console -- --url ${guarded.url}`);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('works on a machine that signs, and says what AWS refuses there', async () => {
    const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' };
    const front = await startSignedFront({
      // What it sends is tried elsewhere; this one takes it as it is.
      url: site.url,
      region: 'eu-west-1',
      port: 0,
      credentials: () => Promise.resolve(keys),
    });
    onTestFinished(() => front.close());
    const { page, goto } = await visit(browser, front);
    await goto(PLAN);
    await expectHops(page, '4.14.8', '4.15.6');
    await intercept(page, '**/v1/clusters*', (route) =>
      route.fulfill({ status: 403, json: { message: 'User: x is not authorized' } }),
    );
    await goto('/clusters');
    const dialog = await openDialog(page);
    expect(await dialog.innerText()).toContain(
      'Your requests are signed on this machine, and AWS refused one. It says: User: x is not authorized. The credentials',
    );
  });
});
