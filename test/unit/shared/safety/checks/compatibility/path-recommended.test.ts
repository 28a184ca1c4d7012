import type { ClusterFacts, ClusterVersionFacts } from '@cairn/shared/cluster/facts';
import type { Hop as PathHop } from '@cairn/shared/path/solver/solve';
import { pathRecommended } from '@cairn/shared/safety/checks/compatibility/path-recommended';
import { type Finding, settleFinding } from '@cairn/shared/safety/condition';
import { isAcceptableName } from '@cairn/shared/safety/evidence/risks';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aClusterVersion,
  aCondition,
  anUpdate,
  context,
} from '../../../../../helpers/cluster/clusters.ts';

const PATH = ['4.14.8', '4.15.3'];

function check(
  changes: Partial<ClusterVersionFacts>,
  updates: readonly (PathHop | null)[] = [],
  path: readonly string[] = PATH,
): Finding {
  const facts = aCluster({ clusterVersion: aClusterVersion(changes) });
  const found = pathRecommended(context(facts, path, { updates }));
  expect(found).toHaveLength(1);
  return found[0]!;
}

function inShort({ status, reason, effect, origin }: Finding): string {
  return `${status} ${reason} ${effect} ${origin}`;
}

function evaluated(status: string | null, risks = ['DiskFull']): Partial<ClusterVersionFacts> {
  const recommended =
    status === null ? null : aCondition('Recommended', status, 'DiskFull', 'Disks may fill up');
  return { conditionalUpdates: [{ version: '4.15.3', risks, recommended }] };
}

function risk(name: string, url = `https://example.com/${name}`) {
  return { name, url, message: `${name} happens`, matchingRules: [{ type: 'Always' as const }] };
}

describe('what the cluster knows of its next hop', () => {
  const retrieved = (status: string): Partial<ClusterVersionFacts> => ({
    conditions: [aCondition('RetrievedUpdates', status, 'RemoteFailed', 'no route')],
  });
  const cases: readonly (readonly [string, Partial<ClusterVersionFacts>, string])[] = [
    ['available', { availableUpdates: ['4.14.9', '4.15.3'] }, 'True AsExpected ok reported'],
    ['conditional and recommended', evaluated('True'), 'True NotExposedToRisks ok reported'],
    ['conditional and not recommended', evaluated('False'), 'False DiskFull warn reported'],
    ['conditional and not known', evaluated('Unknown'), 'Unknown EvaluationFailed warn computed'],
    ['conditional and not tried', evaluated(null), 'Unknown EvaluationFailed warn computed'],
    ['in no channel', { channel: '' }, 'Unknown NoChannel warn computed'],
    ['without a channel', { channel: null }, 'Unknown NoChannel warn computed'],
    ['not fetched', retrieved('False'), 'Unknown CannotRetrieveUpdates warn computed'],
    ['never fetched', { conditions: [] }, 'Unknown CannotRetrieveUpdates warn computed'],
    ['fetched and not there', retrieved('True'), 'False UnknownUpdate warn computed'],
    ['only others', { availableUpdates: ['4.15.30'] }, 'False UnknownUpdate warn computed'],
  ];
  it.each(cases)('%s', (_, changes, expected) => {
    expect(inShort(check(changes))).toBe(expected);
  });

  it('says what the cluster says', () => {
    expect(check(evaluated('False', ['DiskFull', 'Another'])).message).toBe(
      '4.15.3 is not recommended for the cluster: risk DiskFull applies to it and is not accepted; not known whether these apply: Another',
    );
    expect(check(evaluated('Unknown', ['DiskFull', 'Another'])).message).toBe(
      '4.15.3 is recommended from 4.14.8 only to clusters that these risks do not concern: Another and DiskFull (DiskFull: Disks may fill up)',
    );
    expect(check(retrieved('False')).message).toBe(
      'The cluster could not fetch its updates in stable-4.14 (RemoteFailed: no route)',
    );
  });

  it('is not known of later hops', () => {
    expect(inShort(check({ availableUpdates: ['4.16.1'] }, [], [...PATH, '4.16.1']))).toBe(
      'Unknown NotReachedYet info computed',
    );
  });

  it('is not known when the path starts elsewhere', () => {
    expect(inShort(check({ availableUpdates: ['4.15.3'] }, [], ['4.14.2', '4.15.3']))).toBe(
      'Unknown NotReachedYet info computed',
    );
  });

  it('is missing without a ClusterVersion, but not for what the graph says', () => {
    const facts = aCluster({ clusterVersion: null });
    expect(pathRecommended(context(facts, PATH))).toMatchObject([{ reason: 'InputMissing', effect: 'warn' }]);
    expect(pathRecommended(context(facts, PATH, { updates: [anUpdate()] }))).toMatchObject([
      { status: 'True' },
    ]);
  });

  it('has nothing to say where there is no hop', () => {
    expect(inShort(check({}, [], ['4.14.8', '4.14.8']))).toBe('True AsExpected ok computed');
  });
});

