import type { ClusterCondition, ClusterFacts, ClusterOperatorFacts } from '@cairn/shared/cluster/facts';
import { clusterOperatorsHealthy } from '@cairn/shared/safety/checks/health/cluster-operators-healthy';
import { type Finding, settleFinding } from '@cairn/shared/safety/condition';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aClusterOperator,
  aClusterVersion,
  aCondition,
  context,
  minutesAgo,
  withHistory,
} from '../../../../../helpers/cluster/clusters.ts';
import { evaluateHop, findingsOf } from '../../../../../helpers/cluster/evaluations.ts';

const MINOR = ['4.14.8', '4.15.3'];
const PATCH = ['4.14.8', '4.14.9'];

function check(facts: Partial<ClusterFacts>, path: readonly string[] = MINOR): readonly Finding[] {
  return clusterOperatorsHealthy(context(aCluster(facts), path));
}

function checkOperators(...clusterOperators: readonly ClusterOperatorFacts[]): readonly Finding[] {
  return check({ clusterOperators });
}

/** `status reason effect`, with the effect on the hop. */
function settled(
  facts: Partial<ClusterFacts>,
  path: readonly string[],
  options: Partial<SafetyOptions> = {},
): string[] {
  const given = context(aCluster(facts), path, { options });
  return clusterOperatorsHealthy(given).map((found) => {
    const { reason, effect, accepted } = settleFinding(found, given.hop, given.options);
    return `${reason} ${effect}${accepted ? ' accepted' : ''}`;
  });
}

const withConditions = (...conditions: readonly ClusterCondition[]): Partial<ClusterFacts> => ({
  clusterVersion: aClusterVersion({ conditions }),
});
const degraded = (minutes: number): ClusterCondition =>
  aCondition('Degraded', 'True', 'Bad', 'It is bad', minutesAgo(minutes));
const unavailable = (minutes: number): ClusterCondition =>
  aCondition('Available', 'False', 'Gone', 'It is gone', minutesAgo(minutes));

