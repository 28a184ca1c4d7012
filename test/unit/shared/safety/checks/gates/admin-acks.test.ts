import type { ClusterFacts, ConfigEntry } from '@cairn/shared/cluster/facts';
import { adminAcks } from '@cairn/shared/safety/checks/gates/admin-acks';
import { type Finding, settleFinding } from '@cairn/shared/safety/condition';
import { ADMIN_GATES } from '@cairn/shared/safety/tables/admin-gates';
import { GATE_RULES, ruleOf } from '@cairn/shared/safety/tables/gate-rules';
import { mustParseVersion } from '@cairn/shared/version/release-version';
import { describe, expect, it } from 'vitest';
import { aCluster, context, withHistory } from '../../../../../helpers/cluster/clusters.ts';

const GATE = 'ack-4.14-foo';
const TEXT = 'Please see (https://example.com/articles/1), then https://example.com/articles/2.';

function entries(values: Readonly<Record<string, string>>): ConfigEntry[] {
  return Object.entries(values).map(([key, value]) => ({ key, value }));
}

function check(
  gates: Readonly<Record<string, string>>,
  acks: Readonly<Record<string, string>> = {},
  path: readonly string[] = ['4.14.8', '4.15.3'],
): readonly Finding[] {
  const facts = aCluster({ adminGates: entries(gates), adminAcks: entries(acks) }, path[0]);
  return adminAcks(context(facts, path));
}

describe('gates of the cluster', () => {
  const required = 'False AdminAckRequired block';
  const badKey = 'False AdminAckConfigMapGateNameError block';
  const fine = 'True AsExpected ok';
  const cases: readonly (readonly [string, string, string])[] = [
    ['ack-4.8-foo', '4.8.1', required],
    ['ack-4.123456-foo', '4.123456.0', required],
    ['ack-5.1-foo', '5.1.3', required],
    ['ack-4.8-foo-bar', '4.8.1', required],
    ['ack-4.8-foo', '4.9.1', fine],
    ['ack-4.8-foo', '4.7.1', fine],
    ['ack-4.8-foo', '5.8.1', fine],
    ['ack-5.8-foo', '4.8.1', fine],
    ['ack-4.1-foo', '4.10.1', fine],
    ['ack-4.10-foo', '4.1.1', fine],
    ['ack-4>8-foo', '4.8.1', badKey],
    ['ack-4..8-foo', '4.8.1', badKey],
    ['ck-4.8-foo', '4.8.1', badKey],
    ['ack-3.8-foo', '4.8.1', badKey],
    ['ack-4.x-foo', '4.8.1', badKey],
    ['ack-4.8.1-foo', '4.8.1', badKey],
    ['ack-4.8--foo', '4.8.1', badKey],
    ['ack-4.8-', '4.8.1', badKey],
    [`ack-4.8-foo'; reboot`, '4.8.1', badKey],
    ['__proto__', '4.8.1', badKey],
    ['', '4.8.1', badKey],
  ];
  it.each(cases)('%s on %s: %s', (key, version, expected) => {
    const { major, minor } = mustParseVersion(version);
    const facts = aCluster({ adminGates: [{ key, value: TEXT }] }, version);
    const [found] = adminAcks(context(facts, [version, `${major}.${minor + 1}.0`]));
    expect(`${found!.status} ${found!.reason} ${found!.effect}`).toBe(expected);
  });

  const acks: readonly (readonly [string, boolean])[] = [
    ['true', true],
    ['True', false],
    ['true ', false],
    ['yes', false],
    ['', false],
    ['false', false],
  ];
  it.each(acks)('acknowledged as %j: %s', (value, isDone) => {
    expect(check({ [GATE]: TEXT }, { [GATE]: value })[0]?.status).toBe(isDone ? 'True' : 'False');
  });

  it('says what to acknowledge, and where to read about it', () => {
    expect(check({ [GATE]: TEXT }, { 'ack-4.14-bar': 'true' })).toEqual([
      {
        type: 'AdminAcksCompleted',
        status: 'False',
        reason: 'AdminAckRequired',
        message: 'An administrator has to acknowledge: ack-4.14-foo',
        effect: 'block',
        origin: 'computed',
        objects: [
          {
            kind: 'AdminGate',
            name: GATE,
            detail: { reason: 'AdminAckRequired', text: TEXT, url: 'https://example.com/articles/1' },
          },
        ],
        remediation: [
          `oc -n openshift-config patch cm admin-acks --type=merge -p '{"data":{"ack-4.14-foo":"true"}}'`,
        ],
        url: 'https://example.com/articles/1',
      },
    ]);
  });

  it('lists all that is wrong, by key', () => {
    const [found] = check({
      'ack-4.14-z': TEXT,
      'ack-4.14-b': '',
      'ack-4.15-c': '',
      'ack-4.14-a': TEXT,
      bad: 'x',
    });
    expect(found).toMatchObject({
      reason: 'MultipleReasons',
      message:
        'These gates are not named as gates are, such as ack-4.8-subject: bad. These gates do not say what is to be acknowledged: ack-4.14-b. An administrator has to acknowledge: ack-4.14-a and ack-4.14-z',
    });
    expect(found?.objects?.map(({ name }) => name)).toEqual([
      'ack-4.14-a',
      'ack-4.14-b',
      'ack-4.14-z',
      'bad',
    ]);
    expect(found?.remediation).toHaveLength(2);
    expect(check({ [GATE]: '' }, { [GATE]: 'true' })[0]?.reason).toBe('AdminAckConfigMapGateValueError');
  });

  it('also counts those of the last completed minor while the next is incomplete', () => {
    const gates = entries({ 'ack-4.8-foo': TEXT, 'ack-4.9-bar': TEXT });
    const reasonsOf = (history: readonly string[]): unknown => {
      const facts = aCluster({ adminGates: gates, clusterVersion: withHistory(history) });
      return adminAcks(context(facts, ['4.9.3', '4.10.1']))[0]?.objects?.map(({ name }) => name);
    };
    expect(reasonsOf(['4.9.3 P', '4.8.20 C'])).toEqual(['ack-4.8-foo', 'ack-4.9-bar']);
    expect(reasonsOf(['4.9.3 C', '4.8.20 C'])).toEqual(['ack-4.9-bar']);
  });

  it('only warns of them on a patch update', () => {
    const given = context(aCluster({ adminGates: entries({ [GATE]: TEXT }) }), ['4.14.8', '4.14.9']);
    expect(adminAcks(given).map((found) => settleFinding(found, given.hop, given.options).effect)).toEqual([
      'warn',
    ]);
  });
});

