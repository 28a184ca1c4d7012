import { readOptions, reportFailure, reportReady } from '../engine-child.ts';
import { type BucketServerOptions, startBucketServer } from './server.ts';

try {
  const server = await startBucketServer(await readOptions<BucketServerOptions>());
  reportReady(server.url, () => server.close());
} catch (error) {
  reportFailure(error);
}
