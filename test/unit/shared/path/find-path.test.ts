import { answerWarnings, type PathResult } from '@cairn/shared/path/find-path';
import { describe, expect, it } from 'vitest';
import { ask, releases } from '../../../helpers/path/releases.ts';

const known = releases(
  { 'stable-4.14': ['4.14.1 > 4.14.2'], 'stable-4.15': [] },
  { withdrawn: { 'stable-4.14': ['4.14.1'] } },
);
const FRESH = { syncedAt: '2026-06-01T00:00:00.000Z', stale: false };

const codes = (answer: PathResult, freshness = FRESH): string[] =>
  answerWarnings(answer, freshness).map(({ code }) => code);

describe('warnings beside an answer', () => {
  it('are none for a healthy answer', async () => {
    expect(codes(await ask(known, '4.14.2', '4.14.2'))).toEqual([]);
  });

  it('name a start that was withdrawn, and a channel that holds nothing', async () => {
    const answer = await ask(known, '4.14.1', '4.14.2', ['stable-4.14', 'stable-4.15']);
    expect(codes(answer)).toEqual(['channel_left_out', 'source_withdrawn']);
  });

  it.each([
    [FRESH.syncedAt, 'since 2026-06-01T00:00:00.000Z'],
    [null, 'ever'],
  ])('say how old the data is: %s', async (syncedAt, words) => {
    const answer = await ask(known, '4.14.2', '4.14.2');
    expect(answerWarnings(answer, { syncedAt, stale: true })).toEqual([
      {
        code: 'stale_graph',
        message: `upstream has not given a good answer ${words}; what is newer is missing here`,
      },
    ]);
  });

  it('name a payload that channels do not agree on, and a search that was cut short', async () => {
    const answer = await ask(known, '4.14.2', '4.14.2');
    if (!answer.found) throw new Error('it is there');
    const conflicts = [{ version: '4.14.2', channel: 'fast-4.14', payload: 'b', keptPayload: 'a' }];
    const changed = { ...answer, conflicts, upgrade: { ...answer.upgrade, exact: false } };
    expect(codes(changed)).toEqual(['payload_conflict', 'not_exact']);
  });
});
