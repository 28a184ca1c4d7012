import { startBucketServer } from './server.ts';
import type { BucketServerOptions } from './server.ts';

/** What the child tells its parent, once. */
export type BucketMessage =
  | { readonly ready: true; readonly url: string }
  | { readonly ready: false; readonly error: string };

const report = (message: BucketMessage): void => {
  if (process.send !== undefined) process.send(message);
  else console.log(JSON.stringify(message));
};

try {
  const options = JSON.parse(process.argv[2] ?? '{}') as BucketServerOptions;
  const server = await startBucketServer(options);
  const end = (): void => {
    void server.close().finally(() => process.exit());
  };
  // The channel also closes when the parent is killed, so nobody is left behind holding the port.
  process.once('disconnect', end);
  process.once('SIGTERM', end);
  // Ctrl-C reaches every process of the terminal; a parent that has us still needs the bucket to finish its work.
  process.on('SIGINT', () => {
    if (!process.connected) end();
  });
  report({ ready: true, url: server.url });
} catch (error) {
  report({ ready: false, error: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
  process.disconnect?.();
}
