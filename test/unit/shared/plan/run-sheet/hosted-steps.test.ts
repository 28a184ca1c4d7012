import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { planReport } from '@cairn/shared/plan/report';
import { planScript } from '@cairn/shared/plan/run-sheet/script';
import { asText } from '@cairn/shared/text/as-text';
import { describe, expect, it } from 'vitest';
import { aCondition, historyOf } from '../../../../helpers/cluster/clusters.ts';
import {
  aHostedCluster,
  aNodePool,
  hostedFacts,
  withControlPlane,
} from '../../../../helpers/cluster/hosted.ts';
import { payloadOf } from '../../../../helpers/path/answers.ts';
import { foundAlong } from '../../../../helpers/plan/assumed-plans.ts';
import { commandsOf, isUpdate } from '../../../../helpers/plan/plan-outlines.ts';
import { reportOn } from '../../../../helpers/plan/reports.ts';

const TO_4_22 = ['4.18.10', '4.19.5', '4.20.5', '4.21.5', '4.22.5'];
const pools = [aNodePool('a', '4.18.10'), aNodePool('b c', '4.18.10', { upgradeType: 'InPlace' })];
const guest = hostedFacts(aHostedCluster(), pools);

function planAlong(facts: ClusterFacts, path: readonly string[]) {
  const answer = foundAlong(path);
  const payloads = answer.upgrade.path.map((step) => ({ ...step, payload: payloadOf(step.version) }));
  const channelPlan = [{ channel: 'stable-4.22', untilVersion: path.at(-1)! }];
  return reportOn(facts, { ...answer, upgrade: { ...answer.upgrade, path: payloads, channelPlan } });
}

const rollsOf = (path: readonly string[]) =>
  planAlong(guest, path)
    .plan.steps.filter(({ kind }) => kind === 'roll-pool')
    .map(({ hop, text }) => `${hop} ${text.split(':')[0]}`);

