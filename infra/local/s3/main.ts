import { readOptions, reportFailure, reportReady } from '../engine-child.ts';
import { type BucketServerOptions, startBucketServer } from './server.ts';

/** The bucket of the local run, in a process of its own. */
try {
  const server = await startBucketServer(await readOptions<BucketServerOptions>());
  reportReady(server.url, () => server.close());
} catch (error) {
  reportFailure(error);
}
