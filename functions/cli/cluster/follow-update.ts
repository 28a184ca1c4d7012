import { ClusterReader } from '@cairn/shared/cluster/kinds';
import { splitDocumentStream } from '@cairn/shared/cluster/split-documents';
import { versionCondition } from '@cairn/shared/update-status/conditions';
import type { ClusterDetail } from '../../clusters/schema.ts';
import { badInput, Failure } from '../../runtime/exit.ts';
import { sha256Hex } from '../../runtime/hash.ts';
import type { Output } from '../../runtime/lazy.ts';
import type { Host } from '../host.ts';
import { accepted, jsonOf, type Service } from '../service/service.ts';
import { type ClusterQuery, type ClusterSource, REPORT_QUERIES } from './queries.ts';
import { mistakeInWords } from './read-documents.ts';

const MINUTE_MS = 60_000;
/** A whole report is due every hour. Runs of a CronJob begin some seconds early or late. */
const DUE_MS = 55 * MINUTE_MS;
/** The next run of an hourly CronJob takes over. */
const LONGEST_MS = 55 * MINUTE_MS;
const INTERVAL_MS = 5 * MINUTE_MS;
/** Each cluster has its own interval, so that a fleet does not report at once. */
const SPREAD_MS = 30_000;
/** Reports without an update that end an update which was followed. */
const LAST_REPORTS = 2;

const VERSION_QUERY: ClusterQuery = REPORT_QUERIES.find(({ kind }) => kind === 'ClusterVersion')!;

interface Following {
  readonly host: Host;
  readonly service: Service;
  readonly source: ClusterSource;
  /** Reports once, the first time with everything else that is reported; true if an update is in progress. */
  readonly report: (isFirst: boolean) => Promise<boolean>;
}

/**
 * Reports if a whole report is due or the cluster updates, then every five minutes until the update is over. Else it
 * reads only the ClusterVersion and sends nothing.
 */
export async function followUpdate(
  cluster: string,
  { host, service, source, report }: Following,
): Promise<void> {
  const start = host.clock();
  const stored = await storedCluster(service, cluster);
  let isFollowed = stored?.updateInProgress === true || (await isUpdating(source));
  if (!isFollowed && !isDue(stored, start)) {
    host.out.write(`${cluster}: no update is in progress, and the next whole report is not due\n`);
    return;
  }
  const interval = intervalOf(cluster);
  let idle = 0;
  for (let began = start; ; began = host.clock()) {
    const outcome = await report(began === start).catch((error: unknown) => {
      // The API of a cluster fails at times while its control plane updates.
      if (!(error instanceof Failure) || !isFollowed) throw error;
      return error;
    });
    if (outcome === true) [isFollowed, idle] = [true, 0];
    else if (outcome === false) idle++;
    const isOver = idle === (isFollowed ? LAST_REPORTS : 1) || began + interval > start + LONGEST_MS;
    if (outcome instanceof Failure) {
      if (isOver) throw outcome;
      for (const line of outcome.lines) host.err.write(`${line}; the next report follows\n`);
    }
    if (isOver) return;
    await host.wait(Math.max(0, began + interval - host.clock()));
  }
}

type StoredCluster = Partial<Output<typeof ClusterDetail>>;

async function storedCluster(service: Service, cluster: string): Promise<StoredCluster | null> {
  const path = `/v1/clusters/${encodeURIComponent(cluster)}`;
  const query = new URLSearchParams({ digests: 'true' });
  const answer = await service.ask({ method: 'GET', path, query });
  return answer.status === 404 ? null : (jsonOf(accepted(answer)) as StoredCluster);
}

/** Every whole report has the nodes. */
function isDue(stored: StoredCluster | null, now: number): boolean {
  const last = stored?.collected?.['nodes'];
  return last === undefined || now - Date.parse(last) >= DUE_MS;
}

async function isUpdating(source: ClusterSource): Promise<boolean> {
  const reading = await source.read(VERSION_QUERY, (pages) =>
    splitDocumentStream(pages, new ClusterReader({ isRemovedApi: () => false })),
  );
  if (reading?.ok === false) throw badInput(...reading.mistakes.map(mistakeInWords));
  const version = reading?.facts.clusterVersion;
  return version ? versionCondition(version, 'Progressing')?.status === 'True' : false;
}

/** Between 4:30 and 5:30 minutes, always the same for a cluster. */
export function intervalOf(cluster: string): number {
  const share = Number.parseInt(sha256Hex(cluster).slice(0, 8), 16) / 0xffff_ffff;
  return INTERVAL_MS - SPREAD_MS + Math.round(share * 2 * SPREAD_MS);
}
