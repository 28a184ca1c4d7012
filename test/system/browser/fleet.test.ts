import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { putWebhook } from '../../../functions/notifications/store.ts';
import { withoutBrowser } from '../../helpers/browser/chromium.ts';
import { drawFleet, EVERY_KIND, leaveMessages, assess } from '../../helpers/browser/drawn-fleet.ts';
import { addCluster, fewChannels } from '../../helpers/browser/few-channels.ts';
import { focused, tabTo } from '../../helpers/browser/keys.ts';
import { siteInBrowser } from '../../helpers/browser/site-in-browser.ts';
import { drawnSite } from '../../helpers/browser/site.ts';
import { intercept, settled } from '../../helpers/browser/visit.ts';

const names = (page: Page): Promise<string[]> => page.locator('.fleet > tbody > tr > th').allInnerTexts();
const search = (page: Page): string => new URL(page.url()).search;
const rowOf = (page: Page, id: string) =>
  page.locator('.fleet > tbody > tr').filter({ has: page.getByRole('link', { name: id, exact: true }) });
const targetOf = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Target' }) });

describe.skipIf(withoutBrowser)('a fleet', () => {
  const at = siteInBrowser(async () => {
    const site = await fewChannels();
    await drawFleet(site, EVERY_KIND);
    return site;
  });

  it('shows the state of each cluster without a request for a plan', async () => {
    const { page, goto } = await at.visit({ locale: 'en-GB' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.clock.setFixedTime('2026-11-17T12:00:00Z');
    await goto('/clusters');
    const cells = async (id: string, ...labels: string[]): Promise<string[]> => {
      const texts = labels.map((label) => rowOf(page, id).locator(`[data-label="${label}"]`).innerText());
      return (await Promise.all(texts)).map((text) => text.replaceAll('\n', ' | '));
    };
    expect(await cells('berlin-prod-1', 'Version', 'Newer patch', 'Verdict', 'Next hop', 'Target')).toEqual([
      '4.14.20 | stable-4.14',
      '4.14.30',
      '● Ready',
      '4.15.10',
      '4.15.12 | 2 hops, about 90 min',
    ]);
    expect(await cells('berlin-prod-2', 'Verdict', 'Newer patch')).toEqual([
      '■ Blocked | Blocked by AdminAcksGiven and OperatorsUpgradeable',
      '–',
    ]);
    expect(await cells('frankfurt-lab', 'Nodes', 'Next hop', 'Verdict')).toEqual([
      '6 amd64 | ▲ 1 pool paused',
      '4.16.30 | ▲ 2 risks',
      '▲ Ready with warnings',
    ]);
    expect(await cells('madrid-ci', 'Verdict')).toEqual([
      '▲ Action required | 1 API in use is removed on the path',
    ]);
    expect(await cells('new-york-prod', 'Verdict', 'Next hop')).toEqual(['■ No path', '–']);
    expect(await cells('vienna-done', 'Verdict', 'Support ends')).toEqual([
      '● At its target',
      '▲ Only if extended | 27 Jun 2027',
    ]);
    expect(await cells('paris-new', 'Verdict', 'Target', 'Support ends', 'Last report')).toEqual([
      'Not assessed yet | It will be within minutes',
      '–',
      '■ End of life | 27 Aug 2025',
      'just now',
    ]);
    expect(await cells('rome-silent', 'Version', 'Verdict', 'Support ends', 'Last report')).toEqual([
      'not known | no channel',
      'Not assessed | The report has no version',
      'not known',
      '26 h old | ▲ overdue',
    ]);
    expect(asked.filter((path) => path.endsWith('/upgrade-plan'))).toEqual([]);
    await page.getByRole('button', { name: 'Details of berlin-prod-1' }).click();
    // To the target of the list, which is not where its channel leads.
    const plan = await at.site.ask<{ nextStep: string }>(
      '/v1/clusters/berlin-prod-1/upgrade-plan?to=4.15.12',
    );
    await page.locator('.unfolded').getByText(plan.nextStep).waitFor();
    expect(asked.filter((path) => path.endsWith('/upgrade-plan'))).toEqual([
      '/v1/clusters/berlin-prod-1/upgrade-plan',
    ]);
  });

  it('has numbers that lead to the clusters they count', async () => {
    const { page } = await at.open('/clusters?find=prod&verdict=ready&open=berlin-prod-1');
    const numbers = page.getByRole('region', { name: 'The fleet in numbers' });
    const count = numbers.getByRole('listitem');
    await count.last().waitFor();
    const texts = await count.allInnerTexts();
    expect(texts.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      '9 clusters',
      '2 ■ Blocked',
      '1 ▲ Unknown: missing input',
      '1 ▲ Action required',
      '1 ▲ Ready with warnings',
      '2 ● Ready',
      '2 Not assessed yet',
      '2 ▲ Report overdue',
      '1 On 4.16',
      '3 On 4.15',
      '4 On 4.14',
      '1 Version not known',
    ]);
    const links = numbers.getByRole('link');
    expect(await links.count()).toBe(texts.length - 1);
    expect(await numbers.locator('[aria-current]').count()).toBe(0);
    for (const link of await links.all()) {
      const wanted = Number.parseInt(await link.innerText(), 10);
      await link.click();
      await settled(page);
      await expect.poll(async () => (await names(page)).length).toBe(wanted);
      expect(await link.getAttribute('aria-current')).toBe('true');
    }
    expect(search(page)).toBe('?minor=4.14');
    await page.goBack();
    await expect.poll(() => names(page)).toEqual(['frankfurt-lab', 'madrid-ci', 'paris-new']);
  });

  it('is filtered by what the address says, and the address by the fields', async () => {
    const { page, goto } = await at.open('/clusters?find=PROD&minor=4.14');
    expect(await names(page)).toEqual(['berlin-prod-1', 'berlin-prod-2', 'new-york-prod']);
    expect(await page.getByLabel('Minor').inputValue()).toBe('4.14');
    await page.getByLabel('Verdict').selectOption('Blocked');
    await expect.poll(() => names(page)).toEqual(['berlin-prod-2', 'new-york-prod']);
    expect(search(page)).toBe('?find=PROD&verdict=blocked&minor=4.14');
    await page.getByLabel('Find by name').fill('york');
    await expect.poll(() => names(page)).toEqual(['new-york-prod']);
    await expect.poll(() => page.getByRole('status').innerText()).toBe('1 cluster');
    await page.getByRole('main').getByLabel('Report overdue').check();
    await page.getByText('No cluster is like that.').waitFor();
    expect(search(page)).toBe('?find=york&verdict=blocked&minor=4.14&overdue=1');
    await page.getByRole('link', { name: 'Show all clusters' }).click();
    await expect.poll(async () => (await names(page)).length).toBe(9);
    expect(search(page)).toBe('');
    // What was looked for among clusters says nothing of a plan or of another list.
    await goto('/clusters?find=berlin&verdict=ready&minor=4.14&nodes=9');
    expect(await page.getByRole('link', { name: 'Versions' }).getAttribute('href')).toBe('/versions?nodes=9');
    expect(await page.getByRole('link', { name: 'berlin-prod-1' }).getAttribute('href')).toBe(
      '/?from=4.14.20&to=4.15.12&cluster=berlin-prod-1',
    );
  });

  it('is gone through by keyboard alone', async () => {
    const { page } = await at.open('/clusters');
    await tabTo(page, '.stat[href*=blocked]');
    await page.keyboard.press('Enter');
    await expect.poll(() => names(page)).toEqual(['berlin-prod-2', 'new-york-prod']);
    // It is still there for who goes on to the next number.
    expect(await focused(page)).toMatch(/^a 2 ■ Blocked$/);
    await page.keyboard.press('/');
    expect(await focused(page)).toBe('input Find by name');
    await page.keyboard.type('york');
    await expect.poll(() => names(page)).toEqual(['new-york-prod']);
    await tabTo(page, '.fleet [aria-expanded]');
    expect(await focused(page)).toBe('button Details of new-york-prod▾');
    await page.keyboard.press('Enter');
    await targetOf(page).waitFor();
    await tabTo(page, '#cluster-target');
    expect(await focused(page)).toBe('input Choose a target');
  });

  it('says that messages wait, and nothing when none do', async () => {
    const { page } = await at.open('/clusters', { locale: 'en-GB', timezoneId: 'UTC' });
    expect(await page.getByText('Undelivered').count()).toBe(0);
    const message = (id: string, time: string) => ({
      message: { id, at: `2026-11-16T${time}:00.000Z`, title: '<b>t</b>', lines: [], count: 1 },
      left: ['webhook'] as const,
    });
    await putWebhook(at.site.table, {
      url: 'https://hooks.example.com/secret',
      format: 'slack',
      since: '2026-11-16T08:00:00.000Z',
      by: 'test',
    });
    await leaveMessages(at.site, [message('b', '09:30'), message('a', '08:15')]);
    await page.reload();
    const note = page.getByText('Undelivered');
    await note.waitFor();
    expect(await note.innerText()).toBe(
      'Undelivered: 2 messages, the oldest of 16 Nov 2026, 08:15. Not taken yet by the webhook at hooks.example.com; tried again for a day.',
    );
    await leaveMessages(at.site, []);
    await page.reload();
    await page.getByRole('table').waitFor();
    expect(await page.getByText('Undelivered').count()).toBe(0);
  });
});

describe.skipIf(withoutBrowser)('where a cluster is going', () => {
  const at = siteInBrowser(async () => {
    const site = await fewChannels();
    for (const id of ['prod', 'other', 'kept']) await addCluster(site, id);
    await assess(site);
    return site;
  });
  const settingsOf = (id: string) => at.site.ask<Record<string, unknown>>(`/v1/clusters/${id}/settings`);
  const put = async (id: string, settings: unknown): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(settings);
    const response = await fetch(`${at.site.url}/v1/clusters/${id}/settings`, {
      method: 'PUT',
      headers,
      body,
    });
    expect(response.status).toBe(200);
  };

  it('is the default until a user chooses a target, and again after a reset', async () => {
    await put('prod', { accept_risk: ['NodesMayHang'], strategy: 'control-plane-only' });
    const { page } = await at.open('/clusters?open=prod');
    const target = targetOf(page);
    await target.getByText('4.16.10, as usual').waitFor();
    expect(await target.getByRole('button', { name: 'Back to the usual' }).count()).toBe(0);
    expect(await target.getByRole('button', { name: 'Set target' }).isDisabled()).toBe(true);
    await target.getByLabel('Choose a target').fill('4.16');
    await page.keyboard.press('Enter');
    await target.getByText('prod goes to 4.16 now. The list follows within minutes.').waitFor();
    await target.getByText('4.16, chosen for this cluster').waitFor();
    expect(await target.getByLabel('Choose a target').inputValue()).toBe('');
    const others = { accept_risk: ['NodesMayHang'], strategy: 'control-plane-only' };
    expect(await settingsOf('prod')).toEqual({ ...others, target: '4.16' });
    // The plan is to the same target, under the same conditions.
    await settled(page);
    const next = rowOf(page, 'prod').locator('[data-label=Target]');
    expect(await next.innerText()).toContain('4.16.10');
    await assess(at.site);
    await page.reload();
    await expect.poll(() => next.innerText()).toMatch(/4\.16\.\d+/);
    await target.getByText(/When it was last looked at that was 4\.16\.\d+\./).waitFor();

    await target.getByRole('button', { name: 'Back to the usual' }).click();
    await target.getByText('prod goes where it usually would now.').waitFor();
    expect(await settingsOf('prod')).toEqual(others);
  });

  it('is refused where the service refuses it, in its words and beside the field', async () => {
    const { page } = await at.open('/clusters?open=other');
    const target = targetOf(page);
    const field = target.getByLabel('Choose a target');
    await field.fill('the newest');
    await target.getByRole('button', { name: 'Set target' }).click();
    await target.getByText('a version such as 4.16.9, a minor such as 4.16, or latest is accepted').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('4.16');
    expect(await field.getAttribute('aria-invalid')).toBeNull();
    await intercept(page, '**/settings', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 403, json: { message: 'Forbidden' } })
        : route.fallback(),
    );
    await page.keyboard.press('Enter');
    await target.getByRole('alert').getByText('Use “Sign in” at the top.').waitFor();
    expect(await settingsOf('other')).toEqual({});
    // Nothing that was typed is lost by it.
    expect(await field.inputValue()).toBe('4.16');
  });

  it('is not changed if another user has chosen a target meanwhile', async () => {
    const { page } = await at.open('/clusters?open=kept');
    const target = targetOf(page);
    await target.getByText('as usual').waitFor();
    await put('kept', { target: '4.15', accept: ['PoolsReady'] });
    await target.getByLabel('Choose a target').fill('4.16');
    await page.keyboard.press('Enter');
    await target.getByRole('alert').waitFor();
    await target.getByText('4.15, chosen for this cluster').waitFor();
    expect(await settingsOf('kept')).toEqual({ target: '4.15', accept: ['PoolsReady'] });
    // Having seen it, they may.
    await target.getByRole('button', { name: 'Set target' }).click();
    await target.getByText('kept goes to 4.16 now.').waitFor();
    expect(await settingsOf('kept')).toEqual({ target: '4.16', accept: ['PoolsReady'] });
  });
});

