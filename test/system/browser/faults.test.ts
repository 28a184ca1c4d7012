import type { Browser, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, withoutBrowser } from '../../helpers/browser/chromium.ts';
import { expectHops } from '../../helpers/browser/shown-plan.ts';
import { drawnSite, type Site } from '../../helpers/browser/site.ts';
import { intercept, openPage, settled, visit } from '../../helpers/browser/visit.ts';

const CHANNELS = {
  'stable-4.15': ['4.14.1 > 4.14.8', '4.14.8 > 4.15.6'],
  'stable-4.16': ['4.15.6 > 4.16.2'],
};
const UPSTREAM = { amd64: CHANNELS, arm64: { 'stable-4.15': CHANNELS['stable-4.15'] } };
const PLAN = '/?from=4.14.1&to=4.15.6';
const ON_ARM = `${PLAN}&arch=arm64`;
const INDEX = '**/v1/channel-index/*';
const GRAPH = '**/api/upgrades_info/v1/graph?*';
const SUPPORT = '**/v1/support';
const TOKEN = 'a-token-for-tests';

const HOUR = 3600_000;

describe.skipIf(withoutBrowser)('when something is wrong', () => {
  let site: Site;
  let guarded: Site;
  let unsynced: Site;
  let browser: Browser;
  beforeAll(async () => {
    [site, guarded, unsynced, browser] = await Promise.all([
      drawnSite(UPSTREAM, { isDemo: true }),
      drawnSite({ amd64: CHANNELS }, { token: TOKEN }),
      drawnSite({ amd64: CHANNELS }, { isSynced: false }),
      launchChromium(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([site, guarded, unsynced].map((each) => each.close()));
  });

  it.each([
    ['too many requests', INDEX, 429, 'Too many requests'],
    ['the service is busy', INDEX, 503, 'The service is busy'],
    ['one graph is missing', GRAPH, 503, 'The service is busy'],
  ])('the page counts down and tries again by itself: %s', async (_, address, status, title) => {
    const { page } = await visit(browser, site);
    await page.clock.install();
    await page.route(address, refuseWith(status, { title, detail: 'come back later' }, 30));
    await page.goto(site.url + PLAN);
    const alert = page.getByRole('alert');
    await alert.getByText(/by itself in \d+ s/).waitFor();
    expect(await alert.innerText()).toContain(title);
    expect(await alert.innerText()).toContain('Come back later.');
    const secondsLeft = async (): Promise<number> =>
      Number(/in (\d+) s/.exec(await alert.innerText())?.[1] ?? NaN);
    expect(await secondsLeft()).toBeGreaterThan(20);
    await page.clock.runFor(12_000);
    await expect.poll(secondsLeft).toBeLessThan(20);
    await page.unroute(address);
    await page.clock.runFor(20_000);
    await alert.waitFor({ state: 'detached' });
    await expectHops(page, '4.14.8', '4.15.6');
  });

  it('what was not answered in time is said, and can be tried again', async () => {
    const { page } = await visit(browser, site);
    // The clock of the page has no say in this one.
    await page.addInitScript(() => {
      AbortSignal.timeout = () => AbortSignal.abort(new DOMException('', 'TimeoutError'));
    });
    await page.goto(site.url + PLAN);
    await page.getByRole('alert').getByText('The service does not answer').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('Nothing came within 20 seconds.');
    await page.evaluate(() => {
      AbortSignal.timeout = () => new AbortController().signal;
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectHops(page, '4.14.8', '4.15.6');
  });

  it.each([
    ['the list of channels', INDEX, PLAN],
    ['a graph', GRAPH, PLAN],
    ['the list of versions', '**/v2/openshift-versions*', '/versions'],
  ])('an answer that is no data is said to be none: %s', async (_, address, path) => {
    const { page } = await visit(browser, site);
    // As a proxy does that wants somebody to sign in to it.
    await page.route(address, (route) =>
      route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html><title>Hello</title>' }),
    );
    await page.goto(site.url + path);
    await page.getByRole('alert').getByText('The answer cannot be read').waitFor();
    await page.unroute(address);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await settled(page);
    expect(await page.getByRole('main').innerText()).toContain('4.15.6');
  });

  it.each([
    ['The answer could not be used', INDEX, PLAN, '{}'],
    ['The answer could not be used', GRAPH, PLAN, '{"nodes":[{}]}'],
    ['This part of the page broke', '**/v2/openshift-versions*', '/versions', '{"4.16.2":null}'],
  ])('an unexpected answer leaves no empty page: %s, %s', async (words, address, path, body) => {
    // Not by `visit`, for which an error that is told to the console is a fault.
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.route(address, (route) => route.fulfill({ contentType: 'application/json', body }));
    await page.goto(site.url + path);
    await expect.poll(() => page.getByRole('main').innerText()).toContain(words);
    // The rest of the page goes on.
    await page.getByRole('link', { name: 'Pruners' }).click();
    await page.getByRole('heading', { name: 'Pruners' }).waitFor();
    await context.close();
  });

  it('without a network, what was read before still plans, and the page says so', async () => {
    const { page, follow } = await openPage(browser, site, PLAN);
    await follow(ON_ARM);
    // A cache of the browser that still holds the answer would be no test.
    await intercept(page, INDEX, (route) => route.abort('internetdisconnected'));
    await intercept(page, GRAPH, (route) => route.abort('internetdisconnected'));
    await page.context().setOffline(true);
    await follow(PLAN);
    const notice = page.getByRole('status').filter({ hasText: 'The service cannot be reached' });
    expect(await notice.innerText()).toMatch(/This is the data of \w+ \d+, \d{4}, \d+:\d\d/);
    await expectHops(page, '4.14.8', '4.15.6');
    await follow('/?from=4.14.1&to=4.14.8');
    await expectHops(page, '4.14.8');
    await page.context().setOffline(false);
    await page.unrouteAll();
    await follow(ON_ARM);
    await notice.waitFor({ state: 'detached' });
  });

  it('while the service is down, a page that is loaded anew shows what it had', async () => {
    const { page } = await openPage(browser, site, PLAN);
    for (const address of [INDEX, GRAPH, SUPPORT]) {
      await intercept(page, address, refuseWith(503, { title: 'The service is busy' }, 60));
    }
    await page.reload();
    await settled(page);
    const notice = page.getByRole('status').filter({ hasText: 'The service is busy. This is the data of' });
    expect(await notice.innerText()).toMatch(/by itself in \d+ s/);
    await expectHops(page, '4.14.8', '4.15.6');
    await page.unrouteAll();
    await notice.getByRole('button', { name: 'Try again' }).click();
    await notice.waitFor({ state: 'detached' });
  });

  it('before the first sync the page says that it waits, and goes on by itself', async () => {
    const { page } = await visit(browser, unsynced);
    await page.clock.install();
    await page.goto(unsynced.url);
    const alert = page.getByRole('alert');
    await alert.getByText('The first sync has not finished yet', { exact: true }).waitFor();
    const asked = page.waitForRequest(INDEX);
    await page.clock.runFor(120_000);
    expect((await asked).url()).toBe(`${unsynced.url}/v1/channel-index/amd64`);
  });

  it('a service with a token asks for it, takes a good one and keeps it in this tab only', async () => {
    const { page } = await openPage(browser, guarded, PLAN);
    await page.getByRole('alert').getByText('Use “Sign in” at the top.').waitFor();
    const signIn = async (token: string): Promise<void> => {
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByLabel('Token', { exact: true }).fill(token);
      const loaded = page.waitForEvent('load');
      await page.getByRole('button', { name: 'Use it' }).click();
      await loaded;
      await settled(page);
    };
    await signIn('a-wrong-one');
    await page.getByRole('alert').waitFor();
    await signIn(TOKEN);
    await expectHops(page, '4.14.8', '4.15.6');
    expect(await page.getByRole('button', { name: 'Sign in' }).count()).toBe(0);
    expect(page.url()).toBe(guarded.url + PLAN);
    expect(await page.evaluate(() => JSON.stringify(localStorage) + document.cookie)).not.toContain(TOKEN);
  });

  it.each([
    ['Data 40 min old', 'ok', 40.5 / 60],
    ['Data 5 h old', 'cond', 5.1],
    ['Data 3 days old', 'block', 73],
  ])('the header shows the age of the data: %s', async (words, tone, hours) => {
    const { page, goto } = await visit(browser, site);
    await page.clock.install({ time: (await syncedAt(site)) + hours * HOUR });
    await goto(PLAN);
    const badge = page.getByRole('banner').locator('.pill').filter({ hasText: words });
    expect(await badge.getAttribute('class')).toContain(tone);
  });

  it('data grows old in a page that stays open', async () => {
    const { page, goto } = await visit(browser, site);
    await page.clock.install({ time: await syncedAt(site) });
    await goto(PLAN);
    const badge = page
      .getByRole('banner')
      .locator('.pill')
      .filter({ hasText: /^\W*Data/ });
    const before = badge.filter({ hasText: 'just now' });
    expect(await before.getAttribute('class')).toContain('ok');
    await page.clock.fastForward(26 * HOUR);
    const after = badge.filter({ hasText: '26 h old' });
    expect(await after.getAttribute('class')).toContain('block');
  });

  it('made-up data is called that, real data is not', async () => {
    const demo = await openPage(browser, site, PLAN);
    await demo.page.getByRole('banner').getByText('Demo data').waitFor();
    const real = await openPage(browser, guarded, PLAN, {
      extraHTTPHeaders: { authorization: `Bearer ${TOKEN}` },
    });
    await real.page
      .getByRole('banner')
      .getByText(/Data (just now|\d+ min old)/)
      .waitFor();
    expect(await real.page.getByText('Demo data').count()).toBe(0);
  });

  it('a part of the page that cannot be loaded can be loaded anew', async () => {
    const { page, goto } = await visit(browser, site);
    const part = '**/assets/versions-*.js';
    await page.route(part, (route) => route.abort());
    await goto(PLAN);
    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByRole('alert').getByText('could not be loaded').waitFor();
    await page.unroute(part);
    await page.getByRole('button', { name: 'Load it anew' }).click();
    await page.getByRole('heading', { name: 'Versions' }).waitFor();
    await settled(page);
    expect(await page.getByRole('table').innerText()).toContain('4.16.2');
  });

  it('details and files that cannot be loaded say so', async () => {
    const { page, goto } = await visit(browser, site);
    await page.route('**/assets/plan-*.js', (route) => route.abort());
    await goto(PLAN);
    const alerts = () => page.getByRole('alert').allInnerTexts();
    await page.getByText('Steps with commands').click();
    await expect.poll(alerts).toEqual([expect.stringContaining('This could not be loaded.')]);
    await page.getByRole('button', { name: 'Markdown' }).click();
    await expect.poll(alerts).toContainEqual(expect.stringContaining('The file could not be made'));
  });
});

/** An answer of RFC 9457. */
function refuseWith(status: number, problem: object, retryAfter: number): (route: Route) => Promise<void> {
  return (route) =>
    route.fulfill({
      status,
      contentType: 'application/problem+json',
      headers: { 'retry-after': String(retryAfter) },
      body: JSON.stringify({ type: 'urn:cairn:problem:busy', status, ...problem }),
    });
}

async function syncedAt({ url }: Site): Promise<number> {
  const { headers } = await fetch(`${url}/api/upgrades_info/v1/graph?channel=stable-4.15`);
  return Date.parse(headers.get('x-graph-synced-at')!);
}
