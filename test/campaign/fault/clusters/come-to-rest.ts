import { isDeepStrictEqual } from 'node:util';
import type { ClusterSummary } from '@cairn/shared/cluster/record';
import { readFleetEntry } from '../../../../functions/fleet/store.ts';
import { HOUSEKEEPING_JOB } from '../../../../functions/housekeeping/job.ts';
import { clusterPartition, isHeadKey, keyOf, revisionOfBodyKey } from '../../../../functions/store/keys.ts';
import { queryPartition } from '../../../../functions/store/query.ts';
import { listRuns } from '../../../../functions/store/run-records.ts';
import { Chain } from './chain.ts';
import { answerFaults } from './check-answers.ts';
import { wishOf } from './requests.ts';
import { type ClustersScene, DAY } from './scene.ts';

/** After all that, with nothing in its way, everything must come right; then all that was told is looked at. */
export async function comeToRest(scene: ClustersScene): Promise<void> {
  scene.disturbances.isQuiet = true;
  scene.stage.clock.advance(2 * DAY);
  await scene.turns.act(async (actor) => {
    for (const trigger of ['schedule', 'manual'] as const) {
      const slot = new Date(Date.now()).toISOString();
      const result = await scene.watch(scene.instance(actor, null), slot, { trigger });
      if (result?.status !== 'Done' || result.record.outcome !== 'Succeeded') {
        scene.violations.push(`an undisturbed watch by ${trigger} came to ${JSON.stringify(result)}`);
      }
    }
    await checkList(scene, actor);
    for (const [id, story] of scene.stories) {
      await checkBodies(scene, id, false);
      await checkMark(scene, id);
      const report = story.lastReport(scene.nextReport());
      await scene.ask(scene.instance(actor, null), wishOf({ what: 'put', id, report }));
      await checkBodies(scene, id, true);
    }
  });
  const chains = new Map<string, Chain>();
  for (const id of scene.stories.keys()) {
    const { head } = await partitionOf(scene, id);
    chains.set(id, new Chain(scene.ledger, id, (head?.['revision'] as string | undefined) ?? null));
  }
  scene.violations.push(
    ...[...chains.values()].flatMap(({ violations }) => violations),
    ...answerFaults(scene.ledger, chains),
    ...(await watchFaults(scene, [...chains.values()])),
  );
}

/** What the list tells of a cluster as its own answer does. */
const REPORTED_FIELDS = [
  'id',
  'clusterId',
  'version',
  'updating',
  'channel',
  'nodes',
  'arches',
  'pausedPools',
  'historyEntries',
  'firstSeenAt',
  'updatedAt',
  'collectedAt',
] as const satisfies readonly ('id' | keyof ClusterSummary)[];

/** The list has what is there, and nothing else. */
async function checkList(scene: ClustersScene, actor: number): Promise<void> {
  const ask = async (what: 'list' | 'get', id = '') =>
    (await scene.ask(scene.instance(actor, null), wishOf({ what, id }))).answer!;
  const { clusters } = (await ask('list')).body as { clusters: readonly { id: string }[] };
  const there: unknown[] = [];
  for (const id of scene.stories.keys()) {
    const { status, body } = await ask('get', id);
    if (status !== 200) continue;
    const cluster = body as Readonly<Record<string, unknown>>;
    there.push(Object.fromEntries(REPORTED_FIELDS.map((field) => [field, cluster[field]])));
    if (Number(cluster['historyEntries']) > scene.historyLimit) {
      scene.violations.push(`the history of ${id} has ${String(cluster['historyEntries'])} entries`);
    }
  }
  const listed = clusters.map((cluster) =>
    Object.fromEntries(REPORTED_FIELDS.map((field) => [field, (cluster as Record<string, unknown>)[field]])),
  );
  if (!isDeepStrictEqual(listed, there)) scene.violations.push('the list is not what is there');
}

/** Whatever became of a cluster is marked to be looked at, until somebody does. */
async function checkMark(scene: ClustersScene, id: string): Promise<void> {
  const { head } = await partitionOf(scene, id);
  const { reported } = await readFleetEntry(scene.table, id);
  if (head && reported === null)
    scene.violations.push(`${id} has changed, and nobody would look at it again`);
}

async function checkBodies(scene: ClustersScene, id: string, isCollected: boolean): Promise<void> {
  const { head, revisions } = await partitionOf(scene, id);
  const current = revisions.filter((revision) => revision === head?.['revision']).length;
  if (head && current !== head['chunks']) {
    scene.violations.push(`the head of ${id} names ${String(head['chunks'])} chunks, ${current} are there`);
  }
  const strays = new Set(revisions);
  strays.delete(String(head?.['revision']));
  strays.delete(String(head?.['previous']));
  // Each request that was cut leaves what it had written, and a removal what it had not yet taken away.
  const most = isCollected ? 0 : 2 * (scene.counts.failed + scene.counts.kills);
  if (strays.size > most)
    scene.violations.push(`${strays.size} stray bodies of ${id}, at most ${most} may be`);
}

async function partitionOf({ table }: ClustersScene, id: string) {
  const items = await queryPartition(table, clusterPartition(id));
  return {
    head: items.find((item) => isHeadKey(keyOf(item))),
    revisions: items
      .map(keyOf)
      .filter((key) => !isHeadKey(key))
      .map(revisionOfBodyKey),
  };
}

/** A run tells what it did, does it once, and is not done without a record. */
async function watchFaults(scene: ClustersScene, chains: readonly Chain[]): Promise<readonly string[]> {
  const faults: string[] = [];
  const records = new Map((await listRuns(scene.table, HOUSEKEEPING_JOB)).map((run) => [run.slot, run]));
  const removals = chains.flatMap((chain) =>
    chain.links.map(({ write, state }, place) => ({
      by: write.by,
      removed: (state?.removedHistory.total ?? 0) - (chain.stateAt(place - 1)?.removedHistory.total ?? 0),
    })),
  );
  const { rates } = scene;
  for (const [slot, runs] of Map.groupBy(scene.watchRuns, (run) => run.slot)) {
    const done = runs.flatMap(({ asked, result }) => (result.status === 'Done' ? [{ asked, result }] : []));
    if (done.length > 1) faults.push(`the watch of ${slot} was done ${done.length} times`);
    const [first] = done;
    if (first === undefined) continue;
    const removed = removals
      .filter(({ by }) => by === first.asked)
      .reduce((sum, removal) => sum + removal.removed, 0);
    const told = first.result.record.counts?.historyEntriesRemoved ?? 0;
    // One whose answer was lost for good has happened, and is told as a failure.
    const isExact = rates.lost === 0 && rates.refused === 0;
    if (isExact ? told !== removed : told > removed) {
      faults.push(`the watch of ${slot} tells of ${told} entries removed, ${removed} were`);
    }
    const outcome = records.get(slot)?.outcome;
    if (outcome === undefined || outcome === 'Failed' || outcome === 'Skipped') {
      faults.push(`the watch of ${slot} is done, its record says ${outcome ?? 'nothing'}`);
    }
  }
  return faults;
}
