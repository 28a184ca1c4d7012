import type { Page } from 'playwright-core';
import { launchChromium, withoutBrowser } from './chromium.ts';
import type { PageSpeed, PageSpeedMessage } from './page-speed-report.ts';

const LOADS = 7;
const SELECTIONS = 60;
const FRAMES = 60;

async function measure(address: string): Promise<PageSpeed> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const loads: number[] = [];
    for (let load = 0; load < LOADS; load++) {
      await page.goto(address);
      loads.push(await renderedAt(page));
    }
    return {
      loads,
      selections: await selectionTimes(page),
      panFrame: await averagePanFrame(page),
      releases: await page.locator('g[role=option]').count(),
      elements: await page.evaluate(() => document.querySelectorAll('*').length),
      heapMegabytes: await heapMegabytes(page),
    };
  } finally {
    await browser.close();
  }
}

/** Time from the request until graph and plan are rendered. */
function renderedAt(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = (at: number): void => {
          const isThere = document.querySelector('g[role=option]') && document.getElementById('verdict');
          if (isThere) resolve(at);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
  );
}

/** Time from a click on a release to the second frame after it, when its changes are drawn. */
function selectionTimes(page: Page): Promise<number[]> {
  return page.evaluate(async (count) => {
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    const releases = document.querySelectorAll('g[role=option]');
    const times: number[] = [];
    for (let nth = 0; nth < count; nth++) {
      const release = releases[(nth * 97) % releases.length]!;
      await frame();
      const before = performance.now();
      release.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      await frame();
      await frame();
      times.push(performance.now() - before);
      if (release.getAttribute('aria-selected') !== 'true') throw new Error('nothing was selected');
    }
    return times;
  }, SELECTIONS);
}

/** Selects a release, because its lines move too. The window is narrow, to leave room for panning. */
async function averagePanFrame(page: Page): Promise<number> {
  await page.setViewportSize({ width: 1100, height: 900 });
  return page.evaluate(async (count) => {
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    const box = document.querySelector('.lanes-scroller')!;
    await frame();
    const room = box.scrollWidth - box.clientWidth;
    if (room < 20) throw new Error('the lanes do not scroll');
    const before = await frame();
    let now = before;
    for (let nth = 0; nth < count; nth++) {
      box.scrollLeft = (room * (nth % 20)) / 20;
      now = await frame();
    }
    return (now - before) / count;
  }, FRAMES);
}

async function heapMegabytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

// Runs as a separate process: only the compiler settings of this folder know the DOM.
const message: PageSpeedMessage = withoutBrowser
  ? { without: withoutBrowser }
  : await measure(process.argv[2]!);
process.send!(message);
