import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withoutBrowser } from '../../helpers/browser/chromium.ts';
import { drawFleet, type DrawnCluster } from '../../helpers/browser/drawn-fleet.ts';
import { siteInBrowser } from '../../helpers/browser/site-in-browser.ts';
import { startSite, type Site } from '../../helpers/browser/site.ts';
import { settled, visit } from '../../helpers/browser/visit.ts';
import { aNode } from '../../helpers/cluster/clusters.ts';
import { aRisk, type Answer } from '../../helpers/path/answers.ts';
import type { StubSource } from '../../helpers/upstream/cincinnati-stub.ts';
import { drawnConfig, drawnSource } from '../../helpers/upstream/drawn-upstream.ts';
import { configOf } from '../../helpers/upstream/sync-harness.ts';

const RUN = 'globalThis.hasRun=true';
const MARKUP = `<img src=x onerror="${RUN}"><svg onload="${RUN}"><script>${RUN}</script>`;
/** Turns what follows around, and hides in it. */
const UNSEEN = 'abc\u202Edef\u200Bghi';
const LONG = 'x'.repeat(10_000);
const SCRIPT_LINK = `javascript:${RUN}`;

const RISKS = [
  aRisk(MARKUP, {
    message: `${MARKUP} ${UNSEEN} ${LONG}`,
    url: `https://example.com/"onmouseover="${RUN}"><img/src/onerror=${RUN}>`,
    matchingRules: [{ type: 'PromQL', promql: { promql: `${MARKUP}\n${LONG}` } }],
  }),
  aRisk(UNSEEN, { message: UNSEEN, url: 'http://example.com/insecure' }),
  aRisk('__proto__', { matchingRules: [{ type: 'Always' }] }),
  aRisk(LONG.slice(0, 900), { message: LONG }),
];
const CHANNELS = {
  'stable-4.14': ['4.14.20 > 4.14.30', '4.14.20 > 4.14.31 Risky', '4.14.30 > 4.14.31'],
  'stable-4.15': ['4.14.20 > 4.14.30', '4.14.30 > 4.15.6 Risky', '4.14.31 > 4.15.6 Risky', '4.15.6 > 4.15.9'],
};
const PLAN = '/?from=4.14.20&to=4.15.9&risks=allow&pause=1';

/** As hostile as the sync lets through: bad versions, bad images and links to scripts are left out by it. */
const hostileSource: StubSource = (channel, arch) => {
  const answer = drawnSource({ amd64: CHANNELS })(channel, arch) as Answer | null;
  return (
    answer && {
      ...answer,
      nodes: answer.nodes.map((node, at) => ({
        ...node,
        metadata: {
          ...(node.metadata as object),
          [MARKUP]: MARKUP,
          url: [`https://example.com/<img/src=x/onerror=${RUN}>`, SCRIPT_LINK, UNSEEN][at % 3],
        },
      })),
      conditionalEdges: answer.conditionalEdges.map(({ edges }) => ({ edges, risks: RISKS })),
    }
  );
};

/** What no report of ours leads to, as the list would have it. */
const SPOILED: DrawnCluster = {
  version: `4.14.20-${UNSEEN}`,
  channel: `${MARKUP}${UNSEEN}`,
  facts: { nodes: [aNode(MARKUP, { architecture: MARKUP })] },
  outlook: {
    verdict: 'blocked',
    target: MARKUP,
    path: [{ from: MARKUP, to: `${UNSEEN}${MARKUP}`, risks: [MARKUP] }],
    newerPatch: MARKUP,
    blockers: [MARKUP, UNSEEN, LONG],
    removedApis: [MARKUP],
  },
};

