import { prepareGraph } from '@cairn/shared/path/prepared-graph';
import { describe, expect, it } from 'vitest';
import { channel, drawn, solve, versions, versionsOf } from '../../../../helpers/path/channels.ts';

describe('the tables of oc-mirror', () => {
  const prerelease = { prerelease: true };

  it('P3: nothing leads to a version that stands alone', () => {
    const graph = channel('c', '4.0.0-0.okd-0', '4.0.0-4 > 4.0.0-5');
    const result = solve(graph, '4.0.0-4', '4.0.0-0.okd-0', prerelease);
    expect(result).toMatchObject({ why: 'unreachable', gateways: [], withAllRisks: null });
  });

  it('P8: nothing leads to 4.2.0-2, and the next reachable one is named', () => {
    const graph = channel('c', '4.1.0-6 > 4.2.0-3', '4.2.0-2 > 4.2.0-3', '4.2.0-3 > 4.2.0-5');
    expect(solve(graph, '4.1.0-6', '4.2.0-2', prerelease)).toEqual({
      found: false,
      why: 'unreachable',
      reach: {
        reachable: ['4.2.0-3', '4.2.0-5'],
        newestPerMinor: ['4.2.0-5'],
        nearest: { below: null, above: '4.2.0-3' },
        updates: { plain: 1, conditional: 0 },
      },
      gateways: [],
      withAllRisks: null,
    });
  });
});

describe('which path is best', () => {
  it('T2: the newest z at each stop', () => {
    const graph = channel(
      'c',
      '4.12.10 > 4.13.5',
      '4.13.5 > 4.13.60',
      '4.12.10 > 4.12.80',
      '4.12.80 > 4.13.60',
      '4.12.10 > 4.12.79',
      '4.12.79 > 4.13.60',
    );
    expect(versions(graph, '4.12.10', '4.13.60')).toEqual(['4.12.10', '4.12.80', '4.13.60']);
  });

  it('all stops count before versions do', () => {
    // Both first stops are the newest of their minors; the second stop of the older one is closer to its newest.
    const graph = channel(
      'c',
      '4.1.0 > 4.1.9',
      '4.1.0 > 4.2.9',
      '4.1.9 > 4.2.8',
      '4.2.9 > 4.3.0',
      '4.2.8 > 4.3.9',
      '4.3.0 > 4.3.9',
      '4.3.0 > 4.3.5',
    );
    expect(versions(graph, '4.1.0', '4.3.9')).toEqual(['4.1.0', '4.1.9', '4.2.8', '4.3.9']);
  });

  it('of equally close stops the newest version', () => {
    const graph = channel(
      'c',
      '4.1.0 > 4.1.9',
      '4.1.0 > 4.2.9',
      '4.1.9 > 4.3.0',
      '4.1.9 > 4.2.9',
      '4.2.9 > 4.3.0',
    );
    expect(versions(graph, '4.1.0', '4.3.0')).toEqual(['4.1.0', '4.2.9', '4.3.0']);
  });

  it('T4: safest takes three clean hops, shortest one risky hop', () => {
    const graph = channel('c', '4.1.0 > 4.1.1', '4.1.1 > 4.1.2', '4.1.2 > 4.1.3', '4.1.0 > 4.1.3 A');
    const clean = ['4.1.0', '4.1.1', '4.1.2', '4.1.3'];
    expect(versions(graph, '4.1.0', '4.1.3', { risk: 'all', prefer: 'safest' })).toEqual(clean);
    const result = solve(graph, '4.1.0', '4.1.3', { risk: 'all', prefer: 'shortest' });
    expect(versionsOf(result)).toEqual(['4.1.0', '4.1.3']);
    expect(result).toMatchObject({
      stats: { hops: 1, riskyHops: 1, distinctRisks: 1 },
      path: [
        { hop: null },
        { hop: { conditional: true, risks: [{ name: 'A', url: 'https://example.com/A' }] } },
      ],
    });
  });

  it('a risk met twice counts once', () => {
    const graph = channel(
      'c',
      '4.1.0 > 4.1.1 A,B,C',
      '4.1.1 > 4.1.9 A,B,C',
      '4.1.0 > 4.1.2 A,B',
      '4.1.2 > 4.1.9 C,D',
    );
    const result = solve(graph, '4.1.0', '4.1.9', { risk: 'all' });
    expect(versionsOf(result)).toEqual(['4.1.0', '4.1.1', '4.1.9']);
    expect(result).toMatchObject({ stats: { riskyHops: 2, distinctRisks: 3 } });
  });

  it('equally close ways to a stop stay open while they met different risks', () => {
    const graph = channel(
      'c',
      '4.1.9',
      '4.1.0 > 4.1.8 A',
      '4.1.8 > 4.2.9 A',
      '4.1.0 > 4.2.8 B',
      '4.2.8 > 4.2.9 B',
      '4.2.9 > 4.3.1 A',
      '4.3.1 > 4.4.0 A',
      '4.2.9 > 4.3.2 B',
      '4.3.2 > 4.4.0 B',
    );
    const best = ['4.1.0', '4.2.8', '4.2.9', '4.3.2', '4.4.0'];
    expect(versions(graph, '4.1.0', '4.4.0', { risk: 'all' })).toEqual(best);
  });

  it('fewer channel switches before fewer risky hops, unless the safest path is wanted', () => {
    const graph = prepareGraph([
      { channel: 'a', graph: drawn('4.1.0 > 4.1.1', '4.1.0 > 4.1.2', '4.1.2 > 4.1.9 A') },
      { channel: 'b', graph: drawn('4.1.1 > 4.1.9') },
    ]);
    const question = [graph, '4.1.0', '4.1.9'] as const;
    expect(versions(...question, { risk: 'all', prefer: 'shortest' })).toEqual(['4.1.0', '4.1.2', '4.1.9']);
    expect(versions(...question, { risk: 'all', prefer: 'safest' })).toEqual(['4.1.0', '4.1.1', '4.1.9']);
  });
});

