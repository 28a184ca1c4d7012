import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name says all, so that no lock can be found half written. */
const LOCK_FILE = /^lock-(?<pid>\d+)-(?<boot>.*)$/;

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
