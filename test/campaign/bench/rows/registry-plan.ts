import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseStorageKey } from '@cairn/shared/prune/images/registry/storage-layout';
import { cpuCostOf, smallestCosts } from '../interleave.ts';
import {
  BLOBS,
  currentTags,
  manifestDigests,
  manifestOf,
  MANIFESTS,
  ROOT,
  walkListing,
} from '../registry-plan/listing.ts';
import { planListing } from '../registry-plan/plan-listing.ts';
import { ratio, type Row } from '../row.ts';

const ROUNDS = 5;
const GOAL = 1.5;
const MEMORY_GOAL = 300;
const memoryProcess = fileURLToPath(new URL('../registry-plan/memory-process.ts', import.meta.url));

/**
 * Taking in a registry of a million blobs and planning, against no more than parsing every key of its listing and asking
 * for every manifest.
 */
export const registryPlan: Row = {
  name: 'registry plan',
  async run() {
    const memory = await memoryOfOwnProcess();
    const tags = currentTags();
    const manifests = manifestDigests();
    const costs = await smallestCosts(
      {
        plan: () => cpuCostOf(() => planListing(tags)),
        walk: () => cpuCostOf(() => walkAlone(manifests)),
      },
      ROUNDS,
    );
    return [
      ratio(
        `listing, reading and planning a registry of ${BLOBS} blobs / listing and reading it`,
        costs.plan / costs.walk,
        GOAL,
      ),
      { what: 'all memory of a process that does so', measured: memory, unit: 'MB', goal: MEMORY_GOAL },
    ];
  },
};

async function memoryOfOwnProcess(): Promise<number> {
  const child = fork(memoryProcess);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the process that plans ended early (${code})`);
  });
  const [memory] = (await Promise.race([once(child, 'message'), ended])) as [number];
  // It has told; how it ends does not matter any more.
  ended.catch(() => undefined);
  return memory;
}

function walkAlone(manifests: readonly string[]): void {
  const counts = new Map<string, number>();
  walkListing((key) => {
    const { kind } = parseStorageKey(ROOT, key);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  });
  const references = manifests.reduce((total, digest) => total + manifestOf(digest).references.length, 0);
  if (counts.get('blob') !== BLOBS) throw new Error(`${counts.get('blob')} blobs`);
  if (references !== BLOBS - MANIFESTS) throw new Error(`${references} references`);
}