describe('what may be used', () => {
  const graph = channel(
    'c',
    '4.1.0 > 4.1.1 A',
    '4.1.1 > 4.1.2 A,B',
    '4.1.0 > 4.1.2 AlwaysBad',
    '4.1.2 > 4.1.3',
  );

  it.each([
    ['none', [], null],
    ['accept', [], null],
    ['accept', ['A'], null],
    ['accept', ['A', 'B'], ['4.1.0', '4.1.1', '4.1.2']],
    ['accept', ['AlwaysBad'], ['4.1.0', '4.1.2']],
    // T5
    ['non-always', [], ['4.1.0', '4.1.1', '4.1.2']],
    ['all', [], ['4.1.0', '4.1.2']],
  ] as const)('%s %j', (risk, acceptedRisks, expected) => {
    const result = solve(graph, '4.1.0', '4.1.2', { risk, acceptedRisks });
    expect(result.found ? versionsOf(result) : null).toEqual(expected);
  });

  it('says what more risk would open', () => {
    const result = solve(graph, '4.1.0', '4.1.3', { risk: 'accept', acceptedRisks: ['A'] });
    expect(result).toMatchObject({
      why: 'unreachable',
      gateways: ['4.1.2'],
      reach: {
        reachable: ['4.1.1'],
        nearest: { below: '4.1.1', above: null },
        updates: { plain: 0, conditional: 2 },
      },
      withAllRisks: { stats: { hops: 2, riskyHops: 1 } },
    });
  });

  it('T8: pre-releases are no steps unless asked for, but may be ends', () => {
    const candidates = channel(
      'c',
      '4.1.0 > 4.2.0-rc.1',
      '4.2.0-rc.1 > 4.2.0',
      '4.1.0 > 4.1.1',
      '4.1.1 > 4.1.2',
      '4.1.2 > 4.2.0',
    );
    const [from, to] = ['4.1.0', '4.2.0'];
    expect(versions(candidates, from, to)).toEqual(['4.1.0', '4.1.1', '4.1.2', '4.2.0']);
    expect(versions(candidates, from, to, { prerelease: true })).toEqual(['4.1.0', '4.2.0-rc.1', '4.2.0']);
    expect(versions(candidates, '4.1.0', '4.2.0-rc.1')).toEqual(['4.1.0', '4.2.0-rc.1']);
    expect(versions(candidates, '4.2.0-rc.1', '4.2.0')).toEqual(['4.2.0-rc.1', '4.2.0']);
  });

  it('T7: 4.22 leads to 5.0', () => {
    const result = solve(channel('c', '4.21.3 > 4.22.9', '4.22.9 > 5.0.1'), '4.21.3', '5.0.1');
    expect(versionsOf(result)).toEqual(['4.21.3', '4.22.9', '5.0.1']);
    expect(result).toMatchObject({ stats: { minorsCrossed: 2 } });
  });

  it.each([
    ['4.1.0', '4.3.0'],
    ['4.1.0', '5.1.0'],
    ['4.1.0', '6.0.0'],
  ])('an edge that skips a minor is not used: %s to %s', (from, to) => {
    expect(solve(channel('c', `${from} > ${to}`), from, to)).toMatchObject({ why: 'unreachable' });
  });

  it('backward edges are ways like others', () => {
    expect(versions(channel('c', '4.4.18 > 4.4.0', '4.4.0 > 4.5.0'), '4.4.18', '4.5.0')).toEqual([
      '4.4.18',
      '4.4.0',
      '4.5.0',
    ]);
  });
});