describe('what was not supplied', () => {
  const path = ['4.15.8', '4.16.3'];
  function without(changes: Partial<ClusterFacts>): readonly Finding[] {
    return adminAcks(context(aCluster(changes, '4.15.8'), path));
  }

  it('is unknown without the gates, but knows what the release asks for', () => {
    const found = without({ adminGates: null, adminAcks: null });
    expect(found).toMatchObject([
      {
        status: 'Unknown',
        reason: 'InputMissing',
        effect: 'warn',
        remediation: [
          'oc get configmaps admin-gates -n openshift-config-managed -o json',
          'oc get configmaps admin-acks -n openshift-config -o json',
        ],
      },
      { status: 'Unknown', reason: 'AdminAckExpected', origin: 'catalogue', effect: 'warn' },
    ]);
  });

  it('needs the acknowledgements only when a gate applies', () => {
    const key = 'ack-4.15-kube-1.29-api-removals-in-4.16';
    expect(without({ adminGates: entries({ [key]: TEXT }), adminAcks: null })).toMatchObject([
      {
        status: 'Unknown',
        reason: 'InputMissing',
        remediation: ['oc get configmaps admin-acks -n openshift-config -o json'],
        objects: [{ name: key }],
      },
    ]);
    expect(without({ adminGates: [], adminAcks: null })[0]).toMatchObject({ status: 'True' });
    expect(without({ adminGates: entries({ bad: 'x' }), adminAcks: null })[0]).toMatchObject({
      reason: 'AdminAckConfigMapGateNameError',
    });
  });
});

describe('gates of minors to come', () => {
  const path = ['4.17.3', '4.18.2', '4.18.9', '4.19.4', '4.20.1', '4.21.0'];

  it('are known from our table, for the hop that leaves the minor', () => {
    const facts = aCluster({}, '4.17.3');
    const found = path.slice(1).map((_, index) => {
      const given = context(facts, path, { index });
      const findings = adminAcks(given);
      expect(findings).toHaveLength(1);
      const { status, origin, objects, effect } = settleFinding(findings[0]!, given.hop, given.options);
      return [status, effect, origin, ...(objects ?? []).map(({ name }) => name)];
    });
    expect(found).toEqual([
      ['True', 'ok', 'computed'],
      ['True', 'ok', 'computed'],
      ['False', 'inform', 'catalogue', 'ack-4.18-kube-1.32-api-removals-in-4.19'],
      ['False', 'inform', 'catalogue', 'ack-4.19-admissionregistration-v1beta1-api-removals-in-4.20'],
      ['True', 'ok', 'catalogue'],
    ]);
  });

  it('may be acknowledged ahead of time', () => {
    const key = 'ack-4.18-kube-1.32-api-removals-in-4.19';
    const ahead = (value: string): Finding | undefined =>
      check({}, { [key]: value }, ['4.17.3', '4.18.2', '4.19.4'])[0];
    expect(ahead('true')).toMatchObject({
      status: 'True',
      message: `Acknowledged ahead of time: ${key}`,
    });
    expect(ahead('no')).toMatchObject({
      status: 'False',
      url: 'https://access.redhat.com/articles/7112216',
      remediation: [
        `oc -n openshift-config patch cm admin-acks --type=merge -p '{"data":{"${key}":"true"}}'`,
      ],
    });
  });

  it('are listed when the cluster does not list them yet: a patch on the path may bring them', () => {
    const notes = (...way: string[]): unknown =>
      check({}, {}, way).map(({ status, origin, effect }) => `${status} ${origin} ${effect}`);
    expect(notes('4.15.8', '4.16.3')).toEqual(['True computed ok']);
    expect(notes('4.15.8', '4.15.20', '4.16.3')).toEqual(['True computed ok', 'Unknown catalogue warn']);
    expect(notes('4.15.8', '4.15.20')).toEqual(['True computed ok']);
  });
});

describe('the table of gates', () => {
  it('names each gate after the minor it leaves', () => {
    expect(ADMIN_GATES).toHaveLength(15);
    for (const { leaves, key } of ADMIN_GATES) {
      expect(key).toMatch(/^ack-4\.\d+-[a-z]/);
      expect(key.startsWith(`ack-${leaves}-`)).toBe(true);
    }
  });

  it('has a rule for each gate that depends on the cluster, and for no other', () => {
    const conditional = ADMIN_GATES.filter(({ isConditional }) => isConditional).map(({ key }) => key);
    expect([...GATE_RULES.keys()].toSorted()).toEqual(conditional.toSorted());
    for (const key of conditional) {
      expect(ruleOf({ key }).documents.length).toBeGreaterThan(0);
      expect(ruleOf({ key }).preparation?.text).toMatch(/^\S/);
    }
  });
});
