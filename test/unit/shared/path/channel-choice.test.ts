import { answerWarnings } from '@cairn/shared/path/find-path';
import { describe, expect, it } from 'vitest';
import { ask, explanationOf, outcome, releases } from '../../../helpers/path/releases.ts';

describe('without a channel', () => {
  it.each([
    [
      'stable before the rest',
      { 'candidate-4.1': ['4.1.0 > 4.1.1'], 'eus-4.1': ['4.1.0 > 4.1.1'], 'stable-4.1': ['4.1.0 > 4.1.1'] },
      ['stable-4.1'],
    ],
    ['eus before fast', { 'fast-4.1': ['4.1.0 > 4.1.1'], 'eus-4.1': ['4.1.0 > 4.1.1'] }, ['eus-4.1']],
    [
      'the lowest minor that is not below the target',
      { 'stable-4.3': ['4.1.0 > 4.1.1'], 'stable-4.2': ['4.1.0 > 4.1.1'], 'stable-4.0': ['4.1.0 > 4.1.1'] },
      ['stable-4.2'],
    ],
    [
      'the prefix before fewer hops',
      { 'stable-4.1': ['4.1.0 > 4.1.0-x', '4.1.0 > 4.1.2', '4.1.2 > 4.1.1'], 'fast-4.1': ['4.1.0 > 4.1.1'] },
      ['stable-4.1'],
    ],
    [
      'a path before none',
      { 'stable-4.1': ['4.1.0', '4.1.1'], 'candidate-4.1': ['4.1.0 > 4.1.1'] },
      ['candidate-4.1'],
    ],
    [
      'fewer risks before fewer hops',
      { 'stable-4.1': ['4.1.0 > 4.1.1 A'], 'fast-4.1': ['4.1.0 > 4.1.2', '4.1.2 > 4.1.1'] },
      ['fast-4.1'],
    ],
  ])('%s', async (_, channels, expected) => {
    const answer = await ask(releases(channels), '4.1.0', '4.1.1', [], { risk: 'all' });
    expect(answer.channels).toEqual(expected);
    expect(answer.found).toBe(true);
  });

  it('one graph is read where the highest rank has a path, and never more than four to avoid risks', async () => {
    const prefixes = ['stable', 'eus', 'fast', 'candidate', 'prerelease'];
    const all = (edges: string[]) => Object.fromEntries(prefixes.map((prefix) => [`${prefix}-4.1`, edges]));
    const direct = releases(all(['4.1.0 > 4.1.1']));
    await ask(direct, '4.1.0', '4.1.1');
    expect(direct.read).toEqual(['stable-4.1']);
    const risky = releases(all(['4.1.0 > 4.1.1 A']));
    expect((await ask(risky, '4.1.0', '4.1.1', [], { risk: 'all' })).channels).toEqual(['stable-4.1']);
    expect(risky.read).toEqual(['stable-4.1', 'eus-4.1', 'fast-4.1']);
  });

  it('more than four graphs are read while every path has risks that are not accepted', async () => {
    const risky = ['stable-4.1', 'stable-4.2', 'stable-4.3', 'eus-4.2', 'fast-4.1'];
    const known = releases({
      ...Object.fromEntries(risky.map((name) => [name, ['4.1.0 > 4.1.1 A']])),
      'candidate-4.1': ['4.1.0 > 4.1.1'],
    });
    expect(await ask(known, '4.1.0', '4.1.1')).toMatchObject({ found: true, channels: ['candidate-4.1'] });
  });

  it.each([
    ['latest', '4.3.1'],
    ['4.2', '4.2.9'],
    ['4.3', '4.3.1'],
    ['4.4', '4.4.0-rc.1'],
  ])('%s is the newest of the preferred channels that have one', async (to, expected) => {
    const known = releases({
      'stable-4.2': ['4.1.0 > 4.2.0', '4.2.0 > 4.2.9'],
      'stable-4.3': ['4.1.0 > 4.2.0', '4.2.0 > 4.2.9', '4.2.9 > 4.3.1'],
      'stable-4.9': ['4.9.0 > 4.9.1'],
      'candidate-4.4': ['4.1.0 > 4.2.0', '4.2.0 > 4.3.5', '4.3.5 > 4.4.0-rc.1'],
    });
    const answer = await ask(known, '4.1.0', to, [], to === '4.4' ? { prerelease: true } : {});
    expect(answer.to).toBe(expected);
    expect(answer.found).toBe(true);
  });

  it('the newest patch of a minor is not below the source', async () => {
    const known = releases({
      'stable-4.1': ['4.1.0 > 4.1.4'],
      'candidate-4.1': ['4.1.0 > 4.1.4', '4.1.5 > 4.1.7'],
    });
    expect(outcome(await ask(known, '4.1.5', '4.1'))).toBe('4.1.5 4.1.7');
  });

  it('a withdrawn release is not the newest', async () => {
    const known = releases(
      { 'stable-4.1': ['4.1.0 > 4.1.4', '4.1.0 > 4.1.5'] },
      { withdrawn: { 'stable-4.1': ['4.1.5'] } },
    );
    for (const channels of [[], ['stable-4.1']])
      expect((await ask(known, '4.1.0', 'latest', channels)).to).toBe('4.1.4');
  });

  it('the same version is reached without a hop', async () => {
    const known = releases({ 'stable-4.1': ['4.1.0 > 4.1.4'] });
    expect(await ask(known, '4.1.4', 'latest')).toMatchObject({
      found: true,
      upgrade: { stats: { hops: 0 } },
    });
  });
});

