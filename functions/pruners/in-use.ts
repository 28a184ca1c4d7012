import { randomBytes } from 'node:crypto';
import { clusterImagesToJson } from '@cairn/shared/prune/images/cluster/cluster-images';
import { InUseReader, type InUseReading } from '@cairn/shared/prune/images/in-use/documents';
import { inUseToJson } from '@cairn/shared/prune/images/in-use/facts';
import { type InUseSummary, inUseTaken, type PrunerRecord } from '@cairn/shared/prune/images/pruner/record';
import { truncate } from '@cairn/shared/text/quote';
import { countInWords } from '@cairn/shared/text/words';
import { isInFuture } from '@cairn/shared/time/future';
import { type RequestEnvelope, requestEnvelope } from '../documents/envelope.ts';
import { requestFields } from '../documents/fields.ts';
import { DOCUMENT_SOURCES, readDocumentSource } from '../documents/read-documents.ts';
import { sentName } from '../http/aliases.ts';
import { endpoints } from '../http/endpoint.ts';
import { contended, Problem } from '../http/problem.ts';
import { boundedJson } from '../http/reply.ts';
import { invalidRequest, MOST_FAULTS } from '../http/request.ts';
import { type ErrorDetail, ExpectedError } from '../runtime/errors.ts';
import type { Table } from '../store/table.ts';
import type { OpenUploads } from '../uploads/store.ts';
import { storedPruner, unknownPruner } from './endpoints.ts';
import { RUN_FILE, type RunFiles } from './files.ts';
import { inUseDigest } from './in-use-digest.ts';
import { inUseReport } from './schema.ts';
import { revisePruner, type StoredPruner } from './store.ts';

export interface ImagesInUseDependencies {
  readonly table: Table;
  readonly openUploads: OpenUploads;
  readonly openRunFiles: () => Promise<(pruner: string) => RunFiles>;
  readonly clock: () => number;
}

/** Allowed clock drift. A later time would keep the report fresh for too long. */
const MOST_AHEAD_MS = 5 * 60_000;
type Reading = Extract<InUseReading, { ok: true }>;

export function imagesInUseEndpoints({ table, openUploads, openRunFiles, clock }: ImagesInUseDependencies) {
  return endpoints({
    putImagesInUse: async ({ path, query, body: bytes }) => {
      const pruner = await storedPruner(table, path);
      const { name, record } = pruner;
      const { spec } = record;
      const envelope = requestEnvelope(bytes);
      const fields = requestFields(inUseReport(), query, envelope?.members ?? new Map(), DOCUMENT_SOURCES);
      const now = clock();
      const collectedAt = fields.collected_at === undefined ? now : Date.parse(fields.collected_at);
      refuseFuture(
        collectedAt,
        now,
        query['collected_at'] === undefined
          ? { pointer: `/${sentName(fields, 'collected_at')}` }
          : { parameter: 'collected_at' },
      );
      const source = fields.source ?? null;
      refuseOther(pruner, source);
      refuseOlder(record.inUse, collectedAt, now);
      const { unchanged } = fields;
      if (unchanged !== undefined) {
        refuseDocuments(bytes, envelope, query['unchanged'] !== undefined);
        const inUse = await confirm(table, pruner, { unchanged, collectedAt, source, now });
        return boundedJson({ ...NOTHING_READ, inUse });
      }

      const isManaged = spec.managementState === 'Managed';
      const reading = await readDocumentSource(
        bytes,
        envelope,
        openUploads,
        new InUseReader({
          youngerThan: collectedAt - spec.keepYoungerThanMs,
          collectedAt,
          asked: fields.asked ?? [],
          unseen: fields.missing ?? [],
          images: !isManaged,
        }),
      );
      if (!(fields.ignore_invalid ?? spec.ignoreInvalidImageReferences)) refuseInvalid(reading);

      const files = (await openRunFiles())(name);
      const revision = `${new Date(now).toISOString()}-${randomBytes(4).toString('hex')}`;
      const summary = summaryOf(reading, revision, source);
      await store(files, summary, reading);
      const former = await point({ table, files, now }, pruner, summary);
      if (former !== null) await removeReport(files, former);
      const { kinds, otherKinds, images, unread, input } = reading;
      return boundedJson({
        inUse: summary,
        kinds,
        otherKinds,
        imagesKept: images?.size ?? null,
        invalidReferences: unread,
        input,
      });
    },
  });
}

const NOTHING_READ = {
  kinds: [],
  otherKinds: [],
  imagesKept: null,
  invalidReferences: [],
  input: { documents: 0, objects: 0, emptyLists: 0, ignored: [] },
};

/** Writes the files before the record points to them. */
async function store(files: RunFiles, { revision }: InUseSummary, reading: Reading): Promise<void> {
  const { inUse, images, users } = reading;
  await files.write(RUN_FILE.inUse(revision), inUseToJson(inUse), { json: true });
  if (images === null) return;
  await files.write(RUN_FILE.clusterImages(revision), clusterImagesToJson({ images, users }), { json: true });
}

