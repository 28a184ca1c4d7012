import { type InUse, inUseToJson } from '@cairn/shared/prune/images/in-use/facts';
import { type InUseSummary, inUseTaken } from '@cairn/shared/prune/images/pruner/record';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadClusterReport, loadInUse } from '../../../../functions/prune-runs/in-use.ts';
import { RUN_FILE, RunFiles } from '../../../../functions/pruners/files.ts';
import { readPruner, revisePruner } from '../../../../functions/pruners/store.ts';
import { type PruneHarness, PRUNER, startPruneHarness } from '../../../helpers/registry/prune-harness.ts';

let harness: PruneHarness;
beforeEach(async () => {
  harness = await startPruneHarness();
  await harness.put({});
});
afterEach(() => harness.close());

const IN_USE: InUse = {
  complete: true,
  collectedAt: 0,
  usedImages: new Set(),
  usedTags: new Set(),
  usedDigests: new Set(),
  protectedRepositories: new Set(),
  streams: null,
};

async function point(revision: string, collectedAt: number): Promise<void> {
  const { uid } = (await readPruner(harness.table, PRUNER))!.record;
  const summary = { revision, collectedAt: new Date(collectedAt).toISOString() };
  await revisePruner(harness.table, PRUNER, uid, (record) => inUseTaken(record, summary as InUseSummary));
}

/** Files of which one is removed, and its successor made, just before it is read. */
class ReplacedFiles extends RunFiles {
  override async read(name: string): Promise<Uint8Array | null> {
    if (name === RUN_FILE.inUse('first')) {
      await this.remove(name);
      await this.write(RUN_FILE.inUse('second'), inUseToJson({ ...IN_USE, collectedAt: 2 }));
      await point('second', 2);
    }
    return super.read(name);
  }
}

describe('what is in use', () => {
  it('is that of the report which took the place of the one being read', async () => {
    const files = new ReplacedFiles(harness.dependencies.bucket, PRUNER);
    await files.write(RUN_FILE.inUse('first'), inUseToJson({ ...IN_USE, collectedAt: 1 }));
    await point('first', 1);
    expect(await loadInUse({ table: harness.table, files, pruner: PRUNER, now: 10 })).toEqual({
      ...IN_USE,
      collectedAt: 2,
    });
  });

  it('stops the run when it is gone', async () => {
    expect(
      await loadInUse({ table: harness.table, files: harness.files, pruner: PRUNER, now: 10 }),
    ).toBeNull();
    await point('lost', 0);
    await expect(
      loadInUse({ table: harness.table, files: harness.files, pruner: PRUNER, now: 10 }),
    ).rejects.toThrow('lost, is gone');
  });

  it('may be known without the Images of the cluster', async () => {
    await harness.files.write(RUN_FILE.inUse('one'), inUseToJson(IN_USE));
    await point('one', 0);
    expect(
      await loadClusterReport({ table: harness.table, files: harness.files, pruner: PRUNER, now: 10 }),
    ).toEqual({
      inUse: IN_USE,
      more: null,
    });
  });

  it('is as young as it was last found to be still so', async () => {
    await harness.files.write(RUN_FILE.inUse('one'), inUseToJson(IN_USE));
    await point('one', 7);
    expect(await loadInUse({ table: harness.table, files: harness.files, pruner: PRUNER, now: 10 })).toEqual({
      ...IN_USE,
      collectedAt: 7,
    });
  });
});
