import { writeFileSync } from 'node:fs';
import { launchChromium } from '../../helpers/browser/chromium.ts';
import { takePictures, TOLERANCE } from '../../helpers/browser/pictures.ts';
import { startProduct } from '../../helpers/browser/product.ts';
import { openFixture } from '../../helpers/local/local-run.ts';

const HELP = `Takes the pictures of the console in docs/, on demo channels.

Usage: node test/system/browser/take-screenshots.ts [--check]

  --check  write nothing; exit 1 when one looks otherwise now
`;

const [flag, ...others] = process.argv.slice(2);

async function main(): Promise<number> {
  if (others.length > 0 || ![undefined, '--check'].includes(flag)) {
    process.stdout.write(HELP);
    return flag === '--help' ? 0 : 1;
  }
  const isCheck = flag === '--check';
  const fixture = openFixture();
  try {
    const [url, browser] = await Promise.all([startProduct(fixture), launchChromium()]);
    const pictures = await takePictures(browser, url);
    await browser.close();
    for (const { name, file, taken, difference } of pictures) {
      const isSame = difference <= TOLERANCE;
      const told = isSame ? 'as before' : isCheck ? 'looks otherwise now' : 'taken anew';
      process.stdout.write(`${name}.png: ${told} (${(100 * difference).toFixed(2)} % differ)\n`);
      if (!isSame && !isCheck) writeFileSync(file, taken);
    }
    return isCheck && pictures.some(({ difference }) => difference > TOLERANCE) ? 1 : 0;
  } finally {
    await fixture.close();
  }
}

process.exitCode = await main();
