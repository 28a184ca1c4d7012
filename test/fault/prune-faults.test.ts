import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultStage, startFaultStage } from './fault-stage.ts';
import type { BugName } from './planted-bugs.ts';
import { describeFailure, findBug, runSeeds } from './prune-campaign.ts';

const SEEDS = 20;

describe('runs of a pruner among faults, crashes and pushes', () => {
  let stage: FaultStage;
  beforeAll(async () => {
    stage = await startFaultStage();
  });
  afterAll(() => stage.close());

  it(`break no promise with the seeds 1 to ${SEEDS}`, { timeout: 300_000 }, async () => {
    const { failed, ...counts } = await runSeeds(stage, { first: 1, count: SEEDS });
    expect(failed.map(describeFailure).join('\n\n')).toBe('');
    // Trials in which nothing goes wrong, goes or comes back would prove nothing.
    for (const [name, count] of Object.entries(counts)) expect(count, name).toBeGreaterThan(SEEDS / 2);
  });

  it.each<BugName>(['blobs before links', 'young links ignored'])(
    'are found out when there is a bug: %s',
    { timeout: 300_000 },
    async (bug) => {
      expect(await findBug(stage, bug)).not.toBeNull();
    },
  );
});
