import type { ClusterFacts, ClusterVersionFacts } from '@cairn/shared/cluster/facts';
import { planScript } from '@cairn/shared/plan/run-sheet/script';
import type { AcceptedRisk } from '@cairn/shared/risk/acceptances';
import type { RiskAnswer } from '@cairn/shared/risk/cluster-risks';
import type { RiskSources } from '@cairn/shared/safety/evidence/risks';
import { describe, expect, it } from 'vitest';
import { aCluster, aClusterVersion, aCondition, anUpdate } from '../../../../helpers/cluster/clusters.ts';
import { aRisk } from '../../../../helpers/path/answers.ts';
import { foundAlong } from '../../../../helpers/plan/assumed-plans.ts';
import { commandsOf, isUpdate, stepOf, stepsOf } from '../../../../helpers/plan/plan-outlines.ts';
import { reportOn } from '../../../../helpers/plan/reports.ts';

const PATH = ['4.22.3', '4.22.9', '5.0.4'];
const ACCEPT = 'OC_ENABLE_CMD_UPGRADE_ACCEPT_RISKS=true oc adm upgrade accept';

function aNewerCluster(
  changes: Partial<ClusterVersionFacts>,
  more: Partial<ClusterFacts> = {},
): ClusterFacts {
  return aCluster({ clusterVersion: aClusterVersion(changes, PATH[0]), ...more }, PATH[0]);
}

const known = (name: string, status: string) => ({
  name,
  url: `https://example.com/${name}`,
  message: '',
  applies: aCondition('Applies', status),
});
const conditional = (...names: readonly string[]) =>
  anUpdate({ conditional: true, risks: names.map((name) => aRisk(name)) });