describe('the rank of channels', () => {
  it('eus comes first for Control Plane Only from one EUS minor to another', async () => {
    const edges = ['4.14.1 > 4.15.1', '4.15.1 > 4.16.1'];
    const known = releases({ 'stable-4.16': edges, 'eus-4.16': edges });
    expect((await ask(known, '4.14.1', '4.16')).channels).toEqual(['stable-4.16']);
    expect((await ask(known, '4.14.1', '4.16', [], { prefersEus: true })).channels).toEqual(['eus-4.16']);
  });

  it('joined stable channels come before as many eus channels, from EUS to EUS too', async () => {
    const edges = {
      'stable-4.14': ['4.12.1 > 4.13.1', '4.13.1 > 4.14.1'],
      'eus-4.14': ['4.12.1 > 4.13.1', '4.13.1 > 4.14.1'],
      'stable-4.16': ['4.14.1 > 4.15.1', '4.15.1 > 4.16.1'],
      'eus-4.16': ['4.14.1 > 4.15.1', '4.15.1 > 4.16.1'],
    };
    const known = releases(edges);
    expect((await ask(known, '4.12.1', '4.16')).channels).toEqual(['stable-4.14', 'stable-4.16']);
    const planned = await ask(known, '4.12.1', '4.16', [], { prefersEus: true });
    expect(planned.channels).toEqual(['eus-4.14', 'eus-4.16']);
  });

  it('joined stable channels come before one candidate channel, which is the last resort', async () => {
    const known = releases({
      'stable-4.1': ['4.1.0 > 4.1.5'],
      'stable-4.2': ['4.1.5 > 4.2.0'],
      'candidate-4.2': ['4.1.0 > 4.2.0'],
    });
    const answer = await ask(known, '4.1.0', '4.2.0', []);
    expect(answer.channels).toEqual(['stable-4.1', 'stable-4.2']);
    expect(answerWarnings(answer, { stale: false, syncedAt: null })).toEqual([]);
  });

  it('a candidate channel without risks does not replace a stable one with accepted risks', async () => {
    const known = releases({ 'stable-4.1': ['4.1.0 > 4.1.1 A'], 'candidate-4.1': ['4.1.0 > 4.1.1'] });
    expect((await ask(known, '4.1.0', '4.1.1', [], { risk: 'all' })).channels).toEqual(['stable-4.1']);
    const only = await ask(known, '4.1.0', '4.1.1');
    expect(only.channels).toEqual(['candidate-4.1']);
    expect(answerWarnings(only, { stale: false, syncedAt: null })).toEqual([
      { code: 'not_for_production', message: 'candidate-4.1: not supported for production' },
    ]);
  });

  it('mixes stable and fast before a candidate channel alone', async () => {
    const known = releases({
      'stable-4.1': ['4.1.0 > 4.1.5'],
      'fast-4.2': ['4.1.5 > 4.2.0'],
      'candidate-4.1': ['4.1.0 > 4.1.5'],
      'candidate-4.2': ['4.1.5 > 4.2.0'],
    });
    expect((await ask(known, '4.1.0', '4.2.0')).channels).toEqual(['stable-4.1', 'fast-4.2']);
  });

  it('decides which channel leads through, and which paths are near', async () => {
    const known = releases({
      'stable-4.1': ['4.1.0 > 4.1.5'],
      'candidate-4.1': ['4.1.0 > 4.1.5'],
      'candidate-4.2': ['4.1.0 > 4.1.5', '4.1.5 > 4.2.0'],
      'stable-4.2': ['4.1.5 > 4.2.0'],
    });
    const explained = explanationOf(await ask(known, '4.1.0', '4.2.0', 'stable-4.2'));
    expect(explained.details).toMatchObject({ through: { channel: 'stable-4.1', newest: '4.1.5' } });
    expect(explained.alternatives.map(({ channels }) => channels)).toEqual([
      ['stable-4.1', 'stable-4.2'],
      ['stable-4.1'],
    ]);
    expect(explained.suggestion).toBe('stable-4.1 then stable-4.2 leads to 4.2.0 in 2 hops');
  });

  it('labels a candidate channel in a suggestion', async () => {
    const known = releases({ 'stable-4.2': ['4.2.0'], 'candidate-4.2': ['4.1.0 > 4.2.0'] });
    const { suggestion } = explanationOf(await ask(known, '4.1.0', '4.2.0', 'stable-4.2'));
    expect(suggestion).toBe('candidate-4.2 (not supported for production) leads to 4.2.0 in 1 hop');
  });
});

