import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Target release of each hop. */
async function shownHops(page: Page): Promise<string[]> {
  return page.locator('.hop h3 strong').allTextContents();
}

export async function expectHops(page: Page, ...versions: string[]): Promise<void> {
  await expect.poll(() => shownHops(page)).toEqual(versions);
}

export async function expectVerdict(page: Page, words: string): Promise<void> {
  // Skips the mark.
  await expect.poll(async () => (await page.locator('#verdict').textContent())?.slice(2)).toBe(words);
}

/** Text that a button copies to the clipboard. */
export async function copied(page: Page, button: string | RegExp): Promise<string> {
  const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => navigator.clipboard.writeText('nothing yet'));
  await page.getByRole('button', { name: button, exact: true }).click();
  await expect.poll(clipboard).not.toBe('nothing yet');
  return clipboard();
}