/** Makes this report the current one. Returns the revision of the former report. */
async function point(
  { table, files, now }: { readonly table: Table; readonly files: RunFiles; readonly now: number },
  pruner: StoredPruner,
  summary: InUseSummary,
): Promise<string | null> {
  let former: string | null = null;
  try {
    await revise(table, pruner, (record) => {
      refuseOther({ ...pruner, record }, summary.source ?? null);
      refuseOlder(record.inUse, Date.parse(summary.collectedAt), now);
      former = record.inUse?.revision ?? null;
      return inUseTaken(record, summary);
    });
    return former;
  } catch (error) {
    if (error instanceof ExpectedError) await removeReport(files, summary.revision);
    throw error;
  }
}

interface Confirmed {
  /** Digest of the current report. */
  readonly unchanged: string;
  readonly collectedAt: number;
  readonly source: string | null;
  readonly now: number;
}

/** Renews the collection time of the current report. */
async function confirm(
  table: Table,
  pruner: StoredPruner,
  { unchanged, collectedAt, source, now }: Confirmed,
): Promise<InUseSummary> {
  const { inUse } = await revise(table, pruner, (record) => {
    refuseOther({ ...pruner, record }, source);
    refuseOlder(record.inUse, collectedAt, now);
    if (record.inUse?.digest !== unchanged) {
      throw new Problem(
        'precondition-failed',
        'what is known of the images in use is another than that of this digest, send the documents',
      );
    }
    const { source: _source, ...known } = record.inUse;
    const at = new Date(collectedAt).toISOString();
    return inUseTaken(record, { ...known, collectedAt: at, ...(source !== null && { source }) });
  });
  return inUse!;
}

async function revise(
  table: Table,
  { name, record: { uid } }: StoredPruner,
  change: (record: PrunerRecord) => PrunerRecord,
): Promise<PrunerRecord> {
  const revised = await revisePruner(table, name, uid, change);
  if ('pruner' in revised) return revised.pruner.record;
  if (revised.outcome === 'unknown') throw unknownPruner(name);
  throw contended(name);
}

/** `loadReport` reads in the reverse order. */
async function removeReport(files: RunFiles, revision: string): Promise<void> {
  await files.remove(RUN_FILE.inUse(revision));
  await files.remove(RUN_FILE.clusterImages(revision));
}

function summaryOf(reading: Reading, revision: string, source: string | null): InUseSummary {
  const { inUse, missing, unreadTotal } = reading;
  return {
    revision,
    collectedAt: new Date(inUse.collectedAt).toISOString(),
    complete: inUse.complete,
    missing,
    images: inUse.usedImages.size,
    tags: inUse.usedTags.size,
    digests: inUse.usedDigests.size,
    imageStreams: inUse.streams?.size ?? null,
    invalidReferences: unreadTotal,
    digest: inUseDigest(reading),
    ...(source !== null && { source }),
  };
}

function refuseDocuments(bytes: Uint8Array, envelope: RequestEnvelope | null, isInQuery: boolean): void {
  const isGiven =
    envelope === null ? bytes.length > 0 : envelope.documents !== null || envelope.members.has('upload');
  if (!isGiven) return;
  const detail = 'is given beside documents, one of them is accepted';
  throw invalidRequest([{ ...(isInQuery ? { parameter: 'unchanged' } : { pointer: '/unchanged' }), detail }]);
}

/**
 * A report replaces the former one. Two sources would replace each other in turns, and each time the images of the
 * other could be deleted. A report without a source is accepted as deliberate.
 */
function refuseOther({ name, record: { inUse } }: StoredPruner, source: string | null): void {
  const known = inUse?.source ?? null;
  if (source === null || known === null || known === source) return;
  throw new Problem(
    'source-mismatch',
    `${known} tells ${name} what is in use, and a report of ${source} would take the place of its own: send the documents of both in one report, without source`,
  );
}

function refuseFuture(
  collectedAt: number,
  now: number,
  place: Pick<ErrorDetail, 'parameter' | 'pointer'>,
): void {
  if (collectedAt <= now + MOST_AHEAD_MS) return;
  throw invalidRequest([{ ...place, detail: `is later than now, ${new Date(now).toISOString()}` }]);
}

/**
 * A delayed report must not replace a newer one: images that came into use since could be deleted. A stored time in
 * the future does not count, because it would block every report until then.
 */
function refuseOlder(stored: InUseSummary | null, collectedAt: number, now: number): void {
  if (stored === null || Date.parse(stored.collectedAt) <= collectedAt) return;
  if (isInFuture(stored.collectedAt, now)) return;
  throw new Problem(
    'outdated-report',
    `the report was collected at ${new Date(collectedAt).toISOString()}, one of ${stored.collectedAt} is known already`,
  );
}

function refuseInvalid({ unread, unreadTotal }: Reading): void {
  if (unreadTotal === 0) return;
  const errors = unread.slice(0, MOST_FAULTS).map(({ object, place, reference, why }) => ({
    value: truncate(reference),
    detail: `${object}, ${place}: ${why}`,
  }));
  throw new Problem(
    'invalid-documents',
    `${countInWords(unreadTotal, 'reference')} to images cannot be read and may hide a use; mend them, or send ignore_invalid to protect what they seem to name: ${errors
      .map(({ value, detail }) => `${detail} (${JSON.stringify(value)})`)
      .join('; ')}`,
    { errors },
  );
}