describe('the run sheet of a hosted cluster', () => {
  it('updates node pools at the end, and before the hop that skew does not allow', () => {
    expect(rollsOf(TO_4_22.slice(0, 4))).toEqual([
      'null Update node pool a to 4.21.5',
      'null Update node pool b c to 4.21.5',
    ]);
    expect(rollsOf(TO_4_22)).toEqual([
      '3 Update node pool a to 4.21.5',
      '3 Update node pool b c to 4.21.5',
      'null Update node pool a to 4.22.5',
      'null Update node pool b c to 4.22.5',
    ]);
    expect(planAlong(guest, TO_4_22).verdict).not.toBe('blocked');
  });

  it('updates a control plane that has a release of its own with both fields', () => {
    const own = hostedFacts(aHostedCluster({ controlPlaneImage: payloadOf('4.18.10') }), pools);
    const updateOf = (facts: ClusterFacts) =>
      commandsOf(planAlong(facts, ['4.18.10', '4.18.20']).plan.steps.find(isUpdate)!)[0];
    const release = { image: payloadOf('4.18.20') };
    const patch = 'oc -n clusters patch hostedcluster guest --type=merge -p';
    expect(updateOf(own)).toBe(
      `${patch} '${JSON.stringify({ spec: { release, controlPlaneRelease: release } })}'`,
    );
    expect(updateOf(guest)).toBe(`${patch} '${JSON.stringify({ spec: { release } })}'`);
  });

  it('names the objects and digests, and where each command runs', () => {
    const { steps } = planAlong(guest, ['4.18.10', '4.19.5']).plan;
    const oc = 'oc -n clusters';
    expect(
      steps.filter(({ kind }) => kind !== 'ack').map((step) => [step.kind, step.where, commandsOf(step)]),
    ).toEqual([
      ['check', 'management', ['oc get clusterversion,clusteroperators', 'oc get multiclusterengines']],
      [
        'check',
        'hosted',
        expect.arrayContaining(['oc get clusteroperators -o json', 'oc get nodes -o json']),
      ],
      [
        'update',
        'management',
        [`${oc} patch hostedcluster guest --type=merge -p '{"spec":{"channel":"stable-4.22"}}'`],
      ],
      [
        'update',
        'management',
        [
          `${oc} patch hostedcluster guest --type=merge -p '{"spec":{"release":{"image":"${payloadOf('4.19.5')}"}}}'`,
        ],
      ],
      [
        'verify',
        'management',
        [
          `${oc} wait hostedcluster/guest --for=jsonpath='{.status.version.history[0].version}'=4.19.5 --timeout=60m`,
          `${oc} wait hostedcluster/guest --for=jsonpath='{.status.version.history[0].state}'=Completed --timeout=60m`,
          `${oc} get hostedcluster guest`,
        ],
      ],
      [
        'roll-pool',
        'management',
        [
          `${oc} patch nodepool a --type=merge -p '{"spec":{"release":{"image":"${payloadOf('4.19.5')}"}}}'`,
          `${oc} wait nodepool/a --for=jsonpath='{.status.version}'=4.19.5 --timeout=60m`,
          `${oc} wait nodepool/a --for=condition=UpdatingVersion=False --timeout=60m`,
        ],
      ],
      ['roll-pool', 'management', expect.arrayContaining([expect.stringContaining(`patch nodepool 'b c' `)])],
      ['verify', 'management', [`${oc} get hostedcluster guest`, `${oc} get nodepools`]],
    ]);
  });

  it('asks once to plan from inside, with the commands of all documents that only the hosted cluster has', () => {
    const checks = planAlong(guest, TO_4_22).plan.steps.filter(
      ({ kind, where }) => kind === 'check' && where === 'hosted',
    );
    expect(checks.map(({ text }) => text)).toEqual(['Plan from inside the hosted cluster too']);
    expect(commandsOf(checks[0]!)).toEqual(
      expect.arrayContaining(['oc get nodes -o json', 'oc get featuregates cluster -o json']),
    );
    expect(checks[0]!.resolves).toEqual(
      expect.arrayContaining([
        { type: 'HostedClusterReady', reason: 'NotChecked' },
        { type: 'ForwardGuards', reason: 'RestrictedFeatureGates' },
      ]),
    );
  });

  it('acknowledges gates inside the hosted cluster', () => {
    const facts = hostedFacts(aHostedCluster({}, '4.14.8'), [aNodePool('a', '4.14.8')], {
      hostedVersions: ['4.15', '4.16'],
    });
    const acks = planAlong(facts, ['4.14.8', '4.15.20', '4.16.9']).plan.steps.filter(
      ({ kind }) => kind === 'ack',
    );
    expect(acks.length).toBeGreaterThan(0);
    expect(acks.every(({ where }) => where === 'hosted')).toBe(true);
  });

  it('waits for the update in progress by the history of the control plane', () => {
    const facts = hostedFacts(withControlPlane('4.19.5 P', '4.18.10 C'), pools);
    const version = { ...facts.clusterVersion!, history: historyOf('4.19.5 P', '4.18.10 C') };
    const [first] = planAlong({ ...facts, clusterVersion: version }, ['4.19.5', '4.20.5']).plan.steps;
    expect(first).toMatchObject({
      kind: 'wait',
      where: 'management',
      command: `oc -n clusters wait hostedcluster/guest --for=jsonpath='{.status.controlPlaneVersion.history[0].state}'=Completed --timeout=120m`,
    });
  });

  it('updates pools that are too old first, which resolves the finding', () => {
    const facts = hostedFacts(aHostedCluster({}, '4.21.5'), pools);
    const plan = planAlong(facts, ['4.21.5', '4.22.5']);
    const rolls = plan.plan.steps.filter(({ hop, kind }) => kind === 'roll-pool' && hop === 0);
    expect(rolls.map(({ resolves }) => resolves)).toEqual(
      pools.map(() => [{ type: 'HostedSkew', reason: 'NodePoolTooOldAfterHop' }]),
    );
    const update = plan.plan.steps.findIndex(isUpdate);
    expect(rolls.every((step) => plan.plan.steps.indexOf(step) < update)).toBe(true);
  });

  it('mirrors releases only if its documents have mirrors, and applies no signature file', () => {
    const conditions = [aCondition('ClusterVersionRetrievedUpdates', 'False', 'NoChannel')];
    const hosted = hostedFacts(aHostedCluster({ conditions }), pools);
    const mirrors = (facts: ClusterFacts) =>
      planAlong(facts, ['4.18.10', '4.19.5']).plan.steps.filter(({ kind }) => kind === 'mirror');
    expect(mirrors(hosted)).toEqual([]);
    const digestMirrorSets = [
      { name: 'releases', mirrors: [{ source: 'quay.io/openshift-release-dev', mirrors: [] }] },
    ];
    const [step, ...others] = mirrors({ ...hosted, digestMirrorSets });
    expect(step?.text).toMatch(/^Mirror release 4\.19\.5 by digest/);
    expect(step?.text).not.toContain('signature file');
    expect(others).toEqual([]);
  });

  it('has no step of another kind of cluster, whatever is wrong', () => {
    const conditions = ['Available', 'EtcdAvailable', 'ReconciliationActive'].map((type) =>
      aCondition(type, 'False'),
    );
    for (const hosted of [
      aHostedCluster(),
      aHostedCluster({ channel: null, conditions }),
      aHostedCluster({
        conditions: [aCondition('ClusterVersionRetrievedUpdates', 'False', 'NoChannel'), ...conditions],
        version: { ...aHostedCluster().version, history: historyOf('4.18.10 P', '4.17.1 C') },
      }),
    ]) {
      const plan = planAlong(hostedFacts(hosted, null), TO_4_22);
      const printed = plan.plan.steps.flatMap((step) => [step.text, ...commandsOf(step)]);
      const advice = plan.hops.flatMap((hop) =>
        hop.conditions.flatMap(({ remediation = [] }) => remediation),
      );
      expect(
        [...printed, ...advice].filter((text) =>
          /oc adm|\bmcp\b|machineconfigpool|cluster-backup|clusterversion version|NAMESPACE/.test(text),
        ),
      ).toEqual([]);
      expect(plan.plan.steps.filter(({ kind }) => /^(?:pause|unpause|backup|mirror)$/.test(kind))).toEqual(
        [],
      );
      expect(plan.plan.caveats).toEqual([]);
    }
  });
});

