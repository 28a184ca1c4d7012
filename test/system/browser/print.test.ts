import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withoutBrowser } from '../../helpers/browser/chromium.ts';
import { siteInBrowser } from '../../helpers/browser/site-in-browser.ts';
import { drawnSite } from '../../helpers/browser/site.ts';

const CHANNELS = {
  'stable-4.14': ['4.14.1 > 4.14.8'],
  'stable-4.15': ['4.14.1 > 4.14.8', '4.14.8 > 4.15.6', '4.15.6 > 4.15.9'],
  'stable-4.16': ['4.15.6 > 4.15.9', '4.15.9 > 4.16.2 SlowDisks', '4.16.3'],
};
const PLAN = '/?from=4.14.1&to=4.16.2&risks=allow&nodes=12&pause=1';
const DIGEST = /quay\.io\/openshift-release-dev\/ocp-release@sha256:[0-9a-f]{64}/g;

interface PathAnswer {
  readonly path: readonly { readonly payload: string }[];
}

describe.skipIf(withoutBrowser)('a plan on paper', () => {
  const at = siteInBrowser(() => drawnSite({ amd64: CHANNELS }));

  it('names the image of every hop in full, where it is from and how old its data is', async () => {
    const { page } = await at.open(PLAN);
    const { path } = await at.site.ask<PathAnswer>('/v1/upgrade-paths?from=4.14.1&to=4.16.2&risk=all');
    const images = path.slice(1).map(({ payload }) => payload);
    expect(images.length).toBeGreaterThan(2);
    // On the screen a digest is cut: the paper has no button that copies the rest.
    expect(await shownText(page)).not.toMatch(DIGEST);
    await page.emulateMedia({ media: 'print' });
    const printed = await shownText(page);
    expect([...printed.matchAll(DIGEST)].map(([image]) => image)).toEqual(images);
    const footer = await page.locator('footer').innerText();
    expect(footer).toContain(at.site.url + PLAN);
    expect(footer).toMatch(/Update data of \w+ \d+, \d{4}, \d+:\d\d/);
  });

  it('shows what is folded on the screen, and the timeline as a table', async () => {
    const { page } = await at.open(PLAN);
    const timeline = page.getByRole('table', { name: 'Timeline' });
    const query = page.getByText('group(SlowDisks)');
    expect(await query.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await query.isVisible()).toBe(true);
    const box = await timeline.boundingBox();
    expect(box!.height).toBeGreaterThan(60);
    expect(await timeline.innerText()).toContain('Control plane to 4.16.2');
  });

  it.each([
    ['a plan', PLAN],
    ['a plan with a release selected', `${PLAN}&sel=4.15.9`],
    ['no path', '/?from=4.14.1&to=4.16.3'],
  ])('has no form, no menu and no buttons: %s', async (_, address) => {
    const { page } = await at.open(address);
    expect(await shownControls(page)).not.toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await shownControls(page)).toEqual([]);
    expect(await page.getByRole('heading', { level: 2 }).filter({ hasText: /path/i }).isVisible()).toBe(true);
  });

  it('names every release where the releases are a table', async () => {
    const { page } = await at.open(`${PLAN}&view=table`);
    await page.emulateMedia({ media: 'print' });
    const rows = await page.locator('tr[data-version]').allInnerTexts();
    expect(rows.map((row) => /^4\.\d+\.\d+/.exec(row)?.[0])).toEqual([
      ...['4.16.3', '4.16.2', '4.15.9', '4.15.6', '4.14.8', '4.14.1'],
    ]);
    // What can be pressed on the screen is a name on paper, and nothing else is left.
    const names = (await shownControls(page)).filter((control) => !/^BUTTON 4\.\d+(\.\d+)?$/.test(control));
    expect(names).toEqual([]);
  });

  it('is dark on white in every theme of the screen', async () => {
    const { page } = await at.open(`${PLAN}&theme=dark`, { colorScheme: 'dark' });
    const luminances = async (): Promise<{ ground: number; text: number }> => ({
      ground: await luminanceOf(page, 'background-color', 'html'),
      text: await luminanceOf(page, 'color', '.hop h3'),
    });
    const onScreen = await luminances();
    expect(onScreen.ground).toBeLessThan(onScreen.text);
    await page.emulateMedia({ media: 'print' });
    const onPaper = await luminances();
    expect(onPaper.ground).toBe(1);
    expect(onPaper.text).toBeLessThan(0.2);
  });

  it('becomes a PDF without anything wider than the paper', async () => {
    const { page } = await at.open(PLAN);
    const file = await page.pdf({ format: 'A4' });
    expect(file.subarray(0, 5).toString('latin1')).toBe('%PDF-');
    expect(file.length).toBeGreaterThan(10_000);
    // A4 without its margins, in CSS pixels.
    await page.setViewportSize({ width: 688, height: 1000 });
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThan(689);
  });
});

/** Only what takes room: text that is not shown is not in it. */
function shownText(page: Page): Promise<string> {
  return page.evaluate(() => document.body.innerText);
}

/** What a reader could want to press, of what is to be seen. */
function shownControls(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('form, nav, header, button, input, select, textarea, [role=tab]')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .map((element) => `${element.tagName} ${element.textContent}`),
  );
}

/** From 0 for black to 1 for white. */
function luminanceOf(page: Page, property: 'color' | 'background-color', selector: string): Promise<number> {
  return page.evaluate(
    ([name, where]) => {
      const color = getComputedStyle(document.querySelector(where)!).getPropertyValue(name);
      const [red = 0, green = 0, blue = 0] = color.match(/\d+/g)!.map((part) => Number(part) / 255);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    },
    [property, selector] as const,
  );
}
