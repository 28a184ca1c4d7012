import { gunzipSync, gzipSync } from 'node:zlib';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteObjectsCommand,
  type GetObjectCommandOutput,
  type ListObjectsV2CommandOutput,
  NotFound,
  type PutObjectCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { SMALL_PAGE } from '../../../helpers/s3/bucket-proxy.ts';
import { wrapCommand } from '../../../helpers/wrap-command.ts';
import { changePages, loseLease, respectFutureSlots, shiftPage } from '../harness/client-bugs.ts';
import type { FaultKind } from '../scenario.ts';
import { isInventory, isPlan } from './run-report.ts';

interface Clients {
  readonly s3: S3Client;
  readonly table: DynamoDBClient;
}

/** Makes the clients of an invocation behave as a program with a bug would; `memory` is that of all invocations of a trial. */
export type PlantedBug = (clients: Clients, memory: Map<string, unknown>) => void;

const DAY = 86_400_000;
const CLOCK_AHEAD_MS = DAY / 12;
const KINDS = ['tag', 'revision', 'layer', 'blob', 'upload'];

/**
 * The kinds of bugs that the invariants must find. Of the twelve that the campaign owes, the pruner has these; the sync
 * has the others, and so have the clusters where they keep the same promise:
 *
 * | owed                        | here                           | in other scenarios                                     |
 * | --------------------------- | ------------------------------ | ------------------------------------------------------ |
 * | drop fence check            |                                | sync: fence dropped; clusters: lost update             |
 * | pointer before body         |                                | sync: the same; clusters: head before body             |
 * | delete before record        | deleted before it is planned   |                                                        |
 * | ignore UnprocessedItems     |                                | sync: unprocessed ignored                              |
 * | ignore DeleteObjects errors | errors of a deletion ignored   |                                                        |
 * | lost answer as lost lease   | lost answer is a lost lease    | sync: the same; clusters: … taken for a refusal        |
 * | run key from the delivery   | run key per delivery           | sync: run key per delivery                             |
 * | empty graph accepted        |                                | sync: doubt ignored                                    |
 * | age from local clock only   | age by the local clock         |                                                        |
 * | skip re-check at sweep      | swept without another look     |                                                        |
 * | TTL on the lease            |                                | sync: lease expires                                    |
 * | cursor before the batch     | cursor before the batch        |                                                        |
 */