describe('what our graph knows of every hop', () => {
  const conditional = anUpdate({ conditional: true, risks: [risk('SlowDisk'), risk('DiskFull')] });

  it('recommends plain updates, whatever the cluster fetched', () => {
    expect(check({ channel: '' }, [anUpdate({ channels: ['stable-4.15', 'eus-4.16'] })])).toMatchObject({
      status: 'True',
      effect: 'ok',
      message: '4.15.3 is recommended from 4.14.8 in eus-4.16 and stable-4.15',
    });
  });

  it('warns of conditional ones, with risks and links', () => {
    expect(check({}, [null, conditional], [...PATH, '4.16.1'])).toEqual({
      type: 'PathRecommended',
      status: 'Unknown',
      reason: 'EvaluationFailed',
      message:
        '4.16.1 is recommended from 4.15.3 only to clusters that these risks do not concern: DiskFull and SlowDisk; read https://example.com/DiskFull and https://example.com/SlowDisk',
      effect: 'warn',
      origin: 'computed',
      acceptedAs: ['ConditionalUpdateRisk', 'RiskApplies'],
      objects: [
        {
          kind: 'ConditionalUpdateRisk',
          name: 'DiskFull',
          detail: { url: 'https://example.com/DiskFull', message: 'DiskFull happens', applies: 'unknown' },
        },
        {
          kind: 'ConditionalUpdateRisk',
          name: 'SlowDisk',
          detail: { url: 'https://example.com/SlowDisk', message: 'SlowDisk happens', applies: 'unknown' },
        },
      ],
      url: 'https://example.com/DiskFull',
    });
  });

  const both: readonly (readonly [string, Partial<ClusterVersionFacts>, PathHop, string])[] = [
    [
      'the cluster tried all risks: they do not concern it',
      evaluated('True', ['DiskFull', 'SlowDisk']),
      conditional,
      'True NotExposedToRisks ok reported',
    ],
    [
      'the cluster tried all risks: one concerns it',
      evaluated('False', ['DiskFull', 'SlowDisk']),
      conditional,
      'False MultipleReasons warn reported',
    ],
    [
      'a risk is newer than what the cluster tried',
      evaluated('True', ['DiskFull']),
      conditional,
      'Unknown EvaluationFailed warn reported',
    ],
    [
      'a risk is newer than what the cluster fetched',
      { availableUpdates: ['4.15.3'] },
      conditional,
      'Unknown EvaluationFailed warn computed',
    ],
    [
      'the cluster does not recommend what is plain in the graph',
      evaluated('False'),
      anUpdate(),
      'False DiskFull warn reported',
    ],
  ];
  it.each(both)('%s', (_, changes, update, expected) => {
    expect(inShort(check(changes, [update]))).toBe(expected);
  });
});

