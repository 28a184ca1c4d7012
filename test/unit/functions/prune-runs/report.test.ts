import { readPrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import { describe, expect, it } from 'vitest';
import type { PruneReport } from '../../../../functions/prune-runs/finish.ts';
import type { PruneProgress } from '../../../../functions/prune-runs/progress.ts';
import { activeRunAsText, reportAsText } from '../../../../functions/prune-runs/report.ts';
import { activeRunView, reportView } from '../../../../functions/prune-runs/view.ts';

const reading = readPrunerSpec(
  { dryRun: false },
  { name: 'cluster', targets: [{ bucket: 'registry', prefix: '' }] },
);
if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
const { spec } = reading;

const SLOT = '2026-11-16T08:00:00.000Z';
const report: PruneReport = {
  pruner: 'cluster',
  run: SLOT,
  trigger: 'schedule',
  startedAt: SLOT,
  finishedAt: '2026-11-16T08:01:30.000Z',
  outcome: 'Failed',
  reason: 'Lost',
  message: '2 objects are lost',
  spec,
  dryRun: false,
  listed: 10,
  planned: 3,
  deleted: { blob: { count: 2, bytes: 2048 } },
  revived: 150,
  plan: {
    planHash: '0123456789abcdef',
    breaker: null,
    keptManifests: 1,
    frozen: [{ repository: 'bad/app', reason: 'the manifest\nrm -rf ~ is no JSON' }],
    totals: {} as NonNullable<PruneReport['plan']>['totals'],
    reasons: [],
    blobs: { all: { count: 3, bytes: 3072 }, condemned: { count: 2, bytes: 2048 } },
    examples: [],
  },
  refused: [{ key: 'docker/x\nrm -rf ~', code: 'AccessDenied' }],
  revivedKeys: Array.from({ length: 120 }, (_, index) => `revived-${index}`),
  lostKeys: ['lost-1', 'lost-2'],
  cluster: null,
};

describe('a report as text', () => {
  const text = reportAsText(reportView(report, 20));

  it('lists what was lost, restored, refused and skipped', () => {
    expect(text).toContain(
      `# Run ${SLOT} of cluster, by its schedule, took 1m30s\n# Failed: Lost, 2 objects are lost\n`,
    );
    expect(text).toContain(
      '# LOST: came into use meanwhile and could not be brought back:\n#   lost-1\n#   lost-2\n',
    );
    expect(text).toContain('#   revived-99\n#   and 50 more\n');
    expect(text).toContain('AccessDenied');
    expect(text).toMatch(/#\s+bad\/app +the manifest/);
    expect(text).toMatch(/#\s+blob +2 +2.0 KiB\n/);
    expect(text).not.toContain('DRY RUN');
  });

  it('lets no key or reason add a line', () => {
    expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('# '))).toEqual([]);
  });
});

describe('a run under way', () => {
  const progress: PruneProgress = {
    slot: SLOT,
    uid: 'u',
    trigger: 'schedule',
    dryRun: false,
    agree: null,
    spec,
    startedAt: SLOT,
    phase: 'delete',
    listing: null,
    listed: 1000,
    planned: 300,
    deletedLines: 200,
    deleted: { tag: { count: 200, bytes: 14_200 } },
    failures: 0,
  };
  const view = (change: Partial<PruneProgress>, isHeld = true) =>
    activeRunView({ slot: SLOT, startedAt: SLOT, isHeld, progress: { ...progress, ...change } });

  it.each<[Partial<PruneProgress>, number | null]>([
    [{}, 66],
    [{ deletedLines: 300 }, 100],
    [{ planned: 0, deletedLines: 0 }, null],
    [{ phase: 'inventory' }, null],
  ])('with %j is done to %s percent', (change, percent) => {
    expect(view(change)).toMatchObject({ state: 'running', percent, deleted: { tag: { count: 200 } } });
  });

  it('is summarized in a few lines', () => {
    expect(activeRunAsText(view({}, false))).toBe(
      `# Run ${SLOT}, by its schedule, begun at ${SLOT}: paused\n# Phase delete: 1000 objects listed\n# 300 objects to go\n# 66 % of them are deleted\n`,
    );
    expect(activeRunAsText(view({ dryRun: true, phase: 'inventory' }))).toContain(
      '# DRY RUN: nothing is deleted\n',
    );
  });
});
