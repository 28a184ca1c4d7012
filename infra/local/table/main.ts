import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { readOptions, reportFailure, reportReady } from '../engine-child.ts';
import type { Credentials } from '../s3/signature.ts';
import { createTableServer } from './server.ts';

/** The table of the local run: dynalite on LevelDB, in a process of its own. */
const { dir, host, port, ...credentials } = await readOptions<
  Credentials & { dir: string; host: string; port: number }
>();

mkdirSync(dir, { recursive: true });
const server = createTableServer(dir, credentials);
server.once('error', reportFailure);
server.listen(port, host, () => {
  const address = server.address() as AddressInfo;
  // LevelDB needs no goodbye: what it acknowledged is with the operating system. dynalite, closed while a request is
  // under way, ends with a stack trace.
  reportReady(`http://${host}:${address.port}`, async () => {});
});
