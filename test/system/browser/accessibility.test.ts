import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withoutBrowser } from '../../helpers/browser/chromium.ts';
import { drawFleet, EVERY_KIND } from '../../helpers/browser/drawn-fleet.ts';
import { addCluster, fewChannels } from '../../helpers/browser/few-channels.ts';
import { siteInBrowser } from '../../helpers/browser/site-in-browser.ts';
import { accessibilityFaults, intercept, settled } from '../../helpers/browser/visit.ts';

const CONDITIONAL = '/?from=4.14.30&to=4.16.30&risks=allow';

describe.skipIf(withoutBrowser)('the public page', () => {
  const at = siteInBrowser(() => fewChannels());

  it('gives axe nothing to complain about, in any state and theme', async () => {
    const { page, goto, follow } = await at.visit();
    const faults: string[] = [];
    const check = async (state: string) => {
      const inLight = await accessibilityFaults(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      // Nothing else is another there.
      const inDark = await accessibilityFaults(page, ['color-contrast', 'link-in-text-block']);
      await page.emulateMedia({ colorScheme: 'light' });
      faults.push(...[...inLight, ...inDark].map((fault) => `${state}: ${fault}`));
    };
    const states: Readonly<Record<string, string>> = {
      'before any question': '/',
      'no clusters': '/clusters',
      'no pruners': '/pruners',
      'a clean plan': '/?from=4.14.20&to=4.15.20&pause=1',
      'no path': '/?from=4.14.20&to=4.16.40',
      'a table': '/?from=4.14.20&to=4.15.20&view=table&sel=4.14.30',
      'an address with mistakes': '/?from=old&nodes=many&view=matrix',
      'the newest versions, one unfolded': '/versions?open=4.15.20',
      'all versions': '/versions?open=all',
      'versions that are searched': '/versions?open=all&find=4.15.1',
      channels: '/channels',
      'one channel': '/channels?open=stable-4.16&sel=4.15.20',
      'risks, one accepted': '/risks?open=stable-4.16&risks=NodesMayHang',
    };
    await goto('/');
    for (const [state, address] of Object.entries(states)) {
      await follow(address);
      await check(state);
    }

    await follow(`${CONDITIONAL}&sel=4.15.20`);
    await page.getByRole('region', { name: 'Release 4.15.20' }).waitFor();
    await unfoldAll(page);
    await check('a conditional plan, all unfolded');
    await page.getByRole('combobox', { name: 'From' }).fill('4.14.');
    await page.getByRole('option', { name: '4.14.30' }).first().waitFor();
    await check('suggestions');
    await page.getByRole('combobox', { name: 'From' }).fill('nothing');
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.locator('.fault').waitFor();
    await check('a field with a fault');
    await page.getByRole('button', { name: /^Help/ }).click();
    await page.getByRole('dialog', { name: 'Help' }).waitFor();
    await check('help');
    await page.keyboard.press('Escape');

    await addCluster(at.site, 'prod');
    await follow('/clusters?open=prod');
    await unfoldAll(page);
    await check('a cluster');
    await page.getByRole('button', { name: 'Forget prod' }).click();
    await page.getByRole('dialog', { name: 'Forget prod?' }).waitFor();
    await check('forgetting a cluster');
    await page.keyboard.press('Escape');
    // A dialog gives the focus back when it is gone.
    await page.getByRole('dialog', { name: 'Forget prod?' }).waitFor({ state: 'hidden' });
    const target = page.getByLabel('Choose a target');
    await target.fill('the newest');
    await target.press('Enter');
    await page.locator('.fault').waitFor();
    await check('a target with a fault');
    await drawFleet(at.site, EVERY_KIND);
    await page.reload();
    await settled(page);
    await check('a fleet');
    await follow('/clusters?verdict=blocked&minor=4.14');
    await check('a fleet that is filtered');
    await follow('/clusters?find=nothing');
    await page.getByText('No cluster is like that.').waitFor();
    await check('a filter that finds nothing');
    await follow('/?cluster=prod&to=4.15');
    await check('the plan of a cluster');

    await intercept(page, '**/v1/clusters*', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'content-type': 'application/problem+json', 'retry-after': '900' },
        body: JSON.stringify({ title: 'Too busy', detail: 'come back later' }),
      }),
    );
    await follow('/clusters');
    await page.getByRole('alert').getByText('Too busy').waitFor();
    await check('an error');
    expect(faults).toEqual([]);
  });
});

async function unfoldAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  await settled(page);
}
