import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Holder {
  readonly pid: number;
  /** Process ids begin anew with each boot, so a lock of an earlier one is nobody's. */
  readonly boot: string;
}

/** One run per data folder. Returns how to give the folder back. */
export function lockFolder(dir: string): () => void {
  const file = join(dir, 'lock');
  const holder = readHolder(file);
  if (holder && holder.boot === bootId() && isAlive(holder.pid)) {
    throw new Error(`${dir} is used by process ${holder.pid}; stop it, or choose another folder with --data`);
  }
  rmSync(file, { force: true });
  // The exclusive flag lets one of two that start at the same moment win.
  writeFileSync(file, JSON.stringify({ pid: process.pid, boot: bootId() } satisfies Holder), { flag: 'wx' });
  return () => rmSync(file, { force: true });
}

function readHolder(file: string): Holder | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    // No lock, or one cut short by a crash while it was written: either way nobody holds it.
    return null;
  }
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
    return true;
  } catch (error) {
    // EPERM: it is there, but another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