describe('answers without a way', () => {
  const graph = channel('c', '4.1.0 > 4.1.1', '4.1.1 > 4.2.0', '4.1.0 > 4.1.2 A');

  it('names a missing target with what is near it', () => {
    expect(solve(graph, '4.1.0', '4.1.7')).toEqual({
      found: false,
      why: 'target_missing',
      reach: {
        reachable: ['4.1.1', '4.2.0'],
        newestPerMinor: ['4.1.1', '4.2.0'],
        nearest: { below: '4.1.1', above: '4.2.0' },
        updates: { plain: 1, conditional: 1 },
      },
    });
    expect(solve(graph, '4.1.0', 'toString')).toMatchObject({
      reach: { nearest: { below: null, above: null } },
    });
  });

  it('is there at once when both ends are the same', () => {
    expect(solve(graph, '4.1.1', '4.1.1', { alternatives: 3 })).toMatchObject({
      found: true,
      path: [{ version: '4.1.1', hop: null }],
      stats: { hops: 0, channelSwitches: 0 },
      channelPlan: [],
      alternatives: [],
    });
  });

  it('holds for a graph of nothing', () => {
    expect(solve(prepareGraph([]), '4.1.0', '4.1.1')).toEqual({ found: false, why: 'source_missing' });
  });
});

describe('alternatives', () => {
  it('are the next best paths, each another one', () => {
    const graph = channel(
      'c',
      '4.1.0 > 4.1.8',
      '4.1.0 > 4.1.9',
      '4.1.8 > 4.1.9',
      '4.1.8 > 4.2.0',
      '4.1.9 > 4.2.0',
      '4.1.0 > 4.2.0 A',
    );
    const result = solve(graph, '4.1.0', '4.2.0', { risk: 'all', alternatives: 3 });
    expect(result.found && [result, ...result.alternatives].map(versionsOf)).toEqual([
      ['4.1.0', '4.1.9', '4.2.0'],
      ['4.1.0', '4.1.8', '4.2.0'],
      ['4.1.0', '4.1.8', '4.1.9', '4.2.0'],
      ['4.1.0', '4.2.0'],
    ]);
  });
});

describe('channel plans', () => {
  it('T13: 4.6 to 4.10 by eus-4.8 and eus-4.10', () => {
    const graph = prepareGraph([
      { channel: 'eus-4.6', graph: drawn('4.6.1 > 4.6.62') },
      {
        channel: 'eus-4.8',
        graph: drawn(
          '4.6.1 > 4.6.62',
          '4.6.62 > 4.7.60',
          '4.7.60 > 4.8.57',
          '4.7.60 > 4.8.56',
          '4.6.62 > 4.7.59',
        ),
      },
      { channel: 'eus-4.10', graph: drawn('4.8.56 > 4.8.57', '4.8.57 > 4.9.59', '4.9.59 > 4.10.67') },
    ]);
    const result = solve(graph, '4.6.1', '4.10.67', { alternatives: 1 });
    expect(versionsOf(result)).toEqual(['4.6.1', '4.6.62', '4.7.60', '4.8.57', '4.9.59', '4.10.67']);
    expect(result).toMatchObject({
      stats: { hops: 5, minorsCrossed: 4, channelSwitches: 1 },
      channelPlan: [
        { channel: 'eus-4.8', untilVersion: '4.8.57' },
        { channel: 'eus-4.10', untilVersion: '4.10.67' },
      ],
      path: [{}, { hop: { channels: ['eus-4.6', 'eus-4.8'] } }, {}, {}, {}, {}],
    });
  });
});
