import type { ApiUseFacts, ClusterFacts } from '@cairn/shared/cluster/facts';
import type { ConditionObject } from '@cairn/shared/safety/condition';
import { describe, expect, it } from 'vitest';
import { using } from '../../../../helpers/cluster/api-use.ts';
import {
  aCluster,
  aClusterOperator,
  aClusterVersion,
  aCondition,
  withHistory,
} from '../../../../helpers/cluster/clusters.ts';
import { foundAlong } from '../../../../helpers/plan/assumed-plans.ts';
import { commandsOf, isUpdate, stepOf, stepsOf } from '../../../../helpers/plan/plan-outlines.ts';
import { reportOn } from '../../../../helpers/plan/reports.ts';

describe('an update in progress', () => {
  /** At the version, which is not completed. */
  const updatingTo = (version: string, before: string): ClusterFacts =>
    aCluster(
      {
        clusterVersion: withHistory([`${version} P`, `${before} C`], {
          conditions: [aCondition('Progressing', 'True'), aCondition('RetrievedUpdates', 'True')],
        }),
      },
      version,
    );

  it.each([
    ['of the same minor', '4.15.20', 'UpdateInProgress', 'Wait for the update to 4.15.30 to complete'],
    [
      'of a new minor',
      '4.14.40',
      'MinorUpdateIncomplete',
      'Wait for the update to 4.15.30 to complete, or update to another patch of 4.15 and wait for that one',
    ],
  ])('case 51: %s is waited for first before the next minor', (_, before, reason, text) => {
    const report = reportOn(updatingTo('4.15.30', before), foundAlong(['4.15.30', '4.16.9']));
    const { steps } = report.plan;
    expect(steps[0]).toEqual({
      id: '1-wait',
      kind: 'wait',
      hop: 0,
      text,
      command: 'oc adm upgrade',
      commands: [
        'oc adm upgrade',
        'oc adm wait-for-stable-cluster --minimum-stable-period=5m --timeout=120m',
      ],
      resolves: [{ type: 'NoUpdateInProgress', reason }],
      blocking: true,
      timeoutMinutes: 120,
    });
    expect(steps.findIndex(isUpdate)).toBeGreaterThan(0);
    expect(report.verdict).toBe('blocked');
  });

  it('is waited for first too if a patch comes before the next minor', () => {
    const { verdict, plan } = reportOn(
      updatingTo('4.15.30', '4.15.20'),
      foundAlong(['4.15.30', '4.15.51', '4.16.9']),
    );
    const about = plan.steps.filter(({ resolves = [] }) =>
      resolves.some(({ reason }) => reason === 'UpdateInProgress'),
    );
    expect(about).toEqual([plan.steps[0]]);
    expect(about[0]).toMatchObject({ kind: 'wait', hop: 0, blocking: true });
    expect(plan.steps.filter(isUpdate).map(({ command }) => command)).toEqual([
      'oc adm upgrade --to=4.15.51',
      'oc adm upgrade --to=4.16.9',
    ]);
    expect(verdict).toBe('blocked');
  });

  it('that the cluster has not accepted has no command that waits: the cluster is stable without it', () => {
    const desiredUpdate = { version: '4.15.40', image: '', force: false };
    const { plan } = reportOn(
      aCluster({ clusterVersion: aClusterVersion({ desiredUpdate }, '4.15.30') }, '4.15.30'),
      foundAlong(['4.15.30', '4.16.9']),
    );
    expect(plan.steps[0]).toEqual({
      id: '1-wait',
      kind: 'wait',
      hop: 0,
      command: 'oc adm upgrade',
      text: 'Wait for the update to 4.15.40 to complete, or cancel it: oc adm upgrade --clear',
      resolves: [{ type: 'NoUpdateInProgress', reason: 'UpdateInProgress' }],
      blocking: true,
    });
  });

  it('case 52: is not waited for before another patch of its minor, which replaces it', () => {
    const { hops, plan } = reportOn(updatingTo('4.15.30', '4.14.40'), foundAlong(['4.15.30', '4.15.51']));
    expect(plan.steps.filter(({ kind }) => kind === 'wait')).toEqual([]);
    expect(hops[0]!.conditions).toContainEqual(
      expect.objectContaining({
        type: 'NoUpdateInProgress',
        reason: 'MinorVersionClusterUpdateInProgress',
        effect: 'warn',
      }),
    );
    expect(plan.steps[0]).toMatchObject({
      kind: 'check',
      resolves: [{ type: 'NoUpdateInProgress', reason: 'MinorVersionClusterUpdateInProgress' }],
      text: 'The update from 4.14.40 to 4.15 is in progress; another patch of 4.15 replaces it',
      blocking: false,
    });
    expect(plan.steps.find(isUpdate)?.command).toBe(
      'oc adm upgrade --allow-upgrade-with-warnings --to=4.15.51',
    );
  });

  it.each([
    ['4.16.9', '4.17.5', 'oc adm upgrade'],
    ['4.19.9', '4.20.5', 'oc adm upgrade'],
    ['4.20.9', '4.21.5', 'oc adm upgrade status'],
  ])('case 59: of %s is followed with a command of its client', (version, to, command) => {
    const steps = stepsOf(updatingTo(version, version.replace(/\d+$/, '1')), [version, to]);
    expect(stepOf(steps, 'wait').command).toBe(command);
    const asked = steps
      .flatMap(commandsOf)
      .filter((each) => /oc adm upgrade (?:status|recommend)/.test(each));
    expect(asked).toEqual(command.endsWith('status') ? [command] : []);
  });
});

