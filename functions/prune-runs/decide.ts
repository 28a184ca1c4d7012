import { planPruning, type PrunePlan } from '@cairn/shared/prune/images/plan/plan';
import { Inventory } from '@cairn/shared/prune/images/registry/inventory';
import {
  CondemnedBefore,
  readTombstones,
  tombstoneLine,
} from '@cairn/shared/prune/images/registry/tombstones';
import { DELETION_KINDS, type DeletionKind } from '@cairn/shared/prune/images/values';
import { RUN_FILE, type RunFiles } from '../pruners/files.ts';
import { loadInUse } from './in-use.ts';
import type { PruneProgress } from './progress.ts';
import { type FoundManifest, readManifests, readTags, ManifestCache } from './registry-reads.ts';
import type { PruneSession } from './session.ts';

type PlannedRun = Pick<PruneProgress, 'slot' | 'planBy'>;

/** Returns null if time is up. The manifest cache keeps everything read so far. */
export async function decide(session: PruneSession, root: string): Promise<PrunePlan | null> {
  const { storage, files, progress, pruner, dependencies } = session;
  const { slot, spec, inventoryBy } = progress;
  const inUse = await loadInUse({ table: dependencies.table, files, pruner, now: session.latest() });
  const stored = await files.read(RUN_FILE.inventory(slot, inventoryBy));
  if (stored === null) throw new Error(`the inventory of the run ${slot} is gone`);
  const inventory = Inventory.fromBytes(stored);
  const tags = await readTags(storage, inventory);

  const cacheText = await files.read(RUN_FILE.manifests);
  const wanted = new Set(inventory.manifestDigests(tags));
  const modifiedOf = (digest: string) => (wanted.has(digest) ? inventory.blobModified(digest) : null);
  const cache = ManifestCache.of(cacheText === null ? '' : decode(cacheText), modifiedOf);
  const others = await readManifests(session, root, wanted, cache);
  await files.write(RUN_FILE.manifests, cache.text(modifiedOf));
  if (others === null) return null;

  const now = Date.parse(slot);
  return planPruning({
    inventory,
    tags,
    manifests: (digest) =>
      throughAliases(cache.get(digest) ?? others.get(digest) ?? { unreadable: 'it was not read' }, inventory),
    inUse,
    policy: { ...spec, now },
    condemnedBefore: await condemnedBefore(files, inventory, session.condemned, now),
    agreedHash: progress.agree,
  });
}

/**
 * A registry stores a layer that was pushed by another digest under its SHA-256, and only a link leads there. Nothing
 * may go in a repository where a manifest needs such a layer.
 */
function throughAliases(found: FoundManifest, inventory: Inventory): FoundManifest {
  if (typeof found !== 'object' || 'unreadable' in found) return found;
  const alias = found.references.find(
    ({ digest }) => !digest.startsWith('sha256:') && inventory.blobModified(digest) === null,
  );
  return alias === undefined
    ? found
    : { unreadable: `its ${alias.kind} ${alias.digest} is not stored under this digest` };
}

async function condemnedBefore(
  files: RunFiles,
  inventory: Inventory,
  by: string | null,
  now: number,
): Promise<CondemnedBefore> {
  const before = new CondemnedBefore(inventory);
  const bytes = by === null ? null : await files.read(by);
  if (bytes === null) return before;
  // A drifted clock can condemn in the future. Counting from now prevents an endless grace period.
  for (const { key, since } of readTombstones(bytes)) {
    before.add({ key, since: Math.min(since, now) });
  }
  return before;
}

/** Stores deletions in order and both condemned files, so that later phases need no plan in memory. */
export async function writePlan(files: RunFiles, run: PlannedRun, plan: PrunePlan): Promise<number> {
  const lines: string[] = [];
  for (const kind of DELETION_KINDS) {
    for (const { key, bytes, reason } of plan.deletions(kind)) {
      lines.push(`${kind} ${bytes} ${reason} ${key}\n`);
    }
  }
  await files.write(RUN_FILE.plan(run.slot, run.planBy), lines.join(''));
  for (const isDone of [true, false]) {
    const stones = [...plan.tombstones(isDone)].map(tombstoneLine).join('');
    await files.write(condemnedFile(run, isDone), stones);
  }
  return lines.length;
}

/** A complete and an incomplete run leave different condemned objects. */
export function condemnedFile({ slot, planBy }: PlannedRun, isDone: boolean): string {
  const name = RUN_FILE.condemned(slot, planBy);
  return isDone ? name : `${name}-cut`;
}

export interface PlannedDeletion {
  readonly kind: DeletionKind;
  readonly bytes: number;
  readonly reason: string;
  readonly key: string;
}

/** Returns null if the history limit removed the run. */
export async function planOf(files: RunFiles, run: PlannedRun): Promise<readonly string[] | null> {
  const bytes = await files.read(RUN_FILE.plan(run.slot, run.planBy));
  return bytes === null ? null : decode(bytes).split('\n').slice(0, -1);
}

export async function readPlan(files: RunFiles, run: PlannedRun): Promise<readonly string[]> {
  const lines = await planOf(files, run);
  if (lines === null) throw new Error(`the plan of the run ${run.slot} is gone`);
  return lines;
}

/** Rejoins the key, which can contain spaces. */
export function plannedDeletion(line: string): PlannedDeletion {
  const [kind, bytes, reason, ...key] = line.split(' ');
  return { kind: kind as DeletionKind, bytes: Number(bytes), reason: reason!, key: key.join(' ') };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
