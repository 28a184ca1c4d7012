import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withoutBrowser } from '../../helpers/browser/chromium.ts';
import { addCluster, fewChannels } from '../../helpers/browser/few-channels.ts';
import { focused, tabTo } from '../../helpers/browser/keys.ts';
import { siteInBrowser } from '../../helpers/browser/site-in-browser.ts';

const PLAN = '/?from=4.14.20&to=4.15.20';

/** Out of the page, not only out of sight: the page hears a moment later that a dialog was closed by Escape. */
async function closed(page: Page): Promise<void> {
  await expect.poll(() => page.locator('dialog').count()).toBe(0);
}

describe.skipIf(withoutBrowser)('the focus', () => {
  const at = siteInBrowser(async () => {
    const site = await fewChannels();
    await addCluster(site, 'prod');
    return site;
  });

  const START = ['skip link', 'header', 'form'];
  it.each([
    ['two columns', 1440, [...START, 'graph', 'selected release', 'plan']],
    ['one column', 1000, [...START, 'plan', 'graph', 'selected release']],
  ])('comes in the order in which things are seen, in %s', async (_, width, order) => {
    const { page } = await at.open(`${PLAN}&sel=4.15.12`, { viewport: { width, height: 900 } });
    const regions: string[] = [];
    for (let stops = 0; stops < 100; stops++) {
      await page.keyboard.press('Tab');
      const region = await page.evaluate(() => {
        const named = {
          'skip link': '.skip-link',
          header: 'header',
          form: 'form[role=search]',
          'selected release': '.selected-release',
          graph: '.graph-area',
          plan: '.plan-panel',
        };
        const at = document.activeElement!;
        return Object.entries(named).find(([, selector]) => at.closest(selector))?.[0] ?? at.tagName;
      });
      if (region === 'BODY') break;
      if (region !== regions.at(-1)) regions.push(region);
    }
    expect(regions).toEqual(order);

    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('a Skip to the content');
    expect(await page.locator('.skip-link').evaluate((link) => link.getBoundingClientRect().top)).toBe(8);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('combobox From');
  });

  it('is after a dialog where it was before', async () => {
    const { page, goto } = await at.open(PLAN);
    const help = page.getByRole('dialog', { name: 'Help' });
    await tabTo(page, '[aria-label^=Help]');
    for (const close of ['Escape', 'Enter']) {
      await page.keyboard.press('Enter');
      await help.waitFor();
      // The first stop of the dialog is its button to close it.
      await expect.poll(() => focused(page)).toBe('button Close');
      await page.keyboard.press(close);
      await closed(page);
      await expect.poll(() => focused(page)).toBe('button Help and keyboard shortcuts');
    }

    await goto('/clusters?open=prod');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('a Skip to the content');
    const forget = page.getByRole('dialog', { name: 'Forget prod?' });
    const opener = page.getByRole('button', { name: 'Forget prod' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await forget.waitFor();
    await page.keyboard.press('Escape');
    await closed(page);
    await expect.poll(() => focused(page)).toBe('button Forget prod');
    await page.keyboard.press('Enter');
    await forget.waitFor();
    await tabTo(page, 'dialog .row > .button:last-child');
    expect(await focused(page)).toBe('button Keep it');
    await page.keyboard.press('Enter');
    await closed(page);
    await expect.poll(() => focused(page)).toBe('button Forget prod');
    // What opened the dialog is gone with the cluster.
    await page.keyboard.press('Enter');
    await forget.waitFor();
    await tabTo(page, 'dialog .danger');
    await page.keyboard.press('Enter');
    await page.getByText('There are no clusters here yet').waitFor();
    await expect.poll(() => focused(page)).toBe('h1 Clusters');
  });
});