const TOKEN = 'a-token-for-tests';
const MANY = 130;

describe.skipIf(withoutBrowser)('a fleet of several pages, behind a token', () => {
  const at = siteInBrowser(async () => {
    const site = await drawnSite({ amd64: { 'stable-4.15': ['4.14.20 > 4.15.7'] } }, { token: TOKEN });
    const drawn = Array.from({ length: MANY }, (_, number) => [
      `node-${String(number).padStart(3, '0')}`,
      { version: number % 10 === 9 ? '4.15.7' : '4.14.20', outlook: {} },
    ]);
    await drawFleet(site, Object.fromEntries(drawn));
    return site;
  });
  const signedIn = async (path: string) => {
    const visited = await at.visit();
    await visited.page.addInitScript((token) => sessionStorage.setItem('cairn-token', token), TOKEN);
    await visited.goto(path);
    return visited;
  };

  it('is shown page by page, and filtered over all of them', async () => {
    const { page, goto } = await signedIn('/clusters');
    expect((await names(page)).length).toBe(100);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(async () => (await names(page)).length).toBe(MANY);
    await goto('/clusters?minor=4.15');
    expect((await names(page)).at(-1)).toBe('node-129');
    await page.getByLabel('Find by name').fill('node-12');
    await expect.poll(() => names(page)).toEqual(['node-129']);
  });

  it('is read again while a cluster waits for its assessment, and does not get shorter', async () => {
    await drawFleet(at.site, { 'node-200': { version: '4.14.20' } });
    const { page, goto } = await signedIn('/');
    await page.clock.install();
    await goto('/clusters');
    await page.getByRole('button', { name: 'Show more' }).click();
    const verdict = rowOf(page, 'node-200').locator('[data-label=Verdict]');
    await expect.poll(() => verdict.innerText()).toMatch(/^Not assessed yet/);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await assess(at.site);
    await page.clock.runFor(10_000);
    await expect.poll(() => verdict.innerText()).not.toMatch(/^Not assessed yet/);
    expect((await names(page)).length).toBe(MANY + 1);
    const reads = () => asked.filter((path) => path === '/v1/clusters').length;
    // The clock of the page runs on by itself, so a slow machine reads once more.
    const before = reads();
    expect(before).toBeGreaterThanOrEqual(2);
    // Nothing is awaited any more.
    await page.clock.runFor(60_000);
    expect(reads()).toBe(before);
    const headers = { authorization: `Bearer ${TOKEN}` };
    const removed = await fetch(`${at.site.url}/v1/clusters/node-200`, { method: 'DELETE', headers });
    expect(removed.status).toBe(204);
  });

  it('is downloaded as it is filtered, whole', async () => {
    const { page, goto } = await signedIn('/clusters?minor=4.15');
    const sheet = async (): Promise<string[]> => {
      const downloaded = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download CSV' }).click();
      const file = await downloaded;
      expect(file.suggestedFilename()).toBe('clusters.csv');
      return readFileSync(await file.path(), 'utf8')
        .trimEnd()
        .split('\r\n');
    };
    const [titles, ...rows] = await sheet();
    expect(titles).toMatch(/^id,version,channel,verdict,target,/);
    expect(rows.map((row) => row.split(',').slice(0, 2).join(' '))).toEqual(
      Array.from({ length: MANY / 10 }, (_, ten) => `node-${String(10 * ten + 9).padStart(3, '0')} 4.15.7`),
    );
    await goto('/clusters');
    expect((await sheet()).length).toBe(MANY + 1);
  });

  it('says why there is no file', async () => {
    const { page } = await signedIn('/clusters');
    await intercept(page, '**/v1/clusters?format=csv', (route) =>
      route.fulfill({ status: 503, json: { title: 'Too busy', detail: 'come back later' } }),
    );
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/^Too busy\s+Come back later\.$/);
  });
});
