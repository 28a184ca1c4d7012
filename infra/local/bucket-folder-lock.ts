import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes this process the only user of the folder, or throws. The hold is a listening socket, because the system takes
 * it back however the process ends; a file with a process id would lie after a crash. Resolves to its release.
 */
export async function holdFolder(dir: string): Promise<() => Promise<void>> {
  mkdirSync(dir, { recursive: true });
  const name = `cairn-bucket-${createHash('sha256').update(realpathSync(dir)).digest('hex').slice(0, 16)}`;
  const path = socketPath(name);
  const server = (await listen(path)) ?? (await takeOver(path));
  if (server === null)
    throw new Error(`the folder ${dir} is in use by another bucket server, stop that one first`);
  server.unref();
  return () => new Promise((done) => server.close(() => done()));
}

/** Linux and Windows have names outside of the file system, which leave nothing behind. */
function socketPath(name: string): string {
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

async function listen(path: string): Promise<Server | null> {
  const server = createServer((socket) => socket.destroy());
  server.listen(path);
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null;
    throw error;
  }
}

/** The socket file of a process that was killed stays; nobody answers behind it. */
async function takeOver(path: string): Promise<Server | null> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return null;
  } catch {
    rmSync(path, { force: true });
    return await listen(path);
  } finally {
    socket.destroy();
  }
}
