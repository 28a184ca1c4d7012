import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Pool } from './runner/pool.ts';
import { parseUnit, replayOf, type Unit } from './runner/units.ts';
import type { UnitResult } from './runner/worker.ts';
import type { FaultKind } from './scenario.ts';
import type { ScenarioName } from './scenarios.ts';

const trial = (scenario: ScenarioName, kind: FaultKind, seed: number): Unit => ({
  do: 'trial',
  scenario,
  kind,
  seed,
});

/** Some seeds of each; `npm run fault -- --smoke` has more of everything, `npm run fault` all. */
const SEEDS: readonly Unit[] = [
  ...[1, 2, 3].map((seed) => trial('sync', 'any', seed)),
  ...[1, 2].map((seed) => trial('sync', 'concurrent', seed)),
  ...(['lost-answers', 'duplicates', 'clock', 'throttled'] as const).map((kind) => trial('sync', kind, 1)),
  ...[1, 2, 3].map((seed) => trial('clusters', 'any', seed)),
  ...(['lost-answers', 'concurrent', 'clock', 'duplicates', 'throttled'] as const).map((kind) =>
    trial('clusters', kind, 1),
  ),
  ...(['any', 'clock', 'concurrent'] as const).map((kind) => trial('prune', kind, 1)),
  ...(['any', 'concurrent', 'lost-answers'] as const).map((kind) => trial('fleet', kind, 1)),
];

/** In processes of their own, which hold the clock, and take half the time that it takes here. */
describe('the scenarios among faults', () => {
  let pool: Pool;
  beforeAll(async () => {
    pool = await Pool.open('dynalite', 1);
  });
  afterAll(() => pool.close());

  async function run(units: readonly Unit[]): Promise<readonly UnitResult[]> {
    const results: UnitResult[] = [];
    await pool.run(units, (_unit, result) => results.push(result));
    return results;
  }

  it(`break no promise with ${SEEDS.length} seeds`, async () => {
    const counts: Record<string, number> = {};
    for (const { outcome, error } of await run(SEEDS)) {
      expect(error).toBeNull();
      expect(outcome!.violations).toEqual([]);
      for (const [name, count] of Object.entries(outcome!.counts)) counts[name] = (counts[name] ?? 0) + count;
    }
    // Trials in which nothing goes wrong would prove nothing.
    for (const name of ['faults', 'kills', 'pauses', 'duplicates', 'clockJumps', 'reads', 'deletedKeys']) {
      expect(counts[name], name).toBeGreaterThan(0);
    }
  });

  it.each<Unit>([
    { do: 'bug', scenario: 'sync', bug: 'lost answer is a lost lease', seeds: 100 },
    { do: 'bug', scenario: 'sync', bug: 'future slot is a duplicate', seeds: 100 },
    { do: 'bug', scenario: 'clusters', bug: 'lost update', seeds: 100 },
    { do: 'bug', scenario: 'fleet', bug: 'newer mark removed', seeds: 100 },
    { do: 'bug', scenario: 'prune', bug: 'blobs before links', seeds: 100 },
  ])('find a bug that was planted: $bug', async (unit) => {
    const [result] = await run([unit]);
    expect(result!.error).toBeNull();
    expect(result!.outcome!.violations).not.toEqual([]);
  });

  it('go the same way with the same seed', async () => {
    const unit = trial('sync', 'concurrent', 3);
    const [first, second] = await run([unit, unit]);
    expect(second!.outcome!.steps).toEqual(first!.outcome!.steps);
  });

  it('complete what a run left that was killed', async () => {
    const at = { do: 'crash', scenario: 'sync', crashCase: 'edge withdrawn' } as const;
    const points = ([5, 9, 14] as const).flatMap((call): Unit[] => [
      { ...at, call, side: 'before' },
      { ...at, call, side: 'after' },
    ]);
    for (const { outcome } of await run(points)) expect(outcome!.violations).toEqual([]);
  });
});

it('a unit is printed as a command that replays it', () => {
  const units: Unit[] = [
    { do: 'trial', scenario: 'sync', kind: 'any', seed: 7, without: [1, 22] },
    { do: 'crash', scenario: 'prune', crashCase: 'condemn run', call: 3, side: 'after' },
  ];
  for (const unit of units) expect(parseUnit(/"(.*)"/.exec(replayOf(unit))![1]!)).toEqual(unit);
});
