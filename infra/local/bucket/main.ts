import { reportFailure, reportReady } from '../engine-child.ts';
import { type BucketServerOptions, startBucketServer } from './server.ts';

/** The bucket of the local run, in a process of its own. */
try {
  const server = await startBucketServer(JSON.parse(process.argv[2] ?? '{}') as BucketServerOptions);
  reportReady(server.url, () => server.close());
} catch (error) {
  reportFailure(error);
}