export const PLANTED_BUGS = {
  /** A slot that a wrong clock has done stops every run until its time has come. */
  'future slot is a duplicate': ({ table }) => respectFutureSlots(table),

  /** The plan is carried out from its end. */
  'blobs before links': ({ s3 }) => {
    wrapCommand(s3, 'PutObjectCommand', (input, next) =>
      next(isPlan(input.Key!) ? { ...input, Body: packed(linesOf(input).toReversed()) } : input),
    );
  },

  /** What DeleteObjects could not delete counts as deleted. */
  'errors of a deletion ignored': ({ s3 }) => {
    wrapCommand(s3, 'DeleteObjectsCommand', async (input, next) => ({
      ...(await next(input)),
      Deleted: input.Delete!.Objects!.map(({ Key }) => ({ Key })),
      Errors: [],
    }));
  },

  /** After the deletion nobody looks for what came into use meanwhile. */
  'nothing revived': ({ s3 }, memory) => {
    const isPlanned = followPlan(s3, memory);
    changePages(s3, (page, prefix) =>
      isPlanned() && prefix.endsWith('repositories/') ? { ...page, Contents: [] } : page,
    );
  },

  /** A batch is noted as deleted before it is, so that after a crash it never is. */
  'cursor before the batch': ({ s3, table }, memory) => {
    wrapCommand(s3, 'PutObjectCommand', (input, next) => {
      const kinds = isPlan(input.Key!) ? linesOf(input).map((line) => line.split(' ')[0]) : null;
      if (kinds) memory.set('plan', kinds);
      return next(input);
    });
    wrapCommand(table, 'UpdateItemCommand', (input, next) => {
      const values = Object.entries(input.ExpressionAttributeValues ?? {}).map(([name, value]) => {
        if (!value.S?.startsWith('{"slot"')) return [name, value] as const;
        const progress = JSON.parse(value.S) as { phase: string; deletedLines: number };
        const kinds = memory.get('plan') as string[];
        if (progress.phase !== 'delete') return [name, value] as const;
        const kind = kinds[progress.deletedLines];
        while (progress.deletedLines < kinds.length && kinds[progress.deletedLines] === kind)
          progress.deletedLines++;
        return [name, { S: JSON.stringify(progress) }] as const;
      });
      return next({ ...input, ExpressionAttributeValues: Object.fromEntries(values) });
    });
  },

  /** The age of links is not looked at. */
  'young links ignored': ({ s3 }, memory) => {
    const isPlanned = followPlan(s3, memory);
    changePages(s3, (page, prefix) => {
      if (isPlanned() || !prefix.endsWith('repositories/')) return page;
      const LastModified = new Date(0);
      return { ...page, Contents: page.Contents?.map((object) => ({ ...object, LastModified })) };
    });
  },

  /** A run decides by what the run before it had listed. */
  'stale listing': ({ s3 }, memory) => {
    wrapCommand(s3, 'PutObjectCommand', (input, next) => {
      if (isInventory(input.Key!)) {
        memory.set(input.Key!, memory.get('last'));
        memory.set('last', input.Body);
      }
      return next(input);
    });
    wrapCommand(s3, 'GetObjectCommand', async (input, next) => {
      const answer = await next(input);
      const stale = memory.get(input.Key!) as Uint8Array | undefined;
      if (stale === undefined) return answer;
      await answer.Body!.transformToByteArray();
      const Body = { transformToByteArray: async () => stale } as GetObjectCommandOutput['Body'] & object;
      return { ...answer, Body };
    });
  },

  /** What goes is gone before it is written down. */
  'deleted before it is planned': ({ s3 }) => {
    const registry = registryOf(s3);
    wrapCommand(s3, 'PutObjectCommand', async (input, next) => {
      const lines = isPlan(input.Key!) ? linesOf(input) : [];
      for (const kind of KINDS) {
        const Objects = lines
          .filter((line) => line.startsWith(`${kind} `))
          .map((line) => ({ Key: keyIn(line) }));
        if (Objects.length === 0) continue;
        await s3.send(new DeleteObjectsCommand({ Bucket: registry(), Delete: { Objects } }));
      }
      return next(input);
    });
  },

  /** How old something is, is told by the clock of who looks, which is ahead, not by the time that the run is of. */
  'age by the local clock': ({ s3, table }, memory) => {
    wrapCommand(table, 'UpdateItemCommand', (input, next) => {
      const slot = input.ExpressionAttributeValues?.[':slot']?.S;
      if (slot !== undefined) memory.set('slot', Date.parse(slot));
      return next(input);
    });
    const isPlanned = followPlan(s3, memory);
    changePages(s3, (page) =>
      isPlanned() ? page : shiftPage(page, (memory.get('slot') as number) - Date.now() - CLOCK_AHEAD_MS),
    );
  },

  /** What was condemned goes when its time has come, though it may be in use again. */
  'swept without another look': ({ s3 }, memory) => {
    wrapCommand(s3, 'PutObjectCommand', (input, next) => {
      const key = input.Key!;
      if (key.includes('/condemned/') && !key.endsWith('-cut')) memory.set('condemned', linesOf(input));
      if (!isPlan(key)) return next(input);
      const due = ((memory.get('condemned') as string[] | undefined) ?? [])
        .map((line) => [Date.parse(line.split(' ')[0]!), line.slice(line.indexOf(' ') + 1)] as const)
        .filter(([since]) => Date.now() - since >= DAY)
        .map(([, name]) => `${kindOf(name)} 1 condemned ${name}`);
      const lines = linesOf(input);
      const planned = new Set(lines.map(keyIn));
      const all = [...lines, ...due.filter((line) => !planned.has(keyIn(line)))];
      const rank = (line: string) => KINDS.indexOf(line.split(' ')[0]!);
      const sorted = all.toSorted((one, other) => rank(one) - rank(other));
      return next({ ...input, Body: packed(sorted) });
    });
  },

  /** A write to the lease that fails its condition is never compared with what is there. */
  'lost answer is a lost lease': ({ table }) => loseLease(table, ({ sk }) => sk!.S === 'LEASE'),

  /** Each delivery of an event is taken for an event of its own. */
  'run key per delivery': ({ table }, memory) => {
    const delivery = ((memory.get('deliveries') as number | undefined) ?? 0) + 1;
    memory.set('deliveries', delivery);
    wrapCommand(table, 'UpdateItemCommand', (input, next) => {
      const values = input.ExpressionAttributeValues!;
      const slot = values[':slot']?.S;
      if (slot === undefined) return next(input);
      const own = new Date(Date.parse(slot) + delivery).toISOString();
      const run = values[':run']!.S!.replace(slot, own);
      return next({
        ...input,
        ExpressionAttributeValues: { ...values, ':slot': { S: own }, ':run': { S: run } },
      });
    });
  },

  /** Of what came into use while the run worked, only the first page is read. */
  'first page is all': ({ s3 }, memory) => {
    const isPlanned = followPlan(s3, memory);
    endListings(s3, () => isPlanned());
  },

  /** A listing ends with a page that is not full. */
  'short page is the last': ({ s3 }) => {
    endListings(s3, ({ Contents = [] }) => Contents.length < SMALL_PAGE);
  },

  /** A listing ends with a page that cannot be read. */
  'failed page is the end': ({ s3 }) => {
    wrapCommand(s3, 'ListObjectsV2Command', (input, next) =>
      next(input).catch(() => ({ IsTruncated: false, $metadata: {} })),
    );
  },

  /** An object without a delete marker counts as lost, though it may have been uploaded again. */
  'uploaded again is lost': ({ s3 }) => {
    const unmarked = new Set<string>();
    wrapCommand(s3, 'ListObjectVersionsCommand', async (input, next) => {
      const page = await next(input);
      if (page.Versions?.some(({ Key, IsLatest }) => Key === input.Prefix && IsLatest)) {
        unmarked.add(input.Prefix!);
      }
      return page;
    });
    wrapCommand(s3, 'HeadObjectCommand', (input, next) => {
      if (unmarked.has(input.Key!)) throw new NotFound({ message: 'planted', $metadata: {} });
      return next(input);
    });
  },
} satisfies Record<string, PlantedBug>;

