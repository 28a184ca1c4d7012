import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { withoutBrowser } from '../../helpers/browser/chromium.ts';
import { DRAWN_CHANNELS } from '../../helpers/browser/drawn-channels.ts';
import { addCluster } from '../../helpers/browser/few-channels.ts';
import { copied, expectHops } from '../../helpers/browser/shown-plan.ts';
import { siteInBrowser } from '../../helpers/browser/site-in-browser.ts';
import { drawnSite, type Site } from '../../helpers/browser/site.ts';

interface ImageSetConfiguration {
  readonly kind: string;
  readonly apiVersion: string;
  readonly mirror: {
    readonly platform: {
      readonly architectures: readonly string[];
      readonly graph: boolean;
      readonly channels: readonly {
        readonly name: string;
        readonly type: string;
        readonly minVersion: string;
        readonly maxVersion: string;
      }[];
    };
  };
}

const LONG_WAY = ['4.13.30', '4.14.30', '4.15.20', '4.16.20'];
const CONFIGURATION = 'Copy ImageSetConfiguration';

/** `01-4.13.30.yaml` */
const nameOf = (version: string, index: number): string => `0${index + 1}-${version}.yaml`;

describe.skipIf(withoutBrowser)('a plan to take along', () => {
  const at = siteInBrowser(() => drawnSite(DRAWN_CHANNELS));

  it('is two clicks away for who has never been here: an example, and the button', async () => {
    const { page } = await at.open('/');
    await page.getByRole('complementary').getByRole('link').first().click();
    await expectHops(page, '4.15.20', '4.16.20');
    expect(await checkedCopies(page, at.site, ['4.15.20', '4.16.20'])).toHaveLength(2);
  });

  it('as configurations for oc-mirror has every hop in its own file, in a channel that holds it', async () => {
    const { page } = await at.open('/?from=4.12.40&to=4.16');
    await page.getByText('One file per release: mirror the files in their order').waitFor();
    const texts = await checkedCopies(page, at.site, LONG_WAY);
    // What is copied is what can be looked at, and what is saved.
    await page.getByText('Show the ImageSetConfiguration').click();
    const shown = page.locator('.actions pre');
    expect(await shown.allTextContents()).toEqual(texts);
    const second = nameOf(LONG_WAY[1]!, 1);
    expect(await saved(page, second)).toEqual({ name: second, text: texts[1] });

    await page.getByLabel('Include the current release, 4.12.40').check();
    await expect.poll(() => shown.count()).toBe(5);
    await checkedCopies(page, at.site, ['4.12.40', ...LONG_WAY]);
    expect(linesOf(await copied(page, 'Copy pull specs'))).toHaveLength(5);
  });

  it('of a stored cluster is what the API gives, with its operators', async () => {
    await addCluster(at.site, 'prod-1');
    const { page } = await at.open('/?cluster=prod-1&to=4.16');
    await checkedCopies(page, at.site, ['4.15.20', '4.16.20']);
    const text = await copied(page, 'Copy 03-operators.yaml');
    expect(text).toContain('- catalog: registry.redhat.io/redhat/redhat-operator-index:v4.16\n');
    const response = await fetch(
      `${at.site.url}/v1/clusters/prod-1/upgrade-plan?to=4.16&format=imageset&file=3`,
    );
    expect(text).toBe(await response.text());
    expect(await saved(page, '03-operators.yaml')).toEqual({ name: '03-operators.yaml', text });
    const plan = JSON.parse((await saved(page, 'JSON')).text) as Record<string, unknown>;
    expect(plan).toMatchObject({ basis: 'reported', target: '4.16.20', path: { found: true } });
  });

  it('of one release is one configuration', async () => {
    const { page } = await at.open('/?from=4.7.1&to=4.7.2&channel=fast-4.7');
    const text = await copied(page, CONFIGURATION);
    expect(await checkedConfiguration(at.site, parse(text))).toBe('4.7.2');
    expect(await saved(page, '01-4.7.2.yaml')).toEqual({ name: '01-4.7.2.yaml', text });
  });

  it('is on the clipboard in every form that has a button', async () => {
    const { page } = await at.open('/?from=4.12.40&to=4.16&nodes=9&pause=1');
    const images = await payloads(at.site, LONG_WAY);
    expect(linesOf(await copied(page, 'Copy pull specs'))).toEqual(images);
    expect(await copied(page, 'Copy link')).toBe(`${at.site.url}/?from=4.12.40&to=4.16&nodes=9&pause=1`);
    for (const [at, version] of LONG_WAY.entries()) {
      expect(await copied(page, `Copy the digest of ${version}`)).toBe(images[at]!.split('@')[1]);
    }

    // Comments say what the commands are for; the updates come in their order, each to its own image.
    const commands = linesOf(await copied(page, 'Copy oc commands'));
    expect(
      commands.filter((line) => line !== '' && !line.startsWith('# ') && !line.startsWith('oc ')),
    ).toEqual([]);
    const updates = commands.filter((line) => line.startsWith('oc adm upgrade --to'));
    expect(updates).toEqual(LONG_WAY.map((version) => expect.stringContaining(version) as string));
    // The same one by one.
    await page.getByText('Steps with commands').click();
    const steps = page.locator('.steps .command');
    const each = commands.filter((line) => line.startsWith('oc '));
    await expect.poll(() => steps.locator('code').allTextContents()).toEqual(each);
    const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await steps.last().getByRole('button').click();
    await expect.poll(clipboard).toBe(each.at(-1));
    expect(await page.getByRole('status').textContent()).toBe('Copied the command');

    // A key for the most wanted.
    await page.keyboard.press('c');
    await expect.poll(clipboard).toContain('kind: ImageSetConfiguration');
  });

  it('is a file for programs and a file for tickets', async () => {
    const { page } = await at.open('/?from=4.12.40&to=4.16&nodes=9&pause=1');
    const json = await saved(page, 'JSON');
    expect(json.name).toBe('upgrade-4.12.40-to-4.16.20.json');
    // What the API answers to the same question.
    const answer = JSON.parse(json.text) as unknown;
    expect(answer).toEqual(
      await at.site.ask('/v1/upgrade-paths?from=4.12.40&to=4.16&arch=amd64&alternatives=3'),
    );
    expect(answer).toMatchObject({
      found: true,
      path: ['4.12.40', ...LONG_WAY].map((version) => ({ version })),
      mirror: LONG_WAY.map((version) => ({ version })),
    });

    const markdown = await saved(page, 'Markdown');
    expect(markdown.name).toBe('upgrade-4.12.40-to-4.16.20.md');
    expect(markdown.text).toMatch(/^# .*4\.12\.40.*4\.16\.20/);
    for (const image of await payloads(at.site, LONG_WAY)) {
      expect(markdown.text).toContain(image.split('@')[1]);
    }
  });
});

/** Texts of the buttons that copy these releases. */
async function checkedCopies(page: Page, site: Site, versions: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  for (const [index, version] of versions.entries()) {
    const text = await copied(page, `Copy ${nameOf(version, index)}`);
    expect(await checkedConfiguration(site, parse(text))).toBe(version);
    texts.push(text);
  }
  return texts;
}

/** Release that a configuration names, checked as oc-mirror reads and finds it. */
async function checkedConfiguration(site: Site, document: unknown): Promise<string> {
  const { kind, apiVersion, mirror } = document as ImageSetConfiguration;
  expect({ kind, apiVersion }).toEqual({
    kind: 'ImageSetConfiguration',
    apiVersion: 'mirror.openshift.io/v2alpha1',
  });
  const { architectures, graph, channels } = mirror.platform;
  expect({ architectures, graph }).toEqual({ architectures: ['amd64'], graph: true });
  expect(channels).toHaveLength(1);
  const { name, type, minVersion, maxVersion } = channels[0]!;
  expect([type, maxVersion]).toEqual(['ocp', minVersion]);
  expect((await releasesOf(site, name)).map(({ version }) => version)).toContain(minVersion);
  return minVersion;
}

interface Release {
  readonly version: string;
  readonly payload: string;
}

async function releasesOf(site: Site, channel: string): Promise<readonly Release[]> {
  const graph = await site.ask<{ nodes: Release[] }>(
    `/api/upgrades_info/v1/graph?channel=${channel}&arch=amd64`,
  );
  return graph.nodes;
}

/** The images of releases, as the API has them. */
async function payloads(site: Site, versions: readonly string[]): Promise<string[]> {
  const releases = await Promise.all(
    versions.map((version) => releasesOf(site, `stable-${version.split('.', 2).join('.')}`)),
  );
  return versions.map((version, at) => releases[at]!.find((release) => release.version === version)!.payload);
}

function linesOf(text: string): string[] {
  return text.trimEnd().split('\n');
}

/** The file that a button saves. */
async function saved(page: Page, button: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  return contentOf(download);
}

async function contentOf(download: Download): Promise<{ name: string; text: string }> {
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}
