import type { UpgradePlan } from '@cairn/shared/plan/plan';
import { mirrorReport, planReport } from '@cairn/shared/plan/report';
import { countsInWords, minutesInWords, rangeInWords, totalInWords } from '@cairn/shared/plan/words';
import type { RiskAnswer } from '@cairn/shared/risk/cluster-risks';
import { asText } from '@cairn/shared/text/as-text';
import { asMarkdown } from '@cairn/shared/text/markdown';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aClusterOperator,
  aClusterVersion,
  aCondition,
} from '../../../helpers/cluster/clusters.ts';
import { payloadOf } from '../../../helpers/path/answers.ts';
import { foundAlong } from '../../../helpers/plan/assumed-plans.ts';
import { aReport, REPORTS } from '../../../helpers/plan/report-cases.ts';
import { reportOn } from '../../../helpers/plan/reports.ts';

const named = Object.entries(REPORTS);

const textOf = (plan: UpgradePlan): string => asText(planReport(plan));
const markdownOf = (plan: UpgradePlan): string => asMarkdown(planReport(plan));

/** Replaces what may come from documents: every text but those that choose among a few. */
function withTexts(report: UpgradePlan, change: (text: string) => string): UpgradePlan {
  const chosen = new Set([
    'basis',
    'verdict',
    'effect',
    'status',
    'origin',
    'policy',
    'strategy',
    'updateType',
    'kind',
  ]);
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, chosen.has(key) ? member : walk(member)]),
    );
  };
  return walk(report) as UpgradePlan;
}

const HOSTILE = [
  '',
  '# heading',
  '- [x] done',
  '| a | b |',
  '| --- | --- |',
  '===',
  '```',
  '~~~',
  '1. item',
  '> quote <script>alert(1)</script> <!-- **bold** _it_ ~~no~~ $x$ &lt; `code` [link](https://evil.example/a_b) \\',
  '\u001b[31mred\u001b]0;title\u0007\u009b1m\u202e\u2028\ud800\0',
].join('\r\n');

describe.each(named)('the report %s', (name, report) => {
  it('is written as text', async () => {
    await expect(textOf(report)).toMatchFileSnapshot(
      `../../../fixtures/plan-reports/text/${name}.text.golden`,
    );
  });

  it('is written as Markdown', async () => {
    await expect(markdownOf(report)).toMatchFileSnapshot(
      `../../../fixtures/plan-reports/markdown/${name}.markdown.golden`,
    );
  });

  it('has no line over 100 columns but for commands', () => {
    const long = textOf(report)
      .split('\n')
      .filter((line) => line.length > 100);
    expect(long.filter((line) => !/^ +oc /.test(line))).toEqual([]);
  });

  it('is the same for the same report', () => {
    const again = structuredClone(report);
    expect(textOf(again)).toBe(textOf(report));
    expect(markdownOf(again)).toBe(markdownOf(report));
  });

  it('does nothing to a terminal, whatever the documents hold', () => {
    const text = textOf(withTexts(report, (each) => each + HOSTILE));
    expect(text.match(/[^\P{C}\n]/gu)).toBe(null);
    expect(text).toContain('red');
  });

  it('has the same structure in Markdown, whatever the documents hold', () => {
    const tame = markdownOf(withTexts(report, (each) => each + '\nmore'.repeat(9)));
    const hostile = markdownOf(withTexts(report, (each) => each + HOSTILE));
    expect(structureOf(hostile)).toEqual(structureOf(tame));
    expect(hostile.match(/[^\P{C}\n]/gu)).toBe(null);
    const outsideOfCode = hostile.replaceAll(/^( *)(`{3,})sh\n[^]*?\n\1\2$/gm, '');
    expect(outsideOfCode.replaceAll(/<https:[^\s<>|]+>/g, '').match(/[<>]|(?<!\\)`/g)).toBe(null);
  });
});

