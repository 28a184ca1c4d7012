import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFolder } from '../../../infra/local/folder-lock.ts';

const MODULE = new URL('../../../infra/local/folder-lock.ts', import.meta.url).href;

let dir: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cairn-lock-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

const used = (pid: number): string =>
  `${dir} is used by process ${pid}; stop it, or choose another folder with --data`;

/** The name under which this process locks, in which a test may replace the parts. */
function ownLock(): string {
  const release = lockFolder(dir);
  const [name] = readdirSync(dir);
  release();
  return name!;
}

interface Locker {
  readonly child: ChildProcess;
  /** Locks the folder, or gives it back, in that process; resolves to what came of it. */
  readonly tell: (order: 'lock' | 'release') => Promise<string>;
}

async function startLocker(): Promise<Locker> {
  const script = `
    import { lockFolder } from ${JSON.stringify(MODULE)};
    import { createInterface } from 'node:readline';
    let release = () => {};
    console.log('ready');
    for await (const order of createInterface(process.stdin)) {
      try {
        if (order === 'lock') release = lockFolder(${JSON.stringify(dir)});
        else release();
        console.log('done');
      } catch (error) {
        console.log(error.message);
      }
    }
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  const tell: Locker['tell'] = async (order) => {
    child.stdin.write(`${order}\n`);
    return String((await lines.next()).value);
  };
  return { child, tell };
}

async function startHolder(): Promise<ChildProcess> {
  const { child, tell } = await startLocker();
  expect(await tell('lock')).toBe('done');
  return child;
}

describe('lockFolder', () => {
  it('locks a folder until it is given back, and leaves nothing', () => {
    const release = lockFolder(dir);
    expect(readdirSync(dir)).toHaveLength(1);
    release();
    expect(readdirSync(dir)).toEqual([]);
    release();
  });

  it('refuses the folder of a live process and leaves its lock alone', async () => {
    const child = await startHolder();
    expect(() => lockFolder(dir)).toThrow(used(child.pid!));
    expect(readdirSync(dir)).toEqual([expect.stringContaining(String(child.pid))]);
  });

  it('takes the folder of a process that was killed, however often', async () => {
    for (let round = 0; round < 2; round++) {
      const child = await startHolder();
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    lockFolder(dir);
    expect(readdirSync(dir)).toEqual([expect.stringContaining(String(process.pid))]);
  });

  it('takes the folder of an earlier boot, whose process ids mean nothing any more', () => {
    const [, , boot] = /^(lock-\d+-)(.*)$/.exec(ownLock())!;
    const lockOf = (otherBoot: string): string => `lock-${process.ppid}-${otherBoot}`;
    writeFileSync(join(dir, lockOf(`${boot}0`)), '');
    lockFolder(dir)();
    expect(readdirSync(dir)).toEqual([]);
    writeFileSync(join(dir, lockOf(boot!)), '');
    expect(() => lockFolder(dir)).toThrow(used(process.ppid));
  });

  it('takes the folder from its own process id, as containers give the same one after each crash', () => {
    writeFileSync(join(dir, ownLock()), '');
    lockFolder(dir);
    expect(readdirSync(dir)).toHaveLength(1);
  });

  it('knows a lock by its name alone, so one cut short by a crash still counts', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const ended = ownLock().replace(String(process.pid), String(pid));
    writeFileSync(join(dir, ended), '{"pi');
    lockFolder(dir)();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('tells that a folder was not given back', () => {
    let abandoned = 0;
    const lock = () => lockFolder(dir, () => abandoned++);
    lock()();
    lock()();
    expect(abandoned).toBe(0);
    lock();
    lock()();
    expect(abandoned, 'by one with its own process id').toBe(1);
    writeFileSync(join(dir, ownLock().replace(String(process.pid), '4194304')), '');
    lock()();
    expect(abandoned, 'by another').toBe(2);
  });

  it('looks at its own files only', () => {
    for (const name of ['lock', 'lock-1', 'block-1-x', 'endpoints.json']) writeFileSync(join(dir, name), '');
    lockFolder(dir)();
    expect(readdirSync(dir)).toHaveLength(4);
  });

  it('never goes to two who ask at once', async () => {
    const dead = ownLock().replace(String(process.pid), '4194304');
    const rivals = await Promise.all(Array.from({ length: 4 }, startLocker));
    for (let round = 0; round < 50; round++) {
      if (round % 2 === 1) writeFileSync(join(dir, dead), '');
      const answers = await Promise.all(rivals.map(({ tell }) => tell('lock')));
      const winners = rivals.filter((_, index) => answers[index] === 'done');
      expect(winners.length, answers.join('\n')).toBeLessThanOrEqual(1);
      await Promise.all(winners.map(({ tell }) => tell('release')));
    }
  });

  it.runIf(process.platform === 'linux')(
    'takes the lock of a killed process that nobody has waited for',
    async () => {
      // The shell becomes a sleep, which never asks how its child ended; the child lives until then.
      const parent = spawn('sh', ['-c', 'read _ <&3 & echo $!; exec sleep 600'], {
        stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
      });
      children.push(parent);
      const [line] = (await once(parent.stdout!, 'data')) as [Buffer];
      const pid = Number(line.toString());
      await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
      parent.stdio[3]!.destroy();
      await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /);
      writeFileSync(join(dir, ownLock().replace(String(process.pid), String(pid))), '');
      expect(() => lockFolder(dir)).not.toThrow();
    },
  );
});
