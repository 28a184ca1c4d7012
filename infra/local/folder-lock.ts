import { once } from 'node:events';
import { readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256Hex } from '../../functions/runtime/hash.ts';

const ANSWER_TIMEOUT_MS = 5_000;
/** A process that was killed takes a moment until the kernel has closed its sockets. */
const ATTEMPTS = 40;
const RETRY_MS = 50;

/**
 * Makes this process the only user of the folder, or throws `refusal` with the process that uses it. A listening socket is
 * the lock, because the kernel releases it however the process ends. Resolves to the release function.
 */
export async function lockFolder(
  dir: string,
  refusal: (pid: string) => string,
): Promise<() => Promise<void>> {
  const path = socketPath(`cairn-bucket-${sha256Hex(realpathSync(dir)).slice(0, 16)}`);
  for (let attempt = 1; ; attempt++) {
    const server = await listen(path);
    if (server !== null) {
      server.unref();
      return () => new Promise((done) => server.close(() => done()));
    }
    const holder = await holderOf(path);
    if (holder.pid !== null) throw new Error(refusal(holder.pid));
    if (attempt === ATTEMPTS) throw new Error(refusal('unknown'));
    // Only where it is a file, which a process that was killed leaves behind.
    if (!holder.isListening && process.platform !== 'linux') rmSync(path, { force: true });
    await sleep(RETRY_MS);
  }
}

/** Linux and Windows have names outside of the file system, which leave no file. */
function socketPath(name: string): string {
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

async function listen(path: string): Promise<Server | null> {
  const server = createServer((socket) => {
    // The other side may be gone already.
    socket.on('error', () => {}).end(String(process.pid));
  });
  server.listen(path);
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null;
    throw error;
  }
}

/** A holder without process id has just ended. One that hangs still holds the lock. */
async function holderOf(
  path: string,
): Promise<{ readonly isListening: boolean; readonly pid: string | null }> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch (error) {
    if (['ECONNREFUSED', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      return { isListening: false, pid: null };
    }
    throw error;
  }
  let otherwise: string | null = null;
  socket.setTimeout(ANSWER_TIMEOUT_MS, () => {
    otherwise = 'unknown';
    socket.destroy();
  });
  const pid = await text(socket).catch(() => '');
  return { isListening: true, pid: pid || otherwise };
}

/** The name says all, so that no mark can be found half written. */
const MARK = /^lock-\d+-/;

/**
 * Leaves a file in a locked folder that only an unclean end leaves there: `wasAbandoned` if the user before ended so. Its
 * name is `lock-<process id>-<boot>`, which scripts read.
 */
export function markFolder(dir: string): { readonly wasAbandoned: boolean; readonly unmark: () => void } {
  const abandoned = readdirSync(dir).filter((name) => MARK.test(name));
  const mine = join(dir, `lock-${process.pid}-${bootId()}`);
  writeFileSync(mine, '');
  for (const name of abandoned) if (join(dir, name) !== mine) rmSync(join(dir, name), { force: true });
  return { wasAbandoned: abandoned.length > 0, unmark: () => rmSync(mine, { force: true }) };
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
