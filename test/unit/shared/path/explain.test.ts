import type { Applies } from '@cairn/shared/path/question';
import { describe, expect, it } from 'vitest';
import { JANUARY_2021 } from '../../../helpers/path/january-2021.ts';
import { ask, explanationOf, outcome, releases } from '../../../helpers/path/releases.ts';

const versionsOf = (path: readonly { readonly version: string }[]) => path.map(({ version }) => version);

describe('T1: the founding example, January 2021', () => {
  const known = releases(JANUARY_2021);

  it('goes from 4.4.3 to 4.4.29 to 4.5.24 in stable-4.5', async () => {
    const answer = await ask(known, '4.4.3', 'latest', 'stable-4.5');
    expect(outcome(answer)).toBe('4.4.3 4.4.29 4.5.24');
    expect(answer).toMatchObject({
      to: '4.5.24',
      channels: ['stable-4.5'],
      upgrade: {
        exact: true,
        stats: { hops: 2, minorsCrossed: 1, riskyHops: 0, distinctRisks: 0, channelSwitches: 0 },
        channelPlan: [{ channel: 'stable-4.5', untilVersion: '4.5.24' }],
        path: [
          { version: '4.4.3', hop: null },
          { version: '4.4.29', hop: { conditional: false, crossesMinor: false, channels: ['stable-4.5'] } },
          { version: '4.5.24', hop: { crossesMinor: true } },
        ],
      },
    });
  });

  it('finds no path in stable-4.6, says why, and offers stable-4.5', async () => {
    const explanation = explanationOf(await ask(known, '4.4.3', 'latest', 'stable-4.6'));
    expect(explanation).toMatchObject({
      code: 'source_not_in_channel',
      message: '4.4.3 is not in stable-4.6, but in stable-4.4 and stable-4.5',
      suggestion: 'stable-4.5 leads to 4.5.24 in 2 hops',
      details: {
        channels: ['stable-4.4', 'stable-4.5'],
        newestSibling: null,
        through: { channel: 'stable-4.5', newest: '4.5.24' },
        nearestVersions: [],
      },
      nearestTarget: { below: null, above: null },
    });
    const [first, second] = explanation.alternatives;
    expect(first).toMatchObject({ channels: ['stable-4.5'], to: '4.5.24' });
    expect(versionsOf(first!.path)).toEqual(['4.4.3', '4.4.29', '4.5.24']);
    expect(second).toMatchObject({ channels: ['stable-4.5', 'stable-4.6'], to: '4.6.12' });
    expect(versionsOf(second!.path)).toEqual(['4.4.3', '4.4.29', '4.5.24', '4.6.12']);
  });
});