describe('operators that are not healthy', () => {
  it.each<[string, string, string]>([
    ['image-registry', 'ClusterOperatorsUnavailable warn', 'ClusterOperatorsUnavailable warn'],
    ['network', 'CoreOperatorUnavailable block', 'CoreOperatorUnavailable warn'],
    ['kube-apiserver', 'CoreOperatorUnavailable block', 'CoreOperatorUnavailable warn'],
    ['kube-controller-manager', 'CoreOperatorUnavailable block', 'CoreOperatorUnavailable warn'],
    ['kube-scheduler', 'CoreOperatorUnavailable block', 'CoreOperatorUnavailable warn'],
    ['machine-config', 'CoreOperatorUnavailable block', 'CoreOperatorUnavailable warn'],
  ])('case 40: %s that is not available: %s, before a patch %s', (name, minor, patch) => {
    const clusterOperators = [aClusterOperator(name, [unavailable(1)])];
    expect(settled({ clusterOperators }, MINOR)).toEqual([minor]);
    expect(settled({ clusterOperators }, PATCH)).toEqual([patch]);
  });

  it.each(['image-registry', 'network'])('%s of unknown availability is a warning', (name) => {
    const silent = aCondition('Available', 'Unknown', 'NoData', 'no answer', null);
    const clusterOperators = [aClusterOperator(name, [silent])];
    expect([MINOR, PATCH].map((path) => settled({ clusterOperators }, path))).toEqual([
      ['ClusterOperatorsUnknown warn'],
      ['ClusterOperatorsUnknown warn'],
    ]);
    expect(check({ clusterOperators })).toMatchObject([
      { status: 'Unknown', message: `${name} is of unknown availability: no answer` },
    ]);
  });

  it.each<[string, readonly ClusterCondition[], string]>([
    ['no condition', [], 'it does not report Available'],
    ['other conditions', [aCondition('Upgradeable', 'True')], 'it does not report Available'],
    ['a condition without a status', [aCondition('Available', '', '', 'no answer', null)], 'no answer'],
  ])('that report %s are of unknown availability', (_, conditions, why) => {
    expect(checkOperators({ ...aClusterOperator('network'), conditions })).toMatchObject([
      {
        status: 'Unknown',
        reason: 'ClusterOperatorsUnknown',
        effect: 'warn',
        message: `network is of unknown availability: ${why}`,
      },
    ]);
  });

  it.each(['image-registry', 'network'])('%s that is degraded is a warning', (name) => {
    const clusterOperators = [aClusterOperator(name, [degraded(60)])];
    expect(settled({ clusterOperators }, MINOR)).toEqual(['ClusterOperatorsDegraded warn']);
  });

  it('reports etcd only once, in its own check', () => {
    const clusterOperators = [aClusterOperator('etcd', [degraded(60), unavailable(60)])];
    const found = findingsOf(evaluateHop(aCluster({ clusterOperators }), MINOR));
    expect(found).toEqual(['EtcdUnavailable block', 'EtcdDegraded block']);
    const infrastructure = { platform: 'AWS', controlPlaneTopology: 'External' };
    expect(settled({ clusterOperators, infrastructure }, MINOR)).toEqual([
      'CoreOperatorUnavailable block',
      'ClusterOperatorsDegraded warn',
    ]);
  });

  it.each<[string, ClusterCondition, string, string]>([
    ['just now', degraded(0), 'info', 'dns is degraded: It is bad'],
    [
      'for 4 minutes',
      degraded(4),
      'info',
      'dns is degraded for 4m, which can still be a short restart: It is bad',
    ],
    ['for 5 minutes', degraded(5), 'warning', 'dns is degraded for 5m: It is bad'],
    ['for 39 minutes', degraded(39), 'warning', 'dns is degraded for 39m: It is bad'],
    ['for 40 minutes', degraded(40), 'error', 'dns is degraded for 40m, too long for a restart: It is bad'],
    ['unavailable for 19 minutes', unavailable(19), 'warning', 'dns is not available for 19m: It is gone'],
    [
      'unavailable for 20 minutes',
      unavailable(20),
      'error',
      'dns is not available for 20m, too long for a restart: It is gone',
    ],
    ['for an unknown time', { ...degraded(0), since: null }, 'warning', 'dns is degraded: It is bad'],
    ['without words', { ...degraded(0), message: '' }, 'info', 'dns is degraded: Bad'],
  ])('are a warning however long they are: %s', (_, condition, severity, message) => {
    expect(checkOperators(aClusterOperator('dns', [condition]))).toMatchObject([
      {
        status: 'False',
        effect: 'warn',
        origin: 'reported',
        message,
        objects: [{ kind: 'ClusterOperator', name: 'dns', detail: { severity } }],
        remediation: ['oc describe clusteroperator dns'],
      },
    ]);
  });

  it('are quoted word for word, with line breaks, up to 500 characters each', () => {
    const long = `first\n  second ${'x'.repeat(600)}`;
    const operator = (name: string) =>
      aClusterOperator(name, [aCondition('Degraded', 'True', 'Bad', long, null)]);
    const [one] = checkOperators(operator('dns'));
    expect(one?.message).toBe(`dns is degraded: ${long.slice(0, 500)}`);
    const [two] = checkOperators(operator('ingress'), operator('dns'));
    expect(two?.message.split('\n')).toEqual([
      '2 cluster operators are degraded:',
      '* dns: first',
      expect.stringContaining('second x'),
      '* ingress: first',
      expect.stringContaining('second x'),
    ]);
    const many = checkOperators(...Array.from({ length: 12 }, (_, number) => operator(`o-${number}`)));
    expect(many[0]?.message).toMatch(/\n\* and 2 more$/);
    expect(many[0]?.objects).toHaveLength(12);
  });

  it('are of now, so of the first hop only', () => {
    const clusterOperators = [aClusterOperator('dns', [degraded(9)])];
    expect(check({ clusterOperators }, [...MINOR, '4.16.1'])).toEqual([]);
  });

  it('are none in a healthy cluster', () => {
    expect(check({})).toMatchObject([{ status: 'True', reason: 'AsExpected', effect: 'ok' }]);
  });

  it.each<[string, number, boolean]>([
    ['dns', 30, false],
    ['dns', 31, true],
    ['machine-config', 90, false],
    ['machine-config', 91, true],
  ])('%s takes %i minutes in an update: slow %s', (name, minutes, isSlow) => {
    const clusterOperators = [
      aClusterOperator(name, [aCondition('Progressing', 'True', 'Busy', '', minutesAgo(minutes))]),
    ];
    const updating = { clusterVersion: withHistory(['4.14.8 P', '4.14.2 C']), clusterOperators };
    expect(settled(updating, MINOR)).toEqual([isSlow ? 'ClusterOperatorsSlow warn' : 'AsExpected ok']);
    expect(settled({ clusterOperators }, MINOR)).toEqual(['AsExpected ok']);
  });
});

