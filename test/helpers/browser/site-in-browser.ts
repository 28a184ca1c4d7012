import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchChromium } from './chromium.ts';
import type { Site } from './site.ts';
import { openPage, visit, type Visit } from './visit.ts';

export interface SiteInBrowser {
  readonly site: Site;
  readonly browser: Browser;
  visit(options?: BrowserContextOptions): Promise<Visit>;
  open(path: string, options?: BrowserContextOptions): Promise<Visit>;
}

export function siteInBrowser(start: () => Promise<Site>): SiteInBrowser {
  let started: readonly [Site, Browser];
  beforeAll(async () => {
    started = await Promise.all([start(), launchChromium()]);
  });
  afterAll(async () => {
    const [site, browser] = started;
    await browser.close();
    await site.close();
  });
  return {
    get site() {
      return started[0];
    },
    get browser() {
      return started[1];
    },
    visit: (options) => visit(started[1], started[0], options),
    open: (path, options) => openPage(started[1], started[0], path, options),
  };
}