describe('the tables of oc-mirror', () => {
  const stable40 = [
    '4.0.0-0.okd-0',
    '4.0.0-4 > 4.0.0-5',
    '4.0.0-5 > 4.0.0-6',
    '4.0.0-6 > 4.0.0-7',
    '4.0.0-6 > 4.0.0-8',
    '4.0.0-7 > 4.0.0-8',
  ];
  const known = releases({
    'stable-4.0': stable40,
    'stable-4.1': [...stable40, '4.0.0-8 > 4.1.0-6'],
    'stable-4.2': ['4.1.0-6 > 4.2.0-3', '4.2.0-2 > 4.2.0-3', '4.2.0-3 > 4.2.0-5'],
    'stable-4.3': ['4.3.0 > 4.3.1'],
    'fast-4.3': ['4.2.0-5 > 4.3.0', '4.3.0 > 4.3.1', '4.3.1 > 4.3.2'],
    'fast-4.4': [],
  });

  it.each([
    ['P1', 'stable-4.0', '4.0.0-4', '4.0.0-5', '4.0.0-4 4.0.0-5'],
    ['P2', 'stable-4.0', '4.0.0-4', '4.0.0-8', '4.0.0-4 4.0.0-5 4.0.0-6 4.0.0-8'],
    ['P3', 'stable-4.0', '4.0.0-4', '4.0.0-0.okd-0', 'invalid_order'],
    ['P4 source', 'stable-4.0', '4.0.0-9', '4.0.0-10', 'source_not_in_channel'],
    ['P4 target', 'stable-4.0', '4.0.0-4', '4.0.0-10', 'target_not_in_channel'],
    ['P5', '', '4.0.0-5', '4.1.0-6', '4.0.0-5 4.0.0-6 4.0.0-8 4.1.0-6'],
    ['P6', '', '4.0.0-5', '4.2.0-3', '4.0.0-5 4.0.0-6 4.0.0-8 4.1.0-6 4.2.0-3'],
    ['P7', '', '4.3.0', '4.3.1', '4.3.0 4.3.1'],
    ['P8', 'stable-4.2', '4.1.0-6', '4.2.0-2', 'disconnected'],
    ['P9', 'stable-4.3', '4.2.0-3', '4.3.0', 'source_not_in_channel'],
    ['P9 without a channel', '', '4.2.0-3', '4.3.0', '4.2.0-3 4.2.0-5 4.3.0'],
    ['P10 source', 'stable-4.3', '4.2.0-9', '4.3.0', 'source_not_in_channel'],
    ['P10 target', 'stable-4.3', '4.3.0', '4.3.5', 'target_not_in_channel'],
    ['P13', 'fast-4.4', '4.3.0', 'latest', 'channel_empty'],
  ])('%s', async (_, channel, from, to, expected) => {
    expect(outcome(await ask(known, from, to, channel === '' ? [] : channel))).toBe(expected);
  });

  it('P8: what can be reached is named, and that nothing reaches the target', async () => {
    expect(explanationOf(await ask(known, '4.1.0-6', '4.2.0-2', 'stable-4.2'))).toMatchObject({
      nearestTarget: { below: null, above: '4.2.0-3' },
      details: { farthest: ['4.2.0-5'], gateways: [], targetWithdrawn: false },
    });
  });

  it('P9: the alternative is a plan of two channels', async () => {
    const { alternatives } = explanationOf(await ask(known, '4.2.0-3', '4.3.0', 'stable-4.3'));
    expect(alternatives[0]).toMatchObject({
      to: '4.3.0',
      channelPlan: [
        { channel: 'stable-4.2', untilVersion: '4.2.0-5' },
        { channel: 'fast-4.3', untilVersion: '4.3.0' },
      ],
    });
    expect(versionsOf(alternatives[0]!.path)).toEqual(['4.2.0-3', '4.2.0-5', '4.3.0']);
  });

  it('P11: a channel goes from its oldest to its newest version', () => {
    expect(known.directory.get('stable-4.0')?.indexed).toMatchObject({
      oldest: '4.0.0-0.okd-0',
      newest: '4.0.0-8',
    });
  });

  it('P12: a range of a channel has both its ends', () => {
    const versions = known.directory.versionsOf(['stable-4.0']);
    const [from, to] = ['4.0.0-5', '4.0.0-8'].map((raw) => versions.find((other) => other.raw === raw)!);
    expect(known.directory.versionsBetween('stable-4.0', from!, to!).map(({ raw }) => raw)).toEqual([
      '4.0.0-5',
      '4.0.0-6',
      '4.0.0-7',
      '4.0.0-8',
    ]);
  });

  it('P13: an empty channel says which hold releases', async () => {
    expect(explanationOf(await ask(known, '4.3.0', 'latest', 'fast-4.4'))).toMatchObject({
      message: 'fast-4.4 holds no release on amd64 yet',
      details: {
        channels: ['fast-4.4'],
        publishedAt: '2026-01-01T00:00:00.000Z',
        nearest: ['fast-4.3', 'stable-4.3', 'stable-4.2'],
      },
      alternatives: [
        { channels: ['fast-4.3'], to: '4.3.2' },
        { channels: ['stable-4.3'], to: '4.3.1' },
      ],
    });
  });
});

