import { randomUUID } from 'node:crypto';
import { takeSpec } from '@cairn/shared/prune/images/pruner/record';
import { type PrunerSpec, readPrunerSpec, type RegistryTarget } from '@cairn/shared/prune/images/pruner/spec';
import { truncate } from '@cairn/shared/text/quote';
import { type Call, endpoints, type SentFields } from '../http/endpoint.ts';
import { checkPreconditions } from '../http/negotiation.ts';
import { decodeCursor, encodeCursor, limitOf } from '../http/pagination.ts';
import { contended, Problem } from '../http/problem.ts';
import { invalidRequest } from '../http/request.ts';
import { errorDetail } from '../runtime/errors.ts';
import type { Table } from '../store/table.ts';
import type { SwitchReader } from '../switches/store.ts';
import { readResource } from './object-body.ts';
import { reconcilePruner } from './reconcile-schedule.ts';
import type { PrunerSchedules } from './schedules.ts';
import { PRUNER_NAME } from './schema.ts';
import {
  allPruners,
  changePruner,
  listPruners,
  placeOf,
  readPruner,
  removePruner,
  type StoredPruner,
} from './store.ts';
import { entityTag, prunerSummary, prunerView, specPreconditions, specTag } from './view.ts';

export interface ImagePrunerDependencies {
  readonly table: Table;
  readonly switches: SwitchReader;
  readonly schedules: PrunerSchedules;
  /** Targets that pruners may use; the first one is the default. */
  readonly grantedBuckets: readonly RegistryTarget[];
  readonly clock: () => number;
}

const NAME_ACCEPTED =
  '1 to 63 lower-case letters, digits, dots and hyphens are accepted, the first and last a letter or digit';

export function imagePrunerEndpoints(dependencies: ImagePrunerDependencies) {
  const { table, switches, clock } = dependencies;
  return endpoints({
    putImagePruner: (call) => putImagePruner(dependencies, call),

    getImagePruner: async ({ path }) => {
      const { view, etag } = await taggedView(dependencies, await storedPruner(table, path));
      return { data: view, headers: { etag } };
    },

    deleteImagePruner: async ({ path, headers }) => {
      const name = prunerName(path);
      const preconditions = specPreconditions(headers);
      const outcome = await removePruner(table, name, (stored) =>
        checkPreconditions(preconditions, specTag(stored)),
      );
      if (outcome === 'contended') throw contended(name);
      if (outcome === 'unknown') throw unknownPruner(name);
      await reconcilePruner(dependencies, name);
      return { answer: { statusCode: 204, headers: { 'cache-control': 'no-store' }, body: '' } };
    },

    listImagePruners: async ({ query }) => {
      const { cursor } = query;
      const after = cursor === undefined ? null : decodeCursor(cursor, placeIn);
      const { pruners, last } = await listPruners(table, { after, limit: limitOf(query) });
      const now = clock();
      const stopped = await switches.get('prune');
      return {
        data: {
          pruners: pruners.map((pruner) => prunerSummary(pruner, now, stopped)),
          nextCursor: last === null ? null : encodeCursor([last]),
        },
      };
    },
  });
}

async function putImagePruner(dependencies: ImagePrunerDependencies, call: Call<'putImagePruner'>) {
  const { table, grantedBuckets, clock } = dependencies;
  const name = prunerName(call.path);
  const resource = await readResource(call.body, call.headers['content-type']);
  const reading = readPrunerSpec(resource, { name, targets: grantedBuckets });
  if (!reading.ok) throw invalidRequest(reading.mistakes.map(errorDetail));
  const { spec, notes } = reading;
  await refuseTakenTarget(table, name, spec);
  const preconditions = specPreconditions(call.headers);
  const now = new Date(clock()).toISOString();
  const uid = randomUUID();
  const change = await changePruner(table, name, (former) => {
    checkPreconditions(preconditions, former && specTag(former));
    return takeSpec(former?.record ?? null, spec, { now, uid });
  });
  if (change.outcome === 'contended') throw contended(name);
  // The stored spec now applies. If the schedule update fails, the conditions show it and housekeeping retries.
  const reconciled = await reconcilePruner(dependencies, name);
  const pruner = ('pruner' in reconciled ? reconciled.pruner : null) ?? change.pruner;
  const { view, etag } = await taggedView(dependencies, pruner);
  return {
    ...(change.isNew && { status: 201 }),
    data: view,
    headers: {
      etag,
      ...(change.isNew && { location: `/v1/image-pruners/${name}` }),
      // Kubernetes returns warnings in the same header.
      ...(notes.length > 0 && { warning: notes.map((note) => `299 cairn "${note}"`).join(', ') }),
    },
  };
}

async function taggedView({ switches, clock }: ImagePrunerDependencies, pruner: StoredPruner) {
  const view = prunerView(pruner, clock(), await switches.get('prune'));
  return { view, etag: entityTag(pruner, view) };
}

export async function storedPruner(table: Table, path: SentFields): Promise<StoredPruner> {
  const name = prunerName(path);
  const pruner = await readPruner(table, name);
  if (!pruner) throw unknownPruner(name);
  return pruner;
}

function prunerName({ name = '' }: SentFields): string {
  if (PRUNER_NAME.test(name)) return name;
  throw invalidRequest([{ parameter: 'name', value: truncate(name), detail: NAME_ACCEPTED }]);
}

/**
 * Two pruners with one target would keep only what both keep. This check is not part of the conditional write: it
 * catches mistakes, but not two concurrent requests.
 */
async function refuseTakenTarget(table: Table, name: string, spec: PrunerSpec): Promise<void> {
  if (!deletes(spec)) return;
  const { bucket, prefix } = spec.target;
  for await (const other of allPruners(table)) {
    const { spec: theirs } = other.record;
    if (other.name === name || !deletes(theirs) || placeOf(theirs.target) !== placeOf(spec.target)) continue;
    const place = prefix === '' ? bucket : `${bucket}/${prefix}`;
    throw new Problem(
      'target-taken',
      `${other.name} prunes ${place} already, and only one may; with dryRun ${name} can be kept beside it`,
    );
  }
}

function deletes({ dryRun, managementState }: PrunerSpec): boolean {
  return !dryRun && managementState === 'Managed';
}

function placeIn(parts: readonly string[]): string | null {
  const [name = '', ...more] = parts;
  return PRUNER_NAME.test(name) && more.length === 0 ? name : null;
}

export function unknownPruner(name: string): Problem {
  return new Problem('unknown-pruner', `there is no pruner ${name}; GET /v1/image-pruners lists them`);
}
