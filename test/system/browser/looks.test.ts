import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withoutBrowser } from '../../helpers/browser/chromium.ts';
import { drawFleet, EVERY_KIND } from '../../helpers/browser/drawn-fleet.ts';
import { addCluster, fewChannels } from '../../helpers/browser/few-channels.ts';
import { siteInBrowser } from '../../helpers/browser/site-in-browser.ts';
import { intercept } from '../../helpers/browser/visit.ts';

const CONDITIONAL = '/?from=4.14.30&to=4.16.30&risks=allow';
const THEMES = ['light', 'dark'] as const;

describe.skipIf(withoutBrowser)('the looks of the page', () => {
  const at = siteInBrowser(async () => {
    const site = await fewChannels();
    await addCluster(site, 'prod');
    await drawFleet(site, EVERY_KIND);
    return site;
  });

  it.each(THEMES)('has distinguishable colours in the %s theme', async (colorScheme) => {
    const { page } = await at.open('/pruners', { colorScheme });
    const pairs: Readonly<Record<number, Readonly<Record<string, readonly string[]>>>> = {
      4.5: {
        text: ['bg', 'surface', 'lane', 'info-bg'],
        muted: ['bg', 'surface', 'lane'],
        path: ['bg', 'surface', 'info-bg'],
        'on-path': ['path'],
        ok: ['surface', 'ok-bg'],
        'cond-text': ['surface', 'cond-bg'],
        block: ['surface', 'block-bg'],
        surface: ['text'],
      },
      3: {
        node: ['lane'],
        path: ['lane'],
        ok: ['lane'],
        cond: ['lane', 'surface'],
        block: ['lane'],
        border: ['bg', 'surface'],
        focus: ['bg', 'surface', 'lane'],
      },
    };
    const colours = await page.evaluate(
      (names) => {
        const probe = document.body.appendChild(document.createElement('i'));
        return names.map((name): [string, number[]] => {
          probe.style.setProperty('color', `var(--${name})`);
          return [
            name,
            getComputedStyle(probe)
              .color.match(/[\d.]+/g)!
              .map(Number),
          ];
        });
      },
      Object.values(pairs).flatMap((of) => Object.entries(of).flatMap(([ink, grounds]) => [ink, ...grounds])),
    );
    const luminance = new Map(colours.map(([name, parts]) => [name, luminanceOf(parts)]));
    expect(luminance.get('bg')! > 0.5).toBe(colorScheme === 'light');
    for (const [least, of] of Object.entries(pairs)) {
      for (const [ink, grounds] of Object.entries(of)) {
        for (const ground of grounds) {
          const ratio = contrast(luminance.get(ink)!, luminance.get(ground)!);
          expect(ratio, `${ink} on ${ground}`).toBeGreaterThanOrEqual(Number(least));
        }
      }
    }
  });

  it('changes the theme by its button, and remembers which was chosen', async () => {
    const { page, goto } = await at.visit({ colorScheme: 'dark' });
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const press = (name: string) => page.getByRole('button', { name }).click();
    await goto('/pruners');
    const dark = await ground();
    await press('Theme: auto. Change to light');
    await expect.poll(ground).not.toBe(dark);
    const light = await ground();
    await page.reload();
    await expect.poll(ground).toBe(light);
    await press('Theme: light. Change to dark');
    await expect.poll(ground).toBe(dark);
    await press('Theme: dark. Change to auto');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(ground).toBe(light);
  });

  it('says by shape, line, symbol or word what it says by colour', async () => {
    const { page, follow } = await at.open(`${CONDITIONAL}&sel=4.14.30`);
    expect(await distinctLooks(page)).toEqual(['conditional', 'path', 'recommended', 'release']);
    // In one step: the count of clusters arrives at any time and draws the hops anew.
    const lines = await page.evaluate(() =>
      [...document.querySelectorAll('.lanes-picture :is(.lane-hop, .lane-pinned)')]
        .filter((line) => line.getAttribute('d') !== '')
        .map((line) => {
          const { strokeDasharray, strokeWidth } = getComputedStyle(line);
          const style = `${strokeDasharray === 'none' ? 'solid' : 'dashed'} ${strokeWidth}`;
          return `${line.getAttribute('data-kind')} ${style}`;
        }),
    );
    expect(lines.toSorted()).toEqual([
      'conditional dashed 1px',
      'conditional dashed 3px',
      'recommended solid 1px',
      'recommended solid 3px',
      'recommended solid 3px',
    ]);

    const pills: string[] = [];
    for (const address of [
      CONDITIONAL,
      '/versions',
      '/channels?open=stable-4.16',
      '/?cluster=prod&to=4.16',
      '/clusters',
    ]) {
      await follow(address);
      pills.push(
        ...(await page
          .locator('.pill')
          .evaluateAll((all) => all.map((e) => `${e.className}: ${e.textContent}`))),
      );
    }
    const wrong = pills.filter((pill) => !/^pill( ok: ●| cond: ▲| block: ■| info:| plain:|:).*\w/.test(pill));
    expect(wrong).toEqual([]);
    for (const tone of ['ok', 'cond', 'block']) {
      expect(
        pills.some((pill) => pill.startsWith(`pill ${tone}`)),
        tone,
      ).toBe(true);
    }

    await follow('/?from=4.14.20&to=4.16.40');
    expect(await distinctLooks(page)).toEqual(['leading', 'path', 'reached', 'release']);
  });

  it.each(THEMES)('keeps shapes and text where the system chooses the colours, %s', async (colorScheme) => {
    const { page } = await at.open(`${CONDITIONAL}&sel=4.14.30`, { forcedColors: 'active', colorScheme });
    expect(await page.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true);
    expect(await distinctLooks(page)).toEqual(['conditional', 'path', 'recommended', 'release']);
    const inks = await page.evaluate(() => {
      const one = (selector: string) => getComputedStyle(document.querySelector(selector)!);
      const picture = '.lanes-picture';
      const lane = one(`${picture} .lane-band`).fill;
      const panel = one('.plan-panel').backgroundColor;
      return [
        ...['recommended', 'conditional'].map(
          (mark) => [mark, one(`${picture} [data-mark=${mark}] .lane-shape`).fill, lane] as const,
        ),
        ['path', one(`${picture} .lane-mark`).fill, lane],
        ['hop', one(`${picture} .lane-hop`).stroke, lane],
        ['version', one(`${picture} .lane-version`).fill, lane],
        ['band', one(`${picture} .lane-band`).stroke, one('.lanes').backgroundColor],
        ['minor', one('.lane-fold').color, one('.lanes').backgroundColor],
        ['verdict', one('#verdict').color, panel],
        ['pill', one('.pill.cond').color, one('.pill.cond').backgroundColor],
        ['pill border', one('.pill.cond').borderColor, panel],
        ['button', one('#copy-config').color, one('#copy-config').backgroundColor],
        ['timeline', one('.span-label.update').fill, one('.span.update').fill],
        ['timeline rollout', one('.span.rollout').stroke, panel],
      ] as const;
    });
    for (const [what, ink, ground] of inks) {
      expect(
        contrast(luminanceOf(parts(ink)), luminanceOf(parts(ground))),
        `${what}: ${ink} on ${ground}`,
      ).toBeGreaterThanOrEqual(3);
    }
    // Only what is chosen is underlined or filled.
    const chosen = await page.evaluate(() =>
      [...document.querySelectorAll('.tab, .direction-switch .button')]
        .filter((element) => {
          const { borderBottomColor, backgroundColor } = getComputedStyle(element);
          const shown = element.matches('.tab') ? borderBottomColor : backgroundColor;
          return shown !== getComputedStyle(document.documentElement).backgroundColor;
        })
        .map((element) => element.textContent),
    );
    expect(chosen).toEqual(['Plan', 'Lanes', 'Updates from it']);
  });

  it.each([
    ['while it waits, where nobody minds', 'no-preference', /plan-panel.*skeleton/s],
    ['never for those who ask for that', 'reduce', /^$/],
  ] as const)('moves %s', async (_, reducedMotion, expected) => {
    const { page, goto, follow } = await at.visit({ reducedMotion });
    await page.addInitScript(() => {
      const moved = Object.assign(window, { moved: [] as string[] }).moved;
      for (const begun of ['transitionrun', 'animationstart']) {
        addEventListener(begun, ({ target }) => moved.push((target as Element).outerHTML.slice(0, 60)));
      }
    });
    await goto('/?from=4.14.20&to=4.15.20');
    // A plan that waits for the graph of another channel, and a list that waits for its rows.
    for (const [link, waiting] of [
      ['/?from=4.14.20&channel=eus-4.16', '.plan-grid[aria-busy=true]'],
      ['/clusters', '.page > .skeleton'],
    ] as const) {
      let letThrough = (): void => {};
      const held = new Promise<void>((resolve) => (letThrough = resolve));
      await intercept(page, /graph\?|v1\/clusters/, async (route) => {
        await held;
        await route.fallback();
      });
      const following = follow(link);
      await page.locator(waiting).waitFor();
      // Two frames later what moves has begun to.
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      letThrough();
      await following;
    }
    const moved = await page.evaluate(() => (window as unknown as { moved: string[] }).moved);
    expect(moved.join('\n')).toMatch(expected);
  });
});

/** The marks of the lanes, each once; none when two of them look the same without colour. */
function distinctLooks(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const looks = new Map<string, string>();
    const shapes = '.lanes-picture .lane-release .lane-shape, .lanes-picture .lane-mark[data-kind=path]';
    for (const shape of document.querySelectorAll(shapes)) {
      const mark = shape.parentElement!.dataset['mark'] ?? shape.getAttribute('data-kind')!;
      const { stroke, opacity } = getComputedStyle(shape);
      looks.set(mark, [shape.getAttribute('d'), stroke === 'none', opacity].join());
    }
    return new Set(looks.values()).size === looks.size ? [...looks.keys()].toSorted() : [];
  });
}

function parts(colour: string): number[] {
  return colour.match(/[\d.]+/g)!.map(Number);
}

/** As WCAG defines it. */
function luminanceOf(colour: readonly number[]): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
