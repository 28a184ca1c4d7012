import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { readOptions, reportFailure, reportReady } from '../engine-child.ts';
import type { Credentials } from '../s3/signature.ts';
import { createTableServer } from './server.ts';

/** Table server (dynalite on LevelDB) as a separate process. */
const { dir, host, port, ...credentials } = await readOptions<
  Credentials & { dir: string; host: string; port: number }
>();

mkdirSync(dir, { recursive: true });
const server = createTableServer(dir, credentials);
server.once('error', reportFailure);
server.listen(port, host, () => {
  const address = server.address() as AddressInfo;
  // LevelDB needs no close: acknowledged writes are with the operating system. dynalite prints a stack trace if closed
  // during a request.
  reportReady(`http://${host}:${address.port}`, async () => {});
});
