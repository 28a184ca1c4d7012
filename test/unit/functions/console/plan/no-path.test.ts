import { describe, expect, it } from 'vitest';
import { frontierOf } from '../../../../../functions/console/plan/no-path.tsx';
import { channel } from '../../../../helpers/path/channels.ts';

const graph = channel(
  'stable-4.15',
  '4.14.1 > 4.14.2',
  '4.14.2 > 4.14.3 Slow',
  '4.14.3 > 4.15.1',
  '4.15.0 > 4.15.1',
  '4.14.2 > 4.15.0-rc.1',
  '4.15.0-rc.1 > 4.15.0',
);
const QUERY = { from: '4.14.1', to: '4.15.1', risk: 'none', prerelease: false } as const;

const shown = (query: Parameters<typeof frontierOf>[1]) => {
  const frontier = frontierOf(graph, query);
  return frontier && { from: [...frontier.reachable].join(' '), to: [...frontier.reaching].join(' ') };
};

describe('the frontier', () => {
  it('is what the start reaches and what reaches the target, both included', () => {
    expect(shown(QUERY)).toEqual({ from: '4.14.1 4.14.2', to: '4.14.3 4.15.0 4.15.1' });
  });

  it('moves with the risks that are accepted', () => {
    expect(shown({ ...QUERY, risk: 'accept', acceptedRisks: ['Slow'] })).toMatchObject({
      from: '4.14.1 4.14.2 4.14.3 4.15.1',
    });
  });

  it('passes pre-releases only where they are asked for', () => {
    expect(shown({ ...QUERY, prerelease: true })).toMatchObject({
      from: '4.14.1 4.14.2 4.15.0-rc.1 4.15.0 4.15.1',
    });
  });

  it('knows one end when the other is not there, and nothing of two that are not', () => {
    expect(shown({ ...QUERY, to: '4.16.0' })).toEqual({ from: '4.14.1 4.14.2', to: '' });
    expect(shown({ ...QUERY, from: '4.13.0' })).toEqual({ from: '', to: '4.14.3 4.15.0 4.15.1' });
    expect(shown({ ...QUERY, from: '4.13.0', to: '' })).toBeNull();
  });
});
