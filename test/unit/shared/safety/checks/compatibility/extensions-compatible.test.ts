import type { ExtensionFacts, ExtensionProblem, ObjectSetFacts } from '@cairn/shared/cluster/extension-facts';
import type { ClusterFacts, OperatorFacts } from '@cairn/shared/cluster/facts';
import { extensionsCompatible } from '@cairn/shared/safety/checks/compatibility/extensions-compatible';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aClusterOperator,
  aCondition,
  anExtension,
  anObjectSet,
  context,
} from '../../../../../helpers/cluster/clusters.ts';
import { conditionOf, evaluate, evaluateHop } from '../../../../../helpers/cluster/evaluations.ts';

const TYPE = 'ExtensionsCompatible';
const NEXT = ['4.20.3', '4.21.1'];
const REPORT =
  'Found ClusterExtensions that require upgrades prior to upgrading cluster to version 4.21: bundle "pipelines.v1.18.0" for ClusterExtension "pipelines",bundle "quay.v3" for ClusterExtension "quay".';

function refusing(
  reason = 'InstalledOLMOperators_IncompatibleOperatorsInstalled',
  message = REPORT,
): Partial<ClusterFacts> {
  return {
    clusterOperators: [
      aClusterOperator('etcd'),
      aClusterOperator('olm', [aCondition('Upgradeable', 'False', reason, message)]),
    ],
  };
}

const maxOf = (...values: readonly string[]): OperatorFacts['properties'] =>
  values.map((value) => ({ type: 'olm.maxOpenShiftVersion', value }));
const limited = (name: string, max: string, changes: Partial<ObjectSetFacts> = {}) =>
  anObjectSet(name, { properties: maxOf(max), ...changes });
const withState = (...problems: readonly ExtensionProblem[]): Partial<ClusterFacts> => ({
  extensions: [anExtension('pipelines', { problems })],
  objectSets: [anObjectSet('pipelines')],
});

function check(changes: Partial<ClusterFacts>, path: readonly string[] = NEXT, index?: number) {
  return extensionsCompatible(
    context(aCluster(changes, path[0]), path, index === undefined ? {} : { index }),
  );
}

describe('what the ClusterOperator olm reports', () => {
  it('case 74: blocks the next minor once, with the names of its message', () => {
    const hop = evaluateHop(aCluster(refusing(), NEXT[0]), NEXT);
    expect(hop.conditions.filter(({ effect }) => effect === 'block')).toMatchObject([
      {
        type: TYPE,
        reason: 'IncompatibleOperatorsInstalled',
        origin: 'reported',
        objects: [
          { kind: 'ClusterExtension', name: 'pipelines' },
          { kind: 'ClusterExtension', name: 'quay' },
        ],
      },
    ]);
    expect(conditionOf(hop, TYPE).message).toContain(REPORT);
    expect(hop.verdict).toBe('blocked');
    expect(conditionOf(hop, 'ClusterOperatorsUpgradeable')).toMatchObject({ status: 'True', effect: 'ok' });
  });

  it.each([
    [['4.20.5', '4.20.9', '4.21.3'], '4.21'],
    [['4.20.5', '4.20.9'], 'the next minor'],
  ])('has advice for the next minor before a patch on the path %j', (path, wanted) => {
    const [found] = check(refusing(), path);
    expect(found!.remediation![0]).toContain(`to a version that supports ${wanted}, or remove it`);
  });

  it('counts without any document of OLM v1', () => {
    const facts = { ...refusing(), extensions: null, catalogs: null, objectSets: null };
    expect(check(facts)).toMatchObject([{ reason: 'IncompatibleOperatorsInstalled', effect: 'block' }]);
  });

  it('blocks once together with our computation, which adds the limits', () => {
    const changes = {
      ...refusing(),
      extensions: [anExtension('pipelines'), anExtension('quay')],
      objectSets: [limited('pipelines', '4.20')],
    };
    expect(check(changes)).toMatchObject([
      {
        effect: 'block',
        objects: [
          { name: 'quay' },
          { name: 'pipelines', detail: { max: '4.20', firstBlockedMinor: '4.21', bundle: 'pipelines.v1' } },
        ],
      },
    ]);
  });

  it('warns before a patch, and announces a later minor', () => {
    const facts = aCluster(refusing(), NEXT[0]);
    const hops = evaluate(facts, ['4.20.3', '4.20.9', '4.21.1', '4.22.1']);
    expect(hops.map((hop) => conditionOf(hop, TYPE).effect)).toEqual(['warn', 'block', 'inform']);
  });

  it.each([
    'error with cluster extension quay: error in bundle quay.v3: could not convert olm.properties: x',
    'error(s) with cluster extension quay: error in bundle quay.v3: more than one olm.maxOpenShiftVersion found',
    'error returning the last deployed release for quay',
  ])('may be that limits cannot be read: %s', (message) => {
    const [condition] = check(refusing('InstalledOLMOperators_FailureGettingExtensionMetadata', message));
    expect(condition).toMatchObject({
      reason: 'FailureGettingExtensionMetadata',
      effect: 'block',
      objects: [{ name: 'quay' }],
    });
  });

  it('stays with the operators of the platform if it is about something else', () => {
    for (const reason of ['Other', 'InstalledOLMOperators_IncompatibleOperatorsInstalled::Other_Reason']) {
      const hop = evaluateHop(aCluster(refusing(reason), NEXT[0]), NEXT);
      expect(conditionOf(hop, TYPE).effect).toBe('ok');
      expect(conditionOf(hop, 'ClusterOperatorsUpgradeable')).toMatchObject({ reason, effect: 'block' });
    }
  });
});

