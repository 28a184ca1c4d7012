import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../../helpers/size.ts';
import {
  type Arrival,
  everyFive,
  reportsAt,
  statusOfRecord,
  takeReports,
} from '../../../../helpers/update-status/reporting.ts';
import { simulateUpdate } from '../../../../helpers/update-status/simulator.ts';

/** 60 nodes: 3 masters and two pools, one of which is paused for a while; one drain hangs for an hour. */
const update = simulateUpdate({
  operators: 30,
  pools: [
    { name: 'infra', nodes: 12, atOnce: 2, paused: [120, 170] },
    { name: 'worker', nodes: 45, atOnce: 3 },
  ],
  drains: { 'worker-004': 70 },
  degraded: { node: 'worker-010', from: 150, to: 175 },
});
const MINUTES = everyFive(0, 495);

/** All are received after the last collection, so that every order is possible. */
const atOnce = (reports: readonly Arrival[]): Arrival[] => {
  const receivedAt = reports
    .map((report) => report.receivedAt)
    .toSorted()
    .at(-1)!;
  return reports.map((report) => ({ ...report, receivedAt }));
};

describe('a run', () => {
  it('is the same in any order of its reports, doubled and late', () => {
    const reports = atOnce(reportsAt(update, MINUTES));
    expect(reports).toHaveLength(100);
    expect(update.nodes.size).toBe(60);
    const inOrder = takeReports(reports)!;
    expect(inOrder.runs.recent).toHaveLength(1);
    expect(inOrder.runs.recent[0]!.completedAt).not.toBeNull();
    const order = fc
      .tuple(
        fc.shuffledSubarray([...reports.keys()], { minLength: reports.length }),
        fc.array(fc.nat(reports.length - 1), { maxLength: 40 }),
      )
      .map(([once, again]) =>
        again.reduce((all, index, at) => all.toSpliced((at * 7) % all.length, 0, index), once),
      );
    fc.assert(
      fc.property(order, (indexes) => {
        const shuffled = takeReports(indexes.map((index) => reports[index]!))!;
        expect(shuffled.runs).toEqual(inOrder.runs);
        expect(shuffled.facts).toEqual(inOrder.facts);
        expect(shuffled.collected).toEqual(inOrder.collected);
      }),
      { numRuns: sized(6, 100) },
    );
  });

  it('is the same after any part of its reports, and its status too', () => {
    const reports = atOnce(reportsAt(update, MINUTES));
    fc.assert(
      fc.property(fc.subarray([...reports.keys()], { minLength: 2 }), fc.nat(), (kept, seed) => {
        const part = kept.map((index) => reports[index]!);
        const at = Date.parse(part.at(-1)!.facts.collectedAt!);
        const rotated = [
          ...part.slice(seed % part.length),
          ...part.slice(0, seed % part.length),
        ].toReversed();
        const [a, b] = [takeReports(part)!, takeReports(rotated)!];
        expect(b.runs).toEqual(a.runs);
        expect(statusOfRecord(b, at)).toEqual(statusOfRecord(a, at));
      }),
      { numRuns: sized(20, 200) },
    );
  });

  it('counts a doubled report as received when its last copy arrived', () => {
    const [first] = reportsAt(update, [30]);
    const copies = [first!, { ...first!, receivedAt: update.time(50) }];
    const { runs } = takeReports(copies)!;
    expect(runs.recent[0]!.points.map(({ receivedAt }) => receivedAt)).toEqual([Date.parse(update.time(50))]);
    expect(takeReports(copies.toReversed())!.runs).toEqual(runs);
  });

  it('never goes back while reports arrive in order', () => {
    let record = takeReports([])!;
    let last = -Infinity;
    for (const report of reportsAt(update, MINUTES)) {
      record = takeReports([report], record)!;
      const { run } = statusOfRecord(record, Date.parse(report.receivedAt));
      const progress = run?.lastProgressAt ? Date.parse(run.lastProgressAt) : last;
      expect(progress).toBeGreaterThanOrEqual(last);
      last = progress;
    }
  });

  it('loses nothing when another update supersedes it', () => {
    const first = simulateUpdate({ to: '4.14.1', lost: ['worker-001'] });
    const second = simulateUpdate({
      start: first.time(200),
      from: '4.14.1',
      to: '4.14.2',
      history: first.facts(190).clusterVersion!.history,
    });
    const reports = atOnce([...reportsAt(first, everyFive(0, 195)), ...reportsAt(second, everyFive(0, 150))]);
    const inOrder = takeReports(reports)!;
    expect(inOrder.runs.recent.map(({ version, completedAt }) => [version, completedAt === null])).toEqual([
      ['4.14.2', false],
      ['4.14.1', true],
    ]);
    fc.assert(
      fc.property(fc.shuffledSubarray(reports, { minLength: reports.length }), (shuffled: Arrival[]) => {
        expect(takeReports(shuffled)!.runs).toEqual(inOrder.runs);
      }),
      { numRuns: sized(5, 50) },
    );
  });
});