describe('missing documents', () => {
  it('are collected in one step with all commands', () => {
    const facts = aCluster({ podsPerNode: [], nodes: null, operators: null, apiUse: null });
    const steps = stepsOf(facts, ['4.14.8', '4.15.20', '4.16.9']);
    expect(steps[0]).toMatchObject({
      id: '1-check',
      hop: 0,
      text: 'Collect the missing documents, and plan again with them; `cairn plan --oc` does both',
      commands: [
        'oc get nodes -o json',
        'oc get clusterserviceversions -A -o json',
        'oc get apirequestcounts -o json',
      ],
      blocking: false,
    });
    expect(steps[0]!.resolves).toContainEqual({ type: 'OperatorsCompatible', reason: 'InputMissing' });
    expect(steps.filter(({ text }) => text.startsWith('Collect'))).toHaveLength(1);
  });
});

describe('other findings', () => {
  it.each([
    [
      'NoChannel',
      '',
      'Set a channel, or update by digest with --to-image',
      'oc adm upgrade channel stable-4.15',
    ],
    ['UnknownUpdate', 'stable-4.15', 'Choose an update that the cluster knows', 'oc adm upgrade'],
  ])('%s about an update that no graph has is a check with its command', (reason, channel, text, command) => {
    const conditions = [aCondition('RetrievedUpdates', 'True')];
    const facts = aCluster({ clusterVersion: aClusterVersion({ channel, conditions }) });
    const steps = stepsOf(facts, ['4.14.8', '4.15.20'], { updates: [null] });
    const found = steps.filter(({ resolves = [] }) => resolves.some((each) => each.reason === reason));
    expect(found).toMatchObject([{ kind: 'check', hop: 0, text, command, blocking: false }]);
  });

  it('get a step from their own advice, once for all hops', () => {
    const refusing = aCondition('Upgradeable', 'False', 'OpenShiftSDNConfigured', 'Uses OpenShift SDN');
    const clusterOperators = [aClusterOperator('etcd'), aClusterOperator('network', [refusing])];
    const steps = stepsOf(aCluster({ clusterOperators }), ['4.14.8', '4.15.20', '4.16.9']);
    expect(steps.filter(({ kind }) => kind === 'fix')).toEqual([
      {
        id: '1-fix',
        kind: 'fix',
        hop: 0,
        text: 'Migrate the cluster network from OpenShift SDN to OVN-Kubernetes in 4.16 or earlier',
        objects: [{ kind: 'ClusterOperator', name: 'network' }],
        resolves: [{ type: 'ForwardGuards', reason: 'OpenShiftSDNConfigured' }],
        blocking: true,
      },
    ]);
  });
});

