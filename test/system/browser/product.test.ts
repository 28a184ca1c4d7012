import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WEBHOOK_KEY } from '../../../functions/store/keys.ts';
import type { EngineEndpoints } from '../../../infra/local/engines.ts';
import { launchChromium, withoutBrowser } from '../../helpers/browser/chromium.ts';
import { takePictures, TOLERANCE } from '../../helpers/browser/pictures.ts';
import { startProduct } from '../../helpers/browser/product.ts';
import { openPage } from '../../helpers/browser/visit.ts';
import { openFixture } from '../../helpers/local/local-run.ts';

const EXAMPLE = fileURLToPath(new URL('../../../docs/examples/cluster.json', import.meta.url));
const example = readFileSync(EXAMPLE, 'utf8');
const otherBrowser = process.env['CHROME_PATH'];
if (otherBrowser) console.log('pictures of the console are not compared: CHROME_PATH draws otherwise');

describe.skipIf(withoutBrowser)('the product on demo channels', () => {
  const fixture = openFixture();
  const data = fixture.dataFolder();
  let url: string;
  let browser: Browser;
  beforeAll(async () => {
    [url, browser] = await Promise.all([startProduct(fixture, data), launchChromium()]);
  });
  afterAll(async () => {
    await browser.close();
    await fixture.close();
  });

  it.skipIf(otherBrowser)('looks as the pictures in docs say', async () => {
    const differing = (await takePictures(browser, url)).filter(({ difference }) => difference > TOLERANCE);
    const shares = differing.map(
      ({ name, difference }) => `${name}: ${(100 * difference).toFixed(2)} % differ`,
    );
    expect(shares, 'look at them, then run: node test/system/browser/take-screenshots.ts').toEqual([]);
  });

  it('checks a cluster whose documents are pasted, and keeps nothing', async () => {
    const { page } = await openPage(browser, { url }, '/clusters');
    await page.getByText('There are no clusters here yet.').waitFor();
    await page.getByLabel('Or paste the output').fill(example);
    await page.getByRole('button', { name: 'Check it' }).click();
    const answer = page.getByRole('region', { name: 'What the check says' });
    await answer.waitFor();
    const words = await answer.innerText();
    expect(words).toMatch(/^▲ Action required\n4\.14\.20 → 4\.16\.\d+\n/);
    expect(words).toContain('Nothing of it was kept.');
    await page.reload();
    await page.getByText('There are no clusters here yet.').waitFor();
  });

  it('says what is wrong with documents that cannot be read', async () => {
    const { page } = await openPage(browser, { url }, '/clusters');
    const paste = page.getByLabel('Or paste the output');
    const check = page.getByRole('button', { name: 'Check it' });
    for (const [text, words] of [
      ['kind: ClusterVersion', 'This is YAML.'],
      ['error: You must be logged in', 'This is not JSON.'],
      [example.slice(0, 2000), 'The end is missing.'],
    ] as const) {
      await paste.fill(text);
      await page.getByText(words).waitFor();
      expect(await check.isDisabled()).toBe(true);
    }
    await paste.fill('{"kind": "List", "items": [}}');
    await check.click();
    await page.getByRole('alert').getByText('line 1, column 28: expected an object or "]"').waitFor();
    await paste.fill('{"kind": "List", "items": [{"kind": "Node", "metadata": {"name": "a"}}]}');
    await check.click();
    await page.getByRole('alert').getByText('a ClusterVersion is needed').waitFor();
  });

  // The fleet is followed once a minute.
  it('adds a dropped file to the fleet, assesses it, plans for it, shows it in the lanes and forgets it', async () => {
    const { page, goto } = await openPage(browser, { url }, '/clusters');
    // To the next minor with extended support, for which there is something to do.
    await dropFile(
      page,
      'cluster.json',
      example.replace('"channel": "stable-4.14"', '"channel": "eus-4.16"'),
    );
    await page.getByText('cluster.json', { exact: true }).waitFor();
    const name = page.getByLabel('Name in the fleet');
    // Proposed by what is in the file.
    await expect.poll(() => name.inputValue()).toBe('6b7d5a3e-2f41-4c0a-9f0e-9d2b1f6a7c55');
    await name.fill('prod-1');
    await page.getByRole('button', { name: 'Add to the fleet' }).click();
    await page.getByText('prod-1 is in the fleet now.').waitFor();

    const row = page.getByRole('row', { name: /prod-1/ });
    const verdict = row.locator('[data-label=Verdict]');
    expect(await row.locator('[data-label=Version]').innerText()).toBe('4.14.20\neus-4.16');
    expect(await verdict.innerText()).toMatch(/^(Not assessed yet\nIt will be within minutes|[▲■] .*)$/s);
    const lookAgain = async (): Promise<string> => {
      await goto('/clusters');
      return verdict.innerText();
    };
    await expect.poll(lookAgain, { interval: 2000 }).toMatch(/^[▲■] /);
    expect(await row.locator('[data-label="Next hop"]').innerText()).toMatch(/^4\.15\.\d+$/);
    expect(await row.locator('[data-label=Target]').innerText()).toMatch(/^4\.16\.\d+\n2 hops, about /);

    await row.getByRole('link', { name: 'prod-1' }).click();
    await page.locator('.cluster-line').waitFor();
    expect(await page.locator('.cluster-line').innerText()).toContain('prod-1');
    expect(await page.getByRole('combobox', { name: 'From' }).inputValue()).toBe('4.14.20');
    expect(await page.getByLabel('Channel').inputValue()).toBe('eus-4.16');
    await page.locator('.hop li.note').first().waitFor();
    await page.getByRole('option', { name: /^4\.14\.20,.* 1 cluster here$/ }).waitFor();

    await goto('/clusters?open=prod-1');
    await page.getByRole('button', { name: 'Forget prod-1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget it' }).click();
    await page.getByText('There are no clusters here yet.').waitFor();
  });

  it('runs a pruner dry and shows its report', async () => {
    const { page } = await openPage(browser, { url }, '/pruners');
    await page.getByRole('heading', { name: 'cluster', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Details of cluster' }).click();
    await page.getByText('It has not run yet.').waitFor();
    await page.getByRole('button', { name: 'Run dry now' }).click();
    await page.getByText('by hand').waitFor();
    // That of a run that was asked for here unfolds by itself.
    await page.getByRole('table').filter({ hasText: 'Would go now' }).waitFor();
    expect(await page.getByRole('button', { name: 'Run dry now' }).isEnabled()).toBe(true);
  });

  it('lists the newest version of every minor, then all, and finds one', async () => {
    const { page } = await openPage(browser, { url }, '/versions');
    const names = async (): Promise<string[]> => page.locator('tbody th[scope=row] .mono').allInnerTexts();
    const newest = await names();
    const minors = newest.map((version) => /^\d+\.\d+/.exec(version)![0]);
    expect(new Set(minors).size).toBe(minors.length);
    expect(minors.length).toBeGreaterThan(8);
    await page.getByRole('button', { name: 'Show all available versions' }).click();
    await page.getByRole('button', { name: 'Show only the newest versions' }).waitFor();
    await expect.poll(async () => (await names()).length).toBeGreaterThan(newest.length * 5);
    await page.getByLabel('Search for a version').fill('4.16.6');
    await expect.poll(names).toEqual(['4.16.61', '4.16.60', '4.16.6']);
    await page.getByLabel('Search for a version').fill('');
    const onAmd = await names();
    await page.getByLabel('Architecture').selectOption('s390x');
    await expect.poll(names).not.toEqual(onAmd);
    expect(
      (await page.locator('tbody tr td.small').allInnerTexts()).every((arches) => arches.includes('s390x')),
    ).toBe(true);
  });

  it('opens a channel from the list, with its lanes and its changes', async () => {
    const { page } = await openPage(browser, { url }, '/channels');
    await page.getByRole('link', { name: 'eus-4.16', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'eus-4.16' }).waitFor();
    const lanes = page.getByRole('listbox', { name: /eus-4\.16/ });
    await lanes.waitFor();
    expect(await lanes.getByRole('group', { name: /^4\.16, \d+ releases$/ }).count()).toBe(1);
    await page.getByRole('heading', { name: 'What changed' }).waitFor();
    await page.getByRole('link', { name: 'Plan in this channel' }).click();
    await expect.poll(() => page.getByLabel('Channel').inputValue()).toBe('eus-4.16');
  });

  describe('while a page of another origin is open', () => {
    const SECRET = 'a-word-that-only-the-table-has';
    const MADE = { pk: 'MADE', sk: 'BY-A-PAGE' };
    const stranger = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>A page</title>');
    });
    let endpoints: EngineEndpoints;
    let page: Page;
    beforeAll(async () => {
      endpoints = JSON.parse(readFileSync(join(data, 'endpoints.json'), 'utf8')) as EngineEndpoints;
      await fetch(`${url}/v1/news/webhook`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url: `${url}/${SECRET}`, format: 'json' }),
      });
      stranger.listen(0, '127.0.0.1');
      await once(stranger, 'listening');
      page = await browser.newPage();
    });
    afterAll(async () => {
      await page.close();
      stranger.close();
      stranger.closeAllConnections();
      await fetch(`${url}/v1/news/webhook`, { method: 'DELETE' });
    });

    const openStranger = () => page.goto(`http://127.0.0.1:${(stranger.address() as AddressInfo).port}`);
    const itemIn = async (key: typeof MADE): Promise<string> => {
      const { dynamodb: endpoint, region, accessKeyId, secretAccessKey, table } = endpoints;
      const client = new DynamoDBClient({ endpoint, region, credentials: { accessKeyId, secretAccessKey } });
      const read = new GetItemCommand({ TableName: table, Key: marshall(key), ConsistentRead: true });
      return JSON.stringify((await client.send(read)).Item ?? null);
    };
    /** What the page gets when it asks the table in every way that it can. */
    const attempts = (target: string): Promise<string[]> =>
      page.evaluate(
        async ({ at, read, write }) => {
          const ask = async (options: RequestInit): Promise<string> =>
            fetch(at, options).then(
              (response) => response.text(),
              (error: unknown) => String(error),
            );
          const headersOf = (operation: string): Record<string, string> => ({
            'content-type': 'application/x-amz-json-1.0',
            authorization: 'AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=host, Signature=00',
            'x-amz-date': 'today',
            'x-amz-target': `DynamoDB_20120810.${operation}`,
          });
          return Promise.all([
            ask({ method: 'GET' }),
            ask({ method: 'POST', body: read }),
            ask({ method: 'POST', body: read, headers: headersOf('GetItem') }),
            ask({ method: 'POST', body: write, headers: headersOf('PutItem') }),
          ]);
        },
        {
          at: target,
          read: JSON.stringify({ TableName: endpoints.table, Key: marshall(WEBHOOK_KEY) }),
          write: JSON.stringify({ TableName: endpoints.table, Item: marshall(MADE) }),
        },
      );
    const expectUntouched = async (): Promise<void> => {
      expect(await itemIn(MADE)).toBe('null');
      expect(await itemIn({ ...WEBHOOK_KEY })).toContain(SECRET);
    };

    it('lets it neither read nor change the table', async () => {
      await openStranger();
      const failed = 'TypeError: Failed to fetch';
      expect(await attempts(endpoints.dynamodb)).toEqual([failed, failed, failed, failed]);
      await expectUntouched();
    });

    it('lets it post no form to the table', async () => {
      await openStranger();
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.url().startsWith(endpoints.dynamodb)),
        page.evaluate((action) => {
          const form = document.createElement('form');
          Object.assign(form, { method: 'post', enctype: 'text/plain', action });
          document.body.append(form);
          form.submit();
        }, endpoints.dynamodb),
      ]);
      expect(answer.status()).toBe(403);
      await expectUntouched();
    });

    it('lets it neither read nor change the table through its own host name', async () => {
      // Browsers take every name below localhost to this machine. The page itself comes from elsewhere.
      const rebound = `http://rebound.localhost:${new URL(endpoints.dynamodb).port}/page`;
      await page.route(rebound, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
      );
      await page.goto(rebound);
      const answers = await attempts('/');
      expect(answers).toHaveLength(4);
      for (const answer of answers) expect(answer).toContain('#AccessDenied');
      await expectUntouched();
    });
  });
});

/** As a browser does when a file is let go over the field. */
async function dropFile(page: Page, name: string, text: string): Promise<void> {
  const files = await page.evaluateHandle(
    ([fileName, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], fileName, { type: 'application/json' }));
      return transfer;
    },
    [name, text] as const,
  );
  await page.locator('.drop-zone').dispatchEvent('drop', { dataTransfer: files });
}
