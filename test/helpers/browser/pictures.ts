import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';

/** Plans of the demo channels in the README. */
const PICTURES = [
  {
    name: 'console-light',
    path: '/?from=4.14.30&to=4.16&channel=eus-4.16&pause=1&sel=4.14.30',
    theme: 'light',
  },
  {
    name: 'console-dark',
    path: '/?from=4.18.39&to=4.20.12&channel=eus-4.20&risks=allow&pause=1&sel=4.19.23',
    theme: 'dark',
  },
  { name: 'console-no-path', path: '/?from=4.18.39&to=4.20.5&channel=eus-4.20', theme: 'light' },
] as const;

/** Allowed share of different pixels. */
export const TOLERANCE = 0.002;

/** Fixed age of the data in the pictures. */
const AGE_MS = 4.5 * 60_000;

export interface Picture {
  readonly name: string;
  /** The stored picture. */
  readonly file: string;
  readonly taken: Buffer;
  /** Share of pixels that differ from the stored picture; 1 if it is missing or has another size. */
  readonly difference: number;
}

export async function takePictures(browser: Browser, url: string): Promise<Picture[]> {
  const { headers } = await fetch(`${url}/api/upgrades_info/v1/graph?channel=eus-4.16`);
  const readAt = Date.parse(headers.get('x-graph-synced-at')!);
  const pictures: Picture[] = [];
  for (const { name, path, theme } of PICTURES) {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      colorScheme: theme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'UTC',
    });
    const page = await context.newPage();
    await page.clock.setFixedTime(readAt + AGE_MS);
    await page.goto(url + path);
    await page.getByRole('complementary').and(page.locator('[aria-labelledby=verdict]')).waitFor();
    await page.getByText('Demo data').waitFor();
    await page.locator('.lane-label .pill').first().waitFor();
    await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
    await page.evaluate(() => document.fonts.ready);
    const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    const file = fileURLToPath(new URL(`../../../docs/${name}.png`, import.meta.url));
    const kept = existsSync(file) ? readFileSync(file) : null;
    pictures.push({ name, file, taken, difference: kept ? await differenceOf(browser, kept, taken) : 1 });
    await context.close();
  }
  return pictures;
}

/** The browser decodes and compares both pictures. */
async function differenceOf(browser: Browser, kept: Buffer, taken: Buffer): Promise<number> {
  const page = await browser.newPage();
  const share = await page.evaluate(
    async (pictures) => {
      const [one, other] = await Promise.all(
        pictures.map(async (picture) => {
          const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
          const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
          canvas.drawImage(bitmap, 0, 0);
          return canvas.getImageData(0, 0, bitmap.width, bitmap.height);
        }),
      );
      if (one!.width !== other!.width || one!.height !== other!.height) return 1;
      const before = new Uint32Array(one!.data.buffer);
      const after = new Uint32Array(other!.data.buffer);
      return before.filter((pixel, at) => pixel !== after[at]).length / before.length;
    },
    [kept.toString('base64'), taken.toString('base64')],
  );
  await page.close();
  return share;
}
