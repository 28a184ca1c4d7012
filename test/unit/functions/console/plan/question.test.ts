import { describe, expect, it } from 'vitest';
import {
  clusterPlanAddress,
  pathAddress,
  questionOf,
} from '../../../../../functions/console/plan/question.ts';
import { DEFAULTS } from '../../../../../functions/console/state/url-state.ts';

describe('a link as a question', () => {
  it.each([
    [{}, { to: 'latest', channels: [], risk: 'none' }],
    [
      { to: '4.16', channel: 'eus-4.16' },
      { to: '4.16', channels: ['eus-4.16'], risk: 'none' },
    ],
    [{ risks: 'allow' as const }, { risk: 'all' }],
    [{ risks: ['A', 'B'] }, { risk: 'accept', acceptedRisks: ['A', 'B'] }],
  ])('%j asks for %j', (patch, question) => {
    expect(questionOf({ ...DEFAULTS, from: '4.14.1', ...patch })).toMatchObject({
      from: '4.14.1',
      prefer: 'safest',
      alternatives: 3,
      ...question,
    });
  });
});

describe('the plan of a stored cluster', () => {
  it.each([
    [{}, ''],
    [{ to: '4.16', channel: 'eus-4.16' }, '?target=4.16&channel=eus-4.16'],
    [{ risks: 'allow' as const, pause: true }, '?risk=all&strategy=control-plane-only'],
    [{ risks: ['A', 'B'] }, '?accept_risk=A%2CB'],
  ])('is asked for by %j at %s', (patch, query) => {
    expect(clusterPlanAddress({ ...DEFAULTS, cluster: 'berlin', ...patch })).toBe(
      `/v1/clusters/berlin/upgrade-plan${query}`,
    );
  });

  it('comes as a document too, and no id leaves its place in the address', () => {
    const state = { ...DEFAULTS, cluster: 'a:b' };
    expect(clusterPlanAddress(state, 'markdown')).toBe('/v1/clusters/a%3Ab/upgrade-plan?format=markdown');
  });
});

describe('the path between versions', () => {
  it.each([
    [{}, 'from=4.14.1&arch=amd64&alternatives=3'],
    [{ to: '4.16', channel: 'eus-4.16' }, 'to=4.16&channel=eus-4.16&from=4.14.1&arch=amd64&alternatives=3'],
    [{ risks: ['A'] }, 'accept_risk=A&from=4.14.1&arch=amd64&alternatives=3'],
  ])('is asked for by %j at %s', (patch, query) => {
    expect(pathAddress({ ...DEFAULTS, from: '4.14.1', ...patch })).toBe(`/v1/upgrade-paths?${query}`);
  });
});
