import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchChromium } from './chromium.ts';
import type { Site } from './site.ts';
import { visit, type Visit } from './visit.ts';

export interface SiteInBrowser {
  readonly site: Site;
  readonly browser: Browser;
  visit(options?: BrowserContextOptions): Promise<Visit>;
  /** Visits a URL of the site. */
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
  const visitSite = (options?: BrowserContextOptions) => visit(started[1], started[0], options);
  return {
    get site() {
      return started[0];
    },
    get browser() {
      return started[1];
    },
    visit: visitSite,
    async open(path, options) {
      const visited = await visitSite(options);
      await visited.goto(path);
      return visited;
    },
  };
}