describe('each reason', () => {
  const channels = {
    'stable-4.12': ['4.12.1 > 4.12.9', '4.12.5 > 4.12.9', '4.12.9 > 4.12.16'],
    'stable-4.13': [
      '4.12.1 > 4.12.9',
      '4.12.9 > 4.13.2 A,B',
      '4.12.16 > 4.13.2',
      '4.12.16 > 4.13.4 AlwaysC',
      '4.12.18 > 4.13.5',
      '4.13.2 > 4.13.4 A',
      '4.13.1',
    ],
    'fast-4.13': ['4.12.1 > 4.13.2', '4.13.2 > 4.13.5'],
    'stable-4.14': [],
    'eus-4.14': [],
  };
  const known = releases(channels, {
    neverSynced: ['eus-4.14'],
    elsewhere: { arm64: { 'stable-4.12': ['4.12.7 > 4.12.8'], 'stable-4.15': ['4.15.0 > 4.15.1'] } },
    withdrawn: { 'stable-4.13': ['4.13.1'] },
  });
  const why = async (...question: Parameters<typeof ask> extends [unknown, ...infer Rest] ? Rest : never) =>
    explanationOf(await ask(known, ...question));

  it('invalid_order: what lies ahead is offered instead', async () => {
    expect(await why('4.12.9', '4.12.1', 'stable-4.12')).toMatchObject({
      code: 'invalid_order',
      message: '4.12.1 is older than 4.12.9, and there are no updates back',
      suggestion: 'choose a target newer than 4.12.9, such as 4.12.16',
      sharedChannel: 'stable-4.12',
      alternatives: [{ channels: ['stable-4.12'], to: '4.12.16' }],
    });
    expect(await why('4.13.2', '4.12', 'stable-4.13')).toMatchObject({ code: 'invalid_order' });
  });

  it('invalid_order: not where an update does lead back, as on s390x', async () => {
    const back = releases({ 'stable-4.4': ['4.4.18 > 4.4.0', '4.4.0 > 4.4.9 A', '4.4.17 > 4.4.18'] });
    for (const channels of ['stable-4.4', []]) {
      expect(outcome(await ask(back, '4.4.18', '4.4.0', channels))).toBe('4.4.18 4.4.0');
      expect(outcome(await ask(back, '4.4.18', '4.4.9', channels))).toBe('no_recommended_path');
      expect(outcome(await ask(back, '4.4.18', '4.4.17', channels))).toBe('invalid_order');
    }
  });

  it('channel_unknown: the nearest are named, and where it is followed', async () => {
    expect(await why('4.12.1', 'latest', 'stable-4.18')).toMatchObject({
      code: 'channel_unknown',
      message: 'stable-4.18 is not followed on amd64, or was never synced',
      details: { publishedAt: null, arches: [], nearest: ['stable-4.13', 'fast-4.13', 'stable-4.12'] },
    });
    expect(await why('4.12.1', 'latest', 'stable-4.15')).toMatchObject({
      message: 'stable-4.15 is not followed on amd64, but on arm64',
      details: { arches: ['arm64'] },
    });
    expect(await why('4.12.1', 'latest', 'eus-4.14')).toMatchObject({ code: 'channel_unknown' });
  });

  it('channel_empty', async () => {
    expect(await why('4.12.1', 'latest', ['stable-4.14', 'eus-4.14'])).toMatchObject({
      code: 'channel_empty',
      details: {
        channels: ['stable-4.14', 'eus-4.14'],
        nearest: ['stable-4.13', 'fast-4.13', 'stable-4.12'],
      },
      alternatives: [{ to: '4.13.5', channels: ['fast-4.13'] }, {}],
    });
  });

  it('arch_unavailable, for either end', async () => {
    expect(await why('4.12.7', '4.12.9', 'stable-4.12')).toMatchObject({
      code: 'arch_unavailable',
      message: '4.12.7 is not known on amd64, but on arm64',
      details: { version: '4.12.7', arches: ['arm64'] },
    });
    expect(await why('4.12.1', '4.12.8')).toMatchObject({ details: { version: '4.12.8' } });
  });

  it('source_not_in_channel: with the newest of its minor there, or the versions next to it', async () => {
    expect(await why('4.12.5', 'latest', 'stable-4.13')).toMatchObject({
      code: 'source_not_in_channel',
      details: {
        channels: ['stable-4.12'],
        newestSibling: '4.12.18',
        through: { channel: 'stable-4.12', newest: '4.12.16' },
      },
    });
    expect(await why('4.12.6', 'latest')).toMatchObject({
      code: 'source_not_in_channel',
      message:
        '4.12.6 is in no followed channel; the nearest known versions are 4.12.1, 4.12.5, 4.12.9 and 4.12.16',
      details: { channels: [], nearestVersions: ['4.12.1', '4.12.5', '4.12.9', '4.12.16'] },
    });
  });

  it('target_not_in_channel: by version, minor and newest', async () => {
    expect(await why('4.12.1', '4.13.5', 'stable-4.12')).toMatchObject({
      code: 'target_not_in_channel',
      message:
        '4.13.5 is not in stable-4.12, but in stable-4.13 and fast-4.13; stable-4.13 has both 4.12.1 and 4.13.5, but no permitted path between them',
      sharedChannel: 'stable-4.13',
      details: { channels: ['stable-4.13', 'fast-4.13'] },
      nearestTarget: { below: '4.12.16', above: null },
      alternatives: [
        { channels: ['fast-4.13'], to: '4.13.5' },
        { channels: ['stable-4.12'], to: '4.12.16' },
      ],
    });
    expect(await why('4.12.1', '4.13', 'stable-4.12')).toMatchObject({
      message: expect.stringMatching(
        /^a release of 4\.13 is not in stable-4\.12, but in stable-4\.13 and fast-4\.13; /,
      ) as string,
      details: { channels: ['stable-4.13', 'fast-4.13'] },
    });
    expect(await why('4.12.1', '4.13.9')).toMatchObject({
      details: { channels: [], nearestVersions: ['4.13.4', '4.13.5'] },
    });
    expect(await why('4.12.1', '4.14')).toMatchObject({
      message:
        'a release of 4.14 is in no followed channel; the nearest known versions are 4.13.4 and 4.13.5',
    });
  });

  it('target_not_in_channel: leads as near to an unknown target as joined channels do', async () => {
    const chain = releases({
      'stable-4.12': ['4.12.1 > 4.12.9'],
      'stable-4.13': ['4.12.9 > 4.13.4'],
      'stable-4.14': ['4.13.4 > 4.14.2'],
    });
    for (const to of ['4.16.1', '4.16']) {
      expect(explanationOf(await ask(chain, '4.12.1', to))).toMatchObject({
        suggestion: 'stable-4.12, stable-4.13 then stable-4.14 leads to 4.14.2 in 3 hops',
        alternatives: [{ to: '4.14.2' }, { to: '4.12.9' }],
      });
    }
  });

  it('no_recommended_path: the safest path, its risks and the first hop that is in the way', async () => {
    const explanation = await why('4.12.9', '4.13.4', 'stable-4.13');
    expect(explanation).toMatchObject({
      code: 'no_recommended_path',
      message:
        'every path from 4.12.9 to 4.13.4 in stable-4.13 takes conditional updates; the safest has the risks A and B',
      suggestion: 'read about A and B, and accept by name what does not concern the cluster',
      details: {
        risks: ['A', 'B'],
        always: [],
        firstBlocked: { from: '4.12.9', to: '4.13.2', risks: ['A', 'B'] },
      },
      nearestTarget: { below: null, above: null },
    });
  });

  it('no_recommended_path: a risk that concerns every cluster is named as such', async () => {
    const always = releases({ 'stable-4.1': ['4.1.0 > 4.1.1 AlwaysC', '4.1.0 > 4.1.2'] });
    for (const risk of ['none', 'non-always'] as const) {
      const explanation = explanationOf(await ask(always, '4.1.0', '4.1.1', 'stable-4.1', { risk }));
      expect(explanation).toMatchObject({
        code: 'no_recommended_path',
        details: { risks: ['AlwaysC'], always: ['AlwaysC'] },
        nearestTarget: { below: null, above: '4.1.2' },
      });
      expect(explanation.suggestion).toContain('AlwaysC concerns every cluster');
    }
  });

  it('T3: risks_not_accepted names what is missing', async () => {
    const accepting = { risk: 'accept', acceptedRisks: ['A'] } as const;
    expect(await why('4.12.9', '4.13.4', 'stable-4.13', accepting)).toMatchObject({
      code: 'risks_not_accepted',
      message: 'no path from 4.12.9 to 4.13.4 in stable-4.13 has only accepted risks; the safest also has B',
      details: { missing: ['B'], risks: ['A', 'B'], firstBlocked: { from: '4.12.9', to: '4.13.2' } },
    });
    const both = { risk: 'accept', acceptedRisks: ['A', 'B'] } as const;
    expect(outcome(await ask(known, '4.12.9', '4.13.4', 'stable-4.13', both))).toBe('4.12.9 4.13.2 4.13.4');
  });

  it('for a cluster, what does not apply is no risk, and the others are named by what is known', async () => {
    const policy = (verdicts: Readonly<Record<string, Applies>>, acceptedRisks: readonly string[] = []) => ({
      risk: 'applicable' as const,
      acceptedRisks,
      applies: ({ name }: { readonly name: string }) => verdicts[name] ?? ('unknown' as const),
    });
    const end = ['4.12.9', '4.13.4', 'stable-4.13'] as const;
    const free = await ask(known, ...end, policy({ A: 'no', B: 'no' }));
    expect(outcome(free)).toBe('4.12.9 4.13.2 4.13.4');
    expect(free).toMatchObject({ upgrade: { stats: { riskyHops: 0, distinctRisks: 2 } } });
    expect(outcome(await ask(known, ...end, policy({ A: 'no', B: 'yes' }, ['B'])))).toBe(
      '4.12.9 4.13.2 4.13.4',
    );
    expect(await why(...end, policy({ A: 'yes' }))).toMatchObject({
      code: 'risks_not_accepted',
      message:
        'every path from 4.12.9 to 4.13.4 in stable-4.13 has risks that apply to the cluster or may apply; on the safest, A applies, and it is not known whether B applies',
      suggestion:
        'read about B, and accept by name what does not concern the cluster; read about A, and choose another target, or accept by name what the cluster can live with',
      details: { missing: ['A', 'B'], applying: ['A'], unknown: ['B'] },
    });
  });

  it('source_has_no_updates: as the newest, as withdrawn, or just so', async () => {
    expect(await why('4.13.5', '4.13.5-rc.1', 'stable-4.13')).toMatchObject({ code: 'invalid_order' });
    expect(await why('4.13.1', 'latest', 'stable-4.13')).toMatchObject({
      code: 'source_has_no_updates',
      message: '4.13.1 was withdrawn upstream, and no update leaves it in stable-4.13',
      details: { isNewest: false, withdrawn: true },
    });
    expect(await why('4.13.4', 'latest', 'stable-4.13')).toMatchObject({
      code: 'source_has_no_updates',
      details: { isNewest: false, withdrawn: false },
    });
    const ahead = releases(
      { 'stable-4.1': ['4.1.0 > 4.1.2', '4.1.5'] },
      { withdrawn: { 'stable-4.1': ['4.1.5'] } },
    );
    expect(explanationOf(await ask(ahead, '4.1.5', 'latest', 'stable-4.1'))).toMatchObject({
      code: 'source_has_no_updates',
      details: { isNewest: true, withdrawn: true },
    });
  });

  it('disconnected: what is reached, what reaches the target, and where to go first', async () => {
    expect(await why('4.12.16', '4.13.5', 'stable-4.13', { risk: 'all' })).toMatchObject({
      code: 'disconnected',
      message: 'no updates lead from 4.12.16 to 4.13.5 in stable-4.13, whatever risks are accepted',
      details: {
        farthest: ['4.13.4'],
        gateways: [{ minor: '4.12', oldest: '4.12.18', newest: '4.12.18', count: 1 }],
      },
      nearestTarget: { below: '4.13.4', above: null },
    });
    const alone = releases({ 'stable-4.1': ['4.1.0 > 4.1.1', '4.1.3 > 4.1.9', '4.1.4 > 4.1.9'] });
    expect(explanationOf(await ask(alone, '4.1.1', '4.1.9', 'stable-4.1'))).toMatchObject({
      code: 'source_has_no_updates',
    });
    expect(explanationOf(await ask(alone, '4.1.0', '4.1.9', 'stable-4.1'))).toMatchObject({
      suggestion: 'only clusters from 4.1.3 on get to 4.1.9',
      alternatives: [],
    });
  });

  it('disconnected: a withdrawn target is called so', async () => {
    expect(await why('4.12.16', '4.13.1', 'stable-4.13')).toMatchObject({
      code: 'disconnected',
      message: '4.13.1 was withdrawn upstream, so no update leads to it any more',
      details: { targetWithdrawn: true },
      nearestTarget: { below: null, above: '4.13.2' },
    });
  });
});

