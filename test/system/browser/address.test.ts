import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withoutBrowser } from '../../helpers/browser/chromium.ts';
import { addCluster, fewChannels } from '../../helpers/browser/few-channels.ts';
import { siteInBrowser } from '../../helpers/browser/site-in-browser.ts';
import { settled } from '../../helpers/browser/visit.ts';

/** What a reader of the page can tell of its state. */
async function look(page: Page) {
  return page.evaluate(() => {
    const one = (selector: string) => document.querySelector<HTMLInputElement>(selector);
    const text = (selector: string) => one(selector)?.textContent.trim() ?? null;
    const value = (selector: string) => one(selector)?.value ?? null;
    const names = (selector: string) => [...document.querySelectorAll(selector)].map((e) => e.textContent);
    return {
      from: value('#plan-from'),
      to: value('#plan-to'),
      channel: value('#plan-channel'),
      arch: value('#plan-arch'),
      nodes: value('#plan-nodes'),
      pause: one('input[type=checkbox]')?.checked,
      risks: one('.risk-choices input:checked')?.parentElement?.textContent ?? null,
      hops: names('.hop h3 strong'),
      heading: text('h1:not(.visually-hidden)'),
      graph: text('.graph-area h2'),
      cluster: text('.cluster-line strong'),
      way: [...document.querySelectorAll('.way')].findIndex(
        (way) => way.getAttribute('aria-pressed') === 'true',
      ),
      selected: one('.selected-release')?.getAttribute('aria-label') ?? null,
      view: text('[role=tab][aria-selected=true]'),
      isTable: one('.release-tables') !== null,
      open: names('.lane-fold[aria-expanded=true] b'),
      search: value('input[type=search]'),
      theme: document.documentElement.dataset['theme'] ?? null,
      notices: names('.notices .note'),
    };
  });
}
type Looks = Awaited<ReturnType<typeof look>>;

const PLAN = 'from=4.14.20&to=4.15.20';
const HOPS = ['4.14.30', '4.15.10', '4.15.20'];

