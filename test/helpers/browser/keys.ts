import type { Page } from 'playwright-core';

/** What has the focus, as a reader would hear it. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const at = document.activeElement as HTMLInputElement;
    const name = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent;
    return `${at.getAttribute('role') ?? at.localName} ${name.trim()}`;
  });
}

/** Presses Tab until it is there. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stops = 0; stops < 60; stops++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
  }
  throw new Error(`Tab does not come to ${selector}`);
}
