import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withoutBrowser } from '../../../helpers/browser/chromium.ts';
import { assess, drawFleet } from '../../../helpers/browser/drawn-fleet.ts';
import { drawRisks } from '../../../helpers/browser/drawn-risks.ts';
import { fewChannels } from '../../../helpers/browser/few-channels.ts';
import { focused } from '../../../helpers/browser/keys.ts';
import { siteInBrowser } from '../../../helpers/browser/site-in-browser.ts';
import { accessibilityFaults, intercept } from '../../../helpers/browser/visit.ts';

const NOW = '2026-11-17T12:00:00Z';
const SIGNATURES = 'The target release requires signatures on any mirror of the release repository';

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const search = (page: Page): string => new URL(page.url()).search;
const headline = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();
const titles = (page: Page): Promise<string[]> => page.locator('.risk-table .upd-open').allInnerTexts();
const detailOf = (page: Page, title: string) => page.getByRole('region', { name: title });
const clustersIn = (page: Page): Promise<string[]> =>
  page.getByRole('region', { name: 'Clusters' }).locator('tbody tr').allInnerTexts();

describe.skipIf(withoutBrowser)('the risks of a fleet', () => {
  const at = siteInBrowser(fewChannels);

  const open = async (path = '/risks', width = 1440) => {
    const visit = await at.visit({ locale: 'en-GB', timezoneId: 'UTC', viewport: { width, height: 900 } });
    await visit.page.clock.setFixedTime(NOW);
    const acceptances = await drawRisks(visit.page);
    await visit.goto(path);
    return { ...visit, acceptances };
  };

  it('are a sentence, and a list by exposure with its counts in words', async () => {
    const { page } = await open('/risks?all=1');
    expect(await headline(page)).toBe('2 known risks apply to at least 6 of your clusters');
    expect(oneLine(await page.locator('.risk-head p').innerText())).toBe(
      '6 known risks in the followed channels. 2 do not apply to any cluster, 1 is unknown for at least one, 1 is accepted.',
    );
    expect(await titles(page)).toEqual([
      SIGNATURES,
      'Shared volumes do not mount after the update',
      'Operators may report a failed status',
      'Nodes of another system may fail to reboot',
      'Nodes start slowly',
      'Machine sets without zones do not scale',
    ]);
    const rows = (await page.locator('.risk-table tbody tr').allInnerTexts()).map(oneLine);
    expect(rows[0]).toBe(
      `${SIGNATURES} MirrorsWithoutSignatures, 4.20 to 4.21 6 apply 6 yes, 0 accepted, 1 not known, 27 no`,
    );
    expect(rows.map((row) => / (\d+ apply|\d+ unknown|\d+ accepted|none) \d+ yes/.exec(row)?.[1])).toEqual([
      '6 apply',
      '2 apply',
      '9 unknown',
      '3 accepted',
      'none',
      'none',
    ]);
    // Each state has a shape of its own, so nothing is shown by color alone.
    const shapes = await page
      .locator('.risk-table .upd-glyph')
      .evaluateAll((glyphs) => glyphs.map((glyph) => glyph.innerHTML));
    expect(new Set(shapes).size).toBe(4);
  });

  it('are searched and filtered, in the address', async () => {
    const { page, follow } = await open();
    expect(await titles(page)).toHaveLength(4);
    expect(search(page)).toBe('');
    await page.keyboard.press('/');
    expect(await focused(page)).toBe('input Search for a risk');
    await page.keyboard.type('failed');
    await expect.poll(() => titles(page)).toEqual(['Operators may report a failed status']);
    expect(search(page)).toBe('?find=failed');
    await follow('/risks');
    await page.getByRole('button', { name: 'All 6' }).click();
    await expect.poll(async () => (await titles(page)).length).toBe(6);
    expect(await page.getByRole('button', { name: 'All 6' }).getAttribute('aria-pressed')).toBe('true');
    await page.getByLabel('Channel').selectOption('stable-4.17');
    await expect.poll(() => titles(page)).toEqual(['Nodes start slowly']);
    expect(search(page)).toBe('?on=stable-4.17&all=1');
    await page.getByRole('button', { name: 'Concerns us 0' }).click();
    await page.getByText('None of them concerns your clusters.').waitFor();
    await page.getByRole('link', { name: 'Show all risks' }).click();
    await expect.poll(() => titles(page)).toEqual(['Nodes start slowly']);
    await follow('/risks?find=nothing&all=1');
    await page.getByText('No risk matches.').waitFor();
    await page.getByRole('link', { name: 'Remove the filters' }).click();
    await expect.poll(async () => (await titles(page)).length).toBe(6);
    // Another list begins without them.
    expect(await page.getByRole('link', { name: 'Clusters' }).getAttribute('href')).toBe('/clusters');
  });

  it('have message, rule, and each cluster with its answer and reason', async () => {
    const { page } = await open();
    const detail = detailOf(page, SIGNATURES);
    const text = oneLine(await detail.innerText());
    expect(text).toMatch(/^MirrorsWithoutSignatures First seen 17 Nov 2026, 10:40 The target release/);
    expect(text).toMatch(/repository Mirror them before you update. DEMO-1/);
    expect(text).toMatch(/6 apply 0 accepted 1 unknown 27 do not apply/);
    expect(text).toMatch(/Applies if it has imagedigestmirrorsets or imagecontentsourcepolicies/);
    await detail.getByRole('button', { name: 'PromQL' }).click();
    expect(await detail.locator('pre').innerText()).toMatch(/^topk\(1,\n {2}group by/);
    await detail.getByRole('button', { name: 'Copy query' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^topk\(1,/);

    const lines = async () => (await clustersIn(page)).map(oneLine);
    expect(await lines()).toHaveLength(4);
    expect((await lines())[0]).toBe(
      'mirror-eu-01 Yes 4.20.12 It has 2 imagedigestmirrorsets From documents of 17 Nov 2026, 11:50. On planned path',
    );
    await detail
      .getByRole('button', { name: 'Show others: 2 more apply, 1 unknown, 27 do not apply' })
      .click();
    await expect.poll(async () => (await lines()).length).toBe(7);
    expect((await lines()).at(-1)).toMatch(
      /^lab-sno-03 Not known 4.20.12 Send imagedigestmirrorsets to decide it .* Not on path$/,
    );
    await detail.getByRole('button', { name: 'Show others: 27 do not apply' }).click();
    await expect.poll(async () => (await lines()).length).toBe(11);
    expect((await lines()).at(-1)).toMatch(/ No 4.20.12 The platform is AWS /);

    await page.getByRole('link', { name: 'Shared volumes' }).click();
    const other = detailOf(page, 'Shared volumes do not mount after the update');
    await other.getByText('Applies if the platform is VSphere').waitFor();
    await expect
      .poll(async () => (await lines()).at(-1))
      .toMatch(
        /^gov-core-03 Yes, accepted 4.20.12 Accepted by M. Weber until 31 Jan 2027; the platform is VSphere/,
      );
    await page.goBack();
    await detail.waitFor();
  });

  it('have words for every other rule', async () => {
    const { page, follow } = await open('/risks?open=OperatorsReportFailure');
    const rule = page.locator('.risk-rule p');
    await expect.poll(() => rule.innerText()).toBe('Applies if a query of the cluster’s metrics returns 1');
    await follow('/risks?open=NodesAreAlwaysSlow');
    await expect.poll(() => rule.innerText()).toBe('Applies to every cluster');
    await follow('/risks?open=WithdrawnRisk');
    await page.getByText('No followed channel has the risk WithdrawnRisk.').waitFor();
  });

  it('are exported, and the clusters of one', async () => {
    const { page } = await open();
    const saved = async (name: string) => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name }).click(),
      ]);
      return [file.suggestedFilename(), readFileSync(await file.path(), 'utf8')] as const;
    };
    const [name, sheet] = await saved('Export CSV');
    expect(name).toBe('risks.csv');
    const lines = sheet.split('\r\n');
    expect(lines.slice(0, 2)).toEqual([
      'risk,applies,accepted,unknown,does_not_apply,rule,first_seen,channels,url,message',
      'MirrorsWithoutSignatures,6,0,1,27,query,2026-11-17T10:40:00Z,stable-4.20/amd64 stable-4.21/amd64 eus-4.20/amd64,https://issues.example.com/browse/DEMO-1,The target release requires signatures on any mirror of the release repository. Mirror them before you update.',
    ]);
    // As listed: four of six, and the last line ends the file.
    expect(lines).toHaveLength(6);
    expect(await saved('Export clusters')).toEqual([
      'MirrorsWithoutSignatures.csv',
      'id,applies\r\nmirror-eu-01,yes\r\n',
    ]);
  });

  it('are accepted, changed and no longer accepted, each only as the page showed it', async () => {
    const { page, acceptances } = await open();
    const form = page.locator('.risk-form');
    await form.getByText('Choose clusters').click();
    await form.getByLabel('mirror-eu-01').check();
    await form.getByLabel('mirror-eu-02').check();
    await form.getByLabel('Owner').fill('M. Weber');
    await form.getByLabel('Expires').fill('2027-01-31');
    await form.getByLabel('Reason').fill('Signatures are mirrored');
    await form.getByText('Expires in 76 days; a notification reminds you').waitFor();
    await form.getByRole('button', { name: 'Accept risk for 2 clusters' }).click();
    await form.getByText('Accepted for 2 clusters until 31 Jan 2027.').waitFor();
    const [kept] = acceptances.kept.values();
    expect(kept).toMatchObject({
      risk: 'MirrorsWithoutSignatures',
      clusters: ['mirror-eu-01', 'mirror-eu-02'],
      owner: 'M. Weber',
      reason: 'Signatures are mirrored',
    });
    expect(kept!.id).toMatch(/^mirrorswithoutsignatures-[0-9a-f]{8}$/);
    expect(acceptances.changes[0]!.headers['if-none-match']).toBe('*');
    const line = page.getByRole('listitem').filter({ hasText: 'Signatures are mirrored' });
    expect(oneLine(await line.innerText())).toMatch(
      /^M. Weber, until 31 Jan 2027, for mirror-eu-01, mirror-eu-02 Signatures are mirrored/,
    );

    await line.getByRole('button', { name: /^Change/ }).click();
    await expect.poll(() => form.getByLabel('Owner').inputValue()).toBe('M. Weber');
    expect(await form.getByLabel('Expires').inputValue()).toBe('2027-01-31');
    await form.getByText('mirror-eu-01, mirror-eu-02').click();
    await form.getByLabel('All clusters').check();
    await form.getByRole('button', { name: 'Change acceptance' }).click();
    await page.getByText('until 31 Jan 2027, for all clusters').waitFor();
    expect(acceptances.changes[1]).toMatchObject({
      what: `PUT ${kept!.id}`,
      headers: { 'if-match': `"${kept!.changed.at}"` },
    });

    // Somebody else changes it.
    const shown = acceptances.kept.get(kept!.id)!;
    const changed = { at: '2026-11-17T12:30:00.000Z', by: 'ada@example.com' };
    acceptances.kept.set(shown.id, { ...shown, changed });
    await line.getByRole('button', { name: /^Delete/ }).click();
    await page.getByRole('alert').getByText('ada@example.com changed the acceptance meanwhile').waitFor();
    expect(acceptances.changes).toHaveLength(2);
    await line.getByRole('button', { name: /^Delete/ }).click();
    await line.waitFor({ state: 'detached' });
    expect(acceptances.changes[2]).toMatchObject({
      what: `DELETE ${shown.id}`,
      headers: { 'if-match': `"${changed.at}"` },
    });
  });

  it('show at each field what the service refuses, and the rest below', async () => {
    const { page, acceptances } = await open();
    const form = page.locator('.risk-form');
    const accept = form.getByRole('button', { name: 'Accept risk' });
    const errors = [
      { pointer: '/until', value: '', detail: 'has passed, a later end is accepted' },
      { pointer: '/owner', value: '', detail: 'a text of up to 100 characters is accepted' },
      { pointer: '/clusters/0', value: '', detail: 'the id of a cluster is accepted' },
    ];
    acceptances.refusal = { status: 400, body: { title: 'Invalid request', detail: 'three', errors } };
    await accept.click();
    await form.locator('.fault').first().waitFor();
    expect(await form.locator('.fault').allInnerTexts()).toEqual([
      'The id of a cluster is accepted.',
      'A text of up to 100 characters is accepted.',
      'Has passed, a later end is accepted.',
    ]);
    expect(await form.getByLabel('Owner').getAttribute('aria-invalid')).toBe('true');
    expect(await form.getByLabel('Reason').getAttribute('aria-invalid')).toBeNull();
    expect(await form.getByRole('alert').count()).toBe(0);
    await form.getByLabel('Owner').fill('A');
    expect(await form.locator('.fault').count()).toBe(0);

    acceptances.refusal = { status: 403, body: { title: 'Forbidden', detail: 'fleet:write is missing' } };
    await accept.click();
    await form.getByRole('alert').getByText('Use “Sign in” at the top.').waitFor();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await form.getByLabel('Owner').inputValue()).toBe('A');
  });

  it('need no mouse', async () => {
    const { page } = await open();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focused(page)).toBe('a Shared volumes do not mount after the update');
    await page.keyboard.press('Enter');
    await detailOf(page, 'Shared volumes do not mount after the update').waitFor();
    expect(search(page)).toBe('?open=SharedVolumesDoNotMount');
    // The list stays, and the focus in it.
    expect(await focused(page)).toBe('a Shared volumes do not mount after the update');
    await page.keyboard.press('Escape');
    await detailOf(page, SIGNATURES).waitFor();
    expect(search(page)).toBe('');
  });

  it('are one after the other where there is room for one column', async () => {
    const { page } = await open('/risks', 390);
    await page.locator('.risk-table').waitFor();
    expect(await page.locator('.risk-detail').count()).toBe(0);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await detailOf(page, SIGNATURES).waitFor();
    expect(await page.locator('.risk-table').count()).toBe(0);
    // The link is gone; the next Tab goes on in the detail.
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('a All risks');
    await page.keyboard.press('Escape');
    await page.locator('.risk-table').waitFor();
  });

  it.each([390, 1024, 1440])('give axe nothing to report, and fit, at %d pixels', async (width) => {
    const { page, follow } = await open('/risks?all=1', width);
    const faults: string[] = [];
    for (const address of ['/risks?all=1', '/risks?all=1&open=SharedVolumesDoNotMount', '/risks?find=no']) {
      await follow(address);
      const promql = page.getByRole('button', { name: 'PromQL' });
      if ((await promql.count()) > 0) await promql.click();
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const found = await accessibilityFaults(page);
        faults.push(...found.map((fault) => `${address} ${colorScheme}: ${fault}`));
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) faults.push(`${address} is ${wide} pixels too wide`);
    }
    expect(faults).toEqual([]);
  });

  it('are those of a channel for whoever may not read clusters, or if that fails', async () => {
    const { page, goto } = await open();
    await intercept(page, '**/v1/fleet/summary', (route) =>
      route.fulfill({ status: 401, body: JSON.stringify({ title: 'Unauthorized', detail: 'no token' }) }),
    );
    await goto('/risks');
    await page.getByText('Use “Sign in” at the top to see which risks apply to your clusters.').waitFor();
    await page.getByRole('heading', { name: /risks? of stable-4/ }).waitFor();
    await intercept(page, '**/v1/fleet/summary', (route) => route.fulfill({ status: 404, body: '{}' }));
    await goto('/risks?open=stable-4.16');
    expect(await headline(page)).toBe('Risks');
    await page.getByRole('checkbox', { name: 'I accept NodesMayHang' }).check();
    expect(search(page)).toBe('?risks=NodesMayHang&open=stable-4.16');
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describe.skipIf(withoutBrowser)('the risks of a service', () => {
  const at = siteInBrowser(fewChannels);

  it('are those of a channel without clusters, then those of the fleet, in its list, plan and details', async () => {
    const { page, goto } = await at.open('/risks', { locale: 'en-GB' });
    expect(await headline(page)).toBe('Risks');
    expect(await page.getByRole('link', { name: 'Risks of your clusters' }).count()).toBe(0);

    await drawFleet(at.site, {
      'frankfurt-lab': { version: '4.15.20', channel: 'eus-4.16' },
      'paris-new': { version: '4.15.10', channel: 'stable-4.15' },
    });
    await assess(at.site);
    await goto('/risks');
    expect(await headline(page)).toBe('1 known risk applies to 2 of your clusters');
    expect((await page.locator('.risk-table tbody tr').allInnerTexts()).map(oneLine)).toEqual([
      expect.stringMatching(/^AlwaysMulti\S+ may happen .* 2 apply 2 yes, 0 accepted, 0 not known, 0 no$/),
      expect.stringMatching(/^NodesMayHang may happen .* 2 unknown 0 yes, 0 accepted, 2 not known, 0 no$/),
    ]);
    expect((await clustersIn(page)).map(oneLine)).toEqual([
      expect.stringMatching(/^frankfurt-lab Yes 4.15.20 It applies to every cluster/),
      expect.stringMatching(/^paris-new Yes 4.15.10 It applies to every cluster/),
    ]);
    await page.getByRole('link', { name: 'NodesMayHang may happen' }).click();
    await page.getByRole('button', { name: 'PromQL' }).click();
    await page.getByText('group(NodesMayHang)').waitFor();

    const form = page.locator('.risk-form');
    await form.getByRole('button', { name: 'Accept risk' }).click();
    await expect.poll(() => form.locator('.fault').count()).toBe(4);
    await form.getByText('Choose clusters').click();
    await form.getByLabel('frankfurt-lab').check();
    await form.getByLabel('Owner').fill('storage team');
    await form
      .getByLabel('Expires')
      .fill(new Date(Date.now() + 30 * 24 * 3600_000).toISOString().slice(0, 10));
    await form.getByLabel('Reason').fill('no such nodes');
    await form.getByRole('button', { name: 'Accept risk for 1 cluster' }).click();
    const line = page.getByRole('listitem').filter({ hasText: 'no such nodes' });
    await line.waitFor();
    const { acceptances } = await at.site.ask<{ acceptances: object[] }>('/v1/risk-acceptances');
    expect(acceptances).toMatchObject([{ risk: 'NodesMayHang', clusters: ['frankfurt-lab'] }]);
    await line.getByRole('button', { name: /^Delete/ }).click();
    await line.waitFor({ state: 'detached' });

    await goto('/?cluster=frankfurt-lab&to=4.16.30&risks=allow');
    const hop = page.getByRole('region', { name: 'Known risks of hop 1' });
    const text = oneLine(await hop.innerText());
    expect(text).toMatch(/^1 of 2 risks applies, 1 of 2 risks unknown/);
    expect(text).toMatch(/AlwaysMulti\S+ may happen Applies to every cluster\./);
    expect(text).toMatch(/NodesMayHang may happen Unknown, /);
    expect(await accessibilityFaults(page)).toEqual([]);

    const next = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Risks of the next hop' }) });
    await goto('/clusters?open=frankfurt-lab');
    await next.getByText('The update is recommended and has no known risks.').waitFor();
    const acceptRisks = ['NodesMayHang', 'AlwaysMultiNetworkAttachmentsWhereaboutsVersion'];
    const { status } = await fetch(`${at.site.url}/v1/clusters/frankfurt-lab/settings`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ target: '4.16.30', acceptRisks }),
    });
    expect(status).toBe(200);
    await goto('/clusters?open=frankfurt-lab');
    await next.getByText('2 of 2 risks accepted').waitFor();
    expect(oneLine(await next.innerText())).toMatch(
      /^Risks of the next hop to 4.16.30 All risks .* may happen Applies, accepted in the settings of the cluster\./,
    );
    await next.getByRole('link', { name: 'All risks' }).click();
    await expect.poll(() => page.url()).toBe(`${at.site.url}/risks`);
  });
});
