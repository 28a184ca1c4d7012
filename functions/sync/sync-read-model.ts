import { buildCatalogue, type ReleaseRow } from '@cairn/shared/releases/catalogue';
import { listedReleases } from '@cairn/shared/releases/query';
import { configPairs, type ReleaseConfig } from '@cairn/shared/releases/sources';
import { type DocumentHead, readDocument } from '../store/published.ts';
import { DOCUMENT } from '../store/keys.ts';
import { setWithdrawn } from '../releases/rows.ts';
import type { PublishedCatalogue, PublishedConfiguration } from '../releases/publications.ts';
import type { PairState, SyncBook } from '../releases/sync-state.ts';
import type { SyncRun } from './job.ts';
import { publishJson, sha256 } from './publish-json.ts';
import type { ReleaseRows } from './release-rows.ts';
import { isRetirementDue, retireMinors, type RetirementState } from './retire.ts';

export type ReadModelState = RetirementState & Pick<SyncBook, 'catalogueInputs'>;

type Pairs = Readonly<Record<string, PairState>>;

/**
 * Brings catalogue and configuration up to date with the rows. Reads no row while nothing they are made from has
 * changed.
 */
export async function updateReadModel(
  run: SyncRun,
  rows: ReleaseRows,
  heads: ReadonlyMap<string, DocumentHead>,
  pairs: Pairs,
  before: ReadModelState,
): Promise<ReadModelState> {
  const { config } = run.dependencies;
  const inputs = fingerprint(config, pairs);
  const isCurrent = inputs === before.catalogueInputs && heads.has(DOCUMENT.catalogue);
  if (isCurrent && !isRetirementDue(run, before)) {
    const { retired, retirementHeld, catalogueInputs } = before;
    return { retired, retirementHeld, catalogueInputs };
  }
  const current = await flagWithdrawn(run, await rows.all(), pairs);
  await publishIfOther(run, DOCUMENT.configuration, publishedConfiguration(config), heads);
  const catalogue = buildCatalogue({ config, rows: current });
  // An empty catalogue while nothing could ever be fetched would tell clients that there are no versions.
  const wasFetched = Object.values(pairs).every((pair) => pair.lastSuccessAt !== null);
  const isKnown = catalogue.releases.length > 0 || wasFetched;
  const listed: PublishedCatalogue = { releases: listedReleases(catalogue, config.ignored) };
  if (isKnown) await publishIfOther(run, DOCUMENT.catalogue, listed, heads);
  const retirement = await retireMinors(run, current, before);
  return { ...retirement, catalogueInputs: isKnown ? inputs : null };
}

/** Everything the catalogue depends on: the configuration, the revision of each graph, and which versions are withdrawn. */
function fingerprint(config: ReleaseConfig, pairs: Pairs): string {
  const graphs = Object.entries(pairs).map(([name, pair]) => {
    const withdrawn = Object.entries(pair.missing).filter(([, absence]) => absence.withdrawnAt);
    return JSON.stringify([name, pair.revision, withdrawn.map(([version]) => version)]);
  });
  return sha256(JSON.stringify([config, graphs.toSorted()]));
}

/** A release is withdrawn once every followed channel that listed it is lastingly without it. */
async function flagWithdrawn(run: SyncRun, rows: readonly ReleaseRow[], pairs: Pairs): Promise<ReleaseRow[]> {
  const flagged: ReleaseRow[] = [];
  for (const row of rows) {
    const { withdrawnAt: former, ...rest } = row;
    const withdrawnAt = withdrawalOf(row, pairs);
    if (withdrawnAt !== former) await setWithdrawn(run.dependencies.table, row, withdrawnAt ?? null);
    flagged.push(withdrawnAt === undefined ? rest : { ...rest, withdrawnAt });
  }
  return flagged;
}

function withdrawalOf(row: ReleaseRow, pairs: Pairs): string | undefined {
  const followed = row.channels.flatMap((channel) => pairs[`${channel}/${row.arch}`] ?? []);
  // Nobody looks any more: what was last known stays.
  if (followed.length === 0) return row.withdrawnAt;
  const since = followed.flatMap((pair) => pair.missing[row.version]?.withdrawnAt ?? []);
  if (since.length < followed.length) return undefined;
  return row.withdrawnAt ?? since.toSorted().at(-1);
}

async function publishIfOther(
  run: SyncRun,
  name: string,
  value: unknown,
  heads: ReadonlyMap<string, DocumentHead>,
): Promise<void> {
  const text = JSON.stringify(value);
  if (heads.get(name)?.etag === sha256(text)) return;
  await publishJson(run, { name, text, summary: {} }, await readDocument(run.dependencies.table, name));
}

function publishedConfiguration(config: ReleaseConfig): PublishedConfiguration {
  return {
    releaseSources: config.asConfigured,
    pairs: configPairs(config).map((pair) => `${pair.channel}/${pair.arch}`),
  };
}