export type BugName = keyof typeof PLANTED_BUGS;

/** The kind of trials that finds it soonest, where that is not `any`. */
const KINDS_OF_BUGS: Readonly<Partial<Record<BugName, FaultKind>>> = {
  'future slot is a duplicate': 'clock',
  'lost answer is a lost lease': 'lost-answers',
  'run key per delivery': 'duplicates',
};

export function kindOfBug(name: BugName): FaultKind {
  return KINDS_OF_BUGS[name] ?? 'any';
}

/** Tells whether the run at hand has made its plan. */
function followPlan(s3: S3Client, memory: Map<string, unknown>): () => boolean {
  wrapCommand(s3, 'PutObjectCommand', (input, next) => {
    if (isPlan(input.Key!)) memory.set('isPlanned', true);
    if (isInventory(input.Key!)) memory.delete('isPlanned');
    return next(input);
  });
  return () => memory.has('isPlanned');
}

/** Takes a page for the last one. */
function endListings(s3: S3Client, isLast: (page: ListObjectsV2CommandOutput) => boolean): void {
  changePages(s3, (page) =>
    isLast(page) ? { ...page, IsTruncated: false, NextContinuationToken: undefined } : page,
  );
}

/** The bucket that is listed is that of the registry. */
function registryOf(s3: S3Client): () => string {
  let bucket = '';
  wrapCommand(s3, 'ListObjectsV2Command', (input, next) => {
    if (/(repositories|blobs)\/$/.test(input.Prefix ?? '')) bucket = input.Bucket!;
    return next(input);
  });
  return () => bucket;
}

/** The key in a line of a plan: what comes after kind, size and reason. */
function keyIn(line: string): string {
  return line.split(' ').slice(3).join(' ');
}

function kindOf(key: string): string {
  if (key.includes('/_manifests/tags/')) return 'tag';
  if (key.includes('/_manifests/revisions/')) return 'revision';
  return key.includes('/_layers/') ? 'layer' : 'blob';
}

function packed(lines: readonly string[]): Uint8Array {
  return gzipSync(lines.map((line) => `${line}\n`).join(''));
}

function linesOf({ Body }: PutObjectCommandInput): string[] {
  return gunzipSync(Body as Uint8Array)
    .toString()
    .split('\n')
    .slice(0, -1);
}
