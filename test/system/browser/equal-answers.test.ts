import type { PlanStep } from '@cairn/shared/plan/run-sheet/step';
import { VERDICT_WORDS } from '@cairn/shared/plan/words';
import type { Verdict } from '@cairn/shared/safety/verdict';
import { describe, expect, it } from 'vitest';
import { withoutBrowser } from '../../helpers/browser/chromium.ts';
import { DRAWN_CHANNELS } from '../../helpers/browser/drawn-channels.ts';
import { addCluster } from '../../helpers/browser/few-channels.ts';
import { expectHops } from '../../helpers/browser/shown-plan.ts';
import { siteInBrowser } from '../../helpers/browser/site-in-browser.ts';
import { demoSite, drawnSite, type Site } from '../../helpers/browser/site.ts';
import { commandsOf } from '../../helpers/plan/plan-outlines.ts';
import { Random } from '../../helpers/random.ts';
import { sized } from '../../helpers/size.ts';

const PAIRS = sized(40, 200);

interface PathAnswer {
  readonly found: boolean;
  readonly path?: readonly { readonly version: string }[];
  readonly explanation?: { readonly message: string };
  readonly detail?: string;
}

describe.skipIf(withoutBrowser)('the page and the API', () => {
  const at = siteInBrowser(() => demoSite());

  it(`give the same answer to ${PAIRS} drawn questions`, async () => {
    const questions = await drawQuestions(at.site);
    const { page, follow } = await at.open('/');
    const differences: unknown[] = [];
    let found = 0;
    for (const question of questions) {
      await follow(`/?${question.page}`);
      const shown = await page.evaluate(() => ({
        hops: [...document.querySelectorAll('.hop h3 strong')].map((version) => version.textContent),
        verdict: document.getElementById('verdict')?.textContent ?? null,
        text: document.querySelector('.plan-panel')?.textContent ?? '',
      }));
      const answer = await at.site.ask<PathAnswer>(`/v1/upgrade-paths?${question.api}`);
      const hops = answer.path?.slice(1).map(({ version }) => version) ?? [];
      const words = (answer.explanation?.message ?? answer.detail ?? '').toLowerCase();
      const isSame = shown.hops.join() === hops.join() && shown.text.toLowerCase().includes(words);
      if (!isSame || shown.verdict === null) differences.push({ question, shown, answer });
      if (answer.found) found++;
    }
    expect(differences).toEqual([]);
    // Both kinds of answer were compared.
    expect(found).toBeGreaterThan(PAIRS / 4);
    expect(PAIRS - found).toBeGreaterThan(PAIRS / 10);
  });
});

interface PlanAnswer {
  readonly verdict: Verdict;
  readonly target: string;
  readonly nextStep: string;
  readonly hops: readonly { readonly to: string; readonly conditions: readonly ShownCondition[] }[];
  readonly plan: { readonly steps: readonly PlanStep[] };
}

interface ShownCondition {
  readonly title: string;
  readonly effect: string;
}

describe.skipIf(withoutBrowser)('the plan of a reported cluster', () => {
  const at = siteInBrowser(() => drawnSite(DRAWN_CHANNELS));

  it('has the verdict, the target, the findings and the steps of the API', async () => {
    await addCluster(at.site, 'prod-1');
    const { page } = await at.open('/?cluster=prod-1&to=4.16', { viewport: { width: 1440, height: 900 } });
    const plan = await at.site.ask<PlanAnswer>('/v1/clusters/prod-1/upgrade-plan?to=4.16');
    await expectHops(page, ...plan.hops.map(({ to }) => to));
    expect(plan.hops.at(-1)?.to).toBe(plan.target);
    const panel = page.locator('.plan-panel');
    await page.getByText('Steps with commands').click();
    await panel.locator('.steps > li').first().waitFor();
    const text = await panel.innerText();
    expect(text).toContain(VERDICT_WORDS[plan.verdict]);
    expect(text).toContain(plan.nextStep);
    const findings = plan.hops.flatMap(({ conditions }) => conditions);
    const told = findings.filter(({ effect }) => ['block', 'inform', 'warn'].includes(effect));
    expect(told.filter(({ title }) => !text.includes(title))).toEqual([]);
    const steps = await panel.locator('.steps > li').all();
    const shown = await Promise.all(
      steps.map(async (step) => [
        await step.evaluate((item) => item.firstChild?.textContent),
        await step.locator('code').allInnerTexts(),
      ]),
    );
    expect(shown).toEqual(plan.plan.steps.map((step) => [step.text, commandsOf(step)]));
    expect(await panel.locator('.steps').getByRole('button', { name: /^Copy/ }).count()).toBe(
      plan.plan.steps.flatMap(commandsOf).length,
    );
  });
});

interface Question {
  readonly page: string;
  readonly api: string;
}

/** Mostly upwards, over all channels or in one, with every way to treat risks. */
async function drawQuestions(site: Site): Promise<Question[]> {
  const { channels, versions } = await site.ask<{
    channels: { channel: string; nodes: number }[];
    versions: { version: string; channels: number[] }[];
  }>('/v1/channel-index/amd64');
  const random = new Random(7);
  return Array.from({ length: PAIRS }, () => {
    const place = random.below(versions.length);
    const { version: from, channels: holders } = versions[place]!;
    const ahead = versions.slice(place, place + 400);
    const to = random.chance(0.2) ? 'latest' : random.pick(random.chance(0.9) ? ahead : versions).version;
    const asked = random.chance(0.8) ? random.pick(holders) : random.below(channels.length);
    const channel = random.chance(0.5) ? '' : channels[asked]!.channel;
    const risks = random.pick(['avoid', 'allow', 'NeighbourTableOverflow,KernelNvmeResetPanic']);
    const conditions = { avoid: [], allow: [['risk', 'all']] }[risks] ?? [['accept_risk', risks]];
    const common = Object.entries({ from, to, channel }).filter(([, value]) => value !== '');
    return {
      page: new URLSearchParams([...common, ['risks', risks]]).toString(),
      api: new URLSearchParams([...common, ...conditions]).toString(),
    };
  });
}
