import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  realpathSync,
  rmSync,
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The name has all data, so that no lock can be half written. */
const LOCK_FILE = /^lock-(?<pid>\d+)-(?<boot>.*)$/;

/**
 * Locks the folder with a listening socket, which the system releases however the process ends; a PID file would
 * survive a crash. Resolves to the release function.
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

/** Linux and Windows have names outside of the file system, which leave no file. */
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

/** The socket file of a killed process remains without a listener. */
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

/**
 * Allows one run per data folder and returns the release function. Each process writes its file before it checks for
 * others: of two concurrent starts at least one sees the other. Calls `onAbandoned` if the last run ended without a
 * release.
 */
export function lockFolder(dir: string, onAbandoned: () => void = () => {}): () => void {
  const boot = bootId();
  const mine = `lock-${process.pid}-${boot}`;
  const release = (): void => rmSync(join(dir, mine), { force: true });
  // Containers reuse the same process ID after each crash.
  if (existsSync(join(dir, mine))) onAbandoned();
  writeFileSync(join(dir, mine), '');
  for (const name of readdirSync(dir)) {
    const holder = LOCK_FILE.exec(name)?.groups;
    if (!holder || name === mine) continue;
    // Process IDs restart with each boot, so a lock of an earlier boot is stale.
    if (holder['boot'] === boot && isAlive(Number(holder['pid']))) {
      release();
      throw new Error(
        `${dir} is used by process ${holder['pid']}; stop it, or choose another folder with --data`,
      );
    }
    rmSync(join(dir, name), { force: true });
    onAbandoned();
  }
  return release;
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A killed process accepts signals until its parent reaps it, which in a container can be never. */
function isZombie(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name in parentheses can contain any character.
    return status.slice(status.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    // Without /proc, assume that the process is alive.
    return false;
  }
}
