import { describe, expect, it } from 'vitest';
import type { PageReleases } from '../../../../../functions/console/data/releases.ts';
import { pathMarks, resultInWords, shownPlan } from '../../../../../functions/console/plan/plan-model.ts';
import { solve } from '../../../../../functions/console/plan/solve.ts';
import { DEFAULTS, type UrlState } from '../../../../../functions/console/state/url-state.ts';
import { CALENDAR } from '../../../../helpers/path/builders.ts';
import { releases } from '../../../../helpers/path/releases.ts';

const known = releases(
  {
    'stable-4.14': ['4.14.1 > 4.14.2', '4.14.2 > 4.14.3'],
    'stable-4.15': ['4.14.2 > 4.15.1', '4.14.1 > 4.14.2', '4.14.1 > 4.15.1 Slow', '4.15.0'],
    'stable-4.16': ['4.16.0-rc.1'],
  },
  { withdrawn: { 'stable-4.15': ['4.15.0'] } },
);
const page: PageReleases = {
  ...known,
  index: { channels: [], versions: [] },
  calendar: CALENDAR,
  freshnessOf: () => ({ syncedAt: '2026-06-01T00:00:00.000Z', stale: true }),
};

const stateOf = (patch: Partial<UrlState>): UrlState => ({ ...DEFAULTS, ...patch });
const solveFor = (patch: Partial<UrlState>) => solve(stateOf(patch), page, new AbortController().signal);

describe('what a link shows', () => {
  it.each<[Partial<UrlState>, string, string[]]>([
    [{}, 'start', ['stable-4.15']],
    [{ channel: 'stable-4.14' }, 'start', ['stable-4.14']],
    [{ channel: 'stable-4.99' }, 'start', ['stable-4.15']],
    [{ from: '4.14.1', to: '4.15.1' }, 'paths', ['stable-4.15']],
    [{ from: '4.14.1', channel: 'stable-4.99' }, 'none', ['stable-4.14']],
    [{ from: '4.14.9' }, 'none', ['stable-4.14']],
    [{ from: '4.99.0' }, 'none', ['stable-4.15']],
    [{ from: '4.15.0', to: '4.15.1' }, 'none', ['stable-4.15']],
  ])('%j: %s with the graph of %j', async (patch, kind, channels) => {
    const solved = await solveFor(patch);
    expect([solved.kind, solved.graph.channels]).toEqual([kind, channels]);
  });

  it('says beside it that the data is old, and that the target is end of life', async () => {
    const solved = await solveFor({ from: '4.14.1', to: '4.15.1' });
    if (solved.kind !== 'paths') throw new Error(solved.kind);
    expect(solved.found.warnings).toEqual([
      'upstream has not given a good answer since 2026-06-01T00:00:00.000Z; what is newer is missing here',
      '4.15 is end of life since 2025-08-27',
    ]);
  });

  it('case 71: is the default target without one, with paused workers from EUS to EUS', async () => {
    const eus = releases({
      'stable-4.14': ['4.14.1 > 4.14.2'],
      'eus-4.16': ['4.14.1 > 4.14.2', '4.14.2 > 4.15.1', '4.15.1 > 4.16.1'],
    });
    const state = stateOf({ from: '4.14.1' });
    const solved = await solve(state, { ...page, ...eus }, new AbortController().signal);
    if (solved.kind !== 'paths') throw new Error(solved.kind);
    expect(solved.strategy).toBe('control-plane-only');
    const { to, notes, isPaused } = shownPlan(solved, state)!.model;
    expect({ to, isPaused }).toEqual({ to: '4.16.1', isPaused: true });
    expect(solved.resolved).toEqual({ to: '4.16.1', channel: 'eus-4.16' });
    expect(notes[0]).toContain('4.16 is the next supported EUS minor after 4.14');
  });

  it.each([
    ['4.15.1', ['Also possible: 4.14.3. Newest patch of 4.14']],
    ['4.14.3', []],
  ])('says beside a plan to %s that the newest patch is possible too: %j', async (to, notes) => {
    const state = stateOf({ from: '4.14.1', to });
    const solved = await solve(state, page, new AbortController().signal);
    if (solved.kind !== 'paths') throw new Error(solved.kind);
    expect(solved.found.targetNotes).toEqual(notes);
    const plan = solved.planOf(solved.paths[0]!, 3, 'rolling');
    const text = await plan.markdown(solved.found);
    for (const note of notes) expect(text).toContain(note);
    expect((await plan.whole()).alsoPossible).toHaveLength(notes.length);
  });

  it('is the path that was chosen among those found; the best when there is no such', async () => {
    const asked = { from: '4.14.1', to: '4.15.1', risks: 'allow' } as const;
    const solved = await solveFor(asked);
    const marks = [0, 1, 3].map((alt) =>
      pathMarks(shownPlan(solved, stateOf({ ...asked, alt })))
        .map(({ version, conditional }) => (conditional ? `${version}!` : version))
        .join(' '),
    );
    expect(marks).toEqual(['4.14.1 4.14.2 4.15.1', '4.14.1 4.15.1!', '4.14.1 4.14.2 4.15.1']);
  });

  it.each([
    [{ from: '4.14.1', to: '4.15.1' }, 'Path found: 2 hops, 4.14.2, 4.15.1'],
    [{ from: '4.14.2', to: '4.15.1' }, 'Path found: 1 hop, 4.15.1'],
    [{ from: '4.14.2', to: '4.14.2' }, 'Already at 4.14.2'],
    [{ from: '4.15.1', to: '4.14.1' }, 'No path: 4.14.1 is older than 4.15.1, and there are no updates back'],
    [{}, null],
  ])('%j is announced as %s', async (patch, words) => {
    const solved = await solveFor(patch);
    expect(resultInWords(solved, shownPlan(solved, stateOf(patch)))).toBe(words);
  });
});