describe('what newer clusters report of each risk', () => {
  const applies = (name: string, status: string | null) => ({
    name,
    url: `https://example.com/${name}`,
    message: `${name} happens`,
    applies: status === null ? null : aCondition('Applies', status, 'Match'),
  });
  /** Risks `A` and `B` of the update, by name only, as newer releases report them. */
  const reported = (
    risks: readonly ReturnType<typeof applies>[],
    acceptedRisks: readonly string[] | null = null,
    recommended: string | null = null,
    names: readonly string[] = ['A'],
  ): Partial<ClusterVersionFacts> => ({
    conditionalUpdates: [
      {
        version: '4.15.3',
        risks: names,
        recommended: recommended === null ? null : aCondition('Recommended', recommended, 'A'),
      },
    ],
    knownRisks: risks,
    acceptedRisks,
  });
  const OK = 'True NotExposedToRisks ok reported';
  const ACCEPTED = 'True AllExposedRisksAccepted ok reported';
  const APPLIES = 'False A warn reported';
  const DOUBT = 'Unknown EvaluationFailed warn computed';

  it.each<[string, Partial<ClusterVersionFacts>, string]>([
    ['it applies', reported([applies('A', 'True')]), APPLIES],
    ['it applies, and another is accepted', reported([applies('A', 'True')], ['B']), APPLIES],
    ['it applies and is accepted', reported([applies('A', 'True')], ['A']), ACCEPTED],
    [
      'it applies and is accepted, whatever was recommended before',
      reported([applies('A', 'True')], ['A'], 'False'),
      ACCEPTED,
    ],
    ['it does not apply', reported([applies('A', 'False')]), OK],
    [
      'it does not apply, but the cluster does not recommend the update',
      reported([applies('A', 'False')], null, 'False'),
      'False A warn reported',
    ],
    ['it is not known whether it applies', reported([applies('A', 'Unknown')]), DOUBT],
    ['accepting it does not make that known', reported([applies('A', 'Unknown')], ['A']), DOUBT],
    ['nor does a recommendation', reported([applies('A', 'Unknown')], null, 'True'), DOUBT],
    ['it has no condition', reported([applies('A', null)]), DOUBT],
    ['it is only a name', reported([]), DOUBT],
    [
      'one of two applies',
      reported([applies('A', 'False'), applies('B', 'True')], [], null, ['A', 'B']),
      'False B warn reported',
    ],
    [
      'one of two is not known',
      reported([applies('A', 'False')], [], null, ['A', 'B']),
      'Unknown EvaluationFailed warn reported',
    ],
    [
      'there is no name at all',
      reported([applies('A', 'True')], [], 'True', []),
      'Unknown EvaluationFailed warn reported',
    ],
    [
      'all are accepted, and the cluster does not list risks',
      { ...reported([], ['A'], 'False'), knownRisks: null },
      ACCEPTED,
    ],
    [
      'the cluster recommends it, and does not list risks',
      { ...reported([], [], 'True'), knownRisks: null },
      OK,
    ],
  ])('case 75: %s', (_, changes, expected) => {
    expect(inShort(check(changes))).toBe(expected);
  });

  it('names risks that apply, and keeps all with their state', () => {
    const risks = [
      applies('A', 'True'),
      applies('B', 'Unknown'),
      applies('C', 'False'),
      applies('D', 'True'),
    ];
    expect(check(reported(risks, ['D'], 'False', ['D', 'C', 'B', 'A']))).toMatchObject({
      message:
        '4.15.3 is not recommended for the cluster: risk A applies to it and is not accepted; not known whether these apply: B',
      objects: [
        { name: 'A', detail: { url: 'https://example.com/A', message: 'A happens', applies: 'yes' } },
        { name: 'B', detail: { applies: 'unknown' } },
        { name: 'C', detail: { applies: 'no' } },
        { name: 'D', detail: { applies: 'yes', accepted: true, source: 'cluster' } },
      ],
      url: 'https://example.com/A',
    });
  });

  it('decides risks of the graph too, but only of the first hop', () => {
    const update = anUpdate({ conditional: true, risks: [risk('A')] });
    const known = { knownRisks: [applies('A', 'False')] };
    expect(inShort(check(known, [update]))).toBe(OK);
    expect(inShort(check({ knownRisks: [applies('A', 'True')] }, [update]))).toBe(APPLIES);
    expect(inShort(check(known, [anUpdate(), update], [...PATH, '4.16.1']))).toBe(
      'Unknown EvaluationFailed warn computed',
    );
  });

  it('is accepted by the name that oc has for it', () => {
    const given = context(
      aCluster({ clusterVersion: aClusterVersion(reported([applies('A', 'True')])) }),
      PATH,
      { options: { accept: ['ConditionalUpdateRisk'] } },
    );
    expect(settleFinding(pathRecommended(given)[0]!, given.hop, given.options).accepted).toBe(true);
  });

  it.each([
    'AdminAck-4.22-subject',
    'ClusterOperatorUpgradeable-dns',
    'ClusterVersionOverrides',
    'ClusterVersionUpdating',
    'ResourceDeletionInProgress',
  ])('%s is to be resolved, not accepted', (name) => {
    const found = check(reported([applies(name, 'True')], [], null, [name]));
    expect(found.reason).toBe(name.includes('-') ? 'ExposedToRisks' : name);
    expect(found.remediation).toEqual([
      `Resolve ${name} instead of accepting: the plan has a finding for the cause`,
      'oc adm upgrade',
    ]);
    expect(isAcceptableName(name)).toBe(false);
  });
});

