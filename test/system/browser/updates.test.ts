import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { withoutBrowser } from '../../helpers/browser/chromium.ts';
import { drawUpdates, keepUpdate, minutesAgo } from '../../helpers/browser/drawn-updates.ts';
import { fewChannels } from '../../helpers/browser/few-channels.ts';
import { focused } from '../../helpers/browser/keys.ts';
import { siteInBrowser } from '../../helpers/browser/site-in-browser.ts';
import { accessibilityFaults, intercept, settled } from '../../helpers/browser/visit.ts';
import { aStatusDocument } from '../../helpers/update-status/documents.ts';
import { simulateUpdate } from '../../helpers/update-status/simulator.ts';

const STALLED = '/updates?cluster=prod-eu-1';
const headline = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();
const names = (page: Page): Promise<string[]> => page.locator('.upd-open').allInnerTexts();
const numberOf = (page: Page, word: string) => page.getByRole('button', { name: new RegExp(`^${word} \\d`) });

describe.skipIf(withoutBrowser)('updates of the fleet', () => {
  const at = siteInBrowser(fewChannels);
  beforeAll(() => drawUpdates(at.site));

  it('are on one page, the stalled ones first with their reason in words', async () => {
    const { page } = await at.open('/updates', { locale: 'en-GB' });
    const loaded = () =>
      page.evaluate(() => [...document.fonts].filter(({ status }) => status === 'loaded').length);
    await expect.poll(loaded).toBe(2);
    expect(await headline(page)).toBe('2 of 6 updates are stalled');
    expect(await names(page)).toEqual([
      'edge-12',
      'prod-eu-1',
      'lab-sno-1',
      'fin-edge-2',
      'retail-02',
      'stage-ap',
      'dev-arm-1',
    ]);
    const card = page.locator('.upd-card').filter({ hasText: 'prod-eu-1' });
    const text = (await card.innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/4.16.41 → to 4.16.68/);
    expect(text).toMatch(/Node worker-002 of machine config pool worker has been draining for \d/);
    expect(text).toMatch(/Control plane Done worker 2 of 21 infra Done Left after the fix \d/);
    const row = (id: string) => page.getByRole('row').filter({ hasText: id }).innerText();
    expect(await row('lab-sno-1')).toMatch(/No report for \d+ min[^]*Done[^]*3 of 6[^]*Unknown/);
    expect(await row('fin-edge-2')).toMatch(/Paused: worker[^]*Done[^]*Paused/);
    expect(await row('stage-ap')).toMatch(/6 operators left[^]*3 of 9[^]*Waiting[^]*\d\d:\d\d\s+in /);
    await card.getByRole('button', { name: 'Copy the command' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^oc logs .* worker-002$/);
  });

  it('are filtered by the numbers and by name, in the address', async () => {
    const { page, goto } = await at.open('/updates');
    await numberOf(page, 'On track').click();
    await expect.poll(() => names(page)).toEqual(['retail-02', 'stage-ap']);
    expect(new URL(page.url()).search).toBe('?state=on-track');
    expect(await numberOf(page, 'On track').getAttribute('aria-pressed')).toBe('true');
    // The numbers are of all states.
    expect(await numberOf(page, 'Stalled').innerText()).toMatch(/2$/);
    await page.getByLabel('Find by name').fill('stage');
    await expect.poll(() => names(page)).toEqual(['stage-ap']);
    expect(new URL(page.url()).search).toBe('?state=on-track&name=stage');
    await page.getByRole('link', { name: 'stage-ap' }).click();
    await expect.poll(() => headline(page)).toBe('Update to 4.17.3 is on track');
    await page.goBack();
    await expect.poll(() => names(page)).toEqual(['stage-ap']);
    await goto('/updates?state=held');
    expect(await names(page)).toEqual(['fin-edge-2']);
    await page.getByLabel('Find by name').fill('nothing');
    await page.getByText('No update matches.').waitFor();
    await page.getByRole('link', { name: 'Show all updates' }).click();
    await expect.poll(async () => (await names(page)).length).toBe(7);
  });

  it('read themselves again by entity tag, and show what changed without a reload', async () => {
    const { page, goto } = await at.visit();
    await page.clock.install();
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/v1/fleet/updates')) statuses.push(response.status());
    });
    await goto('/updates?name=live');
    await page.getByText('No update matches.').waitFor();
    await keepUpdate(at.site, 'live-1', simulateUpdate({ start: minutesAgo(21) }), 20);
    // Others update, so the page asks although its list is empty.
    await goto('/updates');
    await expect.poll(async () => (await names(page)).includes('live-1')).toBe(true);
    const before = statuses.length;
    await page.clock.runFor(31_000);
    await expect.poll(() => statuses.length).toBeGreaterThan(before);
    expect(statuses.at(-1)).toBe(304);
    await page.evaluate(() => (document.body.dataset['same'] = 'yes'));
    await keepUpdate(at.site, 'live-2', simulateUpdate({ start: minutesAgo(31) }), 30);
    await page.clock.runFor(31_000);
    await expect.poll(async () => (await names(page)).includes('live-2')).toBe(true);
    expect(await page.locator('body').getAttribute('data-same')).toBe('yes');
    await page.clock.runFor(1000);
    // Nothing is asked while the page is hidden.
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true }));
    const asked = statuses.length;
    await page.clock.runFor(90_000);
    expect(statuses.length).toBe(asked);
  });

  it('keep what was read while the service is away', async () => {
    const { page } = await at.visit();
    await page.clock.install();
    await page.goto(`${at.site.url}/updates`);
    await settled(page);
    await intercept(page, '**/v1/fleet/updates*', (route) => route.abort());
    await page.clock.runFor(31_000);
    await page.getByRole('alert').waitFor();
    await page.getByText(/^Data of \d/).waitFor();
    expect((await names(page)).length).toBeGreaterThan(6);
  });

  it('fill a wall with larger type, dark, without commands and bars of the page', async () => {
    const { page } = await at.open('/updates', {
      viewport: { width: 1920, height: 1080 },
      colorScheme: 'light',
    });
    await page.keyboard.press('w');
    await page.locator('header.header').waitFor({ state: 'hidden' });
    expect(new URL(page.url()).search).toBe('?wall=1');
    expect(await page.locator('.upd-card .command').first().isVisible()).toBe(false);
    const looks = await page.evaluate(() => {
      const size = (selector: string) =>
        parseFloat(getComputedStyle(document.querySelector(selector)!).fontSize);
      return {
        dark: getComputedStyle(document.documentElement).colorScheme,
        headline: size('h1'),
        name: size('.upd-table .upd-open'),
        end: size('.upd-table .upd-end strong'),
        smallest: Math.min(
          ...[...document.querySelectorAll('.upd-page *')]
            .filter((element) => element.checkVisibility() && element.textContent.trim() !== '')
            .map((element) => parseFloat(getComputedStyle(element).fontSize)),
        ),
      };
    });
    expect(looks).toMatchObject({ dark: 'dark', headline: 40, name: 24, end: 32 });
    expect(looks.smallest).toBeGreaterThanOrEqual(12);
    await page.keyboard.press('Escape');
    await page.locator('header.header').waitFor();
  });

  it('open and close with the keyboard alone', async () => {
    const { page } = await at.open('/updates');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focused(page)).toBe('a prod-eu-1');
    await page.keyboard.press('k');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect.poll(() => headline(page)).toBe('Update to 4.16.68 is stalled');
    // The next Tab comes to the first link of the cluster.
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('a Updates');
    await page.keyboard.press('Escape');
    await expect.poll(() => headline(page)).toMatch(/updates are stalled$/);
  });
});