describe('clients of removed APIs', () => {
  const FLOW = 'flowcontrol.apiserver.k8s.io';

  it.each<[string, ApiUseFacts['removedInRelease'], readonly string[], string, string | undefined]>([
    [`flowschemas.v1beta2.${FLOW}`, '1.29', ['4.14.8', '4.15.20', '4.16.9'], `${FLOW}/v1beta3`, '1.32'],
    [`flowschemas.v1beta1.${FLOW}`, '1.26', ['4.12.40', '4.13.30'], `${FLOW}/v1beta2`, '1.29'],
    [
      'horizontalpodautoscalers.v2beta1.autoscaling',
      '1.25',
      ['4.11.20', '4.12.40'],
      'autoscaling/v2',
      undefined,
    ],
    [
      `flowschemas.v1beta3.${FLOW}`,
      '1.32',
      ['4.16.9', '4.17.5', '4.18.5', '4.19.5'],
      `${FLOW}/v1`,
      undefined,
    ],
  ])('of %s, removed in %s, move on the path %j to %s', (name, removed, path, replacement, goesIn) => {
    const facts = aCluster({ apiUse: [using(name, removed, 5)] }, path[0]);
    const { hops, plan } = reportOn(facts, foundAlong(path));
    expect(plan.steps[0]).toMatchObject({
      kind: 'migrate-api',
      hop: path.length - 2,
      text: `Move clients of ${name} to ${replacement}: ${path.at(-1)} removes the old API`,
      blocking: true,
    });
    const { message, objects } = hops.at(-1)!.conditions.find(({ type }) => type === 'APIRemovals')!;
    const [{ detail = {} }] = objects as [ConditionObject];
    const { replacementSince, replacementIsOff, replacementRemovedIn } = detail;
    // The cluster serves the new API today.
    expect({ replacementSince, replacementIsOff, replacementRemovedIn }).toEqual({
      replacementSince: undefined,
      replacementIsOff: undefined,
      replacementRemovedIn: goesIn,
    });
    const remark =
      { '1.29': ', which OpenShift 4.16 removes', '1.32': ', which OpenShift 4.19 removes' }[goesIn ?? ''] ??
      '';
    expect(message).toMatch(new RegExp(`; use ${replacement}${remark}$`));
  });

  it('move after the hop that brings the new API, which an administrator may have to enable', () => {
    const facts = aCluster(
      { apiUse: [using('servicecidrs.v1alpha1.networking.k8s.io', '1.33', 5)] },
      '4.17.9',
    );
    const steps = stepsOf(facts, ['4.17.9', '4.18.5', '4.19.5', '4.20.5']);
    expect(stepOf(steps, 'migrate-api')).toMatchObject({
      hop: 1,
      text: 'Move clients of servicecidrs.v1alpha1.networking.k8s.io to networking.k8s.io/v1beta1, which an administrator has to enable: 4.20.5 removes the old API',
    });
  });

  it('move to an API that the path removes in turn, which the step says', () => {
    const path = ['4.12.40', '4.13.30', '4.14.20', '4.15.30', '4.16.9'];
    const facts = aCluster({ apiUse: [using(`flowschemas.v1beta1.${FLOW}`, '1.26', 5)] }, path[0]);
    expect(stepOf(stepsOf(facts, path), 'migrate-api').text).toBe(
      `Move clients of flowschemas.v1beta1.${FLOW} to ${FLOW}/v1beta2, which 4.16.9 removes in turn: 4.13.30 removes the old API`,
    );
    const early = aCluster({ apiUse: [using(`flowschemas.v1alpha1.${FLOW}`, '1.21', 5)] }, '4.6.40');
    const { hops } = reportOn(early, foundAlong(['4.6.40', '4.7.60', '4.8.57']));
    expect(hops[1]!.conditions.find(({ type }) => type === 'APIRemovals')!.message).toMatch(
      /; use \S+\/v1beta1, which OpenShift 4\.7 introduces and 4\.13 removes$/,
    );
  });
});