describe('an update that the cluster refused', () => {
  const refusal = (message: string, asked: string | null, acceptedRisks: readonly string[] = []) =>
    aCluster({
      clusterVersion: aClusterVersion({
        conditions: [aCondition('ReleaseAccepted', 'False', 'UnacceptedRisks', message)],
        desiredUpdate: asked === null ? null : { version: asked, image: '', force: false },
        conditionalUpdates: [{ version: '4.15.3', risks: ['SlowDisk', 'DiskFull'], recommended: null }],
        knownRisks: [],
        acceptedRisks,
      }),
    });
  const found = (facts: ClusterFacts, path = PATH) =>
    pathRecommended(context(facts, path, { updates: [anUpdate()] })).filter(
      ({ reason }) => reason === 'UpdateRefused',
    );

  it('blocks that update, and names the risks of the message', () => {
    expect(found(refusal('risks not accepted: DiskFull', '4.15.3'))).toMatchObject([
      {
        status: 'False',
        effect: 'block',
        origin: 'reported',
        message:
          'The cluster refused 4.15.3 for risks that are not accepted (DiskFull): risks not accepted: DiskFull',
        objects: [{ name: 'DiskFull' }],
      },
    ]);
  });

  it.each<[string, string, string | null, readonly string[], string, readonly string[]]>([
    ['the message names none', 'no', '4.15.3', [], 'block', ['DiskFull', 'SlowDisk']],
    ['some are accepted by now', 'DiskFull,SlowDisk', '4.15.3', ['DiskFull'], 'block', ['SlowDisk']],
    ['nothing is asked for', 'DiskFull', null, [], 'block', ['DiskFull']],
    ['another version was asked for', 'DiskFull', '4.15.9', [], 'block', ['DiskFull']],
    ['another version with other risks', 'DiskFuller', '4.15.9', [], 'warn', []],
  ])('when %s', (_, message, asked, accepted, effect, names) => {
    const [first] = found(refusal(message, asked, accepted));
    expect(first).toMatchObject({ effect });
    expect((first?.objects ?? []).map(({ name }) => name)).toEqual(names);
  });

  it('names a risk of one letter', () => {
    const { clusterVersion, ...facts } = refusal('risks not accepted: A', null);
    const conditionalUpdates = [{ version: '4.15.3', risks: ['A'], recommended: null }];
    const [first] = found({ ...facts, clusterVersion: { ...clusterVersion!, conditionalUpdates } });
    expect(first).toMatchObject({ effect: 'block', objects: [{ name: 'A' }] });
  });

  it('is not what another reason is about', () => {
    const conditions = [aCondition('ReleaseAccepted', 'False', 'VerificationFailed', 'DiskFull')];
    expect(found(aCluster({ clusterVersion: aClusterVersion({ conditions }) }))).toEqual([]);
  });
});
