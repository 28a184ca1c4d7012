import { planUpgrade, type UpgradePlan } from '@cairn/shared/plan/plan';
import { planScript } from '@cairn/shared/plan/run-sheet/script';
import type { PlanStep } from '@cairn/shared/plan/run-sheet/step';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aClusterOperator,
  aClusterVersion,
  aCondition,
  aNode,
} from '../../../../helpers/cluster/clusters.ts';
import { questionOf, seededShape } from '../../../../helpers/cluster/consistent-clusters.ts';
import { aHostedCluster, aNodePool, hostedFacts } from '../../../../helpers/cluster/hosted.ts';
import { foundAlong } from '../../../../helpers/plan/assumed-plans.ts';
import { commandsOf } from '../../../../helpers/plan/plan-outlines.ts';
import { reportOn } from '../../../../helpers/plan/reports.ts';
import { sized } from '../../../../helpers/size.ts';

const PATH = ['4.14.8', '4.14.20', '4.15.7'];

function scriptOf(plan: UpgradePlan, steps: readonly PlanStep[] = plan.plan.steps): string {
  return planScript({ ...plan, plan: { ...plan.plan, steps } });
}

/** Lines of the script that run a command of the cluster, with their indentation. */
const runsIn = (script: string): string[] => script.split('\n').filter((line) => /^ *run oc /.test(line));

const aStep = (changes: Partial<PlanStep>): PlanStep => ({
  id: '1-verify',
  kind: 'verify',
  hop: null,
  text: 'Check',
  command: 'oc get nodes',
  blocking: true,
  ...changes,
});

describe('a command of the script', () => {
  const plan = reportOn(aCluster(), foundAlong(PATH));

  it.each([
    'oc get nodes',
    'oc get nodes -o json',
    `oc get clusterversion version -o jsonpath='{.status.history[0].state}'`,
    String.raw`oc get mcp/'it'\''s'`,
    `oc patch mcp/worker --type merge -p '{"spec":{"paused":true}}'`,
    'oc adm upgrade --to=4.14.20',
  ])('is run: %s', (command) => {
    expect(runsIn(scriptOf(plan, [aStep({ command })]))).toEqual([`run ${command}`]);
  });

  it.each([
    'oc get nodes; reboot',
    'oc get nodes && reboot',
    'oc get nodes | sh',
    'oc get nodes > file',
    'oc get nodes $(reboot)',
    'oc get nodes `reboot`',
    'oc get nodes "$HOME"',
    'oc get nodes *',
    'oc get nodes\nreboot',
    "oc get nodes 'open",
    // A quoted word that is an option, and not a name.
    "oc get nodes '--kubeconfig=x'",
    "oc get nodes '-w'",
    'oc get nodes -w',
    'oc get nodes --kubeconfig=other',
    'oc get nodes --server https://example.com',
    'oc wait mcp/worker --for=condition=Updated=True --timeout=-1s',
    'oc adm upgrade --force --to=4.14.20',
    'oc delete node worker-0',
    'oc -n shop delete pdb strict',
    'reboot',
    '',
  ])('is shown at most, and asked about: %j', (command) => {
    const script = scriptOf(plan, [aStep({ command })]);
    expect(runsIn(script)).toEqual([]);
    expect(script).toMatch(/^ask$/m);
  });

  it('is not run if one of several is not allowed', () => {
    const commands = ['oc get nodes', 'oc get nodes; reboot'];
    expect(runsIn(scriptOf(plan, [aStep({ command: commands[0]!, commands })]))).toEqual([]);
  });

  it('of a kind that a person decides about is never run', () => {
    const kinds = [
      'ack',
      'accept',
      'fix',
      'check',
      'backup',
      'migrate-api',
      'suspend',
      'resume',
      'mirror',
    ] as const;
    const steps = kinds.map((kind) => aStep({ kind }));
    expect(runsIn(scriptOf(plan, steps))).toEqual([]);
  });
});

it('the script prepares for an update only until it has begun, also before steps of a later hop', () => {
  const plan = reportOn(aCluster(), foundAlong(PATH));
  const steps = [
    aStep({ kind: 'wait', hop: 0, command: 'oc wait mcp/worker --for=condition=Updated=True --timeout=30m' }),
    aStep({ kind: 'fix', hop: 1 }),
    aStep({ kind: 'update', hop: 0, command: 'oc adm upgrade --to=4.14.20' }),
    aStep({ hop: 0 }),
  ];
  const lines = scriptOf(plan, steps).split('\n');
  const guarded = runsIn(lines.join('\n')).map((line) => {
    const guards = lines
      .slice(0, lines.indexOf(line))
      .filter((each) => /^( {2})?if ! is_|^( {2})?fi$/.test(each));
    return [line.trim(), guards.at(-1)?.trim()];
  });
  expect(guarded).toEqual([
    ['run oc wait mcp/worker --for=condition=Updated=True --timeout=30m', 'if ! is_desired 4.14.20; then'],
    ['run oc adm upgrade --to=4.14.20', 'if ! is_desired 4.14.20; then'],
    ['run oc get nodes', 'fi'],
  ]);
});

