import { describe, expect, it } from 'vitest';
import {
  describeChange,
  type ChannelChange,
} from '../../../../../functions/console/releases/channel-changes.tsx';

const NOTHING: ChannelChange = {
  at: '2026-11-16T10:00:00.000Z',
  versionsAdded: [],
  versionsWithdrawn: [],
  turnedConditional: [],
  turnedPlain: [],
  risksNew: [],
  risksGone: [],
  counts: {
    versionsAdded: 0,
    versionsWithdrawn: 0,
    turnedConditional: 0,
    turnedPlain: 0,
    edgesAdded: 0,
    edgesRemoved: 0,
  },
};

function lines(changes: Partial<ChannelChange>, counts: Partial<ChannelChange['counts']> = {}): string[] {
  const change = { ...NOTHING, ...changes, counts: { ...NOTHING.counts, ...counts } };
  return describeChange(change).map(({ what, which }) => [what, ...which].join(' | '));
}

describe('a change of a channel', () => {
  it('says what came and went, and nothing of what did not', () => {
    expect(
      lines(
        {
          versionsAdded: ['4.16.1', '4.16.2'],
          versionsWithdrawn: ['4.15.9'],
          risksNew: ['A'],
          risksGone: ['B', 'C'],
        },
        { versionsAdded: 2, versionsWithdrawn: 1, edgesAdded: 1200 },
      ),
    ).toEqual([
      '2 releases added | 4.16.2 | 4.16.1',
      '1 release withdrawn | 4.15.9',
      '1 new risk | A',
      '2 risks gone | B | C',
      '1,200 updates added',
    ]);
    expect(lines({})).toEqual([]);
  });

  it('names the releases that updates lead to, each once', () => {
    const turned = ['4.16.0', '4.16.1'].map((from) => ({ from, to: '4.16.2', risks: ['A'] }));
    expect(lines({ turnedConditional: turned }, { turnedConditional: 2 })).toEqual([
      '2 updates turned conditional | to 4.16.2',
    ]);
    expect(lines({ turnedPlain: turned }, { turnedPlain: 2 })).toEqual([
      '2 updates recommended again | to 4.16.2',
    ]);
  });

  it('counts what is left out of a long list, also what the service left out', () => {
    const many = Array.from({ length: 9 }, (_, patch) => `4.16.${patch}`);
    expect(lines({ versionsAdded: many }, { versionsAdded: 9 })[0]).toMatch(/\| 4\.16\.1 \| 1 more$/);
    expect(lines({ versionsAdded: many }, { versionsAdded: 1009 })[0]).toMatch(/\| 4\.16\.1 \| 1,001 more$/);
  });
});
