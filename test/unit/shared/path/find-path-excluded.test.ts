import { newerPatch } from '@cairn/shared/path/channel-directory';
import { answerWarnings, type PathResult } from '@cairn/shared/path/find-path';
import { mustParseVersion } from '@cairn/shared/version/release-version';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, explanationOf, outcome, releases } from '../../../helpers/path/releases.ts';
import { sized } from '../../../helpers/size.ts';

const CHANNELS = {
  'stable-4.14': ['4.14.20 > 4.14.30'],
  'stable-4.15': ['4.14.20 > 4.15.50', '4.14.20 > 4.15.51', '4.15.50 > 4.15.51'],
  'stable-4.16': [
    '4.14.20 > 4.15.50',
    '4.14.20 > 4.15.51',
    '4.15.50 > 4.15.51',
    '4.15.50 > 4.16.9',
    '4.15.51 > 4.16.9',
  ],
};
const without = (...excluded: string[]) => releases(CHANNELS, { excluded });

describe('an excluded version', () => {
  it('case 73: is no stop of a path', async () => {
    expect(outcome(await ask(without(), '4.14.20', '4.16'))).toBe('4.14.20 4.15.51 4.16.9');
    expect(outcome(await ask(without('4.15.51'), '4.14.20', '4.16'))).toBe('4.14.20 4.15.50 4.16.9');
    const all = await ask(without('4.15.51'), '4.14.20', '4.16', [], { alternatives: 3 });
    expect(JSON.stringify(all)).not.toContain('4.15.51');
  });

  it('is not the newest of its minor or channel, and no newer patch', async () => {
    const known = without('4.15.51');
    expect(outcome(await ask(known, '4.14.20', '4.15'))).toBe('4.14.20 4.15.50');
    expect(outcome(await ask(known, '4.14.20', 'latest', 'stable-4.15'))).toBe('4.14.20 4.15.50');
    const current = mustParseVersion('4.15.50');
    expect(newerPatch(current, 'stable-4.15', without().directory)).toBe('4.15.51');
    expect(newerPatch(current, 'stable-4.15', known.directory)).toBeNull();
  });

  it('is refused as a target by its own reason, with the setting and another target', async () => {
    const { code, message, suggestion, details, alternatives } = explanationOf(
      await ask(without('4.15.51'), '4.14.20', '4.15.51'),
    );
    expect([code, message]).toEqual([
      'excluded',
      '4.15.51 is excluded by ignored_openshift_versions in the configuration',
    ]);
    expect(suggestion).toBe(
      'choose another target, such as 4.15.50, or remove the entry from ignored_openshift_versions',
    );
    expect(details).toEqual({ version: '4.15.51', nearestVersions: ['4.15.50'] });
    expect(alternatives.map(({ to }) => to)).toContain('4.15.50');
  });

  it('refuses a minor only if all of its known releases are excluded', async () => {
    expect(outcome(await ask(without('4.15'), '4.14.20', '4.15'))).toBe('excluded');
    expect(explanationOf(await ask(without('4.15'), '4.14.20', '4.15')).suggestion).toBe(
      'choose another target, such as 4.14.30, or remove the entry from ignored_openshift_versions',
    );
    expect(outcome(await ask(without('4.15.51'), '4.14.20', '4.15', 'stable-4.14'))).toBe(
      'target_not_in_channel',
    );
  });

  it('makes no path over itself: without another stop there is none', async () => {
    const { code, details } = explanationOf(await ask(without('4.15'), '4.14.20', '4.16'));
    expect(code).toBe('source_has_no_updates');
    expect(JSON.stringify(details)).not.toContain('4.15.5');
  });

  it('is no gateway: nobody is sent there to get on', async () => {
    const known = releases(
      { 'stable-4.15': ['4.14.1 > 4.14.2', '4.14.8 > 4.15.1', '4.14.9 > 4.15.1'] },
      { excluded: ['4.14.9'] },
    );
    expect(explanationOf(await ask(known, '4.14.1', '4.15.1')).details).toMatchObject({
      gateways: [{ oldest: '4.14.8', newest: '4.14.8', count: 1 }],
    });
  });

  it('may be where a cluster is: its own updates stay, and a warning says so', async () => {
    const answer = await ask(without('4.15.51'), '4.15.51', '4.16');
    expect(outcome(answer)).toBe('4.15.51 4.16.9');
    const fresh = { syncedAt: '2026-06-01T00:00:00.000Z', stale: false };
    expect(answerWarnings(answer, fresh)).toEqual([
      {
        code: 'source_excluded',
        message: '4.15.51 is excluded by ignored_openshift_versions, so no path leads to it',
      },
    ]);
  });

  it('can be the only release of a channel', async () => {
    const known = releases({ 'stable-4.14': ['4.14.1'] }, { excluded: ['4.14.1'] });
    expect(outcome(await ask(known, '4.14.1', 'latest', 'stable-4.14'))).toBe('target_not_in_channel');
    expect(known.directory.get('stable-4.14')?.indexed).toMatchObject({
      nodes: 1,
      oldest: null,
      newest: null,
    });
  });
});

const VERSIONS = ['4.1.0', '4.1.1', '4.1.2', '4.2.0', '4.2.1', '4.2.2', '4.3.0', '4.3.1'];
const edge = fc
  .tuple(fc.nat(7), fc.nat(7), fc.constantFrom('', ' A', ' B'))
  .map(([a, b, risk]) =>
    a === b ? VERSIONS[a]! : `${VERSIONS[Math.min(a, b)]} > ${VERSIONS[Math.max(a, b)]}${risk}`,
  );
const edges = fc
  .array(edge, { minLength: 4, maxLength: 20 })
  // The same pair with two kinds of edges is not a graph.
  .map((all) => [...new Map(all.map((one) => [one.split(' ').slice(0, 3).join(' '), one])).values()]);

/** Versions in any text of the answer. */
function versionsNamed(answer: PathResult): Set<string> {
  return new Set(JSON.stringify(answer).match(/\d+\.\d+\.\d+/g));
}

describe('property', () => {
  it('whatever is asked, an answer names no excluded version but those of the question', async () => {
    const question = fc.record({
      channels: fc.record({ 'stable-4.1': edges, 'stable-4.2': edges, 'eus-4.3': edges }),
      excluded: fc.subarray([...VERSIONS, '4.2'], { minLength: 1, maxLength: 4 }),
      from: fc.constantFrom(...VERSIONS, '4.1.7'),
      to: fc.constantFrom(...VERSIONS, '4.2', '4.3', 'latest', '4.2.7'),
      channel: fc.constantFrom('', 'stable-4.1', 'stable-4.2', 'eus-4.3'),
      risk: fc.constantFrom('none' as const, 'all' as const),
    });
    await fc.assert(
      fc.asyncProperty(question, async ({ channels, excluded, from, to, channel, risk }) => {
        const known = releases(channels, { excluded });
        const answer = await ask(known, from, to, channel === '' ? [] : channel, { risk, alternatives: 2 });
        const named = versionsNamed(answer);
        const wrong = [...known.directory.excluded].filter((version) => version !== from && version !== to);
        expect(wrong.filter((version) => named.has(version))).toEqual([]);
        const isRefused = known.directory.excluded.has(to);
        expect(isRefused && outcome(answer) !== 'excluded').toBe(false);
      }),
      { numRuns: sized(300, 20_000) },
    );
  });
});
