import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import { pairName } from '@cairn/shared/releases/channel';
import { CLOCK_SKEW_MS } from '@cairn/shared/time/future';
import { ARCHES } from '@cairn/shared/version/arch';
import type { FleetState } from '../notifications/store.ts';
import { PUBLICATION_NAME, subscriptionList } from '../store/keys.ts';
import { readHeads } from '../store/published.ts';
import { indexPage } from '../store/query.ts';
import type { Table } from '../store/table.ts';
import { type AssessmentAttempt, reassessCluster } from './assess-cluster.ts';
import { isOutOfTime, type ReassessmentRun } from './run.ts';
import { listDue } from './store.ts';

/** News of an update is repeated after a day at most. */
const UPDATE_REPEAT_MS = 24 * 3600_000;

/** Text per pair (`stable-4.14/amd64`) that differs after every change of the channel. */
type Fingerprints = ReadonlyMap<string, string>;

/** Five small reads, independent of the number of channels and clusters. */
export async function readFingerprints(table: Table): Promise<Fingerprints> {
  const heads = await readHeads(
    table,
    ARCHES.map((arch) => PUBLICATION_NAME.channelIndex(arch)),
  );
  return new Map(
    ARCHES.flatMap((arch) => {
      const sources = heads.get(PUBLICATION_NAME.channelIndex(arch))?.summary['sources'] ?? {};
      return Object.entries(sources).map(([channel, source]): [string, string] => [
        pairName(channel, arch),
        JSON.stringify(source),
      ]);
    }),
  );
}

/** Pairs that differ from the last run, including unfollowed ones. The interrupted pair comes first. */
function changedPairs(now: Fingerprints, { seen, cut }: FleetState): string[] {
  const pairs = new Set([...now.keys(), ...Object.keys(seen)]);
  const changed = [...pairs].filter((pair) => now.get(pair) !== seen[pair]).toSorted();
  return changed.toSorted((a, b) => Number(b === cut?.pair) - Number(a === cut?.pair));
}

/**
 * Reassesses due clusters, then the subscribers of changed channels, each once. A run that is stopped or out
 * of time stores its position in `cut`, and the next one continues there.
 */
export async function reassessDueClusters(
  run: ReassessmentRun,
  former: FleetState,
  fingerprints: Fingerprints,
) {
  const { table } = run.dependencies;
  const attempts = new Map<string, AssessmentAttempt>();
  /** Returns the last cluster up to which all are done; null if the first is not. */
  const reassessAll = async (ids: readonly string[]): Promise<string | null> => {
    const isDone = await mapConcurrent(ids, run.limits.clustersAtOnce, async (id) => {
      if (attempts.has(id)) return true;
      if (isOutOfTime(run) || (await run.isStopped())) return false;
      attempts.set(id, await reassessCluster(run, id));
      return true;
    });
    const undone = isDone.indexOf(false);
    return (undone < 0 ? ids.at(-1) : ids[undone - 1]) ?? null;
  };

  const longestMs = Math.max(run.limits.windowMs, UPDATE_REPEAT_MS);
  const last = new Date(Date.parse(run.slot) + longestMs + CLOCK_SKEW_MS).toISOString();
  await reassessAll(await listDue(table, { at: run.slot, last, limit: run.limits.dueClusters }));
  const seen: Record<string, string> = { ...former.seen };
  for (const pair of changedPairs(fingerprints, former)) {
    const fingerprint = fingerprints.get(pair);
    let after = former.cut?.pair === pair && former.cut.fingerprint === fingerprint ? former.cut.after : null;
    for (let more = true; more;) {
      const page = await indexPage(table, subscriptionList(pair), {
        after,
        limit: run.limits.clustersPerPage,
      });
      const done = await reassessAll(page.names);
      if (done !== (page.names.at(-1) ?? null)) {
        const reached = done ?? after;
        const cut = reached === null ? null : { pair, fingerprint: fingerprint ?? '', after: reached };
        return { attempts: [...attempts.values()], seen, cut };
      }
      after = page.last;
      more = after !== null;
    }
    if (fingerprint === undefined) delete seen[pair];
    else seen[pair] = fingerprint;
  }
  return { attempts: [...attempts.values()], seen, cut: null };
}
