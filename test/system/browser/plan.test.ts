import { minutesInWords } from '@cairn/shared/plan/words';
import type { Strategy } from '@cairn/shared/safety/hop';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withoutBrowser } from '../../helpers/browser/chromium.ts';
import { DRAWN_CHANNELS } from '../../helpers/browser/drawn-channels.ts';
import { expectHops, expectVerdict } from '../../helpers/browser/shown-plan.ts';
import { siteInBrowser } from '../../helpers/browser/site-in-browser.ts';
import { drawnSite } from '../../helpers/browser/site.ts';
import { settled } from '../../helpers/browser/visit.ts';
import { ask, releases } from '../../helpers/path/releases.ts';
import { assumedAlong } from '../../helpers/plan/assumed-plans.ts';

const LONG_WAY = ['4.13.30', '4.14.30', '4.15.20', '4.16.20'];

describe.skipIf(withoutBrowser)('a plan', () => {
  const at = siteInBrowser(() => drawnSite(DRAWN_CHANNELS));

  it('is there as soon as its link is opened: form, verdict, figures, hops, and the path in the lanes', async () => {
    const { page } = await at.open('/?from=4.14.20&to=4.16&nodes=9');
    expect(await page.title()).toBe('4.14.20 to 4.16 – Cairn');
    const { from, to } = fields(page);
    expect(await from.inputValue()).toBe('4.14.20');
    expect(await to.inputValue()).toBe('4.16');
    expect(await page.getByLabel('Nodes').inputValue()).toBe('9');
    await expectVerdict(page, 'Path found');
    await expectHops(page, '4.15.20', '4.16.20');
    expect(await figures(page)).toMatchObject({ Hops: '2', 'To mirror': '2 payloads' });
    await expect
      .poll(() => page.getByRole('status').textContent())
      .toBe('Path found: 2 hops, 4.15.20, 4.16.20');
    // In the lanes and in words.
    await expect.poll(() => page.locator('.lane-hop[data-kind=recommended]').count()).toBe(2);
    const onPath = page.getByRole('option', { name: 'on the planned path' });
    expect(await onPath.evaluateAll(versionsOf)).toEqual(['4.16.20', '4.15.20', '4.14.20']);
  });

  it('of January 2021 goes from 4.4.3 over 4.4.29 to 4.5.24 in stable-4.5', async () => {
    const { page } = await at.open('/?from=4.4.3&to=latest&channel=stable-4.5');
    await expectHops(page, '4.4.29', '4.5.24');
    expect(await page.locator('.plan-panel').textContent()).toContain('Follow stable-4.5.');
  });

  it('changes with what is done about risks: avoided, allowed if needed, accepted by name', async () => {
    const { page } = await at.open('/?from=4.10.5&to=4.11.9&channel=stable-4.11');
    await expectVerdict(page, 'No path');
    // As few conditional updates as can be.
    await page.getByLabel('Allow if needed').check();
    await expectVerdict(page, 'Path found with 1 conditional update');
    await expectHops(page, '4.11.2', '4.11.9');
    const risky = page.getByRole('listitem').filter({ hasText: 'Hop 2' });
    // The texts of risks load with the first plan that has some.
    await risky.getByText('Leaky may happen').waitFor();
    await expect.poll(() => page.locator('.lane-hop[data-kind=conditional]').count()).toBe(1);

    // Only those that are ticked among the risks, brought back from there.
    await page.getByRole('link', { name: 'Risks' }).click();
    await page.getByRole('button', { name: 'Choose by name instead' }).click();
    await page.getByLabel('I accept Slow').check();
    await page.getByRole('link', { name: 'Plan with these' }).click();
    await expectVerdict(page, 'Path found with 2 conditional updates');
    await expectHops(page, '4.11.6', '4.11.9');
    expect(new URL(page.url()).searchParams.get('risks')).toBe('Slow');
    expect(await page.getByLabel('Accept listed (1)').isChecked()).toBe(true);

    await page.getByRole('link', { name: 'Change' }).click();
    await page.getByLabel('I accept Leaky').check();
    await page.getByRole('link', { name: 'Plan with these' }).click();
    await expectHops(page, '4.11.2', '4.11.9');

    await page.getByLabel('Avoid').check();
    await expectVerdict(page, 'No path');
  });

  it.each<[nodes: number, pause: '' | '1', strategy: Strategy]>([
    [6, '', 'rolling'],
    [5, '1', 'control-plane-only'],
    [120, '1', 'control-plane-only'],
    [3, '', 'rolling'],
  ])('shows the same as the package for each hop: %d nodes, pause=%s', async (nodes, pause, strategy) => {
    const { page } = await at.open(`/?from=4.12.40&to=4.16&nodes=${nodes}&pause=${pause}`);
    const { hops, duration } = await longWay(nodes, strategy);
    const workers = (hop: (typeof hops)[number]) => hop.pools.find(({ pool }) => pool === 'worker')!;
    await expectHops(page, ...hops.map(({ to }) => to));
    const shown = await page
      .locator('.hop-body > .pills')
      .evaluateAll((all) =>
        all.map((pills) => [...pills.children].map(({ textContent }) => textContent.replace(/^● /, ''))),
      );
    expect(shown).toEqual(
      hops.map((hop) => [
        'Recommended',
        ...(nodes > 3 ? [`kubelets ${workers(hop).lag} behind, ${workers(hop).limit} allowed`] : []),
        `Kubernetes ${hop.kubeFrom} → ${hop.kubeTo}`,
        `~${minutesInWords(hop.duration!.expected)}, at most ${minutesInWords(hop.duration!.max)}`,
      ]),
    );
    expect(await figures(page)).toMatchObject({ 'Control plane': minutesInWords(duration.total!.expected) });
  });

  it('with workers paused has fewer reboots, and a mark where they have to be let go', async () => {
    const { page } = await at.open('/?from=4.12.40&to=4.16&nodes=5');
    const mark = page.locator('.timeline line.unpause');
    expect(await figures(page)).toMatchObject({ 'Worker reboots': '4' });
    expect(await workerRolls(page)).toEqual(LONG_WAY);
    expect(await mark.count()).toBe(0);
    expect(await page.locator('.timeline .span.paused').count()).toBe(0);

    await page.getByLabel('Pause workers').check();
    await expect.poll(() => figures(page)).toMatchObject({ 'Worker reboots': '2' });
    expect(await workerRolls(page)).toEqual(['4.14.30', '4.16.20']);
    expect(await page.locator('.timeline .span.paused').count()).toBe(2);
    // After two hops, at the limit, and before the third, which waits for it.
    const { hops, plan } = await longWay(5, 'control-plane-only');
    const before = hops.slice(0, 2).reduce((sum, { duration }) => sum + duration!.expected, 0);
    const lengths = [
      ...hops.map(({ duration }) => duration!),
      ...plan.workerRollouts.map(({ minutes }) => minutes!),
    ];
    const total = lengths.reduce((sum, { expected }) => sum + expected, 0);
    expect(await mark.evaluateAll((lines) => lines.map((line) => line.getAttribute('x1')))).toEqual([
      `${(100 * before) / total}%`,
    ]);
    const text = await page.locator('.plan-panel').textContent();
    expect(text).toContain('4 without pausing');
    expect(text).toContain('Unpause workers at 4.14.30');
    const held = page.locator('.hop').filter({ hasText: 'Workers must be rolled here' });
    expect(await held.locator('h3').allTextContents()).toEqual([expect.stringContaining('Hop 3')]);
    expect(await held.textContent()).toContain(plan.pools[1]!.rolls[0]!.text);
  });

  it('can go another way, which stays on Back and in the link', async () => {
    const { page } = await at.open('/?from=4.12.40&to=4.16');
    await expectHops(page, ...LONG_WAY);
    const ways = page.getByRole('region', { name: 'Other ways' }).getByRole('button');
    expect(await ways.nth(0).getAttribute('aria-pressed')).toBe('true');
    const other = ways.filter({ hasText: '4 hops by 4.14.20' });
    await other.click();
    await expectHops(page, '4.13.30', '4.14.20', '4.15.20', '4.16.20');
    expect(await other.getAttribute('aria-pressed')).toBe('true');
    expect(new URL(page.url()).searchParams.get('alt')).toBe('1');
    await page.goBack();
    await expectHops(page, ...LONG_WAY);
    await page.goForward();
    await expectHops(page, '4.13.30', '4.14.20', '4.15.20', '4.16.20');
    await page.reload();
    await expectHops(page, '4.13.30', '4.14.20', '4.15.20', '4.16.20');
    // A new question begins with the best way.
    await page.getByLabel('Channel').selectOption('stable-4.13');
    await page.getByLabel('Channel').selectOption('');
    await expectHops(page, ...LONG_WAY);
  });

  it('is asked for by typing half a version and taking a suggestion, and by Enter', async () => {
    const { page } = await at.open('/');
    const { from, to } = fields(page);
    await from.pressSequentially('4.14');
    const suggested = page.getByRole('listbox', { name: 'From' }).getByRole('option');
    await expect.poll(() => suggested.locator('.mono').allTextContents()).toEqual(['4.14.30', '4.14.20']);
    expect(await from.getAttribute('aria-expanded')).toBe('true');
    expect(await suggested.first().textContent()).toContain('newest of stable-4.14');
    await from.press('ArrowDown');
    await from.press('ArrowDown');
    await from.press('Enter');
    await expectHops(page, '4.15.20', '4.16.20');
    expect(await from.inputValue()).toBe('4.14.20');

    await to.fill('4.16');
    await to.press('Enter');
    await expectHops(page, '4.15.20', '4.16.20');
    expect(page.url()).toBe(`${at.site.url}/?from=4.14.20&to=4.16`);

    // With the pointer, and what is newest.
    const latest = page.getByRole('listbox', { name: 'To' }).getByText('latest');
    // The plan that was asked for sets the field once it is there.
    await settled(page);
    await expect
      .poll(async () => {
        await to.fill('');
        return latest.isVisible();
      })
      .toBe(true);
    await latest.click();
    await expectHops(page, '4.15.20');
    expect(page.url()).toBe(`${at.site.url}/?from=4.14.20&to=latest`);
  });

  it.each([
    ['', '', 'From', 'Give the version that the cluster runs'],
    ['4.14', '', 'From', '4.14 is not a version such as 4.14.30'],
    ['4.14.20', '4.x', 'To', '4.x is not a version such as 4.16.3, a minor such as 4.16, or latest'],
  ] as const)(
    'from “%s” to “%s” is not asked for: the field %s says why',
    async (start, target, name, why) => {
      const { page } = await at.open('/');
      const { from, to } = fields(page);
      await from.fill(start);
      await to.fill(target);
      await page.getByRole('button', { name: 'Plan', exact: true }).click();
      const field = name === 'From' ? from : to;
      await expect.poll(() => description(field)).toBe(why);
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
      expect(page.url()).toBe(`${at.site.url}/`);
      // What is mended is no fault any more.
      await field.fill('4.16.20');
      await expect.poll(() => field.getAttribute('aria-invalid')).toBeNull();
      expect(await field.getAttribute('aria-describedby')).toBeNull();
    },
  );

  it('from a version that is not known is refused beside the field too, with the nearest', async () => {
    const { page } = await at.open('/?from=4.14.29');
    await expectVerdict(page, 'No path');
    expect(await description(fields(page).from)).toBe(
      '4.14.29 is not a known version; nearest: 4.14.20, 4.14.30',
    );
  });
});

