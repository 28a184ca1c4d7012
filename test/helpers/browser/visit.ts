import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFailed } from 'vitest';
import type { Site } from './site.ts';

export interface Visit {
  readonly page: Page;
  /** Goes to an address of the site and waits until it is done with it. */
  readonly goto: (path: string) => Promise<void>;
  /** Changes the address as a link of the page does, without loading it anew. */
  readonly follow: (path: string) => Promise<void>;
  /** Fails when the page asked another host, broke its own policy or threw. */
  readonly end: () => Promise<void>;
}

export interface Visited extends Pick<Site, 'url'> {
  /** Other hosts that the page may ask, by a URL of theirs. */
  readonly also?: readonly string[];
}

/** A tab of its own, in which every request to another host and every error counts as a fault. */
export async function visit(
  browser: Browser,
  site: Visited,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  // Waiting ends with the hang guard of the test.
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  onTestFailed(() => printPage(page));
  const faults: string[] = [];
  const hosts = [site.url, ...(site.also ?? [])].map((each) => new URL(each).host);
  page.on('request', (request) => {
    const url = new URL(request.url());
    const isElsewhere = ['http:', 'https:'].includes(url.protocol) && !hosts.includes(url.host);
    if (isElsewhere) faults.push(`asked ${url.href}`);
  });
  page.on('pageerror', (error) => faults.push(`threw ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    // The browser itself says that a request failed; what the page makes of it is what is tested.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      faults.push(`said ${message.text()}`);
    }
  });
  return {
    page,
    async goto(path) {
      await page.goto(site.url + path);
      await settled(page);
    },
    async follow(path) {
      await page.evaluate((to) => {
        history.pushState(null, '', to);
        dispatchEvent(new PopStateEvent('popstate'));
      }, path);
      await settled(page);
    },
    async end() {
      await context.close();
      expect(faults).toEqual([]);
    },
  };
}

/** Shows what a test that failed was waiting for. */
async function printPage(page: Page): Promise<void> {
  if (page.isClosed()) return;
  const text = page.locator('body').innerText({ timeout: 10_000 });
  console.log(page.url(), await text.catch((error: unknown) => String(error)));
}

/** Nothing is being loaded or worked out any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector('main') && !document.querySelector('[aria-busy=true]'),
  );
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe has against the page as it is, one line each; by all its rules, or by those named. */
export async function accessibilityFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  return page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{
          violations: { id: string; help: string; nodes: { target: string[]; failureSummary?: string }[] }[];
        }>;
      };
    };
    const { violations } = await axe.run(runOnly ? { runOnly } : {});
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary ?? ''}`),
    );
  }, rules);
}
