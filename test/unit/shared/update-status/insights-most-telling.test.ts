import { mostTelling } from '@cairn/shared/update-status/insights/most-telling';
import { describe, expect, it } from 'vitest';

const stalled = (reason: string) => ({ type: 'UpdateStalled', level: 'Error', reason }) as const;

describe('the most telling insight', () => {
  it('is a reason that names what is waited for, before the passed estimate', () => {
    const insights = [stalled('OverEstimate'), stalled('NoOperatorProgress')];
    expect(mostTelling(insights)).toBe(insights[1]);
    expect(mostTelling([insights[0]!])).toBe(insights[0]);
  });

  it('is a node before what only says that nothing moves, and none of level Info', () => {
    const node = { type: 'NodeStuck', level: 'Warning', reason: 'Draining' } as const;
    const well = { type: 'ProceedingWell', level: 'Info', reason: null } as const;
    expect(mostTelling([stalled('NoNodeProgress'), node, well])).toBe(node);
    expect(mostTelling([well])).toBeNull();
  });
});