describe.skipIf(withoutBrowser)('the update of a cluster', () => {
  const at = siteInBrowser(fewChannels);
  beforeAll(() => drawUpdates(at.site));
  const text = (page: Page, selector: string) =>
    page
      .locator(selector)
      .innerText()
      .then((found) => found.replaceAll(/\s+/g, ' '));

  it('has its verdict, the next command, forecast and basis', async () => {
    const { page } = await at.open(STALLED);
    const verdict = await text(page, '.upd-verdict');
    expect(verdict).toMatch(/^Update to 4.16.68 is stalled Node worker-002 .* has been draining for \d/);
    expect(verdict).toMatch(/Next Read why the drain waits: oc logs /);
    expect(verdict).toMatch(/If it goes on now, it ends between .* and .*\. Basis: .*\./);
    expect(verdict).toMatch(/Control plane Done in \d+ min Nodes 8 of 27 Left after the fix \d/);
  });

  it('shows pools by phase with the stuck node, operators, insights and the course', async () => {
    const { page } = await at.open(STALLED);
    expect(await text(page, '[aria-labelledby=upd-pools]')).toMatch(
      /27 nodes .*master 3 of 3 Done .*worker 2 of 21, maxUnavailable 1 Stalled for .*worker-002 draining since /,
    );
    await page.getByRole('img', { name: 'Nodes of worker: 2 updated, 1 stuck, 18 pending' }).waitFor();
    const grid = page.getByRole('img', { name: /^Nodes of worker/ });
    await grid.hover({ position: { x: 58, y: 10 } });
    await expect.poll(() => page.locator('.upd-pointed').innerText()).toMatch(/^worker-002, draining since /);
    expect(await text(page, '[aria-labelledby=upd-insights]')).toMatch(
      /No node of machine config pool worker has progressed.* oc describe machineconfigpool worker/,
    );
    await page
      .getByRole('img', { name: /^Operators 100% and nodes 30% updated since .*, likely end / })
      .waitFor();
    await page.getByText('All nodes').click();
    await page.getByRole('region', { name: 'All nodes' }).getByRole('row').nth(27).waitFor();
    await page.getByRole('link', { name: 'Updates', exact: true }).first().waitFor();

    await page.goto(`${at.site.url}/updates?cluster=edge-12`);
    await settled(page);
    expect(await text(page, '[aria-labelledby=upd-operators]')).toMatch(
      /3 of 9 updated, 1 updating, 5 waiting operator-03 since .* Waiting operator-04, /,
    );
  });

  it('shows how long each part of the last update took, here and among the clusters', async () => {
    const { page, goto } = await at.open('/updates?cluster=dev-arm-1');
    await expect.poll(() => headline(page)).toBe('Update to 4.16.68 is complete');
    await page.getByRole('region', { name: /^Last update/ }).waitFor();
    expect(await text(page, '[aria-labelledby=upd-past]')).toMatch(
      /Control plane \d+ min Pool worker \d+ min Took \d+ min in all, (?:\d+ min (?:more|less) than|as) forecast at its start\./,
    );
    await page.getByRole('img', { name: 'Versions: 4.16.41, 4.16.68' }).waitFor();
    await goto('/clusters?open=dev-arm-1');
    const past = page.getByRole('region', { name: 'Past updates' });
    expect((await past.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /4.16.41 to 4.16.68 .* min worker \d+ min/,
    );
  });

  it('is linked from the details of the cluster and from its plan', async () => {
    const { page, goto } = await at.open('/clusters?open=prod-eu-1');
    await page.locator('.unfolded').getByRole('link', { name: 'Update is stalled' }).click();
    await expect.poll(() => headline(page)).toBe('Update to 4.16.68 is stalled');
    await goto('/clusters');
    await page
      .getByRole('row')
      .filter({ hasText: 'edge-12' })
      .getByRole('link', { name: 'Update is stalled' })
      .click();
    await expect.poll(() => new URL(page.url()).search).toBe('?cluster=edge-12');
    await goto(STALLED);
    await page.getByRole('link', { name: 'Open plan' }).click();
    await page.getByRole('link', { name: 'Update is stalled' }).waitFor();
    await goto('/clusters?open=dev-arm-1');
    await page.getByRole('region', { name: 'Past updates' }).waitFor();
    expect(
      await page
        .locator('.unfolded')
        .getByRole('link', { name: /^Update is/ })
        .count(),
    ).toBe(0);
  });

  it('of documents is shown and not stored', async () => {
    const { page } = await at.open('/updates');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });
    await page.getByText('Check documents of a cluster').click();
    await page.getByLabel('Or paste the output').fill('kind: List');
    await page.getByText('This is YAML.').waitFor();
    await page.getByLabel('Or paste the output').fill(aStatusDocument());
    await page.getByRole('button', { name: 'Check update' }).click();
    await page.getByRole('img', { name: 'Nodes of worker: 1 draining, 1 pending' }).waitFor();
    expect(await text(page, '.upd-verdict')).toMatch(/Update to 4.14.1 is /);
    expect(sent).toEqual(['POST /v1/update-status']);
  });

  it('draws a thousand nodes with few elements', async () => {
    const big = simulateUpdate({
      start: minutesAgo(91),
      pools: [{ name: 'worker', nodes: 1000, atOnce: 100 }],
    });
    await keepUpdate(at.site, 'big-1', big, 90);
    const { page } = await at.open('/updates?cluster=big-1');
    await page.getByRole('img', { name: /^Nodes of worker: \d+ updated/ }).waitFor();
    const { elements, ms } = await page.evaluate(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const began = performance.now();
      // Draws the grid anew with other columns.
      document.documentElement.style.width = '600px';
      await frame();
      await frame();
      return { elements: document.querySelectorAll('*').length, ms: performance.now() - began };
    });
    expect(elements).toBeLessThan(600);
    expect(ms).toBeLessThan(500);
  });

  it('says what is wrong with a cluster that is not known', async () => {
    const { page } = await at.open('/updates?cluster=nobody');
    await page.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => headline(page)).toMatch(/updates are stalled$/);
  });

  it('keeps its shapes where the system chooses the colours, and whole commands on paper', async () => {
    const { page } = await at.open(STALLED, { forcedColors: 'active' });
    const track = await page.evaluate(() => {
      const bar = document.createElement('span');
      bar.className = 'upd-fill';
      document.querySelector('.upd-page')!.append(bar);
      return getComputedStyle(bar).backgroundColor;
    });
    expect(track).not.toMatch(/rgba\(0, 0, 0, 0\)/);
    const looks = await page.evaluate(() =>
      [...document.querySelectorAll('.upd-grid g')].map((group) =>
        [...group.querySelectorAll('path')].map((path) => path.getAttribute('d')!.length).join(),
      ),
    );
    expect(looks.length).toBeGreaterThan(2);
    await page.emulateMedia({ media: 'print', forcedColors: 'none', colorScheme: 'dark' });
    const printed = await page.evaluate(() => {
      const command = document.querySelector('.upd-verdict .command code')!;
      return {
        isWhole: command.scrollWidth <= command.clientWidth,
        header: getComputedStyle(document.querySelector('header.header')!).display,
        ground: getComputedStyle(document.documentElement).backgroundColor,
      };
    });
    expect(printed).toEqual({ isWhole: true, header: 'none', ground: 'rgb(255, 255, 255)' });
  });

  it('shows text of a cluster as text', async () => {
    const { page } = await at.open('/updates');
    const hostile = aStatusDocument()
      .replaceAll('worker-1', 'worker-<img src=x onerror=alert(1)>')
      .replaceAll('Working towards 4.14.1', `<script>alert(1)</script>${'x'.repeat(900)}`);
    await page.getByText('Check documents of a cluster').click();
    await page.getByLabel('Or paste the output').fill(hostile);
    await page.getByRole('button', { name: 'Check update' }).click();
    await page.getByText('<script>alert(1)</script>x').waitFor();
    expect(await page.locator('.upd-page :is(script, img)').count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await page.locator('[data-verdict]').count()).toBe(1);
  });

  it('gives axe nothing to complain about, in any state and theme', async () => {
    const { page, goto, follow } = await at.visit();
    const faults: string[] = [];
    await goto('/updates');
    for (const address of [
      '/updates',
      '/updates?wall=1',
      STALLED,
      '/updates?cluster=edge-12',
      '/updates?cluster=dev-arm-1',
      '/updates?cluster=lab-sno-1',
      '/updates?cluster=fin-edge-2',
      '/updates?name=nothing',
    ]) {
      await follow(address);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      await settled(page);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        faults.push(
          ...(await accessibilityFaults(page)).map((fault) => `${address} ${colorScheme}: ${fault}`),
        );
      }
    }
    expect(faults).toEqual([]);
  });
});
