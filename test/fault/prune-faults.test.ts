import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultStage, startFaultStage } from './fault-stage.ts';
import type { BugName } from './planted-bugs.ts';
import { findBug } from './prune-campaign.ts';

const SEEDS = 20;
const CAMPAIGN = fileURLToPath(new URL('prune-campaign.ts', import.meta.url));

describe('runs of a pruner among faults, crashes and pushes', () => {
  let stage: FaultStage;
  beforeAll(async () => {
    stage = await startFaultStage();
  });
  afterAll(() => stage.close());

  // In a process of its own, which takes half the time that it does here.
  it(`break no promise with the seeds 1 to ${SEEDS}`, { timeout: 300_000 }, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      CAMPAIGN,
      '--seeds',
      String(SEEDS),
      '--no-bugs',
    ]);
    expect(stdout).toMatch(`${SEEDS} seeds, 0 with violations`);
    // Trials in which nothing goes wrong, goes or comes back would prove nothing.
    for (const name of ['runs', 'invocations', 'faults', 'breaks', 'deletedKeys', 'revived']) {
      const [, count] = stdout.match(new RegExp(`(\\d+) ${name}\\b`)) ?? [];
      expect(Number(count), name).toBeGreaterThan(SEEDS / 2);
    }
  });

  it.each<BugName>(['blobs before links', 'young links ignored'])(
    'are found out when there is a bug: %s',
    { timeout: 300_000 },
    async (bug) => {
      expect(await findBug(stage, bug)).not.toBeNull();
    },
  );
});