describe('when no channel holds both ends', () => {
  const eus = {
    'eus-4.6': ['4.6.1 > 4.6.62'],
    'eus-4.8': ['4.6.1 > 4.6.62', '4.6.62 > 4.7.60', '4.7.60 > 4.8.57'],
    'eus-4.10': ['4.8.57 > 4.9.59', '4.9.59 > 4.10.67'],
  };
  const stable = {
    'stable-4.6': ['4.6.1 > 4.6.62'],
    'stable-4.7': ['4.6.1 > 4.6.62', '4.6.62 > 4.7.60'],
    'stable-4.8': ['4.7.60 > 4.8.57'],
    'stable-4.9': ['4.8.57 > 4.9.59'],
    'stable-4.10': ['4.9.59 > 4.10.67'],
  };
  const path = '4.6.1 4.6.62 4.7.60 4.8.57 4.9.59 4.10.67';

  it('T13: the fewest channels are joined: eus-4.8 and eus-4.10, not four stable ones', async () => {
    const answer = await ask(releases({ ...stable, ...eus }), '4.6.1', '4.10');
    expect(outcome(answer)).toBe(path);
    expect(answer).toMatchObject({
      channels: ['eus-4.8', 'eus-4.10'],
      upgrade: {
        channelPlan: [
          { channel: 'eus-4.8', untilVersion: '4.8.57' },
          { channel: 'eus-4.10', untilVersion: '4.10.67' },
        ],
      },
    });
  });

  it('as many as it takes', async () => {
    const answer = await ask(releases(stable), '4.6.1', '4.10.67');
    expect(outcome(answer)).toBe(path);
    expect(answer.channels).toEqual(['stable-4.7', 'stable-4.8', 'stable-4.9', 'stable-4.10']);
  });

  it('the whole family where the shortest row has no way through', async () => {
    // stable-4.3 shares 4.1.9 with stable-4.1, but only stable-4.2 has the updates that lead there.
    const known = releases({
      'stable-4.1': ['4.1.0 > 4.1.5', '4.1.9'],
      'stable-4.2': ['4.1.5 > 4.1.9', '4.1.9 > 4.2.0'],
      'stable-4.3': ['4.1.9', '4.2.0 > 4.3.0'],
    });
    expect(outcome(await ask(known, '4.1.0', '4.3.0'))).toBe('4.1.0 4.1.5 4.1.9 4.2.0 4.3.0');
  });

  it('prefixes are mixed only where none has its own row', async () => {
    const known = releases({
      'stable-4.1': ['4.1.0 > 4.1.5'],
      'fast-4.2': ['4.1.5 > 4.2.0'],
      'stable-4.3': ['4.3.0'],
    });
    expect((await ask(known, '4.1.0', '4.2.0')).channels).toEqual(['stable-4.1', 'fast-4.2']);
    expect(outcome(await ask(known, '4.1.0', '4.3.0'))).toBe('target_not_in_channel');
  });

  it('majors follow each other like minors', async () => {
    const known = releases({ 'stable-4.22': ['4.21.3 > 4.22.9'], 'candidate-5.0': ['4.22.9 > 5.0.1'] });
    expect(outcome(await ask(known, '4.21.3', '5.0'))).toBe('4.21.3 4.22.9 5.0.1');
  });
});

describe('with several channels', () => {
  it('they are joined, and one that holds nothing is left out and said so', async () => {
    const known = releases({
      'stable-4.1': ['4.1.0 > 4.1.5'],
      'stable-4.2': ['4.1.5 > 4.2.0'],
      'stable-4.3': [],
    });
    const answer = await ask(known, '4.1.0', 'latest', [
      'stable-4.1',
      'stable-4.2',
      'stable-4.3',
      'stable-4.9',
    ]);
    expect(outcome(answer)).toBe('4.1.0 4.1.5 4.2.0');
    expect(answer.channelsLeftOut).toEqual(['stable-4.3', 'stable-4.9']);
  });
});
