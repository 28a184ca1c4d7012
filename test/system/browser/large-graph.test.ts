import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withoutBrowser } from '../../helpers/browser/chromium.ts';
import { siteInBrowser } from '../../helpers/browser/site-in-browser.ts';
import { startSite } from '../../helpers/browser/site.ts';
import { settled } from '../../helpers/browser/visit.ts';
import { LARGE_CHANNEL, LARGE_MINORS, largeSource } from '../../helpers/upstream/large-upstream.ts';
import { following } from '../../helpers/upstream/sync-harness.ts';

/** What a browser without a graphics card still handles with ease. */
const MOST_ELEMENTS = 6000;
const ALL_OPEN = `minors=${LARGE_MINORS.join(',')}`;
const PLAN = `/?from=4.10.5&to=4.17.70&channel=${LARGE_CHANNEL}&risks=allow`;

describe.skipIf(withoutBrowser)('a graph of 600 releases and 10,000 updates', () => {
  const at = siteInBrowser(async () => {
    const config = following(LARGE_CHANNEL);
    return startSite({ source: largeSource, config });
  });

  it('is all there, with the plan through it', async () => {
    const { page } = await at.open(`${PLAN}&${ALL_OPEN}`);
    const heading = await page
      .getByRole('region', { name: 'Releases' })
      .getByText(/\d updates$/)
      .innerText();
    const [releases, updates] = heading.match(/\d[\d,]*/g)!.map((count) => Number(count.replace(',', '')));
    expect(releases).toBe(600);
    expect(updates).toBeGreaterThan(10_000);
    expect(await page.locator('g[role=option]').count()).toBe(600);
    expect(await page.locator('.lanes-picture .lane-hop').count()).toBe(await page.locator('.hop').count());
    expect(await page.locator('.lanes-picture .lane-hop').count()).toBeGreaterThan(6);
  });

  it.each([
    ['a plan with every lane unfolded', `${PLAN}&${ALL_OPEN}`],
    ['with a release selected', `${PLAN}&${ALL_OPEN}&sel=4.13.20`],
    ['as a table', `${PLAN}&${ALL_OPEN}&view=table`],
    ['of the channel', `/channels?open=${LARGE_CHANNEL}&${ALL_OPEN}`],
    ['risks', `/risks?open=${LARGE_CHANNEL}`],
    ['all versions', '/versions?open=all'],
  ])('keeps the page small: %s', async (_, path) => {
    const { page } = await at.open(path);
    expect(await elementsOf(page)).toBeLessThanOrEqual(MOST_ELEMENTS);
  });

  it('does not grow while one release after another is selected', async () => {
    const { page } = await at.open(`${PLAN}&${ALL_OPEN}`);
    const select = async (version: string): Promise<void> => {
      await page.locator(`g[role=option][data-version="${version}"]`).dispatchEvent('click');
      await page.getByRole('region', { name: `Release ${version}` }).waitFor();
      await settled(page);
    };
    await select('4.12.30');
    const once = await elementsOf(page);
    for (let patch = 10; patch < 30; patch++) await select(`4.13.${patch}`);
    await select('4.12.30');
    expect(await elementsOf(page)).toBe(once);
  });
});

function elementsOf(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelectorAll('*').length);
}
