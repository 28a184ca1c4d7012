import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withoutBrowser } from '../../helpers/browser/chromium.ts';
import { drawFleet, EVERY_KIND } from '../../helpers/browser/drawn-fleet.ts';
import { drawUpdates } from '../../helpers/browser/drawn-updates.ts';
import { addCluster, fewChannels } from '../../helpers/browser/few-channels.ts';
import { siteInBrowser } from '../../helpers/browser/site-in-browser.ts';
import { settled } from '../../helpers/browser/visit.ts';

const CONDITIONAL = '/?from=4.14.30&to=4.16.30&risks=allow&sel=4.15.20';

/** Every view, with what can be unfolded unfolded. */
const STATES: Readonly<Record<string, string>> = {
  'before any question': '/',
  'a plan with risks and a release': CONDITIONAL,
  'a plan with paused workers': '/?from=4.14.20&to=4.15.20&pause=1',
  'no path': '/?from=4.14.20&to=4.16.40',
  'the plan of a cluster': '/?cluster=prod&to=4.16',
  'an address with mistakes': `/?channel=${'long'.repeat(60)}`,
  'the newest versions': '/versions?open=4.15.20',
  'versions that are searched': '/versions?open=all&find=4.15.1',
  channels: '/channels',
  'one channel': '/channels?open=stable-4.16&sel=4.15.20',
  risks: '/risks?open=stable-4.16&risks=NodesMayHang',
  'risks of the fleet': '/risks?all=1',
  'a risk of the fleet': '/risks?open=NodesMayHang',
  clusters: '/clusters?open=prod',
  'clusters that are filtered': '/clusters?verdict=blocked&minor=4.14',
  updates: '/updates',
  'updates on a wall': '/updates?wall=1',
  'a stalled update': '/updates?cluster=prod-eu-1',
  pruners: '/pruners',
};

describe.skipIf(withoutBrowser)('the page where there is little room', () => {
  const at = siteInBrowser(async () => {
    const site = await fewChannels();
    await addCluster(site, 'prod');
    await drawFleet(site, EVERY_KIND);
    await drawUpdates(site);
    return site;
  });

  it.each([
    ['a phone of 320 pixels', { width: 320, height: 640 }],
    ['a window of 1280 × 1024 at 400 %', { width: 320, height: 256 }],
    ['a window of 1280 pixels at 200 %', { width: 640, height: 512 }],
  ])('is never wider than %s', async (_, viewport) => {
    const { page, goto, follow } = await at.visit({ viewport });
    const sticksOut: string[] = [];
    const check = async (state: string) => {
      const out = await outside(page);
      if (out.length > 0) sticksOut.push(`${state}: ${out.join(', ')}`);
    };
    await goto('/');
    for (const [state, address] of Object.entries(STATES)) {
      await follow(address);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      await settled(page);
      await check(state);
    }
    await follow(CONDITIONAL);
    for (const field of ['From', 'To']) {
      await page.getByRole('combobox', { name: field, exact: true }).fill('4.1');
      await page.getByRole('listbox', { name: field, exact: true }).waitFor();
      await check(`suggestions for ${field}`);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Help/ }).click();
    await page.getByRole('dialog', { name: 'Help' }).waitFor();
    await check('help');
    expect(sticksOut).toEqual([]);
  });

  it('shows releases as a table below 640 pixels and as lanes from there on', async () => {
    const { page } = await at.open(CONDITIONAL, { viewport: { width: 639, height: 800 } });
    const lanes = page.getByRole('listbox', { name: 'Releases of stable-4.16' });
    const table = page.getByRole('region', { name: 'Releases of stable-4.16' });
    await table.waitFor();
    expect(await lanes.count()).toBe(0);
    // What the lanes say by shape, the table says in words.
    const row = (version: string) => table.locator(`tr[data-version="${version}"]`).innerText();
    expect(await row('4.16.30')).toMatch(/━\s*on the planned path[^]*▲\s*conditional/);
    expect(await row('4.16.10')).toMatch(/●\s*recommended/);
    expect(await page.getByRole('tablist').count()).toBe(0);

    await page.setViewportSize({ width: 640, height: 800 });
    await lanes.waitFor();
    expect(await table.count()).toBe(0);
    await page.getByRole('tab', { name: 'Table' }).click();
    await table.waitFor();
  });

  it('shows the plan before the graph below 1024 pixels and beside it from there on', async () => {
    const { page } = await at.open(CONDITIONAL, { viewport: { width: 1023, height: 800 } });
    const places = () =>
      page.evaluate(() => {
        const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
        const [form, plan, graph] = [box('.plan-form'), box('.plan-panel'), box('.graph-area')];
        return {
          isFormFirst: form.bottom <= Math.min(plan.top, graph.top),
          isPlanAbove: plan.bottom <= graph.top,
          isPlanRight: plan.left >= graph.right && plan.top === graph.top,
        };
      });
    expect(await places()).toEqual({ isFormFirst: true, isPlanAbove: true, isPlanRight: false });
    await page.locator('.graph-area').evaluate((graph) => (graph.dataset['same'] = 'yes'));
    await page.setViewportSize({ width: 1024, height: 800 });
    await expect.poll(places).toEqual({ isFormFirst: true, isPlanAbove: false, isPlanRight: true });
    // It moved, and was not made anew.
    expect(await page.locator('.graph-area').getAttribute('data-same')).toBe('yes');
  });

  it('has nothing to press that is smaller than 24 pixels, here or where there is room', async () => {
    const { page, goto, follow } = await at.visit();
    const small = () =>
      page.evaluate(() => {
        const pressed =
          'button, select, summary, nav a, a.button, a.stat, .check, .input, .example, .brand, [role=option]';
        return [...document.querySelectorAll(pressed)].flatMap((element) => {
          const { width, height } = element.getBoundingClientRect();
          // A release is as wide as there is room for it, and the arrow keys reach it too.
          const isWide = width >= 24 || element.matches('.lane-release');
          if ((isWide && height >= 24) || !element.checkVisibility()) return [];
          return `${element.textContent}: ${width} × ${height}`;
        });
      });
    const faults: string[] = [];
    await goto('/');
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 3000 });
      for (const [state, address] of Object.entries(STATES)) {
        await follow(address);
        faults.push(...(await small()).map((fault) => `${state} at ${width}: ${fault}`));
      }
    }
    expect(faults).toEqual([]);
  });
});

/** What makes the page scroll sideways, and what is cut off at its right edge. */
function outside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      (['auto', 'scroll', 'hidden'].includes(getComputedStyle(element).overflowX) ||
        getComputedStyle(element).clipPath !== 'none' ||
        scrolls(element.parentElement));
    const wide = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
    const out = [...document.body.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5 && !scrolls(element))
      .map((element) => `${element.localName}.${element.getAttribute('class') ?? ''}`);
    return [...wide, ...new Set(out)];
  });
}
