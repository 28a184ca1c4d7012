import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withoutBrowser } from '../../helpers/browser/chromium.ts';
import { fewChannels } from '../../helpers/browser/few-channels.ts';
import { focused, tabTo } from '../../helpers/browser/keys.ts';
import { siteInBrowser } from '../../helpers/browser/site-in-browser.ts';
import { settled } from '../../helpers/browser/visit.ts';

const PLAN = '/?from=4.14.20&to=4.15.20';

describe.skipIf(withoutBrowser)('the page by keyboard alone', () => {
  const at = siteInBrowser(() => fewChannels());

  /** A tab in which printing is only counted. */
  async function sitDown(path: string) {
    const tab = await at.visit();
    await tab.page.addInitScript(() => {
      const counted = Object.assign(window, { prints: 0 });
      counted.print = () => counted.prints++;
    });
    await tab.goto(path);
    const { page } = tab;
    return {
      ...tab,
      press: (key: string) => page.keyboard.press(key),
      /** How often the page was printed. */
      prints: () => page.evaluate(() => (window as unknown as { prints: number }).prints),
      clipboard: () => page.evaluate(() => navigator.clipboard.readText()),
    };
  }

  it('makes a plan from the first Tab to the copied configuration', async () => {
    const { page, press, prints, clipboard } = await sitDown('/');
    await tabTo(page, '#plan-from');
    await page.keyboard.type('4.14.2');
    await chooseOption(page, '4.14.20');
    await expect.poll(() => page.url()).toContain('from=4.14.20');
    await press('Tab');
    expect(await focused(page)).toBe('combobox To');
    await page.keyboard.type('4.15');
    await chooseOption(page, '4.15.20');
    await expect.poll(() => hops(page)).toEqual(['4.14.30', '4.15.10', '4.15.20']);
    await press('Tab');
    expect(await focused(page)).toBe('select Channel');
    for (let steps = 0; steps < 10 && !page.url().includes('channel=stable-4.15'); steps++) {
      const before = page.url();
      await press('ArrowDown');
      await expect.poll(() => page.url()).not.toBe(before);
    }
    await settled(page);
    await expect.poll(() => page.locator('.graph-area h2').textContent()).toBe('stable-4.15');

    await tabTo(page, '.lanes-scroller');
    await press('End');
    await press('t');
    await expect.poll(() => hops(page)).toEqual(['4.14.30']);
    await press('c');
    await expect.poll(clipboard).toContain('kind: ImageSetConfiguration');
    await press('p');
    await expect.poll(prints).toBe(1);
  });

  it('is in the graph by one Tab, moves by arrows, and leaves it by the next', async () => {
    const { page, press } = await sitDown(PLAN);
    await tabTo(page, '.lanes-scroller');
    const active = () =>
      page.evaluate(() => {
        const id = document.activeElement?.getAttribute('aria-activedescendant');
        return document.getElementById(id ?? '')?.getAttribute('data-version') ?? null;
      });
    // It begins where the plan does.
    await expect.poll(active).toBe('4.14.20');
    const ways: readonly (readonly [key: string, to: string])[] = [
      ['ArrowRight', '4.14.21'],
      ['ArrowLeft', '4.14.20'],
      ['End', '4.14.30'],
      ['ArrowRight', '4.14.30'],
      ['Home', '4.14.0'],
      ['PageDown', '4.14.10'],
      ['PageDown', '4.14.20'],
      ['PageUp', '4.14.10'],
      ['ArrowUp', '4.15.10'],
      ['ArrowRight', '4.15.12'],
      ['ArrowDown', '4.14.12'],
      ['ArrowUp', '4.15.12'],
    ];
    for (const [key, to] of ways) {
      await press(key);
      await expect.poll(active, { message: key }).toBe(to);
    }
    // What the key is at can be seen, and its label says what it is.
    const cursor = page.locator('.lane-cursor');
    expect(await cursor.isVisible()).toBe(true);
    expect(await page.getByRole('option', { name: /^4\.15\.12, no updates out/ }).count()).toBe(1);

    const release = page.getByRole('region', { name: 'Release 4.15.12' });
    await press('Enter');
    await expect.poll(() => release.textContent()).toContain('no updates out');
    expect(new URL(page.url()).searchParams.get('sel')).toBe('4.15.12');
    await press('i');
    await expect.poll(() => release.textContent()).toContain('1 recommended update in');
    await press('i');
    await expect.poll(() => release.textContent()).toContain('no updates out');
    await press('Escape');
    await expect.poll(() => release.count()).toBe(0);
    await press(' ');
    await expect.poll(() => release.count()).toBe(1);
    expect(await focused(page)).toBe('listbox Releases of stable-4.15');

    await press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.lanes'))).toBeNull();
    await press('Shift+Tab');
    expect(await focused(page)).toBe('listbox Releases of stable-4.15');
    await expect.poll(active).toBe('4.15.12');

    await press('t');
    await expect.poll(() => hops(page)).toEqual(['4.14.30', '4.15.10', '4.15.12']);
    await expect.poll(active).toBe('4.15.12');
    await press('ArrowLeft');
    await press('f');
    await expect.poll(() => hops(page)).toEqual(['4.15.12']);
    expect(await page.locator('#plan-from').inputValue()).toBe('4.15.10');
  });

  it('goes from hop to hop, searches, and clears the selection from anywhere', async () => {
    const { page, press } = await sitDown(`${PLAN}&sel=4.15.12`);
    const hop = () => page.evaluate(() => document.activeElement?.querySelector('h3')?.textContent ?? null);
    for (const [key, number] of [
      [']', 1],
      [']', 2],
      [']', 3],
      [']', 3],
      ['[', 2],
    ] as const) {
      await press(key);
      await expect.poll(hop).toContain(`Hop ${number}:`);
    }
    await press('Escape');
    await expect.poll(() => page.url()).not.toContain('sel=');
    await press('/');
    expect(await focused(page)).toBe('combobox From');
  });

  it('takes letters as text in a field, and ignores them where shortcuts are off', async () => {
    const { page, press, prints, clipboard } = await sitDown(PLAN);
    const help = page.getByRole('dialog', { name: 'Help' });
    const initial = await page.evaluate(async () => {
      await navigator.clipboard.writeText('untouched');
      return location.href;
    });
    await press('/');
    await press('Control+A');
    await page.keyboard.type('pc?[]ft/');
    expect(await page.locator('#plan-from').inputValue()).toBe('pc?[]ft/');
    await page.locator('#plan-arch').focus();
    await press('?');
    await page.locator('#plan-nodes').focus();
    await press('p');
    // What came later would have come after it.
    await page.locator('#verdict').focus();
    await press('p');
    await expect.poll(prints).toBe(1);
    expect(await help.count()).toBe(0);
    expect([await clipboard(), page.url()]).toEqual(['untouched', initial]);

    await press('?');
    await help.waitFor();
    await press('p');
    await tabTo(page, 'dialog input[type=checkbox]');
    await press(' ');
    await press('Escape');
    await expect.poll(() => help.count()).toBe(0);
    await press('?');
    await press('c');
    await press('p');
    await press('/');
    await tabTo(page, '.lanes-scroller');
    await press('f');
    await press('t');
    await press('i');
    // Keys with names still work, so all before them was read.
    await press('ArrowRight');
    await press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('sel')).toBe('4.14.21');
    expect(new URL(page.url()).search).toBe(`${new URL(initial).search}&sel=4.14.21`);
    expect(await page.getByRole('button', { name: 'Updates from it' }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    expect([await help.count(), await prints(), await clipboard()]).toEqual([0, 1, 'untouched']);
    await press('Escape');
    await expect.poll(() => page.url()).toBe(initial);

    // That is remembered, and can be switched on again by the button.
    await page.reload();
    await settled(page);
    await tabTo(page, '[aria-label^=Help]');
    await press('p');
    await press('Enter');
    await help.waitFor();
    await tabTo(page, 'dialog input[type=checkbox]');
    expect(await page.getByRole('checkbox', { name: /shortcuts/ }).isChecked()).toBe(false);
    await press(' ');
    await press('Escape');
    await expect.poll(() => help.count()).toBe(0);
    await press('p');
    await expect.poll(prints).toBe(1);
  });
});

/** Goes down the suggestions to one of them and takes it. */
async function chooseOption(page: Page, version: string): Promise<void> {
  for (let steps = 0; steps < 30; steps++) {
    await page.keyboard.press('ArrowDown');
    const marked = page.locator('.combobox [role=option][aria-selected=true] .mono');
    if ((await marked.textContent()) === version) return page.keyboard.press('Enter');
  }
  throw new Error(`${version} is not suggested`);
}

function hops(page: Page): Promise<string[]> {
  return page.locator('.hop h3 strong').allTextContents();
}