describe('the script of a cluster at its target', () => {
  const scriptOf = (ready: string) => {
    const facts = aCluster({ nodes: [aNode('master-0', { ready }, 'master')] });
    return planScript(reportOn(facts, foundAlong(['4.14.8'])));
  };

  it('checks the cluster, and has no update', () => {
    expect(scriptOf('True')).toContain('This is not cluster 00000000-0000-4000-8000-000000000001.');
    expect(runsIn(scriptOf('True'))).toEqual([]);
    expect(scriptOf('True')).toContain('The cluster is at 4.14.8.');
  });

  it('ends at what is broken', () => {
    expect(scriptOf('Unknown')).toContain(`fail 'Blocked. Resolve this, then make a new plan.'`);
  });
});

describe('a wait of the script', () => {
  const blocked = (type: string, accept: readonly string[] = []) =>
    reportOn(
      aCluster(
        {
          networkMigration: { isInProgress: true, message: 'half the nodes are done' },
          clusterVersion: aClusterVersion(
            {
              conditions: [
                aCondition('RetrievedUpdates', 'True'),
                aCondition(type, type === 'Progressing' ? 'True' : 'False', 'ResourceDeletesInProgress'),
              ],
            },
            '4.16.20',
          ),
        },
        '4.16.20',
      ),
      foundAlong(['4.16.20', '4.17.5']),
      { accept },
    );

  it('ends a blocked script if no command of it waits', () => {
    const plan = blocked('Upgradeable');
    const waits = plan.plan.steps.filter(({ kind }) => kind === 'wait');
    expect(waits.map(({ resolves }) => resolves)).toEqual([
      [{ type: 'ForwardGuards', reason: 'ResourceDeletesInProgress' }],
      [{ type: 'ForwardGuards', reason: 'NetworkMigrationInProgress' }],
    ]);
    for (const wait of waits) {
      const script = scriptOf(
        plan,
        plan.plan.steps.filter(({ kind, id }) => kind !== 'wait' || id === wait.id),
      );
      expect(runsIn(script)).toEqual([]);
      expect(script).toContain(`fail 'Blocked. Resolve this, then make a new plan.'`);
    }
  });

  it('for an update goes on only if that update is Completed', () => {
    const plan = blocked('Progressing');
    const [wait] = plan.plan.steps;
    expect(wait).toMatchObject({ kind: 'wait', blocking: true });
    const lines = scriptOf(plan, [wait!])
      .split('\n')
      .map((line) => line.trim());
    const after = 'run oc adm wait-for-stable-cluster --minimum-stable-period=5m --timeout=120m';
    expect(lines[lines.indexOf(after) + 1]).toBe(`is_completed 4.16.20 || fail '4.16.20 is not Completed.'`);
  });

  it('does not wait for an update that a person accepted to replace', () => {
    const plan = blocked('Progressing', ['NoUpdateInProgress']);
    const [wait] = plan.plan.steps;
    expect(wait).toMatchObject({ kind: 'wait', blocking: false, command: 'oc adm upgrade' });
    expect(runsIn(scriptOf(plan, [wait!]))).toEqual([]);
  });
});