describe('limits of ClusterObjectSets', () => {
  const both = (extensions: readonly ExtensionFacts[], objectSets: readonly ObjectSetFacts[]) => ({
    extensions,
    objectSets,
  });

  it('are compared with every hop', () => {
    const facts = aCluster(both([anExtension('quay')], [limited('quay', '4.21')]), NEXT[0]);
    const hops = evaluate(facts, ['4.20.3', '4.21.1', '4.22.1', '5.0.1']);
    expect(hops.map((hop) => conditionOf(hop, TYPE).effect)).toEqual(['ok', 'inform', 'inform']);
    expect(conditionOf(hops[1]!, TYPE)).toMatchObject({
      message:
        '1 ClusterExtension does not support OpenShift 4.22:\nquay: newest supported OpenShift is 4.21',
      objects: [{ kind: 'ClusterExtension', name: 'quay', detail: { firstBlockedMinor: '4.22' } }],
    });
  });

  it.each([
    ['4.20', 'block'],
    ['"4.21"', 'ok'],
    ['4.23', 'ok'],
    ['bad', 'block'],
    ['4.21.1', 'block'],
  ])('of %s mean %s for 4.21', (max, effect) => {
    expect(check(both([anExtension('quay')], [limited('quay', max)]))).toMatchObject([{ effect }]);
  });

  it('block if there are two, or if they cannot be read', () => {
    for (const properties of [maxOf('4.22', '4.22'), { unreadable: 'it is not JSON' }]) {
      const sets = [anObjectSet('quay', { properties })];
      expect(check(both([anExtension('quay')], sets))).toMatchObject([{ effect: 'block' }]);
    }
  });

  it('are those of the newest revision', () => {
    const sets = (older: string, newer: string) => [
      limited('quay', newer, { name: 'quay-10', revision: 10 }),
      limited('quay', older, { name: 'quay-9', revision: 9 }),
    ];
    const [ok, blocked] = [sets('4.20', '4.22'), sets('4.22', '4.20')].map((all) =>
      check(both([anExtension('quay')], all)),
    );
    expect(ok).toMatchObject([{ effect: 'ok' }]);
    expect(blocked).toMatchObject([{ effect: 'block' }]);
  });

  it('count only for extensions that exist', () => {
    expect(check(both([], [limited('gone', '4.20')]))).toMatchObject([{ effect: 'ok' }]);
    expect(check({ extensions: null, objectSets: [limited('quay', '4.20')] })).toMatchObject([
      { effect: 'block' },
    ]);
  });
});

