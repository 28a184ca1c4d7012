import { describe, expect, it } from 'vitest';
import { detailsInWords, fixesFor, type Fix } from '../../../../../functions/console/plan/fixes.ts';
import { noPathModel } from '../../../../../functions/console/plan/no-path.tsx';
import { questionOf } from '../../../../../functions/console/plan/question.ts';
import { DEFAULTS, type UrlState } from '../../../../../functions/console/state/url-state.ts';
import { aCluster, withHistory } from '../../../../helpers/cluster/clusters.ts';
import { ask, outcome, releases } from '../../../../helpers/path/releases.ts';
import { served } from './served.ts';

const known = releases(
  {
    'stable-4.14': ['4.14.1 > 4.14.2', '4.14.2 > 4.14.3', '4.14.9', '4.14.0'],
    'stable-4.15': ['4.14.2 > 4.14.3', '4.14.3 > 4.15.1', '4.14.3 > 4.15.2 Slow,AlwaysBad', '4.15.7'],
    'fast-4.15': ['4.14.2 > 4.15.1'],
    'stable-4.16': ['4.15.1 > 4.16.1'],
    'stable-4.20': ['4.20.1'],
  },
  { elsewhere: { arm64: { 'stable-4.13': ['4.13.5 > 4.13.6'] } } },
);

async function noPathOf(patch: Partial<UrlState>) {
  const state = { ...DEFAULTS, ...patch };
  const { from, to, channels, ...conditions } = questionOf(state);
  const answer = await ask(known, from, to, channels, conditions);
  if (answer.found) throw new Error(`there is a path: ${outcome(answer)}`);
  const model = noPathModel(answer, [], null);
  const holdsBoth = (channel: string): boolean =>
    known.directory.holds(channel, from) && (model.to === null || known.directory.holds(channel, model.to));
  const hasOtherPath = model.alternatives.some((path) => state.to !== model.to || path.to === model.to);
  const asked = { ...state, holdsBoth, hasOtherPath };
  return { state, model, fixes: fixesFor(model.reason, asked, model.nearestTarget) };
}

const labels = (fixes: readonly Fix[]): string[] => fixes.map(({ label }) => label);

describe('what can be done about a path that is not there', () => {
  it.each<[string, Partial<UrlState>, string[]]>([
    [
      'invalid_order',
      { from: '4.14.3', to: '4.14.1', channel: 'stable-4.15' },
      ['Go to the recommended target instead'],
    ],
    ['channel_unknown', { from: '4.14.1', channel: 'stable-4.17' }, ['Let Cairn choose the channel']],
    [
      'channel_unknown',
      { from: '4.14.2', channel: 'eus-4.15' },
      [
        'Switch to stable-4.15',
        'Switch to stable-4.14',
        'Switch to fast-4.15',
        'Let Cairn choose the channel',
      ],
    ],
    [
      'channel_unknown',
      { from: '4.13.5', channel: 'stable-4.13' },
      ['Switch to arm64', 'Let Cairn choose the channel'],
    ],
    ['arch_unavailable', { from: '4.13.5' }, ['Switch to arm64']],
    [
      'source_not_in_channel',
      { from: '4.14.1', to: '4.15.1', channel: 'stable-4.15' },
      ['Switch to stable-4.14', 'Let Cairn choose the channel'],
    ],
    [
      'source_not_in_channel',
      { from: '4.14.8' },
      ['Start from 4.14.2', 'Start from 4.14.3', 'Start from 4.14.9'],
    ],
    [
      'target_not_in_channel',
      { from: '4.14.2', to: '4.15.1', channel: 'stable-4.14' },
      [
        'Switch to stable-4.15',
        'Switch to fast-4.15',
        'Let Cairn choose the channel',
        'Go only as far as 4.14.3',
      ],
    ],
    [
      'target_not_in_channel',
      { from: '4.14.2', to: '4.16', channel: 'stable-4.15' },
      ['Let Cairn choose the channel'],
    ],
    [
      'no_recommended_path',
      { from: '4.14.3', to: '4.15.2', channel: 'stable-4.15' },
      ['Accept these 2 risks', 'Go only as far as 4.15.1', 'Let Cairn choose the channel'],
    ],
    [
      'risks_not_accepted',
      { from: '4.14.3', to: '4.15.2', channel: 'stable-4.15', risks: ['Slow'] },
      ['Accept AlwaysBad', 'Go only as far as 4.15.1', 'Let Cairn choose the channel'],
    ],
    [
      'source_has_no_updates',
      { from: '4.14.0', to: '4.14.3', channel: 'stable-4.14' },
      ['Let Cairn choose the channel'],
    ],
    [
      'disconnected',
      { from: '4.14.2', to: '4.15.7', channel: 'stable-4.15' },
      ['Go only as far as 4.15.1', 'Let Cairn choose the channel'],
    ],
  ])('%s: %j', async (code, patch, expected) => {
    const { model, fixes } = await noPathOf(patch);
    expect(model.reason.code).toBe(code);
    expect(labels(fixes)).toEqual(expected);
  });

  it('adds to the risks that were accepted', async () => {
    const { fixes } = await noPathOf({
      from: '4.14.3',
      to: '4.15.2',
      channel: 'stable-4.15',
      risks: ['Slow'],
    });
    expect(fixes[0]!.patch).toEqual({ risks: ['Slow', 'AlwaysBad'] });
  });

  it.each([
    [
      { from: '4.14.3', to: '4.15.2', channel: 'stable-4.15' },
      [
        'The first update in the way is 4.14.3 to 4.15.2, with AlwaysBad and Slow.',
        'AlwaysBad applies to every cluster.',
      ],
    ],
    [{ from: '4.14.2', to: '4.15.7', channel: 'stable-4.15' }, ['4.14.2 gets as far as 4.14.3 and 4.15.1.']],
  ])('%j is explained in detail', async (patch, expected) => {
    const { model } = await noPathOf(patch);
    expect(detailsInWords(model.reason, model.from, model.to!)).toEqual(expected);
  });

  it('is the same for a cluster, from what the service says', async () => {
    const { model } = await noPathOf({ from: '4.14.3', to: '4.15.2', channel: 'stable-4.15' });
    const answer = await ask(known, '4.14.3', '4.15.2', 'stable-4.15', { alternatives: 3 });
    const facts = aCluster({ clusterVersion: withHistory(['4.14.3 C']) });
    const { path } = served(facts, answer);
    if (path.found) throw new Error('there is no path');
    const report = { id: 'berlin', verdict: 'unknown', nextStep: 'Wait' } as const;
    const stored = noPathModel(path, [], report);
    const bare = ({ details, code }: typeof stored.reason) => {
      const { path: _path, stats: _stats, channelPlan: _plan, ...rest } = details as Record<string, unknown>;
      return { code, rest };
    };
    expect({ ...stored, reason: bare(stored.reason) }).toEqual({
      ...model,
      reason: bare(model.reason),
      report,
      alternatives: model.alternatives.map((path) => expect.objectContaining(path)),
    });
  });
});