describe('the plan of a hosted cluster', () => {
  const plan = planAlong(guest, TO_4_22);

  it('names the hosted cluster, its node pools and no nodes', () => {
    expect(plan.cluster.hosted).toBe('clusters/guest');
    expect(plan.policy).toBe('hosted');
    expect(plan.plan.pools.map(({ pool, kind, nodes }) => [pool, kind, nodes])).toEqual([
      ['a', 'workers', 3],
      ['b c', 'workers', 3],
    ]);
    expect(plan.duration).toEqual({ total: null, reason: expect.any(String) });
    const text = asText(planReport(plan));
    expect(text).toContain('hosted cluster clusters/guest');
    expect(text).toContain('with the kubeconfig of the hosted cluster');
  });

  it('is a script for the management cluster', () => {
    const script = planScript(plan);
    expect(script).toContain('oc -n clusters get hostedcluster guest -o jsonpath="$1"');
    expect(script).toContain(`current=$(cluster_version '{.status.version.desired.version}')`);
    expect(script).toContain('run oc -n clusters patch hostedcluster guest ');
    expect(script).not.toContain('oc get clusterversion version');
    expect(script).toMatch(/step '\d+ of \d+' '[^']* \(with the kubeconfig of the hosted cluster\)'/);
    expect(script).not.toMatch(/run oc (?:-n openshift-config|get nodes)/);
  });
});
