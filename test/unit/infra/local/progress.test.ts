import { describe, expect, it } from 'vitest';
import type { PairState } from '../../../../functions/releases/sync-state.ts';
import type { SyncResult } from '../../../../functions/sync/job.ts';
import { createProgress, firstSyncLine, resultTable } from '../../../../infra/local/progress.ts';

/** As much of a stream as progress writes to. */
function stream(terminal: { columns: number } | null): { out: NodeJS.WriteStream; written: string[] } {
  const written: string[] = [];
  const out = {
    isTTY: terminal !== null,
    columns: terminal?.columns,
    write: (text: string) => written.push(text),
  };
  return { out: out as unknown as NodeJS.WriteStream, written };
}

describe('on a terminal', () => {
  it('draws a bar over itself and takes it away', () => {
    const { out, written } = stream({ columns: 80 });
    const progress = createProgress(out, 'Syncing');
    progress.step(1, 3, 'stable-4.14/amd64');
    progress.step(3, 3, 'fast-4.14/amd64');
    progress.end();
    expect(written).toEqual([
      `\r\u001b[KSyncing ${'█'.repeat(10)}${'░'.repeat(20)} 1/3 stable-4.14/amd64`,
      `\r\u001b[KSyncing ${'█'.repeat(30)} 3/3 fast-4.14/amd64`,
      '\r\u001b[K',
    ]);
  });

  it('never fills the last column, which would begin a new line', () => {
    const { out, written } = stream({ columns: 50 });
    createProgress(out, 'Syncing').step(1, 1, 'candidate-4.14/multi');
    expect(written[0]!.replace('\r\u001b[K', '')).toHaveLength(49);
  });
});

describe('elsewhere', () => {
  it('writes every tenth step and the last as lines, without control characters', () => {
    const { out, written } = stream(null);
    const progress = createProgress(out, 'Syncing');
    for (let done = 1; done <= 23; done++) progress.step(done, 23, `pair-${done}`);
    progress.end();
    expect(written).toEqual([
      'Syncing 10/23 pair-10\n',
      'Syncing 20/23 pair-20\n',
      'Syncing 23/23 pair-23\n',
    ]);
  });
});

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

describe('firstSyncLine', () => {
  it('tells what was synced, also if nothing is new', () => {
    const line = (versionsAdded: number) =>
      firstSyncLine({
        status: 'Done',
        record: { ...record, versionsAdded },
        pairs: [],
        futureTimes: 0,
        unsupportedQueries: 0,
      });
    expect(line(45)).toMatch(/channels, 45 versions/);
    expect(line(0)).toMatch(/channels, no new versions/);
  });
});

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
      unsupportedQueries: 0,
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
      resultTable({
        status: 'Done',
        record: { ...record, versionsAdded: 0 },
        pairs: [],
        futureTimes: 0,
        unsupportedQueries: 0,
      }),
    ).toBe(
      'CHANNEL  ARCH  RESULT  VERSIONS  UPDATES  NOTE\n\nSucceeded: 0 channels, 0 new versions, 1.2 s\n',
    );
  });

  it('says why a sync was skipped', () => {
    expect(resultTable({ status: 'Skipped', reason: 'Concurrent' })).toBe('sync skipped: Concurrent\n');
  });
});