describe('ClusterExtensions without limits', () => {
  const unlimited = { extensions: [anExtension('quay')], objectSets: [] };

  it('case 74: are a warning for the next minor, and only there', () => {
    const hops = evaluate(aCluster(unlimited, NEXT[0]), ['4.20.3', '4.20.9', '4.21.1', '4.22.1']);
    expect(hops.map((hop) => conditionOf(hop, TYPE))).toMatchObject([
      { reason: 'ExtensionLimitsUnknown', status: 'Unknown', effect: 'info' },
      { reason: 'ExtensionLimitsUnknown', status: 'Unknown', effect: 'warn' },
      { reason: 'ExtensionLimitsUnknown', status: 'Unknown', effect: 'info' },
    ]);
    expect(hops[1]!.verdict).toBe('allowed-with-warnings');
  });

  it('are fine if the ClusterOperator olm, which knows the limits, allows the next minor', () => {
    const changes = { ...unlimited, clusterOperators: [aClusterOperator('olm')] };
    const hops = evaluate(aCluster(changes, NEXT[0]), ['4.20.3', '4.21.1', '4.22.1']);
    expect(hops.map((hop) => conditionOf(hop, TYPE).effect)).toEqual(['ok', 'info']);
  });

  it('are a warning if their revision lacks the annotation that has the limit', () => {
    const objectSets = [anObjectSet('quay', { properties: null })];
    const expected = [
      {
        reason: 'ExtensionLimitsUnknown',
        effect: 'warn',
        objects: [{ kind: 'ClusterExtension', name: 'quay' }],
      },
    ];
    expect(check({ extensions: [anExtension('quay')], objectSets })).toMatchObject(expected);
    expect(check({ extensions: null, objectSets })).toMatchObject(expected);
  });

  it('are fine if nothing is installed', () => {
    expect(check({ extensions: [anExtension('quay', { installed: null })] })).toMatchObject([
      { effect: 'ok' },
    ]);
    expect(check({})).toMatchObject([{ effect: 'ok', message: 'No ClusterExtension is installed' }]);
  });

  it('are a warning beside others with limits', () => {
    const changes = {
      extensions: [anExtension('quay'), anExtension('pipelines')],
      objectSets: [limited('quay', '4.22')],
    };
    expect(check(changes)).toMatchObject([{ effect: 'warn', objects: [{ name: 'pipelines' }] }]);
  });
});

describe('the state of ClusterExtensions', () => {
  it.each(['Deprecated', 'PackageDeprecated', 'ChannelDeprecated', 'BundleDeprecated'])(
    'is a warning with %s',
    (type) => {
      const facts = withState(aCondition(type, 'True', 'Deprecated', 'use another'));
      expect(check(facts)[1]).toMatchObject({
        reason: 'ExtensionDeprecated',
        effect: 'warn',
        message: '1 ClusterExtension is deprecated in the catalog: pipelines: use another',
      });
    },
  );

  it.each([
    aCondition('Installed', 'False', 'Failed', 'no such package'),
    aCondition('Progressing', 'False', 'Blocked', 'no such package'),
    aCondition('Progressing', 'False', 'Retrying', 'no such package'),
    aCondition('Progressing', 'True', 'Retrying', 'no such package'),
  ])('is a warning with $type $status $reason', (condition) => {
    expect(check(withState(condition))[1]).toMatchObject({
      reason: 'ExtensionNotReady',
      effect: 'warn',
      objects: [{ name: 'pipelines', detail: { message: 'no such package' } }],
    });
  });

  it('is none when all is well, and is reported with the first hop', () => {
    const fine = withState(
      aCondition('Installed', 'True', 'Succeeded'),
      aCondition('Progressing', 'True', 'Succeeded'),
      aCondition('Deprecated', 'False'),
    );
    expect(check(fine)).toHaveLength(1);
    const path = ['4.20.3', '4.21.1', '4.22.1'];
    expect(check(withState(aCondition('Deprecated', 'True')), path, 0)).toHaveLength(2);
    expect(check(withState(aCondition('Deprecated', 'True')), path, 1)).toHaveLength(1);
  });
});

describe('clusters without documents of OLM v1', () => {
  const nothing = { extensions: null, catalogs: null, objectSets: null };

  it('have one note from 4.18 on, which changes no verdict', () => {
    const hops = evaluate(aCluster(nothing, '4.18.3'), ['4.18.3', '4.19.1', '4.20.1']);
    expect(hops.map((hop) => hop.conditions.filter(({ type }) => type === TYPE))).toMatchObject([
      [{ reason: 'NotChecked', status: 'Unknown', effect: 'info' }],
      [],
    ]);
    expect(hops[0]!.verdict).toBe('allowed');
  });

  it('have none before 4.18', () => {
    expect(check(nothing, ['4.17.3', '4.18.1'])).toEqual([]);
    expect(check({}, ['4.17.3', '4.18.1'])).toEqual([]);
  });

  it('are checked before 4.18 if they have extensions', () => {
    const preview = { extensions: [anExtension('quay')], objectSets: null };
    expect(check(preview, ['4.17.3', '4.18.1'])).toMatchObject([{ reason: 'ExtensionLimitsUnknown' }]);
  });
});