describe.skipIf(withoutBrowser)('hostile data', () => {
  const at = siteInBrowser(async () => {
    const config = configOf(drawnConfig({ amd64: CHANNELS }));
    const site = await startSite({ source: hostileSource, config });
    await report(site, 'hostile', hostileCluster());
    await drawFleet(site, { spoiled: SPOILED });
    return site;
  });

  it.each([
    ['a plan', PLAN],
    ['a plan with a release selected', `${PLAN}&sel=4.14.31`],
    ['a plan beside the table', `${PLAN}&view=table`],
    ['no path', '/?from=4.14.20&to=4.15.9'],
    ['the plan of a cluster', '/?cluster=hostile&risks=allow'],
    ['versions', '/versions?open=4.15.9'],
    ['channels', '/channels'],
    ['a channel', '/channels?open=stable-4.15'],
    ['risks', '/risks?open=stable-4.15'],
    ['clusters', '/clusters?open=hostile'],
    ['a cluster whose report says anything', '/clusters?open=spoiled'],
  ])('is only text: %s', async (_, path) => {
    const { page, goto } = await watched(at.browser, at.site);
    await goto(path);
    await unfoldAll(page);
    expect(await harmIn(page)).toEqual(NO_HARM);
  });

  it('says the names of risks as they are, and links only to https', async () => {
    const { page, goto } = await watched(at.browser, at.site);
    await goto('/risks?open=stable-4.15');
    const cards = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('checkbox') });
    expect(await cards.count()).toBe(RISKS.length);
    await page.getByText(MARKUP, { exact: true }).first().waitFor();
    const links = await page.getByRole('main').getByRole('link').evaluateAll(hrefsOf);
    expect(links.filter((href) => href.startsWith('https://example.com/'))).not.toEqual([]);
    expect(links.filter((href) => href.startsWith('http://example.com/'))).toEqual([]);
  });

  it('that turns text around does so with itself only', async () => {
    const { page, goto } = await watched(at.browser, at.site);
    await goto(PLAN);
    const boxes = await page
      .locator('.risk p', { has: page.getByText(UNSEEN, { exact: true }) })
      .first()
      .evaluate((line) =>
        [...line.children].map((part) => {
          const { left, right, top } = part.getBoundingClientRect();
          return { left, right, top };
        }),
      );
    expect(boxes).toHaveLength(2);
    expect(boxes[1]!.top).toBe(boxes[0]!.top);
    expect(boxes[1]!.left).toBeGreaterThanOrEqual(boxes[0]!.right);
  });

  it('in the address of the page is only text', async () => {
    const { page, goto } = await watched(at.browser, at.site);
    const query = new URLSearchParams(
      [
        'from',
        'to',
        'channel',
        'arch',
        'risks',
        'nodes',
        'sel',
        'cluster',
        'minors',
        'verdict',
        'minor',
        'overdue',
        'theme',
        MARKUP,
      ].map((key) => [key, MARKUP + UNSEEN]),
    );
    for (const view of ['', 'versions', 'channels', 'risks', 'clusters', 'pruners']) {
      await goto(
        `/${view}?${query}&open=${encodeURIComponent(MARKUP)}&find=${encodeURIComponent(MARKUP.slice(0, 90))}`,
      );
      expect(await harmIn(page)).toEqual(NO_HARM);
    }
  });

  it('that our sync would reject is shown as text too', async () => {
    const { page, goto } = await watched(at.browser, at.site);
    // The service refuses such data, so that it is put in its mouth here: another service may stand behind the page.
    await page.route('**/api/upgrades_info/v1/graph?*', async (route) => {
      const answer = (await (await route.fetch()).json()) as Answer;
      const poison = (text: string): string => `${MARKUP}${text}`;
      await route.fulfill({
        json: {
          ...answer,
          nodes: answer.nodes.map((node) => ({
            ...node,
            payload: poison(node.payload as string),
            metadata: { url: SCRIPT_LINK, [CHANNELS_KEY]: poison('stable-4.15') },
          })),
          conditionalEdges: answer.conditionalEdges.map(({ edges, risks }) => ({
            edges,
            risks: risks.map((risk) => ({ ...(risk as object), url: SCRIPT_LINK })),
          })),
        },
      });
    });
    for (const path of [`${PLAN}&sel=4.14.31`, '/channels?open=stable-4.15', '/risks?open=stable-4.15']) {
      await goto(path);
      await unfoldAll(page);
      expect(await harmIn(page)).toEqual(NO_HARM);
    }
  });
});

const CHANNELS_KEY = 'io.openshift.upgrades.graph.release.channels';

/** A tab that remembers what its policy stopped. */
async function watched(browser: Browser, site: Site): ReturnType<typeof visit> {
  const visited = await visit(browser, site);
  await visited.page.addInitScript(() => {
    const reports: string[] = [];
    Object.assign(globalThis, { reports });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      reports.push(`${violatedDirective} ${blockedURI}`),
    );
  });
  return visited;
}

const hrefsOf = (links: Element[]): string[] => links.map((link) => (link as HTMLAnchorElement).href);

const NO_HARM = { hasRun: false, reports: [], strangers: [], links: [], overflow: 0, isEmpty: false };

/** What ran, was stopped, came into the page, leads out of it or breaks it. */
function harmIn(page: Page): Promise<object> {
  return page.evaluate(() => {
    const strangers = 'img, iframe, object, embed, script, [onload], [onerror]';
    return {
      hasRun: 'hasRun' in globalThis,
      reports: (globalThis as unknown as { reports: string[] }).reports,
      strangers: [...document.body.querySelectorAll(strangers)].map(({ outerHTML }) => outerHTML),
      links: [...document.querySelectorAll('a[href]')]
        .map((link) => link.getAttribute('href')!)
        .filter((href) => !/^(https:\/\/|\/|#)/.test(href)),
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      isEmpty: document.querySelector('main')!.innerText.trim() === '',
    };
  });
}

async function unfoldAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  await settled(page);
}

async function report(site: Site, id: string, documents: unknown): Promise<void> {
  const response = await fetch(`${site.url}/v1/clusters/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(documents),
  });
  if (!response.ok) throw new Error(`the cluster was refused: ${await response.text()}`);
}

const EXAMPLE = new URL('../../../docs/examples/cluster.json', import.meta.url);

/** The example with hostile names and messages wherever people read them. */
function hostileCluster(): unknown {
  const spoil = (value: unknown, key: string): unknown => {
    if (typeof value === 'string' && (key === 'message' || key === 'reason'))
      return `${MARKUP} ${UNSEEN} ${LONG}`;
    return value;
  };
  const example = JSON.parse(readFileSync(EXAMPLE, 'utf8'), (key, value: unknown) => spoil(value, key)) as {
    items: {
      kind: string;
      metadata: { name: string };
      status?: { conditions?: { type: string; status: string; message?: string }[] };
    }[];
  };
  for (const [at, { kind, metadata, status }] of example.items.entries()) {
    if (kind !== 'ClusterVersion') metadata.name = `${MARKUP}${UNSEEN}${at}`;
    for (const condition of status?.conditions ?? []) {
      condition.message = `${MARKUP} ${UNSEEN} ${LONG}`;
      if (condition.type === 'Upgradeable') condition.status = 'False';
    }
  }
  return example;
}
