import { describe, expect, it } from 'vitest';
import type { PairState } from '../../../../functions/releases/sync-state.ts';
import type { SyncResult } from '../../../../functions/sync/job.ts';
import { resultTable } from '../../../../infra/local/progress.ts';

type Done = Extract<SyncResult, { status: 'Done' }>;

const STATE: PairState = {
  outcome: 'Published',
  revision: null,
  lastAttemptAt: '2026-01-01T00:00:00.000Z',
  lastSuccessAt: null,
  lastChangeAt: null,
  nodes: 139,
  edges: 5577,
  error: null,
  held: null,
  missing: {},
  repairs: [],
  payloadConflicts: [],
};

function pairOf(channel: string, state: Partial<PairState>): Done['pairs'][number] {
  const pair = { channel, arch: 'amd64', minor: '4.14' } as const;
  return { pair, state: { ...STATE, ...state }, versionsAdded: [], events: [] };
}

const record: Done['record'] = {
  slot: '2026-01-01T00:00:00.000Z',
  trigger: 'manual',
  outcome: 'Succeeded',
  durationMs: 1234,
  pairs: { published: 1, unchanged: 0, held: 0, failed: 0, skipped: 0 },
  versionsAdded: 45,
  notes: [],
};

describe('resultTable', () => {
  it('aligns a line per pair and shows why one failed', () => {
    const held = { hash: '', since: '', rounds: 1, reason: 'NodesLost', detail: '' };
    const error = { code: 'BadStatus', detail: 'status 500, accepted is 200' };
    const text = resultTable({
      status: 'Done',
      record: { ...record, outcome: 'PartiallySucceeded', notes: ['2 events not delivered yet'] },
      pairs: [
        pairOf('stable-4.14', {}),
        pairOf('fast-4.14', { outcome: 'Held', held }),
        pairOf('candidate-4.14', { outcome: 'Failed', nodes: 0, edges: 0, error }),
      ],
      futureTimes: 0,
    });
    expect(text).toBe(`CHANNEL         ARCH   RESULT     VERSIONS  UPDATES  NOTE
stable-4.14     amd64  Published  139       5577
fast-4.14       amd64  Held       139       5577     NodesLost
candidate-4.14  amd64  Failed     0         0        BadStatus: status 500, accepted is 200

PartiallySucceeded: 3 channels, 45 new versions, 1.2 s
2 events not delivered yet
`);
  });

  it('is a header and a sum where nothing is followed', () => {
    expect(
      resultTable({ status: 'Done', record: { ...record, versionsAdded: 0 }, pairs: [], futureTimes: 0 }),
    ).toBe(
      'CHANNEL  ARCH  RESULT  VERSIONS  UPDATES  NOTE\n\nSucceeded: 0 channels, 0 new versions, 1.2 s\n',
    );
  });

  it('says why a sync was skipped', () => {
    expect(resultTable({ status: 'Skipped', reason: 'Concurrent' })).toBe('sync skipped: Concurrent\n');
  });
});
