import { type PrunerRecord, takeSpec } from '@cairn/shared/prune/images/pruner/record';
import { readPrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changePruner } from '../../../../functions/pruners/store.ts';
import { type FleetHarness, startFleetHarness } from '../../../helpers/lambda/fleet-harness.ts';
import { at } from '../../../helpers/upstream/sync-harness.ts';

const DAY = 24 * 60;

let harness: FleetHarness;
beforeEach(async () => {
  harness = await startFleetHarness(['stable-4.14']);
  await harness.publish(0, { 'stable-4.14': { versions: ['4.14.8'] } });
});
afterEach(() => harness.close());

/** A pruner that runs every hour, as it is after a run. */
async function store(name: string, lastRun: Partial<PrunerRecord['lastRun']> & object): Promise<void> {
  const context = { name, targets: [{ bucket: 'registry', prefix: '' }] };
  const reading = readPrunerSpec({ timeZone: 'UTC', schedule: '0 * * * *' }, context);
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  const run = { id: at(0), trigger: 'schedule', dryRun: false, startedAt: at(0), message: '' } as const;
  await changePruner(harness.table, name, () => ({
    ...takeSpec(null, reading.spec, { now: at(0), uid: name }),
    schedule: { inForce: { generation: 1, since: at(0) }, error: null },
    lastRun: { ...run, outcome: 'Succeeded', reason: 'Succeeded', finishedAt: at(0), ...lastRun },
  }));
}

describe('a pruner', () => {
  it('that fails is notified once, also when it is new, and so is its recovery', async () => {
    await store('main', { outcome: 'Failed', reason: 'NoRoots' });
    await harness.follow(5);
    await harness.follow(10);
    expect(harness.events.map(({ type, detail }) => [type, detail['text'] ?? detail['reason']])).toEqual([
      ['PrunerFailing', 'NoRoots'],
      ['Message', 'the last run of the pruner main failed (NoRoots)'],
    ]);
    await store('main', { finishedAt: at(5 + DAY) });
    harness.news();
    await harness.follow(10 + DAY);
    expect(harness.news()).toEqual(['PrunerRecovered main']);
  });

  it('that is overdue is notified, and a healthy one is not', async () => {
    await store('late', {});
    await store('good', { finishedAt: at(5 * 60) });
    await harness.follow(5 * 60);
    expect(harness.news()).toEqual(['PrunerOverdue late']);
  });

  it('is notified by the next run when the event bus did not accept it', async () => {
    await store('main', { outcome: 'Failed', reason: 'NoRoots' });
    await harness.follow(5, { events: { publish: async (all) => all } });
    expect(harness.news()).toEqual([]);
    await harness.follow(10);
    expect(harness.news()).toEqual(['PrunerFailing main']);
  });
});
