import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withoutBrowser } from '../../helpers/browser/chromium.ts';
import { DRAWN_CHANNELS } from '../../helpers/browser/drawn-channels.ts';
import { expectHops, expectVerdict } from '../../helpers/browser/shown-plan.ts';
import { siteInBrowser } from '../../helpers/browser/site-in-browser.ts';
import { drawnSite } from '../../helpers/browser/site.ts';

interface Case {
  readonly link: string;
  /** What the page says, from the top. */
  readonly says: readonly string[];
  /** Every button that changes the question. */
  readonly fixes: readonly string[];
  /** The one that is pressed, and the hops of the plan that is then shown. */
  readonly press: string;
  readonly hops: readonly string[];
  /** The paths that are there instead, each by its releases from the start on. */
  readonly instead?: readonly (readonly string[])[];
}

const CHOOSE = 'Let Cairn choose the channel';

const CASES: Readonly<Record<string, Case>> = {
  'a version that is not known': {
    link: '/?from=4.8.2&to=latest',
    says: [
      '4.8.2 is in no followed channel; the nearest known versions are 4.8.1, 4.8.3 and 4.8.8.',
      'Check the version; known ones near it are 4.8.1, 4.8.3 and 4.8.8.',
    ],
    fixes: ['Start from 4.8.1', 'Start from 4.8.3', 'Start from 4.8.8'],
    press: 'Start from 4.8.8',
    hops: ['4.9.6'],
  },
  'a way back': {
    link: '/?from=4.12.40&to=4.12.30',
    says: [
      '4.12.30 is older than 4.12.40, and there are no updates back.',
      'Choose a target newer than 4.12.40, such as 4.13.30.',
    ],
    fixes: ['Go to the recommended target instead'],
    press: 'Go to the recommended target instead',
    // 4.16 is the next supported minor.
    hops: ['4.13.30', '4.14.30', '4.15.20', '4.16.20'],
    instead: [['4.12.40', '4.13.30']],
  },
  'a start that is not in the channel': {
    link: '/?from=4.12.10&to=4.13.30&channel=stable-4.13',
    says: [
      '4.12.10 is not in stable-4.13, but in stable-4.12.',
      'stable-4.12 then stable-4.13 leads to 4.13.30 in 2 hops.',
      'The newest of its minor there is 4.12.40.',
    ],
    fixes: ['First to 4.12.40 in stable-4.12', 'Switch to stable-4.12', CHOOSE],
    press: 'First to 4.12.40 in stable-4.12',
    hops: ['4.12.40'],
    instead: [
      ['4.12.10', '4.12.40', '4.13.30'],
      ['4.12.10', '4.12.40'],
    ],
  },
  'a target that is not in the channel': {
    link: '/?from=4.10.5&to=4.11.2&channel=stable-4.10',
    says: [
      '4.11.2 is not in stable-4.10, but in stable-4.11 and fast-4.11; stable-4.11 has both 4.10.5 and 4.11.2.',
      'stable-4.11 leads to 4.11.2 in 1 hop.',
    ],
    fixes: ['Switch to stable-4.11', CHOOSE, 'Go only as far as 4.10.31'],
    press: 'Switch to stable-4.11',
    hops: ['4.11.2'],
    instead: [
      ['4.10.5', '4.11.2'],
      ['4.10.5', '4.10.30', '4.10.31'],
    ],
  },
  'a way that only conditional updates lead': {
    link: '/?from=4.10.5&to=4.11.9&channel=stable-4.11',
    says: [
      'Every path from 4.10.5 to 4.11.9 in stable-4.11 takes conditional updates; the safest has the risk Leaky.',
      'Read about Leaky, and accept by name what does not concern the cluster.',
      'The first update in the way is 4.11.2 to 4.11.9, with Leaky.',
    ],
    fixes: ['Accept Leaky', 'Go only as far as 4.11.2', CHOOSE],
    press: 'Accept Leaky',
    hops: ['4.11.2', '4.11.9'],
    instead: [
      ['4.10.5', '4.11.2'],
      ['4.10.5', '4.10.30', '4.10.31'],
    ],
  },
  'a way with more risks than are accepted': {
    link: '/?from=4.11.6&to=4.11.12&channel=stable-4.11&risks=Slow',
    says: [
      'No path from 4.11.6 to 4.11.12 in stable-4.11 has only accepted risks; the safest also has Leaky.',
      'Read about Leaky, and accept by name what does not concern the cluster.',
      'The first update in the way is 4.11.9 to 4.11.12, with Leaky.',
    ],
    fixes: ['Accept Leaky', 'Go only as far as 4.11.9', CHOOSE],
    press: 'Accept Leaky',
    hops: ['4.11.9', '4.11.12'],
  },
  'a start that no update leaves': {
    link: '/?from=4.10.30&to=4.11.2&channel=stable-4.11',
    says: ['No update leaves 4.10.30 in stable-4.11.', 'fast-4.11 leads to 4.11.2 in 1 hop.'],
    fixes: [CHOOSE],
    press: CHOOSE,
    hops: ['4.11.2'],
    instead: [
      ['4.10.30', '4.11.2'],
      ['4.10.30', '4.10.31'],
    ],
  },
  'a target that cannot be reached': {
    link: '/?from=4.8.1&to=4.9.6&channel=stable-4.9',
    says: [
      'No updates lead from 4.8.1 to 4.9.6 in stable-4.9, whatever risks are accepted.',
      'Only clusters from 4.8.8 on get to 4.9.6.',
      '4.8.1 gets as far as 4.8.3 and 4.9.1.',
      '4.9.6 is reached from 4.8.8.',
      '4.9.6 is reached from 4.9.4.',
    ],
    fixes: ['Go only as far as 4.9.1', CHOOSE],
    press: 'Go only as far as 4.9.1',
    hops: ['4.8.3', '4.9.1'],
  },
  'a version of another architecture': {
    link: '/?from=4.16.30&to=latest',
    says: ['4.16.30 is not known on amd64, but on arm64.'],
    fixes: ['Switch to arm64'],
    press: 'Switch to arm64',
    hops: ['4.16.31'],
  },
  'a channel that is not followed': {
    link: '/?from=4.10.5&channel=eus-4.11',
    says: [
      'eus-4.11 is not followed on amd64, or was never synced; stable-4.10 has both 4.10.5 and 4.10.31.',
      'stable-4.10 leads to 4.10.31 in 2 hops.',
    ],
    fixes: ['Switch to stable-4.11', 'Switch to stable-4.10', CHOOSE],
    press: 'Switch to stable-4.10',
    hops: ['4.10.30', '4.10.31'],
    instead: [
      ['4.10.5', '4.10.30', '4.10.31'],
      ['4.10.5', '4.11.2'],
    ],
  },
  'a channel without releases': {
    link: '/?from=4.15.20&channel=fast-4.17',
    says: ['fast-4.17 holds no release on amd64 yet.', 'stable-4.16 leads to 4.16.20 in 1 hop.'],
    fixes: ['Switch to stable-4.16', 'Switch to stable-4.15', CHOOSE],
    press: 'Switch to stable-4.16',
    hops: ['4.16.20'],
    instead: [['4.15.20', '4.16.20']],
  },
};

