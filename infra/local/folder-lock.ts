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

/** The name says all, so that no lock can be found half written. */
const LOCK_FILE = /^lock-(?<pid>\d+)-(?<boot>.*)$/;

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

/**
 * One run per data folder. Returns how to give the folder back. Everyone leaves a file first and looks for others
 * then: of two that start at the same moment at least one sees the other, so they never both go on. `onAbandoned` is
 * called when one died without giving it back.
 */
export function lockFolder(dir: string, onAbandoned: () => void = () => {}): () => void {
  const boot = bootId();
  const mine = `lock-${process.pid}-${boot}`;
  const release = (): void => rmSync(join(dir, mine), { force: true });
  // Containers give the same process id after each crash.
  if (existsSync(join(dir, mine))) onAbandoned();
  writeFileSync(join(dir, mine), '');
  for (const name of readdirSync(dir)) {
    const holder = LOCK_FILE.exec(name)?.groups;
    if (!holder || name === mine) continue;
    // Process ids begin anew with each boot, so a lock of an earlier one is nobody's.
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
    // EPERM: it is there, but another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A killed process still answers signals until its parent has asked how it ended, which in a container may be never. */
function isZombie(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before the state is in parentheses and may hold any character.
    return status.slice(status.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    // No such file system: nothing more is known than that it answers.
    return false;
  }
}