describe('known risks', () => {
  it('are accepted before each hop, those that may apply and are not accepted yet, and removed at the end', () => {
    const facts = aNewerCluster({
      knownRisks: [known('A', 'True'), known('B', 'False'), known('C', 'Unknown'), known('D', 'True')],
      acceptedRisks: ['D'],
    });
    const updates = [conditional('A', 'B', 'C', 'D'), conditional('C', 'E')];
    const steps = stepsOf(facts, PATH, { updates });
    const accepts = steps.filter(({ kind }) => kind === 'accept');
    expect(accepts.map(({ hop, text, command }) => [hop, text, command])).toEqual([
      [
        0,
        'Read the known risks of 4.22.9, and accept them if you can: A (https://example.com/A), C (https://example.com/C), D (https://example.com/D, accepted)',
        `${ACCEPT} A,C`,
      ],
      [
        1,
        'Read the known risks of 5.0.4, and accept them if you can: C (https://example.com/C), E (https://example.com/E)',
        `${ACCEPT} E`,
      ],
      [
        null,
        'If later updates should not go on with these risks, remove their acceptance: A, C, D, E',
        `${ACCEPT} A-,C-,D-,E-`,
      ],
    ]);
    expect(accepts.map(({ resolves }) => resolves?.map(({ reason }) => reason))).toEqual([
      ['MultipleReasons'],
      ['EvaluationFailed'],
      undefined,
    ]);
    expect(steps.at(-1)).toMatchObject({ kind: 'accept', blocking: false });
    expect(steps.filter(isUpdate).map(({ command }) => command)).toEqual([
      'oc adm upgrade --allow-not-recommended --to=4.22.9',
      'oc adm upgrade --allow-not-recommended --to=5.0.4',
    ]);
    const order = steps.map(({ kind, hop }) => `${kind} ${hop}`);
    expect(order.indexOf('accept 0')).toBeLessThan(order.indexOf('update 0'));
  });

  it('that only the cluster knows have its links', () => {
    const update = { version: '4.22.9', risks: ['A', 'B'], recommended: null };
    const links = [{ name: 'A', url: 'https://example.com/A' }];
    const facts = aNewerCluster({ conditionalUpdates: [{ ...update, links }] });
    expect(stepOf(stepsOf(facts, PATH.slice(0, 2), { updates: [conditional('B')] }), 'accept').text).toBe(
      'Read the known risks of 4.22.9, and accept them if you can: A (https://example.com/A), B (https://example.com/B)',
    );
  });

  it('need no step and no flag if none applies', () => {
    const facts = aNewerCluster({ knownRisks: [known('A', 'False')] });
    const steps = stepsOf(facts, PATH.slice(0, 2), { updates: [conditional('A')] });
    expect(steps.filter(({ kind }) => kind === 'accept')).toEqual([]);
    expect(steps.find(isUpdate)?.command).toBe('oc adm upgrade --to=4.22.9');
  });

  it('that are accepted already need no step before the update', () => {
    const facts = aNewerCluster({ knownRisks: [known('A', 'True')], acceptedRisks: ['A'] });
    const steps = stepsOf(facts, PATH.slice(0, 2), { updates: [conditional('A')] });
    expect(stepOf(steps, 'accept')).toMatchObject({ hop: null, command: `${ACCEPT} A-` });
    expect(steps.find(isUpdate)?.command).toBe('oc adm upgrade --to=4.22.9');
  });

  it.each<[string, Partial<ClusterVersionFacts>, Partial<ClusterFacts>]>([
    ['cluster without the feature', {}, {}],
    [
      'hosted cluster',
      { knownRisks: [], acceptedRisks: [] },
      { infrastructure: { platform: 'AWS', controlPlaneTopology: 'External' } },
    ],
  ])('of a %s have no command', (_, changes, more) => {
    const steps = stepsOf(aNewerCluster(changes, more), PATH.slice(0, 2), { updates: [conditional('A')] });
    expect(commandsOf(stepOf(steps, 'accept'))).toEqual([]);
  });

  it('that are guards, or that oc would misread, are in no command', () => {
    const names = ['A', 'A-', 'B,C', "x'; reboot", 'AdminAck-4.22-x', 'ClusterVersionOverrides'];
    const facts = aNewerCluster({ knownRisks: names.map((name) => known(name, 'True')) });
    const steps = stepsOf(facts, PATH.slice(0, 2), { updates: [conditional(...names)] });
    const [first, last] = steps.filter(({ kind }) => kind === 'accept');
    expect([first!.command, last!.command]).toEqual([`${ACCEPT} A`, `${ACCEPT} A-`]);
    const [accept, resolve] = first!.text.split('. Resolve ');
    expect(accept).not.toMatch(/AdminAck|ClusterVersionOverrides/);
    expect(resolve).toBe(
      'AdminAck-4.22-x and ClusterVersionOverrides instead: the plan has a finding for the cause',
    );
  });

  it('that are guards only are resolved, not accepted', () => {
    const facts = aNewerCluster({ knownRisks: [known('AdminAck-4.22-x', 'True')] });
    const steps = stepsOf(facts, PATH.slice(0, 2), { updates: [conditional('AdminAck-4.22-x')] });
    expect(steps.filter(({ kind }) => kind === 'accept')).toEqual([]);
    expect(steps[0]).toMatchObject({
      kind: 'check',
      text: 'Resolve AdminAck-4.22-x instead of accepting: the plan has a finding for the cause',
      command: 'oc adm upgrade',
      resolves: [{ type: 'PathRecommended', reason: 'ExposedToRisks' }],
    });
    expect(steps.find(isUpdate)?.command).toBe('oc adm upgrade --to=4.22.9');
  });

  it('for which the cluster refused the update are in the same step', () => {
    const facts = aNewerCluster({
      conditions: [aCondition('ReleaseAccepted', 'False', 'UnacceptedRisks', 'not accepted: A')],
      desiredUpdate: { version: '5.0.4', image: '', force: false },
      conditionalUpdates: [{ version: '5.0.4', risks: ['A'], recommended: null }],
      knownRisks: [known('A', 'True')],
    });
    const path = [PATH[0]!, '5.0.4'];
    const steps = stepsOf(facts, path, { updates: [anUpdate()] });
    expect(steps.find(({ kind }) => kind === 'accept')).toMatchObject({
      hop: 0,
      command: `${ACCEPT} A`,
      resolves: [
        { type: 'PathRecommended', reason: 'A' },
        { type: 'PathRecommended', reason: 'UpdateRefused' },
      ],
      blocking: true,
    });
    expect(reportOn(facts, foundAlong(path)).verdict).toBe('blocked');
  });

  describe('with verdicts', () => {
    const acceptance = { reason: 'no node uses it', owner: 'platform', until: '2026-12-31T00:00:00.000Z' };
    interface Verdict {
      readonly applies: RiskAnswer['applies'];
      readonly accepted: AcceptedRisk | null;
    }
    const verdict = (applies: Verdict['applies'], accepted: AcceptedRisk | null = null): Verdict => ({
      applies,
      accepted,
    });
    const sources = (risks: Readonly<Record<string, Verdict>>): RiskSources => ({
      clusterRisks: ({ name }) => ({
        applies: risks[name]!.applies,
        decidedBy: [],
        source: 'facts',
        asOf: null,
      }),
      acceptedRisks: new Map(
        Object.entries(risks).flatMap(([name, { accepted }]) =>
          accepted === null ? [] : [[name, accepted]],
        ),
      ),
    });
    const withGate = aNewerCluster({ knownRisks: [], acceptedRisks: [] });
    const sheet = (facts: ClusterFacts, risks: Readonly<Record<string, Verdict>>) => {
      const updates = [conditional(...Object.keys(risks))];
      const found = stepsOf(facts, PATH.slice(0, 2), { updates, ...sources(risks) });
      const accept = found.find(({ kind, hop }) => kind === 'accept' && hop === 0);
      return { accept, update: found.find(isUpdate)?.command, steps: found };
    };

    it('that apply and are accepted are lifted by the cluster, and the step shows by whom', () => {
      const { accept, update } = sheet(withGate, {
        B: verdict('yes', { reason: null, owner: null, until: null }),
        A: verdict('yes', acceptance),
      });
      expect(accept).toMatchObject({
        command: `${ACCEPT} A,B`,
        commands: [
          '# A accepted by platform until 2026-12-31T00:00:00.000Z: no node uses it',
          `${ACCEPT} A,B`,
        ],
      });
      expect(accept?.text).toMatch(/: A \(.*accepted\), B \(.*accepted\)$/);
      expect(update).toBe('oc adm upgrade --to=4.22.9');
    });

    it.each<[string, Verdict, boolean]>([
      ['accepted and unknown', verdict('unknown', acceptance), true],
      ['not accepted', verdict('yes'), true],
      ['unknown', verdict('unknown'), true],
      ['accepted and applies', verdict('yes', acceptance), false],
      ['does not apply', verdict('no'), false],
    ])('need a flag where one is %s: %o', (_, risk, needsFlag) => {
      const { update } = sheet(withGate, { A: verdict('yes', acceptance), B: risk });
      expect(update).toBe(`oc adm upgrade ${needsFlag ? '--allow-not-recommended ' : ''}--to=4.22.9`);
    });

    it('that are accepted need the flag where the cluster has no command for it', () => {
      const risks = { A: verdict('yes', acceptance) };
      const { accept, update } = sheet(aNewerCluster({}), risks);
      expect([accept?.command, accept?.commands]).toEqual([undefined, undefined]);
      expect(update).toBe('oc adm upgrade --allow-not-recommended --to=4.22.9');
      const preview = aNewerCluster({}, { featureSet: 'TechPreviewNoUpgrade' });
      expect(sheet(preview, risks)).toMatchObject({
        accept: { command: `${ACCEPT} A` },
        update: 'oc adm upgrade --to=4.22.9',
      });
      const olderPath = ['4.21.3', '4.21.9'];
      const older = aCluster(
        { clusterVersion: aClusterVersion({}, '4.21.3'), featureSet: 'TechPreviewNoUpgrade' },
        '4.21.3',
      );
      const more = { updates: [conditional('A')], ...sources(risks) };
      expect(stepsOf(older, olderPath, more).find(isUpdate)?.command).toBe(
        'oc adm upgrade --allow-not-recommended --to=4.21.9',
      );
    });

    it('that do not apply need no step', () => {
      const { steps } = sheet(withGate, { A: verdict('no'), B: verdict('no', acceptance) });
      expect(steps.filter(({ kind }) => kind === 'accept')).toEqual([]);
    });

    it('that oc would misread need the flag, even if they are accepted', () => {
      const { accept, update } = sheet(withGate, { "x'; reboot": verdict('yes', acceptance) });
      expect(accept?.command).toBeUndefined();
      expect(update).toBe('oc adm upgrade --allow-not-recommended --to=4.22.9');
    });

    it('have hostile reasons in one comment, which the script only shows', () => {
      const reason = "x\nreboot; $(reboot) '`\u001b[31m\u2028reboot";
      const { accept } = sheet(withGate, { A: verdict('yes', { ...acceptance, reason }) });
      expect(accept?.commands).toHaveLength(2);
      expect(accept?.commands?.[0]).toMatch(/^# [^\p{Cc}\p{Zl}]*$/u);
      const question = sources({ A: verdict('yes', { ...acceptance, reason }) });
      const facts = aNewerCluster({
        conditionalUpdates: [{ version: '4.22.9', risks: ['A'], recommended: null }],
        knownRisks: [known('A', 'True')],
        acceptedRisks: [],
      });
      const script = planScript(reportOn(facts, foundAlong(PATH.slice(0, 2)), {}, question));
      const lines = script.split('\n').map((line) => line.trim());
      const at = lines.findIndex((line) => line.includes('# A accepted'));
      expect(lines[at]).toBe(
        `printf '  %s\\n' '# A accepted by platform until 2026-12-31T00:00:00.000Z: x reboot; $(reboot) '\\''\` reboot'`,
      );
      expect(lines[at + 1]).toBe(`printf '  %s\\n' '${ACCEPT} A'`);
      expect(lines[at + 2]).toBe('ask');
    });
  });

  it('are shown by the script, which asks and never accepts', () => {
    const facts = aNewerCluster({
      conditionalUpdates: [{ version: '4.22.9', risks: ['A'], recommended: null }],
      knownRisks: [known('A', 'True')],
    });
    const lines = planScript(reportOn(facts, foundAlong(PATH.slice(0, 2)))).split('\n');
    const shown = lines.filter((line) => line.includes(ACCEPT)).map((line) => line.trim());
    expect(shown).toEqual([`printf '  %s\\n' '${ACCEPT} A'`, `printf '  %s\\n' '${ACCEPT} A-'`]);
    expect(lines[lines.findIndex((line) => line.includes(ACCEPT)) + 1]?.trim()).toBe('ask');
  });
});
