import { buildGraph, type Risk } from '@cairn/shared/graph/graph';
import { buildRiskIndex, channelRisks, risksOfPair } from '@cairn/shared/risk/risk-index';
import { describe, expect, it, vi } from 'vitest';
import { riskOf } from '../../../helpers/risk/verdicts.ts';

const always: Risk = { url: '', name: 'Always', message: '', matchingRules: [{ type: 'Always' }] };
const named = (name: string, promql: string): Risk => ({ ...riskOf(promql), name });
const compile = (promql: string) => ({ unsupported: promql });
const nodes = ['4.15.1', '4.15.2', '4.15.3'].map((version) => ({ version, payload: version, metadata: {} }));

describe('channelRisks', () => {
  it('counts the updates of each definition', () => {
    const [azure, changed] = [named('Azure', 'a'), named('Azure', 'b')];
    const graph = buildGraph({
      nodes,
      edges: { from: [], to: [] },
      conditional: { from: [0, 0, 1], to: [1, 2, 2], riskSet: [0, 1, 2] },
      riskSets: [[azure], [azure, always], [changed]],
    });
    const counted = channelRisks(graph).map(({ risk, updates }) => [
      risk.name,
      risk.matchingRules[0],
      updates,
    ]);
    expect(counted).toHaveLength(3);
    expect(counted).toEqual(
      expect.arrayContaining([
        ['Azure', azure.matchingRules[0], 2],
        ['Azure', changed.matchingRules[0], 1],
        ['Always', { type: 'Always' }, 1],
      ]),
    );
  });
});

describe('buildRiskIndex', () => {
  const [azure, aws] = [named('Azure', 'a'), named('Aws', 'b')];
  const channels = [
    { pair: 'stable-4.15/amd64', risks: [{ risk: azure, updates: 2 }] },
    {
      pair: 'fast-4.15/amd64',
      risks: [
        { risk: azure, updates: 3 },
        { risk: aws, updates: 1 },
        { risk: always, updates: 1 },
      ],
    },
  ];
  const index = buildRiskIndex(channels, { former: null, now: '2026-11-17T00:00:00Z', compile });

  it('has each risk once, with its channels in order', () => {
    expect(index.risks.map(({ name, firstSeenAt, places }) => [name, firstSeenAt, places])).toEqual([
      ['Always', '2026-11-17T00:00:00Z', [{ pair: 'fast-4.15/amd64', updates: 1 }]],
      ['Aws', '2026-11-17T00:00:00Z', [{ pair: 'fast-4.15/amd64', updates: 1 }]],
      [
        'Azure',
        '2026-11-17T00:00:00Z',
        [
          { pair: 'fast-4.15/amd64', updates: 3 },
          { pair: 'stable-4.15/amd64', updates: 2 },
        ],
      ],
    ]);
    expect(index.queries).toEqual({ a: { unsupported: 'a' }, b: { unsupported: 'b' } });
  });

  it('gives the risks of a channel back', () => {
    expect(risksOfPair(index, 'stable-4.15/amd64')).toMatchObject([{ risk: { name: 'Azure' }, updates: 2 }]);
    expect(risksOfPair(index, 'fast-4.15/amd64').map(({ risk }) => risk.name)).toEqual([
      'Always',
      'Aws',
      'Azure',
    ]);
    expect(risksOfPair(index, 'eus-4.16/amd64')).toEqual([]);
  });

  it('keeps the first time of a definition, and compiles only new queries', () => {
    const changed = { ...azure, message: 'more clusters' };
    const compileAgain = vi.fn(compile);
    const next = buildRiskIndex(
      [
        {
          pair: 'fast-4.15/amd64',
          risks: [changed, aws, named('New', 'c')].map((risk) => ({ risk, updates: 1 })),
        },
      ],
      { former: index, now: '2026-11-18T00:00:00Z', compile: compileAgain },
    );
    expect(next.risks.map(({ name, firstSeenAt }) => [name, firstSeenAt.slice(0, 10)])).toEqual([
      ['Aws', '2026-11-17'],
      ['Azure', '2026-11-18'],
      ['New', '2026-11-18'],
    ]);
    expect(compileAgain.mock.calls).toEqual([['c']]);
    expect(Object.keys(next.queries)).toEqual(['a', 'b', 'c']);
  });
});