describe.skipIf(withoutBrowser)('where there is no path', () => {
  const at = siteInBrowser(() => drawnSite(DRAWN_CHANNELS));

  it('from 4.4.3 in stable-4.6, the page says why, and one click switches to the channel that leads on', async () => {
    const { page } = await at.open('/?from=4.4.3&to=latest&channel=stable-4.6');
    await expectVerdict(page, 'No path');
    expect((await sentences(page)).filter((sentence) => !sentence.includes('is end of life'))).toEqual([
      '4.4.3 is not in stable-4.6, but in stable-4.4 and stable-4.5.',
      'stable-4.5 leads to 4.5.24 in 2 hops.',
    ]);
    await expect
      .poll(() => page.getByRole('status').textContent())
      .toBe('No path: 4.4.3 is not in stable-4.6, but in stable-4.4 and stable-4.5');
    // All that leads to the newest of the channel, also in the minor between it and the start.
    await expect.poll(() => marked(page)).toEqual({ leading: ['4.6.9', '4.6.12', '4.5.16', '4.5.24'] });

    // What leads furthest comes first.
    const switches = page.getByRole('button', { name: 'Switch to' });
    expect(await switches.allTextContents()).toEqual(['Switch to stable-4.5', 'Switch to stable-4.4']);
    await switches.first().click();
    await expectHops(page, '4.4.29', '4.5.24');
    expect(await page.getByLabel('Channel').inputValue()).toBe('stable-4.5');

    // The first button says where it leads.
    await page.goBack();
    await expectVerdict(page, 'No path');
    await page.getByRole('button', { name: 'First to 4.5.24 in stable-4.5' }).click();
    await expectHops(page, '4.4.29', '4.5.24');
    await page.goBack();
    await expectVerdict(page, 'No path');
    // The whole way takes two channels.
    await page.getByRole('button', { name: 'Use this way to 4.6.12' }).click();
    await expectHops(page, '4.4.29', '4.5.24', '4.6.12');
  });

  it.each(Object.entries(CASES))(
    'for %s, the page says why and what helps, and it does',
    async (_, { link, says, fixes, press, hops, instead = [] }) => {
      const { page, follow } = await at.open(link);
      await expectVerdict(page, 'No path');
      // The drawn minors are old, which the page says of each.
      const said = (await sentences(page)).filter((sentence) => !sentence.includes('is end of life'));
      expect(said).toEqual(says);
      const panel = page.getByRole('complementary');
      const buttons = panel.getByRole('button');
      expect((await buttons.allTextContents()).filter((name) => !name.startsWith('Use this'))).toEqual(fixes);
      const ways = panel.getByRole('region', { name: 'Paths there are instead' }).getByRole('listitem');
      expect(await ways.count()).toBe(instead.length);

      await buttons.filter({ hasText: press }).click();
      await expectHops(page, ...hops);
      for (const [at, versions] of instead.entries()) {
        await follow(link);
        await expectVerdict(page, 'No path');
        const way = ways.nth(at);
        expect((await way.locator('.mono').last().textContent())!.match(/\d+\.\d+\.\d+/g)).toEqual(versions);
        await way.getByRole('button', { name: `Use this way to ${versions.at(-1)}` }).click();
        await expectHops(page, ...versions.slice(1));
      }
    },
  );

  it('the lanes show how far the start gets, what leads to the target, and the gap between', async () => {
    const { page, goto } = await at.open('/?from=4.8.1&to=4.9.6&channel=stable-4.9');
    await expect
      .poll(() => marked(page))
      .toEqual({
        reached: ['4.9.1', '4.8.1', '4.8.3'],
        leading: ['4.9.4', '4.9.6', '4.8.8'],
      });
    // Said as well as drawn.
    const [reached, leading] = ['4.8.3, 1 recommended update out', '4.8.8, 1 recommended update out'];
    await page.getByRole('option', { name: `${reached}, reached from 4.8.1` }).waitFor();
    await page.getByRole('option', { name: `${leading}, leads to 4.9.6` }).waitFor();
    const legend = page.locator('.lanes-legend li');
    const entries = ['recommended', 'conditional', 'release'];
    await expect
      .poll(() => legend.allTextContents())
      .toEqual([...entries, 'reached from 4.8.1', 'leads to 4.9.6', 'no way on']);
    // Over 4.9.2, which is on neither side.
    expect(await page.locator('.lane-gap').count()).toBe(1);

    // Where nothing is between the sides, nothing is shaded, nor explained.
    await goto('/?from=4.12.40&to=4.12.30');
    await expect.poll(() => marked(page)).toEqual({ leading: ['4.12.10', '4.12.30'], reached: ['4.12.40'] });
    await expect
      .poll(() => legend.allTextContents())
      .toEqual([...entries, 'reached from 4.12.40', 'leads to 4.12.30']);
    expect(await page.locator('.lane-gap').count()).toBe(0);
  });
});

/** The paragraphs under the verdict. */
async function sentences(page: Page): Promise<string[]> {
  return page.locator('#verdict ~ p').allTextContents();
}

/** The releases in the lanes that are more than that, by what they are. */
async function marked(page: Page): Promise<Record<string, string[]>> {
  const options = await page.locator('g[role=option]').evaluateAll((all) =>
    all.map((option) => {
      const { version, mark } = (option as SVGElement).dataset;
      return { version: version!, mark: mark! };
    }),
  );
  const marks = Map.groupBy(
    options.filter(({ mark }) => mark !== 'release'),
    ({ mark }) => mark,
  );
  return Object.fromEntries([...marks].map(([mark, all]) => [mark, all.map(({ version }) => version)]));
}