function fields(page: Page): { readonly from: Locator; readonly to: Locator } {
  const field = (name: string): Locator => page.getByRole('combobox', { name, exact: true });
  return { from: field('From'), to: field('To') };
}

/** What a reader hears beside the name of a field. */
function description(field: Locator): Promise<string | null> {
  return field.evaluate((element) => {
    const id = element.getAttribute('aria-describedby');
    return id === null ? null : document.getElementById(id)!.textContent;
  });
}

/** The long way as the package plans it. */
async function longWay(nodes: number, strategy: Strategy) {
  const answer = await ask(releases(DRAWN_CHANNELS.amd64), '4.12.40', '4.16');
  if (!answer.found) throw new Error('there is a path');
  return assumedAlong(answer, { nodes, strategy });
}

/** The figures over the hops, without the small print. */
async function figures(page: Page): Promise<Record<string, string>> {
  const entries = await page
    .locator('.figures > div')
    .evaluateAll((all) =>
      all.map((figure): [string, string] => [
        figure.querySelector('dt')!.textContent,
        figure.querySelector('dd strong')!.textContent,
      ]),
    );
  return Object.fromEntries(entries);
}

/** The releases that workers are rolled to, in the order of the timeline. */
async function workerRolls(page: Page): Promise<string[]> {
  const rows = await page.locator('.timeline tbody tr td:nth-child(2)').allTextContents();
  return rows.filter((what) => what.startsWith('Workers to ')).map((what) => what.slice(11));
}

function versionsOf(options: readonly Element[]): string[] {
  return options.map((option) => (option as HTMLElement).dataset['version']!);
}
