import type { RegistryTarget } from '@cairn/shared/prune/images/pruner/spec';
import { truncate } from '@cairn/shared/text/quote';
import { type Call, endpoints, type SentFields } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';
import { boundedAnswer, boundedJson, TEXT_TYPE, type Whole } from '../http/reply.ts';
import { invalidRequest } from '../http/request.ts';
import type { PrunerLauncher } from '../jobs/launcher.ts';
import { storedPruner } from '../pruners/endpoints.ts';
import { RUN_FILE, type RunFiles } from '../pruners/files.ts';
import type { StoredPruner } from '../pruners/store.ts';
import { listRuns } from '../store/run-records.ts';
import type { Table } from '../store/table.ts';
import type { PruneReport } from './finish.ts';
import { jobOf, lastSkipOf, type UnfinishedRun, unfinishedRun } from './progress.ts';
import { activeRunAsText, reportAsText } from './report.ts';
import { RUN_ID } from './schema.ts';
import { activeRunView, type PruneRun, reportView, runRecordView, skippedRunView } from './view.ts';

interface ImagePrunerRunDependencies {
  readonly table: Table;
  readonly launcher: PrunerLauncher;
  readonly grantedBuckets: readonly RegistryTarget[];
  readonly openRunFiles: () => Promise<(pruner: string) => RunFiles>;
  readonly clock: () => number;
}

const EXAMPLES = { json: 100, text: 20 } as const;
/** EventBridge Scheduler fires within a minute, then the function has to start. */
const START_MS = 3 * 60_000;

export function imagePrunerRunEndpoints(dependencies: ImagePrunerRunDependencies) {
  const { table, openRunFiles, clock } = dependencies;
  /** Compares the uid: a deleted pruner of the same name can leave an unfinished run. */
  const activeRun = async ({ name, record }: StoredPruner): Promise<UnfinishedRun | null> => {
    const unfinished = await unfinishedRun(table, name, clock());
    return unfinished?.progress.uid === record.uid ? unfinished : null;
  };

  return endpoints({
    startImagePrunerRun: (call) => startRun(dependencies, call),

    async listImagePrunerRuns({ path }) {
      const pruner = await storedPruner(table, path);
      // Read in this order: a run that ends in between is in both lists, never in neither.
      const active = await activeRun(pruner);
      const runs = await listRuns<PruneRun>(table, jobOf(pruner.name));
      const records = runs.map(runRecordView).toReversed();
      const isRecorded = records.some(({ id }) => id === active?.slot);
      const views = active === null || isRecorded ? records : [activeRunView(active), ...records];
      const lastSkipped = await lastSkipOf(table, pruner.name);
      return boundedJson({ pruner: pruner.name, runs: views, lastSkipped });
    },

    async getImagePrunerRun({ path, query }) {
      const pruner = await storedPruner(table, path);
      const id = runId(path);
      const isText = query.format === 'text';
      const active = await activeRun(pruner);
      const record = (await listRuns<PruneRun>(table, jobOf(pruner.name))).find(({ slot }) => slot === id);
      if (record?.outcome === 'Skipped' && active?.slot !== id) {
        const view = skippedRunView(record);
        return answer(isText, view, () => `# Skipped: ${view.message}\n`);
      }
      if (record === undefined || record.outcome === 'Skipped') {
        if (active?.slot !== id) return answer(isText, ...notBegun(pruner.name, id, clock()));
        const view = activeRunView(active);
        return answer(isText, view, () => activeRunAsText(view));
      }
      const report = await readReport((await openRunFiles())(pruner.name), pruner.name, id);
      const examples = Number(query.examples ?? EXAMPLES[isText ? 'text' : 'json']);
      const view = reportView(report, examples);
      return answer(isText, view, () => reportAsText(view));
    },
  });
}

async function startRun(
  { table, launcher, grantedBuckets, clock }: ImagePrunerRunDependencies,
  { path, body: request }: Call<'startImagePrunerRun'>,
) {
  const pruner = await storedPruner(table, path);
  const { name, record } = pruner;
  refuseMore(pruner, request);
  refuseWithdrawn(pruner, grantedBuckets);
  const unfinished = await unfinishedRun(table, name, clock());
  if (unfinished !== null && (unfinished.isHeld || unfinished.progress.uid === record.uid)) {
    const { slot } = unfinished;
    throw new Problem('run-in-progress', `the run ${slot} is under way, GET ${runPath(name, slot)}`, {
      retryAfterSeconds: 30,
    });
  }
  const id = await launcher.launchPruner({ pruner: name, now: clock(), trigger: 'manual', ...request });
  const status = runPath(name, id);
  return { data: { id, run: id, status }, headers: { location: status } };
}

async function readReport(files: RunFiles, pruner: string, id: string): Promise<PruneReport> {
  const bytes = await files.read(RUN_FILE.report(id));
  // A newer run can remove the report after the record is read.
  if (bytes === null) throw unknownRun(pruner, id);
  return JSON.parse(new TextDecoder().decode(bytes)) as PruneReport;
}

/** A manual run can do less than its pruner, never more: only the spec, which every reader sees, allows deletions. */
function refuseMore(
  { name, record }: StoredPruner,
  {
    dryRun = record.spec.dryRun,
    agree,
  }: { readonly dryRun?: boolean | undefined; readonly agree?: string | undefined },
): void {
  if (record.spec.dryRun && !dryRun) {
    const detail = `the pruner is a dry run, and a run by hand does no more than its pruner; set dryRun to false by PUT /v1/image-pruners/${name}`;
    throw invalidRequest([{ pointer: '/dryRun', detail }]);
  }
  if (dryRun && agree !== undefined) {
    const detail = 'has no effect on a dry run, which deletes nothing; leave one of them out';
    throw invalidRequest([{ pointer: '/agree', detail }]);
  }
}

function refuseWithdrawn({ name, record }: StoredPruner, granted: readonly RegistryTarget[]): void {
  const { bucket, prefix } = record.spec.target;
  if (granted.some((target) => target.bucket === bucket && target.prefix === prefix)) return;
  throw new Problem(
    'target-withdrawn',
    `the settings of the deployment do not name ${prefix === '' ? bucket : `${bucket}/${prefix}`} any more, in which ${name} works`,
  );
}

function notBegun(pruner: string, id: string, now: number) {
  const age = now - Date.parse(id);
  if (age > START_MS || age < -START_MS) throw unknownRun(pruner, id);
  const message = 'nothing is known of it yet; a run that was asked for begins within a minute or two';
  return [{ id, state: 'waiting' as const, message }, () => `# Waiting: ${message}\n`] as const;
}

function answer<View>(isText: boolean, view: View, asText: () => string): Whole<View> {
  return isText ? boundedAnswer(TEXT_TYPE, asText()) : boundedJson(view);
}

/** Normalizes `2026-11-16T08:00:00Z` to the stored form `2026-11-16T08:00:00.000Z`. */
function runId({ run = '' }: SentFields): string {
  const text = run.replaceAll(/%3a/gi, ':');
  if (RUN_ID.test(text)) return new Date(text).toISOString();
  const detail = 'the time of a run is accepted, such as 2026-11-16T08:00:00.000Z';
  throw invalidRequest([{ parameter: 'run', value: truncate(run), detail }]);
}

function runPath(pruner: string, run: string): string {
  return `/v1/image-pruners/${pruner}/runs/${run}`;
}

function unknownRun(pruner: string, id: string): Problem {
  return new Problem(
    'unknown-run',
    `${pruner} has no run ${id}, or it is not kept any more; GET /v1/image-pruners/${pruner}/runs lists them`,
  );
}
