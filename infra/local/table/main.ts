import { mkdirSync } from 'node:fs';
import { readOptions, reportFailure, reportReady } from '../engine-child.ts';
import { listen } from '../http-server.ts';
import type { Credentials } from '../s3/signature.ts';
import { createTableServer } from './server.ts';

/** Table server (dynalite on LevelDB) as a separate process. */
const { dir, host, port, ...credentials } = await readOptions<
  Credentials & { dir: string; host: string; port: number }
>();

mkdirSync(dir, { recursive: true });
const server = createTableServer(dir, credentials);
try {
  const url = await listen(server, { host, port });
  // LevelDB needs no close: acknowledged writes are with the operating system. dynalite prints a stack trace if closed
  // during a request.
  reportReady(url, async () => {});
} catch (error) {
  reportFailure(error);
}
