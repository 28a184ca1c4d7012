import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { Site } from './site.ts';

export interface Visit {
  readonly page: Page;
  /** Opens a URL of the site and waits until the page is idle. */
  readonly goto: (path: string) => Promise<void>;
  /** Changes the URL like a link of the page, without a reload. */
  readonly follow: (path: string) => Promise<void>;
}

export interface Visited extends Pick<Site, 'url'> {
  /** Other hosts that the page may call, by URL. */
  readonly also?: readonly string[];
}

/** Opens a tab until the end of the test, which fails if the page threw, violated its policy, or called another host. */
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
  // The hang guard of the test limits the wait.
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  const faults: string[] = [];
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await printPage(page);
    await context.close();
    expect(faults).toEqual([]);
  });
  const hosts = [site.url, ...(site.also ?? [])].map((each) => new URL(each).host);
  page.on('request', (request) => {
    const url = new URL(request.url());
    const isElsewhere = ['http:', 'https:'].includes(url.protocol) && !hosts.includes(url.host);
    if (isElsewhere) faults.push(`asked ${url.href}`);
  });
  page.on('pageerror', (error) => faults.push(`threw ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    // The browser reports failed requests itself. Tests check how the page handles them.
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
  };
}

/** Visits a URL of the site. */
export async function openPage(
  browser: Browser,
  site: Visited,
  path: string,
  options?: BrowserContextOptions,
): Promise<Visit> {
  const visited = await visit(browser, site, options);
  await visited.goto(path);
  return visited;
}

const PROBE = '/intercepted';

/** Like `page.route`, for a page that is loaded: its first requests after `page.route` may still pass the route. */
export async function intercept(
  page: Page,
  address: string | RegExp,
  handle: (route: Route) => Promise<void>,
): Promise<void> {
  await page.route(`**${PROBE}`, (route) => route.fulfill({ body: PROBE }));
  await page.route(address, handle);
  await page.waitForFunction(async (probe) => (await (await fetch(probe)).text()) === probe, PROBE);
}

/** Shows the page of a failed test. */
async function printPage(page: Page): Promise<void> {
  if (page.isClosed()) return;
  const text = page.locator('body').innerText({ timeout: 10_000 });
  console.log(page.url(), await text.catch((error: unknown) => String(error)));
}

/** Waits until nothing loads or computes. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector('main') && !document.querySelector('[aria-busy=true]'),
  );
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** axe violations, one line each; all rules by default. */
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
