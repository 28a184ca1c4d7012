import { S3Client } from '@aws-sdk/client-s3';
import { parseReleaseConfig } from '@cairn/shared/releases/sources';
import { createCincinnati } from '../../../../functions/outbound/cincinnati.ts';
import { createTableClient } from '../../../../functions/store/client.ts';
import { runSync } from '../../../../functions/sync/job.ts';
import { userAgentOf } from '../../../helpers/s3/actor.ts';

/** A run in a process of its own, told by its first argument, which may be killed at any call. */
export interface Invocation {
  readonly actor: string;
  readonly tableUrl: string;
  readonly bucketUrl: string;
  readonly upstreamUrl: string;
  readonly eventsUrl: string;
  readonly table: string;
  readonly bucket: string;
  readonly config: unknown;
  readonly slot: string;
  readonly now: number;
}

const invocation = JSON.parse(process.argv[2]!) as Invocation;
const { actor, now } = invocation;
Date.now = () => now;
const reading = parseReleaseConfig(invocation.config);
if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
const shared = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  customUserAgent: userAgentOf(actor),
};
const silent = { info: () => {}, warn: () => {}, error: () => {} };
const result = await runSync(
  {
    table: {
      client: createTableClient(8, { ...shared, endpoint: invocation.tableUrl }),
      name: invocation.table,
    },
    bucket: {
      client: new S3Client({ ...shared, endpoint: invocation.bucketUrl, forcePathStyle: true }),
      name: invocation.bucket,
    },
    config: reading.config,
    upstream: {
      kind: 'live',
      url: invocation.upstreamUrl,
      open: () =>
        createCincinnati({
          version: 'test',
          url: invocation.upstreamUrl,
          policy: { allowLoopbackHttp: true },
        }),
    },
    events: {
      async publish(events) {
        await fetch(invocation.eventsUrl, { method: 'POST', body: JSON.stringify(events) });
        return [];
      },
    },
    log: silent,
    clock: () => now,
    limits: { pairsAtOnce: 1, rowWritesAtOnce: 1 },
  },
  { scheduledTime: invocation.slot, trigger: 'schedule' },
);
process.stdout.write(JSON.stringify(result));
process.exit();