/** What a reader of Markdown makes of each line, with the number of cells of rows. */
function structureOf(markdown: string): string[] {
  const kinds: [string, RegExp][] = [
    ['heading', /^#+ /],
    ['rule', /^(=+|-+)$/],
    ['task', /^ *- \[[ x]\] /],
    ['item', /^ *([-+*]|\d+[.)]) /],
    ['fence', /^ *(`{3,}|~{3,})/],
  ];
  const structure = markdown.split('\n').flatMap((line) => {
    if (line.startsWith('|')) return [`row of ${line.match(/(?<!\\)\|/g)!.length - 1}`];
    const kind = kinds.find(([, pattern]) => pattern.test(line));
    return kind ? [kind[0]] : [];
  });
  expect(structure.length).toBeGreaterThan(0);
  return structure;
}

describe('what a report says first', () => {
  it.each([
    ['ready', 'Ready: 4.14.8 to 4.15.7'],
    ['blocked', 'Blocked: 4.14.8 to 4.16.5'],
    ['unknown', 'Unknown: missing input: 4.14.8 to 4.15.3'],
    ['action-required', 'Action required: 4.17.9 to 4.19.2'],
    ['no-path', 'Blocked: 4.14.8 to 4.18.11'],
    ['control-plane-only', 'Action required: 4.14.8 to 4.16.5'],
    ['windows', 'Action required: 4.14.8 to 4.16.5'],
    ['windows-too-short', 'Action required: 4.14.8 to 4.16.5'],
    ['nothing-to-do', 'Ready: at 4.14.8'],
  ])('%s', (name, verdict) => {
    const [title, , , next] = textOf(REPORTS[name]!).split('\n');
    expect(title).toBe(verdict);
    expect(next).toMatch(/^Next: ./);
    expect(markdownOf(REPORTS[name]!).split('\n')[0]).toBe(`# ${verdict}`);
  });
});

describe('the report on a plan from versions alone', () => {
  it('says so in place of a verdict, and names no cluster', () => {
    const [title, , , caution] = textOf(REPORTS['assumed']!).split('\n');
    expect(title).toBe('Upgrade plan: 4.14.30 to 4.16.5');
    expect(caution).toBe('Made from versions alone. Check the cluster itself before the update');
    expect(textOf(REPORTS['assumed']!)).not.toContain('Advised: ');
  });

  it('is followed by what to mirror, if there is anything', () => {
    const [version, payload] = ['4.15.20', payloadOf('4.15.20')];
    const digest = payload.split('@')[1]!;
    const markdown = asMarkdown(mirrorReport([{ version, payload, digest, arch: 'amd64' }]));
    expect(markdown).toContain(`## To mirror\n\n| Version | Architecture | Image |\n`);
    expect(markdown).toContain(`| 4.15.20 | amd64 | ${payload} |\n`);
    expect(markdown).toContain('- Platform content only: ');
    expect(mirrorReport([])).toEqual([]);
  });
});