describe.skipIf(withoutBrowser)('the address of the page', () => {
  const at = siteInBrowser(async () => {
    const site = await fewChannels();
    await addCluster(site, 'prod');
    return site;
  });

  it('shows all that a link says, key by key', async () => {
    const links: readonly (readonly [link: string, shown: Partial<Looks>])[] = [
      ['/', { from: '', to: '', arch: 'amd64', nodes: '6', pause: false, risks: 'Avoid', hops: [] }],
      ['/?from=4.14.20', { from: '4.14.20', to: '' }],
      ['/?from=4.14.20&to=latest&channel=stable-4.15', { to: 'latest', channel: 'stable-4.15', hops: HOPS }],
      [`/?${PLAN}`, { to: '4.15.20', channel: '', hops: HOPS, way: 0 }],
      ['/?from=4.14.20&to=4.15', { to: '4.15', hops: HOPS }],
      ['/?from=4.14.20&channel=stable-4.14', { graph: 'stable-4.14', hops: ['4.14.30'] }],
      ['/?from=4.14.20&to=latest&arch=arm64', { arch: 'arm64', graph: 'stable-4.15', hops: HOPS }],
      [`/?${PLAN}&risks=allow`, { risks: 'Allow if needed' }],
      [
        '/?from=4.14.30&to=4.15.20&risks=NodesMayHang&channel=stable-4.15',
        { risks: 'Accept listed (1)', hops: ['4.15.10', '4.15.20'] },
      ],
      [`/?${PLAN}&nodes=50`, { nodes: '50' }],
      [`/?${PLAN}&pause=1`, { pause: true }],
      [
        '/?cluster=prod',
        { cluster: 'prod', from: '4.14.20', nodes: null, hops: ['4.14.30', '4.15.10', '4.15.20', '4.16.10'] },
      ],
      [`/?${PLAN}&alt=1`, { way: 1, hops: ['4.14.25', '4.15.10', '4.15.20'] }],
      [`/?${PLAN}&sel=4.15.12`, { selected: 'Release 4.15.12' }],
      [`/?${PLAN}&view=table`, { view: 'Table', isTable: true, open: ['4.15', '4.14'] }],
      [`/?${PLAN}&minors=4.14`, { view: 'Lanes', isTable: false, open: ['4.14'] }],
      ['/channels?open=stable-4.15', { heading: 'stable-4.15' }],
      ['/versions?find=4.15.1', { heading: 'Versions', search: '4.15.1' }],
      [`/?${PLAN}&theme=dark`, { theme: 'dark' }],
      [`/?${PLAN}&theme=light`, { theme: 'light' }],
    ];
    const { page, follow } = await at.open('/');
    for (const [link, shown] of links) {
      await follow(link);
      await expect.poll(() => look(page), { message: link }).toMatchObject({ ...shown, notices: [] });
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(link);
    }
  });

  it('is written by the form so that another reader sees the same', async () => {
    const { page } = await at.open('/');
    await page.getByRole('combobox', { name: 'From' }).fill('4.14.20');
    await page.getByRole('combobox', { name: 'To', exact: true }).fill('4.15.20');
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await expect.poll(() => page.url()).toContain('to=4.15.20');
    await page.getByLabel('Channel').selectOption('stable-4.16');
    await page.getByLabel('Architecture').selectOption('arm64');
    await page.getByLabel('Channel').selectOption('stable-4.15');
    await page.getByLabel('Allow if needed').check();
    await page.getByLabel('Nodes').fill('30');
    await page.getByLabel('Nodes').press('Tab');
    await page.getByLabel('Pause workers').check();
    await page
      .getByRole('button', { name: /by 4\.14\.25/ })
      .first()
      .click();
    await page.getByRole('option', { name: /^4\.15\.12,/ }).click();
    await page.getByRole('button', { name: '4.14', exact: true }).click();
    await page.getByRole('tab', { name: 'Table' }).click();
    await expect
      .poll(() => new URL(page.url()).search)
      .toBe(
        `?${PLAN}&channel=stable-4.15&arch=arm64&risks=allow&nodes=30&pause=1&alt=1&sel=4.15.12&view=table&minors=4.15`,
      );
    await settled(page);
    const written = await look(page);
    expect(written).toMatchObject({ selected: 'Release 4.15.12', open: ['4.15'], isTable: true, way: 1 });

    const other = await at.open(new URL(page.url()).search);
    await expect.poll(() => look(other.page)).toEqual(written);
  });

  it('changes with every new plan, and Back and Forward bring form, selection and view again', async () => {
    const { page } = await at.open('/');
    const plan = async (to: string) => {
      await page.getByRole('combobox', { name: 'To', exact: true }).fill(to);
      await page.getByRole('button', { name: 'Plan', exact: true }).click();
      await expect.poll(async () => (await look(page)).hops.at(-1)).toBe(to);
    };
    const entries = () => page.evaluate(() => history.length);
    await page.getByRole('combobox', { name: 'From' }).fill('4.14.20');
    const before = await entries();
    await plan('4.15.20');
    expect(await entries()).toBe(before + 1);

    await page.getByRole('option', { name: /^4\.15\.12,/ }).click();
    await page.getByRole('tab', { name: 'Table' }).click();
    await expect.poll(() => page.url()).toContain('view=table');
    // Looking around is no step of its own.
    expect(await entries()).toBe(before + 1);
    await settled(page);
    const first = await look(page);
    expect(first).toMatchObject({ selected: 'Release 4.15.12', isTable: true, to: '4.15.20' });

    await plan('4.14.30');
    expect(await entries()).toBe(before + 2);
    await page.getByRole('tab', { name: 'Lanes' }).click();
    await expect.poll(async () => (await look(page)).view).toBe('Lanes');
    const second = await look(page);
    expect(second).toMatchObject({ selected: null, isTable: false, to: '4.14.30', hops: ['4.14.30'] });

    await page.goBack();
    await expect.poll(() => look(page)).toEqual(first);
    await page.goBack();
    await expect.poll(() => look(page)).toMatchObject({ from: '', to: '', hops: [], selected: null });
    await page.goForward();
    await expect.poll(() => look(page)).toEqual(first);
    await page.goForward();
    await expect.poll(() => look(page)).toEqual(second);

    // Views are steps too, and the plan goes along.
    await page.getByRole('link', { name: 'Channels' }).click();
    await expect.poll(async () => (await look(page)).heading).toBe('Channels');
    await page.getByRole('link', { name: 'Plan', exact: true }).click();
    await expect.poll(() => look(page)).toEqual(second);
    await page.goBack();
    await expect.poll(async () => (await look(page)).heading).toBe('Channels');
  });

  it('has values that cannot be used named on the page and left out, and keeps keys of others', async () => {
    const bad: Readonly<Record<string, readonly [value: string, accepted: string]>> = {
      from: ['yesterday', 'a version such as 4.14.30'],
      to: ['<img src=x onerror=alert(1)>', 'a minor such as 4.16, or latest'],
      channel: ['stable', 'a channel such as stable-4.16'],
      arch: ['riscv', 'amd64, arm64'],
      risks: ['a b', 'avoid, allow'],
      nodes: ['0', 'a number from 1 to 5000'],
      pause: ['yes', '1 or 0'],
      cluster: ['../etc', 'the id of a cluster'],
      alt: ['9', '0 to 3'],
      sel: ['4', 'a version such as 4.15.40'],
      view: ['matrix', 'lanes or table'],
      minors: ['4.14,new', 'minors with commas'],
      open: ['x'.repeat(254), 'up to 253 characters'],
      find: ['y'.repeat(101), 'up to 100 characters'],
      verdict: ['good', 'blocked, unknown, action-required'],
      minor: ['4.x', 'a minor such as 4.16'],
      overdue: ['yes', '1 or 0'],
      theme: ['pink', 'auto, light, dark'],
    };
    const query = new URLSearchParams(Object.entries(bad).map(([key, [value]]) => [key, value]));
    query.append('utm', 'mail');
    query.append('constructor', '1');
    const { page, follow } = await at.open(`/?${query}`);
    const shown = await look(page);
    expect(shown).toMatchObject({ from: '', to: '', channel: '', arch: 'amd64', nodes: '6', pause: false });
    expect(shown).toMatchObject({ risks: 'Avoid', isTable: false, theme: null });
    expect(shown.notices).toHaveLength(Object.keys(bad).length);
    for (const [key, [value, accepted]] of Object.entries(bad)) {
      const notice = shown.notices.find((text) => text.includes(` ${key}=`));
      expect(notice, key).toContain(value.slice(0, 80));
      expect(notice, key).toContain(accepted);
    }

    // The next change writes only what can be used, and what is not ours.
    await follow(`/?from=4.14.20&nodes=many&utm=mail`);
    await page.getByLabel('Pause workers').check();
    await expect.poll(() => new URL(page.url()).search).toBe('?from=4.14.20&pause=1&utm=mail');
    await expect.poll(async () => (await look(page)).notices).toEqual([]);
  });

  it('names a list without a name in it, and reads a value that is given twice once', async () => {
    const { page, follow } = await at.open('/?from=4.14.20&risks=,');
    expect((await look(page)).notices).toHaveLength(1);
    expect(await look(page)).toMatchObject({ risks: 'Avoid' });
    await follow('/?from=nothing&from=never');
    await expect.poll(async () => (await look(page)).notices).toHaveLength(2);
    await follow('/?from=nothing&from=4.14.20&to=latest&channel=stable-4.15');
    await expect.poll(() => look(page)).toMatchObject({ from: '4.14.20', hops: HOPS });
  });

  it('keeps a lane folded that was the only open one', async () => {
    const { page } = await at.open(`/?${PLAN}&minors=4.14`);
    await page.getByRole('button', { name: '4.14', exact: true }).click();
    await expect.poll(async () => (await look(page)).open).toEqual([]);
    await page.reload();
    await settled(page);
    expect((await look(page)).open).toEqual([]);
  });
});