describe('the ClusterVersion', () => {
  it('case 41: with Failing=True blocks a minor and warns before a patch', () => {
    const facts = withConditions(aCondition('Failing', 'True', 'Stuck', 'it is\nstuck'));
    expect(settled(facts, MINOR)).toEqual(['UpdateFailing block']);
    expect(settled(facts, PATCH)).toEqual(['UpdateFailing warn']);
    expect(check(facts)).toMatchObject([
      { status: 'False', message: 'The cluster cannot apply 4.14.8: it is\nstuck', origin: 'reported' },
    ]);
  });

  it.each(['Failing', 'UpdateFailing', 'ClusterOperatorsHealthy'])(
    'with Failing=True is accepted by %s',
    (name) => {
      const facts = withConditions(aCondition('Failing', 'True', 'Stuck', ''));
      expect(settled(facts, MINOR, { accept: [name] })).toEqual(['UpdateFailing block accepted']);
    },
  );

  it('with Failing=Unknown is a warning, and Failing=False is none', () => {
    const facts = withConditions(aCondition('Failing', 'Unknown', 'Stuck', ''));
    expect(check(facts)).toMatchObject([
      { status: 'Unknown', effect: 'warn', message: 'Not known whether the cluster can apply 4.14.8: Stuck' },
    ]);
    expect(settled(withConditions(aCondition('Failing', 'False')), MINOR)).toEqual(['AsExpected ok']);
  });

  it('that is invalid blocks patches too, and cannot be accepted', () => {
    const facts = withConditions(aCondition('Invalid', 'True', 'InvalidClusterVersion', 'no such channel'));
    const accept = ['ClusterOperatorsHealthy', 'InvalidClusterVersion'];
    expect(settled(facts, MINOR, { accept })).toEqual(['InvalidClusterVersion block']);
    expect(settled(facts, PATCH, { accept })).toEqual(['InvalidClusterVersion block']);
    expect(evaluateHop(aCluster(facts), PATCH).verdict).toBe('blocked');
    expect(settled(withConditions(aCondition('Invalid', 'False')), MINOR)).toEqual(['AsExpected ok']);
  });

  it.each(['VerificationFailed', 'EtcdRecentBackupNotSet'])(
    'that refuses a release warns with %s',
    (reason) => {
      const facts = withConditions(aCondition('ReleaseAccepted', 'False', reason, 'words'));
      expect(settled(facts, MINOR)).toEqual([`${reason} warn`]);
      expect(check(facts)[0]?.message).toBe('The cluster does not accept release 4.14.8: words');
    },
  );

  it('that refuses a release for its risks is reported once, with the path', () => {
    const facts = withConditions(
      aCondition('ReleaseAccepted', 'False', 'UnacceptedRisks', 'A'),
      aCondition('RetrievedUpdates', 'True'),
    );
    expect(findingsOf(evaluateHop(aCluster(facts), MINOR))).toEqual(['UpdateRefused block']);
  });

  it('that refuses a release without a reason has one', () => {
    expect(settled(withConditions(aCondition('ReleaseAccepted', 'False', '')), MINOR)).toEqual([
      'UpdateRefused warn',
    ]);
  });

  it('is checked even if there are no operators to check', () => {
    const failing = withConditions(aCondition('Failing', 'True'));
    expect(settled({ ...failing, clusterOperators: null }, MINOR)).toEqual([
      'UpdateFailing block',
      'InputMissing warn',
    ]);
    expect(settled({ clusterOperators: [] }, MINOR)).toEqual(['NoClusterOperators warn']);
  });
});
