import { mirrorOfReleases, neededReleases } from '@cairn/shared/path/mirror-list';
import type { PathStep } from '@cairn/shared/path/solver/solve';
import type { OutlineQuestion } from '@cairn/shared/plan/assumed-facts';
import { type OutlinedUpgrade, outlineMarkdown } from '@cairn/shared/plan/outline-markdown';
import { describe, expect, it } from 'vitest';
import { payloadOf } from '../../../helpers/path/answers.ts';
import { foundAlong, outlineAlong } from '../../../helpers/plan/outlines.ts';

interface Changes {
  readonly conditional?: readonly boolean[];
  readonly step?: (step: PathStep) => PathStep;
  readonly question?: Partial<OutlineQuestion>;
  readonly upgrade?: Partial<OutlinedUpgrade>;
}

function withPayload(step: PathStep): PathStep {
  const payload = payloadOf(step.version);
  return { ...step, payload, node: { ...step.node, payload } };
}

/** The plan along a path on amd64. */
function written(path: readonly string[], changes: Changes = {}): string {
  const found = foundAlong(path, changes.conditional);
  const steps = found.upgrade.path.map((step) => (changes.step ?? ((same) => same))(withPayload(step)));
  const answer = { ...found, upgrade: { ...found.upgrade, path: steps } };
  const outline = outlineAlong(path, changes.question, answer);
  return outlineMarkdown({
    answer,
    outline,
    workings: outline,
    arch: 'amd64',
    mirror: mirrorOfReleases(neededReleases(steps, 'amd64', false)),
    syncedAt: '2026-08-20T10:15:00.000Z',
    ...changes.upgrade,
  });
}

describe('a plan known from versions, as Markdown', () => {
  it('has the summary, hops, risks, steps with commands and what to mirror', async () => {
    const text = written(['4.14.30', '4.15.20', '4.16.5'], { conditional: [false, false, true] });
    await expect(text).toMatchFileSnapshot('../../../fixtures/plan-reports/markdown/outline.markdown.golden');
  });

  it.each([
    ['workers', { nodes: 1 }, 'Cluster: a single node, amd64', 'mcp/'],
    ['the steps of workers', { nodes: 3 }, 'Workers: none', 'mcp/'],
    [
      'a pause',
      { strategy: 'rolling' },
      'Reboots of each worker: 2 (1 with workers paused, 2 without)',
      'back',
    ],
  ] as const)('leaves out what there is not: %s', (_, question, there, missing) => {
    const text = written(['4.14.30', '4.15.20', '4.16.5'], { question });
    expect(text).toContain(`- ${there}\n`);
    expect(text).not.toContain(missing);
    expect(text).toContain('2 hops, no known risks');
    expect(text).not.toContain('## Known risks');
  });

  it('names each risk once, with the hops that have it', () => {
    const text = written(['4.14.30', '4.14.31', '4.15.20', '4.15.21'], {
      conditional: [false, true, false, true],
    });
    expect(text).toContain('3 hops, 2 with known risks');
    expect(text.match(/^\*\*RISK\*\*.*/gm)).toEqual([
      '**RISK** A (hops 1 and 3)',
      '**RISK** B (hops 1 and 3)',
    ]);
  });

  it('says which channels to follow, one after the other', () => {
    const path = ['4.14.30', '4.15.20', '4.16.5'];
    const { upgrade, ...answer } = foundAlong(path);
    const channelPlan = [
      { channel: 'stable-4.15', untilVersion: '4.15.20' },
      { channel: 'eus-4.16', untilVersion: '4.16.5' },
    ];
    const text = written(path, { upgrade: { answer: { ...answer, upgrade: { ...upgrade, channelPlan } } } });
    expect(text).toContain('- Channel: stable-4.15 up to 4.15.20, then eus-4.16\n');
  });

  it('warns when the release that the cluster runs was withdrawn', () => {
    const answer = { ...foundAlong(['4.14.30', '4.15.20']), sourceWithdrawn: true };
    const text = written(['4.14.30', '4.15.20'], { upgrade: { answer, syncedAt: null } });
    expect(text).toContain('- Warning: 4.14.30 was withdrawn\n');
    expect(text).not.toContain('Update data');
  });

  it('of a cluster that is there already says just that', () => {
    expect(written(['4.16.5'])).toBe(
      [
        '# Nothing to do: at 4.16.5',
        '',
        '- Cluster: 6 nodes, 3 of them control plane, amd64',
        '- Update data: 2026-08-20T10:15:00.000Z',
        '- Made from versions alone. Check the cluster itself before the update',
        '',
      ].join('\n'),
    );
  });

  it('shows whatever risks say as text', () => {
    const hostile =
      '# a\r\n| b |\r\n```\r\n- [x] <script>alert(1)</script> **c** [d](https://evil.example/e) \u001b[31m\u202e';
    const step = (each: PathStep): PathStep => ({
      ...each,
      hop: each.hop && {
        ...each.hop,
        risks: each.hop.risks.map((risk) => ({
          ...risk,
          name: risk.name + hostile,
          message: risk.message + hostile,
          url: `javascript:alert(1)//${hostile}`,
        })),
      },
    });
    const conditional = [false, true];
    const text = written(['4.14.30', '4.15.20'], { conditional, step });
    const tame = written(['4.14.30', '4.15.20'], { conditional });
    const markup = (markdown: string) => markdown.match(/^(?:#+ |\| |- \[.\]|- |`{3}|\*\*RISK)/gm);
    expect(markup(text)).toEqual(markup(tame));
    expect(text).not.toMatch(/<script|[^\\]\*\*c|[^\\]\]\(|[^\P{C}\n]/u);
    expect(text).toContain(String.raw`Read javascript:alert(1)//# a \| b \|`);
  });
});
