import type { Page } from 'playwright-core';

/** The focused element, as a screen reader announces it. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const at = document.activeElement as HTMLInputElement;
    const name = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent;
    return `${at.getAttribute('role') ?? at.localName} ${name.trim()}`;
  });
}

export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stops = 0; stops < 60; stops++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
  }
  throw new Error(`Tab does not come to ${selector}`);
}