describe('a text of the script', () => {
  const plan = reportOn(aCluster(), foundAlong(PATH));

  it('sends nothing to the terminal that moves its cursor or hides text', () => {
    const hidden = 'Check \u001b[2Kpool\u202e\n a';
    const script = scriptOf(plan, [
      aStep({ kind: 'check', text: hidden, command: `oc get mcp/'a\u001b[2Kb'` }),
    ]);
    expect(script).toContain(`'Check pool a'`);
    // oxlint-disable-next-line no-control-regex
    expect(script).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  it('shows the command for a cluster without an update service, and runs the other', () => {
    const commands = [
      'oc adm upgrade --to=4.14.20',
      'oc adm upgrade --allow-explicit-upgrade --to-image=r@x',
    ];
    const script = scriptOf(plan, [aStep({ kind: 'update', hop: 0, commands })]);
    expect(runsIn(script).map((line) => line.trim())).toEqual([`run ${commands[0]}`]);
    expect(script).toContain(`printf '  %s\\n' '${commands[1]}'`);
  });
});

describe('a hop of the script', () => {
  const steps = [
    aStep({
      kind: 'pause',
      hop: 0,
      command: `oc patch mcp/worker --type merge -p '{"spec":{"paused":true}}'`,
    }),
    aStep({ kind: 'update', hop: 0, command: 'oc adm upgrade channel stable-4.15' }),
    aStep({ kind: 'update', hop: 0, command: 'oc adm upgrade --to=4.14.20' }),
    aStep({ kind: 'verify', hop: 0, command: 'oc get clusteroperators' }),
  ];
  const lines = scriptOf(reportOn(aCluster(), foundAlong(PATH)), steps).split('\n');
  const at = (part: string) => lines.findIndex((line) => line.includes(part));

  it('skips all up to its update while the update runs, and only that', () => {
    expect(lines.filter((line) => line.includes('is_desired 4.14.20'))).toHaveLength(1);
    const guard = at('if ! is_desired 4.14.20; then');
    const end = lines.findIndex((line, index) => index > guard && line === '  fi');
    expect(guard).toBeGreaterThan(at('if ! is_completed 4.14.20; then'));
    for (const part of ['"paused":true', 'upgrade channel', '--to=4.14.20']) {
      expect([guard < at(part), at(part) < end]).toEqual([true, true]);
    }
    expect(at('run oc get clusteroperators')).toBeGreaterThan(end);
  });
});

describe('a step inside a hosted cluster', () => {
  const facts = hostedFacts(aHostedCluster(), [aNodePool('workers', '4.18.10')]);
  const plan = reportOn(facts, foundAlong(['4.18.10', '4.19.1']), { policy: 'hosted' });
  const command = 'oc -n clusters get hostedcluster guest';

  it('is not run with the kubeconfig of the management cluster', () => {
    const inside = scriptOf(plan, [aStep({ command, where: 'hosted' })]);
    expect([runsIn(inside), /^ask$/m.test(inside)]).toEqual([[], true]);
    const management = scriptOf(plan, [aStep({ command, where: 'management' })]);
    expect(runsIn(management)).toEqual([`run ${command}`]);
  });

  it('runs no command of the management cluster itself', () => {
    for (const other of [
      'oc get nodes',
      `oc patch mcp/worker --type merge -p '{}'`,
      'oc adm upgrade --to=4.19.1',
    ]) {
      expect(runsIn(scriptOf(plan, [aStep({ command: other, where: 'management' })]))).toEqual([]);
    }
  });
});

const CLUSTERS = sized(200, 2_000);

describe(`the scripts of ${CLUSTERS} drawn clusters`, () => {
  const plans = Array.from({ length: CLUSTERS }, (_, seed) =>
    planUpgrade(questionOf(seededShape(seed))),
  ).filter(({ verdict }) => verdict === 'blocked');

  it('end at their first blocker, unless commands that end or fail resolve all of them', () => {
    expect(plans.length).toBeGreaterThan(CLUSTERS / 10);
    for (const plan of plans.filter((each) => !planScript(each).includes(`fail 'Blocked.`))) {
      const lines = runsIn(planScript(plan)).map((line) => line.trim());
      const blockers = plan.hops
        .flatMap(({ conditions }) => conditions)
        .filter(({ effect }) => effect === 'block');
      for (const { type, reason } of blockers) {
        const commands = plan.plan.steps
          .filter(({ resolves = [] }) =>
            resolves.some((each) => each.type === type && each.reason === reason),
          )
          .flatMap(commandsOf)
          .filter((command) => / --timeout=\d+m$/.test(command));
        expect([reason, commands.length > 0]).toEqual([reason, true]);
        expect(lines).toEqual(expect.arrayContaining(commands.map((command) => `run ${command}`)));
      }
    }
  });
});

describe('the script of a plan that is blocked at a later hop', () => {
  const refusing = aClusterOperator('dns', [aCondition('Upgradeable', 'False', 'Blocked', 'not yet')]);
  const plan = reportOn(aCluster({ clusterOperators: [refusing] }), foundAlong(PATH));
  // The check before the patch names the same finding.
  const script = scriptOf(
    plan,
    plan.plan.steps.filter(({ kind }) => kind !== 'check'),
  );

  it('ends at the blocker, after the patch and before the minor', () => {
    expect(plan.hops.map(({ verdict }) => verdict)).toEqual(['allowed-with-warnings', 'blocked']);
    const updates = runsIn(script).filter((line) => line.includes('--to='));
    expect(updates.map((line) => line.trim())).toEqual(['run oc adm upgrade --to=4.14.20']);
    expect(script).toContain(`fail 'Blocked. Resolve this, then make a new plan.'`);
  });

  it('goes on past it once it is accepted', () => {
    const accepted = reportOn(aCluster({ clusterOperators: [refusing] }), foundAlong(PATH), {
      accept: ['ClusterOperatorsUpgradeable'],
    });
    expect(planScript(accepted)).toContain('run oc adm upgrade --to=4.15.7');
    expect(planScript(accepted)).not.toContain('Blocked.');
  });
});