describe('advice', () => {
  const released = ['4.14.1 > 4.14.9', '4.14.9 > 4.15.3', '4.14.1 > 4.15.2', '4.15.2 > 4.15.3'];
  const known = releases({
    'stable-4.14': ['4.14.1 > 4.14.9'],
    'stable-4.15': released,
    'stable-4.16': [...released, '4.15.3 > 4.16.5'],
    'fast-4.15': [...released, '4.15.3 > 4.15.4'],
    'candidate-4.15': [...released, '4.15.3 > 4.15.6', '4.14.0-rc.1 > 4.14.1', '4.15.0-rc.1'],
    'candidate-4.16': [...released, '4.15.3 > 4.16.7'],
  });
  const why = async (from: string, to: string, channels: string[] = []) =>
    explanationOf(await ask(known, from, to, channels));

  it('offers the version nearest to an unknown target, not to the source', async () => {
    const { suggestion, nearestTarget } = await why('4.14.1', '4.15.99');
    expect(suggestion).toBe('stable-4.15 leads to 4.15.3 in 2 hops');
    expect(nearestTarget).toEqual({ below: '4.15.3', above: null });
    expect((await why('4.14.1', '4.16.99')).nearestTarget.below).toBe('4.16.5');
    expect((await why('4.14.1', '4.15.99', ['fast-4.13'])).suggestion).toContain('leads to 4.15.3');
  });

  it('puts candidate channels last, if another channel leads to the minor', async () => {
    // Only candidate-4.15 has both ends, but no update leads there.
    const { message, suggestion, alternatives, sharedChannel } = await why('4.14.1', '4.15.0-rc.1');
    expect(message).toContain('in candidate-4.15');
    expect(sharedChannel).toBe('candidate-4.15');
    expect(suggestion).toBe('stable-4.15 leads to 4.15.3 in 2 hops');
    expect(alternatives[0]!.channels).toEqual(['stable-4.15']);
    expect((await why('4.14.0-rc.1', '4.15.99')).suggestion).toMatch(
      /^candidate-4\.15 \(not supported for prod/,
    );
  });

  it('leaves out candidate channels to a minor that another channel reaches', async () => {
    const { message, suggestion, alternatives } = await why('4.14.1', '4.15.6', ['stable-4.14']);
    expect(suggestion).toBe('stable-4.15 leads to 4.15.3 in 2 hops');
    expect(alternatives.flatMap(({ channels }) => channels).join()).not.toContain('candidate');
    expect(message).toMatch(
      /; candidate-4\.15 \(not supported for production\) has both 4\.14\.1 and 4\.15\.6$/,
    );
  });

  it('puts candidate channels last for the newest release, even if another leads only partly', async () => {
    const partly = releases({
      'stable-4.15': ['4.14.1 > 4.14.9', '4.15.3'],
      'candidate-4.16': ['4.14.1 > 4.15.2', '4.15.2 > 4.16.1'],
    });
    const { suggestion, alternatives } = explanationOf(await ask(partly, '4.14.1', 'latest', 'eus-4.16'));
    expect(suggestion).toBe('stable-4.15 leads to 4.14.9 in 1 hop');
    expect(alternatives.map(({ channels }) => channels)).toEqual([['stable-4.15'], ['candidate-4.16']]);
  });

  it('names the most stable channel that has both ends', async () => {
    const { message, sharedChannel, details } = await why('4.14.1', '4.15.3', [
      'candidate-4.13',
      'stable-4.14',
    ]);
    expect(sharedChannel).toBe('stable-4.15');
    expect(message).toBe(
      '4.15.3 is not in stable-4.14, but in stable-4.15, stable-4.16, fast-4.15, candidate-4.15 (not supported for production) and candidate-4.16 (not supported for production); stable-4.15 has both 4.14.1 and 4.15.3',
    );
    expect(details).toMatchObject({
      channels: ['stable-4.15', 'stable-4.16', 'fast-4.15', 'candidate-4.15', 'candidate-4.16'],
    });
  });

  it('names no shared channel for a source that is the newest release itself', async () => {
    const { message, sharedChannel } = await why('4.15.3', '4.15', ['stable-4.14']);
    expect(sharedChannel).toBeNull();
    expect(message).not.toContain('has both');
  });

  it('offers one of several channels asked for, if risks of another block the path in all', async () => {
    const joined = releases({
      'stable-4.14': ['4.14.1 > 4.14.9'],
      'stable-4.15': ['4.14.1 > 4.15.2 A'],
      'fast-4.15': ['4.14.1 > 4.15.2'],
      'candidate-4.15': ['4.14.1 > 4.15.2'],
    });
    const nearest = async (to: string) => {
      const { code, alternatives } = explanationOf(
        await ask(joined, '4.14.1', to, ['stable-4.15', 'fast-4.15']),
      );
      return [code, alternatives[0]!.channels.join(), alternatives[0]!.to];
    };
    expect(await nearest('4.15.2')).toEqual(['no_recommended_path', 'fast-4.15', '4.15.2']);
    expect(await nearest('4.15')).toEqual(['no_recommended_path', 'fast-4.15', '4.15.2']);
    expect(await nearest('4.15.99')).toEqual(['target_not_in_channel', 'fast-4.15', '4.15.2']);
  });

  it('offers the release of the minor, even if a path to a later minor passes it', async () => {
    const passing = releases(
      {
        'stable-4.14': ['4.14.1', '4.14.2', '4.14.3'],
        'stable-4.15': ['4.14.1 > 4.14.2', '4.14.3', '4.14.2 > 4.15.1'],
        'candidate-4.15': ['4.14.1 > 4.14.3'],
      },
      { withdrawn: { 'stable-4.14': ['4.14.3'] } },
    );
    const { suggestion, alternatives } = explanationOf(await ask(passing, '4.14.1', '4.14', 'stable-4.14'));
    expect(suggestion).toBe('stable-4.15 leads to 4.14.2 in 1 hop');
    expect(alternatives.map(({ to }) => to)).toEqual(['4.14.2', '4.15.1']);
  });

  it('goes through no channel past the target, and through no candidate if a stable channel has both ends', async () => {
    const late = releases({
      'stable-4.14': ['4.14.1 > 4.14.9'],
      'stable-4.15': ['4.14.1 > 4.15.3'],
      'candidate-4.15': ['4.14.1 > 4.15.2'],
      'fast-4.16': ['4.15.2 > 4.15.3', '4.15.3 > 4.16.1'],
      'fast-4.17': ['4.15.2 > 4.16.1'],
    });
    const asked = async (to: string, channel: string) =>
      explanationOf(await ask(late, '4.14.1', to, channel)).details;
    expect(await asked('4.16', 'fast-4.16')).toMatchObject({
      through: { channel: 'stable-4.15', newest: '4.15.3' },
    });
    expect(await asked('4.16', 'fast-4.17')).toMatchObject({ through: { channel: 'candidate-4.15' } });
    expect(await asked('4.15.2', 'fast-4.16')).toMatchObject({ through: { channel: 'candidate-4.15' } });
    expect(await asked('4.15.3', 'fast-4.17')).toMatchObject({ through: null });
  });
});

describe('alternatives', () => {
  it('are other paths, never more than three, and read at most four graphs', async () => {
    const edges = (minor: number) => [`4.${minor}.0 > 4.${minor}.1`, '4.10.0 > 4.10.1', '4.10.1 > 4.10.2'];
    const known = releases(
      Object.fromEntries(
        Array.from({ length: 9 }, (_, at) => [
          `stable-4.${10 + at}`,
          [...edges(10 + at), `4.10.0 > 4.10.${3 + at}`],
        ]),
      ),
    );
    const { alternatives } = explanationOf(await ask(known, '4.10.0', 'latest', 'stable-4.30'));
    expect(alternatives).toHaveLength(3);
    expect(new Set(alternatives.map(({ path }) => versionsOf(path).join())).size).toBe(3);
    expect(new Set(known.read).size).toBeLessThanOrEqual(4);
  });

  it('keep to the conditions of the question', async () => {
    const known = releases({
      'stable-4.1': ['4.1.0 > 4.1.1 A'],
      'fast-4.1': ['4.1.0 > 4.1.1 A', '4.1.0 > 4.1.2-rc.1'],
    });
    expect(explanationOf(await ask(known, '4.1.0', '4.1.1', 'stable-4.1')).alternatives).toEqual([]);
    const accepting = { risk: 'accept', acceptedRisks: ['A'] } as const;
    expect(outcome(await ask(known, '4.1.0', '4.1.1', 'stable-4.1', accepting))).toBe('4.1.0 4.1.1');
  });
});
