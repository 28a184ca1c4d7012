import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Table } from '../../../functions/store/table.ts';
import { startCincinnatiStub } from '../upstream/cincinnati-stub.ts';
import { BUCKET, type Engines, REGISTRY, startEngines } from './engines.ts';
import type { FixedTime } from './fixed-time.ts';
import type { Product, Surroundings } from './product.ts';
import { type Controls, type Faults, REGISTRIES, TableGone } from './scenario.ts';
import { releasesOn, upstreamOn } from './upstream.ts';

/** Opens the current release, or the frozen one of a dump. */
export type OpenProduct = (around: Surroundings) => Product;

export interface Stage extends Controls {
  /** Warnings and errors of every product since the start. */
  readonly warnings: readonly string[];
  readonly open: (day: number, faults?: Faults, release?: OpenProduct) => Promise<Product>;
  close(): Promise<void>;
}

const INVOCATION_MS = 900_000;

/** A new table and buckets, an upstream, and products of a release. */
export async function startStage(options: {
  readonly tableUrl: string;
  readonly tableName: string;
  readonly time: FixedTime;
  readonly release: OpenProduct;
}): Promise<Stage> {
  const { time } = options;
  const engines: Engines = await startEngines(options.tableUrl, options.tableName);
  const stub = await startCincinnatiStub(() => null);
  const warnings: string[] = [];
  let deletions = 0;
  onDeletion(engines.s3, () => deletions++);
  return {
    time,
    engines,
    warnings,
    open: async (day, faults = {}, release = options.release) => {
      stub.setSource(upstreamOn(day));
      const { table, s3 } = engines;
      const pauseAt = deletions + (faults.deletionsBeforePause ?? Infinity);
      return release({
        table: faults.tableCalls === undefined ? table : goneAfter(table, faults.tableCalls),
        s3,
        bucket: BUCKET,
        registries: REGISTRIES,
        releases: releasesOn(day),
        upstream: stub.url,
        clock: time.now,
        refusesEvent: (type, subject) => {
          faults.onEvent?.(`${type} ${subject}`);
          return faults.refusesEvent?.(type, subject) === true;
        },
        isWebhookDown: () => faults.isWebhookDown === true,
        pruneTimeLeft: () => (deletions >= pauseAt ? 0 : INVOCATION_MS),
        onWarning: (message, fields) => warnings.push(`${message} ${JSON.stringify(fields)}`),
      });
    },
    async close() {
      await stub.close();
      await engines.close();
    },
  };
}

/** Counts deletion batches in the registry bucket. */
function onDeletion(s3: S3Client, count: () => void): void {
  s3.middlewareStack.add(
    (next, { commandName }) =>
      (call) => {
        if (
          commandName === 'DeleteObjectsCommand' &&
          (call.input as { Bucket?: string }).Bucket === REGISTRY
        ) {
          count();
        }
        return next(call);
      },
    { step: 'initialize' },
  );
}

function goneAfter(table: Table, calls: number): Table {
  let left = calls;
  const send = (command: Parameters<DynamoDBClient['send']>[0]) =>
    left-- > 0 ? table.client.send(command) : Promise.reject(new TableGone('the table is gone'));
  return { ...table, client: { send } as unknown as DynamoDBClient };
}