describe('findings', () => {
  const overrides = [{ kind: 'Deployment', group: 'apps', namespace: 'openshift-etcd', name: 'etcd' }];
  const facts = aCluster({ clusterVersion: aClusterVersion({ unmanagedOverrides: overrides }) });

  it('are explained once, and named where they come up again', async () => {
    const text = textOf(await aReport({ facts, to: '4.16.5' }));
    // In the summary and at the first hop.
    expect(text.match(/is unmanaged/g)).toHaveLength(2);
    expect(text).toContain(
      '  BLOCKER  Components are unmanaged\n    OverridesUnset (ClusterVersionOverridesSet)',
    );
    expect(text).toContain('As before: Components are unmanaged');
  });

  it('quote operators word for word, line by line, in every format', async () => {
    const lines = [
      'EtcdMembersDegraded: 2 of 3 members are available, master-1 is unhealthy',
      'see the pods',
    ];
    const said = lines.join('\n');
    const clusterOperators = ['etcd', 'dns'].map((name) =>
      aClusterOperator(name, [aCondition('Degraded', 'True', 'Bad', said)]),
    );
    const unhealthy = aCluster({ clusterOperators });
    const report = await aReport({ facts: unhealthy, to: '4.15.3' });
    const messages = report.hops[0]!.conditions.map(({ message }) => message);
    expect(messages.filter((message) => message.includes(said))).toHaveLength(2);
    const text = textOf(report).replaceAll(/\s+/g, ' ');
    for (const line of lines) {
      expect(text.split(line).length - 1).toBeGreaterThanOrEqual(2);
      expect(markdownOf(report).split(line).length - 1).toBeGreaterThanOrEqual(2);
    }
    expect(report.verdict).toBe('blocked');
    const steps = report.plan.steps.map(({ text: step, kind }) => `${kind} ${step}`);
    const first = steps.findIndex((step) => step.startsWith('update'));
    expect(steps.slice(0, first).join()).toContain('etcd');
    const patch = await aReport({ facts: unhealthy, to: '4.14.20' });
    expect(patch.verdict).toBe('ready-with-warnings');
  });

  it('stay when they were accepted, and say so', async () => {
    const report = await aReport({ facts, to: '4.15.3', options: { accept: ['OverridesUnset'] } });
    expect(textOf(report)).toContain(
      '  ACCEPTED  Components are unmanaged\n    OverridesUnset (ClusterVersionOverridesSet)',
    );
    expect(markdownOf(report)).toContain(
      '**ACCEPTED** Components are unmanaged (OverridesUnset, ClusterVersionOverridesSet)',
    );
  });
});

describe('known risks', () => {
  const answer = foundAlong(['4.14.30', '4.15.20', '4.16.5'], [true, true]);
  type Applies = Readonly<Record<string, RiskAnswer['applies']>>;

  it.each<[Applies, readonly string[], string]>([
    [{ A: 'no', B: 'no' }, [], 'none of 2 risks applies'],
    [{ A: 'yes', B: 'no' }, [], '1 of 2 risks applies (A)'],
    [{ A: 'yes', B: 'yes' }, [], '2 of 2 risks apply (A, B)'],
    [{ A: 'yes', B: 'unknown' }, ['A'], '1 of 2 risks unknown (B), 1 of 2 risks accepted (A)'],
  ])('%o are counted for each hop, and named unless they do not apply', (applies, accepted, words) => {
    const by = { reason: null, owner: null, until: null };
    const plan = reportOn(
      aCluster({}, '4.14.30'),
      answer,
      {},
      {
        clusterRisks: ({ name }) => ({ applies: applies[name]!, decidedBy: [], source: 'facts', asOf: null }),
        acceptedRisks: new Map(accepted.map((name) => [name, by])),
      },
    );
    const [, first] = textOf(plan).split('Known risks\n');
    expect(first?.split('\n').find((line) => line.startsWith('- '))).toBe(`- 4.14.30 to 4.15.20: ${words}`);
  });
});

describe('words', () => {
  it.each([
    [0, '0 min'],
    [99, '99 min'],
    [100, '1 h 40 min'],
    [120, '2 h'],
    [1445, '24 h 5 min'],
  ])('%d minutes are %s', (minutes, words) => {
    expect(minutesInWords(minutes)).toBe(words);
  });

  it('prints ranges in the unit of the longest', () => {
    expect(rangeInWords({ min: 15, expected: 30, max: 60 })).toBe('30 min (15 to 60)');
    expect(rangeInWords({ min: 45, expected: 60, max: 125 })).toBe('60 min (45 min to 2 h 5 min)');
    expect(totalInWords({ min: 90, expected: 120, max: 210, worst: 250 })).toBe(
      '2 h (90 min to 3 h 30 min), 4 h 10 min at worst',
    );
    expect(totalInWords({ min: 45, expected: 60, max: 125, worst: 125 })).toBe(
      '60 min (45 min to 2 h 5 min)',
    );
  });

  it('counts what there is', () => {
    expect(countsInWords(1, 2, 3)).toBe('1 blocker, 2 upcoming blockers, 3 warnings');
    expect(countsInWords(0, 0, 1)).toBe('1 warning');
    expect(countsInWords(0, 0, 0)).toBe('No blockers or warnings');
  });
});
